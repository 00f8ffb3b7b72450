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
