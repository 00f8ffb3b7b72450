import Foundation
import SKANBase
import SKANRun
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// What DuckDB is asked for, and what becomes of its answers, without the program.
@Suite("Inputs that DuckDB reads")
struct DuckDBInputTests {
  private static let files = World {
    $0.files["month/a.parquet"] = [0]
    $0.files["lake/_delta_log/0.json"] = [0]
    $0.files["ice/metadata/x"] = [0]
    $0.files["ice/data/x"] = [0]
    $0.files["hudi/.hoodie/x"] = [0]
  }.environment.files

  @Test(
    "Addresses, patterns and folders are known by their names",
    arguments: [
      ("https://x.example/a.parquet?sig=1.csv", DuckDBInput.Form.parquet, "https://x.example/a.parquet"),
      ("HTTPS://x.example/a.CSV.gz#x", .table, "HTTPS://x.example/a.CSV.gz#x"),
      ("s3://b/part-?.json.gz", .objects, "s3://b/part-?.json.gz"), ("gs://b/unload/0001_part_00", .parquet, nil),
      ("gs://b/a.xlsx", .workbook, nil), ("s3://b/a.duckdb", .database, nil), ("m*/**/*.parquet", .parquet, nil),
      ("month", .parquet, nil), ("lake", .delta, nil), ("ice", .iceberg, nil), ("a.parquet", nil, nil),
      ("m*.csv", nil, nil), ("-", nil, nil), ("ftp://x/a.parquet", nil, nil),
    ] as [(String, DuckDBInput.Form?, String?)])
  func names(path: String, form: DuckDBInput.Form?, name: String?) throws {
    let input = try DuckDBInput(path: path, Self.files)
    #expect(input?.form == form)
    if let input { #expect(input.name == name ?? path) }
  }

  @Test("A Hudi table is refused, since its log says which files count")
  func hudi() {
    #expect(throws: CommandError.self) { try DuckDBInput(path: "hudi", Self.files) }
  }

  @Test("Files are known by their first bytes, and their names stand for themselves")
  func files() throws {
    let parquet = try #require(DuckDBInput(path: "it's [1]*?.parquet", beginning: Array("PAR1....".utf8)))
    #expect(parquet.preparation.contains("read_parquet('./it''s [[]1][*][?].parquet', union_by_name=true)"))
    let database = try #require(DuckDBInput(path: "a'b*.db", beginning: Array("12345678DUCK".utf8)))
    #expect(database.preparation.hasPrefix("ATTACH './a''b*.db' AS source (READ_ONLY)"))
    let workbook = try #require(DuckDBInput(path: "/x/a.XLSX", beginning: Array("PK\u{3}\u{4}".utf8)))
    #expect(workbook.preparation.contains("read_xlsx('/x/a.XLSX', header=true, empty_as_varchar=true)"))
    #expect(DuckDBInput(path: "a.zip", beginning: Array("PK\u{3}\u{4}".utf8)) == nil)
    #expect(DuckDBInput(path: "a.parquet", beginning: Array("a,b\n".utf8)) == nil)
  }

  /// A world whose DuckDB has the columns `columns`, writes `rows`, and keeps what it is asked for.
  private final class Fake: Sendable {
    let asked = Mutex<[String]>([])
    let world: World

    init(_ columns: [(String, String)], rows: String, failure: DuckDBProgram.Failure? = nil) {
      world = World { $0.files["a.parquet"] = Array("PAR1....PAR1".utf8) }
      let text = columns.map { #"{"version":"v9.8.7","column_name":"\#($0)","column_type":"\#($1)"}"# }
      let answer = Array("[\(text.joined(separator: ",\n"))]\n".utf8)
      world.set { state in
        state.duckDB = DuckDBProgram(
          run: { [self] (sql) throws(DuckDBProgram.Failure) in
            self.asked.withLock { $0.append(sql) }
            if let failure { throw failure }
            return answer
          },
          stream: { [self] (sql) throws(DuckDBProgram.Failure) in
            self.asked.withLock { $0.append(sql) }
            return ByteSource(Array(rows.utf8))
          }, temporaryFolder: "/t'mp")
      }
    }
  }

  private static let columns = [("device", "VARCHAR"), ("time", "TIMESTAMP WITH TIME ZONE"), ("name", "VARCHAR")]
  private static let rows = "device,time,name\na,2026-01-01 00:00:00+00,x\n"

  @Test("Nothing is installed, times are in UTC, rows keep their order, and the version is named")
  func settings() {
    let fake = Fake(Self.columns, rows: Self.rows)
    let run = fake.world.run("import -o - a.parquet")
    #expect(run.code == .ok && run.out.split(separator: "\n").count == 3, "\(run.err)")
    #expect(
      run.err.hasPrefix(
        "skan: a.parquet: read by duckdb v9.8.7\nskan: a.parquet: read with preset plain, by its columns\n"))
    let asked = fake.asked.withLock { $0 }
    #expect(asked.count == 2)
    for sql in asked {
      #expect(
        sql.hasPrefix(
          "SET autoinstall_known_extensions=false; SET TimeZone='UTC'; SET preserve_insertion_order=true; "
            + "SET enable_progress_bar=false; SET temp_directory='/t''mp/skan-duckdb'; "
            + "CREATE TEMP VIEW input AS SELECT * FROM read_parquet('./a.parquet', union_by_name=true); "), "\(sql)")
    }
    #expect(asked[1].hasSuffix("(FORMAT csv, HEADER true, DELIMITER ',', QUOTE '\"', ESCAPE '\"')"))
    #expect(DuckDBProgram.arguments("x") == ["-init", "/dev/null", "-json", "-c", "x"])
  }

  @Test(
    "Columns with several values make it JSON",
    arguments: ["STRUCT(a INTEGER)", "VARCHAR[]", "MAP(VARCHAR, INTEGER)", "JSON"])
  func nested(type: String) {
    let fake = Fake(Self.columns + [("more", type)], rows: #"{"device":"a","time":1767225600,"name":"x"}"#)
    #expect(fake.world.run("import -o - -q a.parquet").code == .ok)
    #expect(fake.asked.withLock { $0[1] }.hasSuffix("(FORMAT json, ARRAY false)"))
  }

  @Test("A query becomes part of another one, so that it cannot change anything")
  func query() {
    let fake = Fake(Self.columns, rows: Self.rows)
    let world = fake.world
    let run = world.run("import -o - -q a.parquet --query", "SELECT 1; DROP TABLE x -- ;\n ; ")
    #expect(run.code == .ok)
    #expect(fake.asked.withLock { $0[1] }.contains(" FROM (SELECT 1; DROP TABLE x --\n)) TO '/dev/stdout' "))
    world["b.csv"] = Self.rows
    let other = world.run("import -o - -q b.csv --query", "SELECT 1")
    #expect(other.code == .usage && other.err.contains("--query: b.csv is not read by DuckDB"))
  }

  @Test(
    "What fails is said with the input's name, and what to do",
    arguments: [
      (
        "", DuckDBProgram.Failure.missing, ExitCode.unavailable,
        "skan: a.parquet is read by duckdb, which is not on the PATH: 'pip install duckdb-cli' or 'brew install duckdb' "
      ),
      ("", .interrupted, .interrupted, "skan: interrupted"),
      (
        "", .failed("IO Error: no\nfoot\n\nLINE 1: SELECT\n  ^\n"), .noInput,
        "skan: cannot read a.parquet: duckdb: IO Error: no foot\n"
      ),
      (
        "", .failed("-- Loading resources from /dev/null\n"), .noInput,
        "skan: cannot read a.parquet: duckdb: it ended without a word\n"
      ),
      (
        "", .failed("Extension \"x\" not found.\n\nInstall it first using \"INSTALL x\"."), .unavailable,
        "skan: cannot read a.parquet: duckdb needs its extension x: 'duckdb -c \"INSTALL x\"' installs it\n"
      ),
      ("SELECT y", .failed("Binder Error: no column y"), .usage, "skan: --query: duckdb: Binder Error: no column y\n"),
      ("SELECT y", .failed("IO Error: gone"), .noInput, "skan: cannot read a.parquet: duckdb: IO Error: gone\n"),
    ] as [(String, DuckDBProgram.Failure, ExitCode, String)])
  func failures(query: String, failure: DuckDBProgram.Failure, code: ExitCode, message: String) {
    let world = Fake(Self.columns, rows: Self.rows, failure: failure).world
    let run = world.run("import --check a.parquet", arguments: query.isEmpty ? [] : ["--query", query])
    #expect(run.code == code)
    #expect(run.err.hasPrefix(message), "\(run.err)")
    #expect(run.out == "")
  }

  @Test("An address that cannot be reached is named without what follows its path")
  func addresses() {
    let world = Fake(
      Self.columns, rows: Self.rows,
      failure: .failed("IO Error: Could not establish connection to https://x.example/a.parquet?sig=1")
    ).world
    let run = world.run("import --check https://x.example/a.parquet?sig=1")
    #expect(run.code == .unavailable && !run.err.contains("sig"))
  }
}

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
    try workspace.write(
      "bin/duckdb",
      """
      #!/bin/sh
      printf '%s\\n' "$1" "$2" "$3" "$4" >> arguments
      env | grep -c SKAN_SDK >> arguments
      case "$5" in *"DESCRIBE"*) echo '[{"version":"v1","column_name":"device","column_type":"VARCHAR"}]'; exit;; esac
      \(script)
      """)
    #expect(try workspace.shell("chmod +x bin/duckdb && printf PAR1xxxx > a.parquet").code == 0)
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
