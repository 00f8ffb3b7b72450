import Foundation
import SKANBase
import SKANRun
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// A program `duckdb` in the place of the real one, and the real one where it is installed.
@Suite("The program duckdb", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct DuckDBProgramTests {
  /// The real program; nil if it is not installed.
  private static let real: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/duckdb") }
  }()

  /// A folder with a program that keeps its arguments and environment, and then runs a script.
  private func workspace(_ script: String) throws -> Workspace {
    let workspace = try Workspace()
    try FileManager.default.createDirectory(at: workspace("bin"), withIntermediateDirectories: true)
    try workspace.writeProgram(
      "bin/duckdb",
      """
      #!/bin/sh
      printf '%s\\n' "$1" "$2" "$3" "$4" >> arguments
      env | grep -c SKAN_SDK >> arguments
      case "$5" in *"DESCRIBE"*) echo '[{"version":"v1","column_name":"device","column_type":"VARCHAR"}]'; exit;; esac
      \(script)
      """)
    #expect(try workspace.shell("printf PAR1xxxx > a.parquet").code == 0)
    return workspace
  }

  private func run(_ workspace: Workspace, _ arguments: [String]) throws -> Workspace.Run {
    try workspace.run(
      arguments, environment: ["PATH": "\(workspace("bin").path):/usr/bin:/bin", "SKAN_SDK_KEY": "secret"])
  }

  @Test("It gets no settings, no SDK key and no input, and its output is read as it arrives")
  func arguments() throws {
    let workspace = try workspace(
      "cat; echo device,time,name; i=0; while [ $i -lt 20000 ]; do echo d$i,1767225600,x; i=$((i+1)); done")
    let run = try run(workspace, ["import", "-q", "-o", "list", "a.parquet"])
    #expect(run == Workspace.Run(code: 0, out: "", err: ""))
    #expect(workspace["list"]?.split(separator: "\n").count == 60_000)
    #expect(workspace["arguments"] == "-init\n/dev/null\n-json\n-c\n0\n-init\n/dev/null\n-json\n-c\n0\n")
  }

  @Test("One that fails after some rows is an error, and no list is written")
  func failing() throws {
    let workspace = try workspace(
      "echo device,time,name; echo d,1767225600,x; head -c 300000 /dev/zero | tr '\\0' e >&2; exit 3")
    let run = try run(workspace, ["import", "-q", "-o", "list", "a.parquet"])
    #expect(run.code == 66 && run.err.hasPrefix("skan: cannot read a.parquet: duckdb: eeee"))
    #expect(workspace["list"] == nil)
  }

  @Test("Without it its path is asked for")
  func missing() throws {
    let workspace = try workspace("")
    let run = try workspace.run(["import", "--check", "a.parquet"], environment: ["PATH": "/nonexistent"])
    #expect(run.code == 69 && run.err.hasPrefix("skan: a.parquet is read by duckdb, which is not on the PATH"))
    let pipe = try workspace.shell("cat a.parquet | \"$SKAN\" import --check -")
    #expect(pipe.code == 65 && pipe.err.contains("standard input:1: this is Parquet, which is read from a file"))
  }

  @Test("The real one: Parquet, a database and a query have the rows of the CSV file", .enabled(if: real != nil))
  func same() throws {
    let workspace = try Workspace()
    let environment = ["PATH": "\(try #require(Self.real)):/usr/bin:/bin", "HOME": workspace.url.path]
    let export =
      "device,time,name,revenue,currency\n"
      + (0..<3000).map {
        "it's \($0 / 3),2026-01-01T00:\(10 + $0 % 50):00Z,\"a,\"\"b\",\($0 % 3 == 0 ? "0.01" : ""),USD\n"
      }.joined()
    try workspace.write("plain.csv", export)
    let columns =
      "SELECT device, CAST(time AS TIMESTAMPTZ) AS time, name, CAST(revenue AS DECIMAL(9,2)) AS revenue, currency "
      + "FROM read_csv('plain.csv', all_varchar=true)"
    try workspace.write(
      "make.sql",
      """
      SET TimeZone='America/New_York';
      COPY (\(columns)) TO 'it''s [1]*.parquet' (FORMAT parquet);
      COPY (SELECT *, {'a': 1, 'b': ['x']} AS more FROM (\(columns))) TO 'nested.parquet' (FORMAT parquet);
      ATTACH 'one.duckdb' AS one; CREATE TABLE one.events AS \(columns);
      ATTACH 'two.duckdb' AS two; CREATE TABLE two.a AS \(columns); CREATE TABLE two.b AS SELECT 1 AS x;
      """)
    let made = try workspace.start(
      ["-c", "duckdb -init /dev/null < make.sql"], program: URL(fileURLWithPath: "/bin/sh"), environment: environment
    ).end()
    #expect(made.code == 0, "\(made)")
    func run(_ arguments: [String]) throws -> Workspace.Run {
      try workspace.run(
        ["import", "-q", "-o", "-"] + arguments, environment: environment.merging(["TZ": "Asia/Kolkata"]) { $1 })
    }
    let plain = try run(["plain.csv"])
    #expect(plain.code == 0 && plain.out.split(separator: "\n").count == 6000, "\(plain.err)")
    #expect(try run(["it's [1]*.parquet"]) == plain)
    #expect(try run(["it*.parquet"]) == plain)
    #expect(try run(["nested.parquet"]) == plain)
    #expect(try run(["one.duckdb"]) == plain)
    #expect(try run(["two.duckdb", "--query", "SELECT * FROM a -- all of them;"]) == plain)
    #expect(
      try run(["it's [1]*.parquet", "--query", "SELECT device, time, name, revenue, currency FROM input"]) == plain)
    let choice = try run(["two.duckdb"])
    #expect(choice.code == 64 && choice.err.contains("has the tables \"a\" and \"b\": choose its rows"), "\(choice)")
    let wrong = try run(["two.duckdb", "--query", "SELECT x FROM a"])
    #expect(wrong.code == 64 && wrong.err.hasPrefix("skan: --query: duckdb: Binder Error: "), "\(wrong)")
    #expect(try run(["two.duckdb", "--query", "DROP TABLE a"]).code == 64)
    try workspace.write("cut.parquet", "PAR1 and no more")
    let cut = try run(["cut.parquet"])
    #expect(cut.code == 66 && cut.err.hasPrefix("skan: cannot read cut.parquet: duckdb: "), "\(cut)")
  }
}
