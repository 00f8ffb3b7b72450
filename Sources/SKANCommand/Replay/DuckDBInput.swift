import SKANBase
import SKANCommandLine
import SKANRun

/// An input of rows that an installed DuckDB reads: columnar files, workbooks, databases, and files at an address.
struct DuckDBInput: Sendable, Equatable {
  enum Form: Sendable, Equatable, CaseIterable {
    case parquet, workbook, database
    /// A text at an address, whose fields stay as they are written.
    case table, objects
    /// The folder of a table of a data lake, whose log says which of its files count.
    case delta, iceberg
  }

  /// The path, pattern or address as given.
  let path: String
  let form: Form
  /// Whether the path is a file or folder here, in whose name no character has a meaning.
  let isFile: Bool
  /// Whether the path is a folder of Parquet files.
  let isFolder: Bool

  /// The schemes of addresses. Only these are reached over the network.
  static let schemes = ["https://", "http://", "s3://", "gs://"]

  private init(_ path: String, _ form: Form, isFile: Bool, isFolder: Bool = false) {
    (self.path, self.form, self.isFile, self.isFolder) = (path, form, isFile, isFolder)
  }

  /// An input that is known by its path: an address, a pattern of Parquet files, or a folder. Nil for any other.
  ///
  /// - Throws: ``CommandError`` for a folder whose files cannot be read without their log.
  init?(path: String, _ files: FileAccess) throws(CommandError) {
    if let scheme = Self.schemes.first(where: { path.lowercased().hasPrefix($0) }) {
      self.init(path, Self.form(of: path, isWeb: scheme.hasPrefix("http")), isFile: false)
      return
    }
    if path == "-" { return nil }
    if let entries = try? files.entries(path) {
      let names = Set(entries.map(\.name))
      if names.contains(".hoodie") {
        throw .lines([
          .at(path.oneLine, "this is a Hudi table, which DuckDB cannot read: export a query of it as Parquet")
        ])
      }
      let isIceberg = names.isSuperset(of: ["metadata", "data"])
      self.init(
        path, names.contains("_delta_log") ? .delta : isIceberg ? .iceberg : .parquet, isFile: true, isFolder: true)
      return
    }
    guard path.contains(where: { "*?[".contains($0) }), Self.suffix(path) == "parquet" else { return nil }
    if let found = try? files.glob(path), found == [path] { return nil }
    self.init(path, .parquet, isFile: false)
  }

  /// A file that is known by its first bytes. Nil for any other.
  init?(path: String, beginning bytes: [UInt8]) {
    if bytes.starts(with: Array("PAR1".utf8)) {
      self.init(path, .parquet, isFile: true)
    } else if bytes.starts(with: Array("PK\u{3}\u{4}".utf8)), ["xlsx", "xlsm"].contains(Self.suffix(path)) {
      self.init(path, .workbook, isFile: true)
    } else if bytes.dropFirst(8).starts(with: Array("DUCK".utf8)) {
      self.init(path, .database, isFile: true)
    } else {
      return nil
    }
  }

  /// The form of a file at an address: by its name, and without one of those it is Parquet.
  private static func form(of path: String, isWeb: Bool) -> Form {
    switch suffix(isWeb ? String(path.prefix { $0 != "?" && $0 != "#" }) : path) {
    case "csv", "tsv", "txt": .table
    case "json", "jsonl", "ndjson": .objects
    case "xlsx", "xlsm": .workbook
    case "duckdb", "ddb", "db": .database
    default: .parquet
    }
  }

  /// The text after the last point of a name, in lower case, without the ending of a compression.
  private static func suffix(_ path: String) -> String {
    var parts = path.split(separator: "/").last?.split(separator: ".").dropFirst().map { $0.lowercased() } ?? []
    if let last = parts.last, ["gz", "zst"].contains(last) { parts.removeLast() }
    return parts.last ?? ""
  }

  /// The name for messages. What follows the path in an address is left out, as it may be a signature.
  var name: String {
    let isWeb = isAddress && path.lowercased().hasPrefix("http")
    return isWeb ? String(path.prefix { $0 != "?" }).oneLine : path.oneLine
  }

  /// Whether reading it needs the network.
  var isAddress: Bool { !isFile && Self.schemes.contains { path.lowercased().hasPrefix($0) } }
}

// MARK: - SQL

extension DuckDBInput {
  /// The settings of each run: no extension is installed, times with a zone are in UTC, and rows keep their order.
  ///
  /// - Parameter folder: the folder for data that does not fit in memory.
  static func settings(temporaryFolder folder: String) -> String {
    "SET autoinstall_known_extensions=false; SET TimeZone='UTC'; SET preserve_insertion_order=true; "
      + "SET enable_progress_bar=false; SET temp_directory=\(literal(folder)); "
  }

  /// The text as a string of SQL.
  static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

  /// The text as a name of SQL.
  static func identifier(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

  /// The path as DuckDB takes it: the characters of patterns in the name of a file stand for themselves, and no
  /// beginning of a name has a meaning.
  private var location: String {
    guard isFile else { return path }
    var escaped = path.hasPrefix("/") ? "" : "./"
    for character in path { escaped += "*?[".contains(character) ? "[\(character)]" : String(character) }
    if isFolder, form == .parquet { escaped += "/**/*.parquet" }
    return escaped
  }

  /// The statement that makes the input a table, to which ``defaultQuery`` and `--query` refer.
  var preparation: String {
    form == .database
      ? "ATTACH \(Self.literal(isFile ? filePath : path)) AS source (READ_ONLY); USE source; "
      : "CREATE TEMP VIEW input AS SELECT * FROM \(function); "
  }

  /// The path of a database, which is no pattern.
  private var filePath: String { path.hasPrefix("/") ? path : "./\(path)" }

  private var function: String {
    let location = Self.literal(location)
    let folder = Self.literal(filePath)
    return switch form {
    case .parquet:
      "read_parquet(\(location), union_by_name=true)"
    case .workbook: "read_xlsx(\(isFile ? folder : location), header=true, empty_as_varchar=true)"
    case .table: "read_csv(\(location), header=true, all_varchar=true)"
    case .objects: "read_json_objects(\(location))"
    case .delta: "delta_scan(\(folder))"
    case .iceberg: "iceberg_scan(\(folder))"
    case .database: ""
    }
  }

  /// The query of all rows; nil for a database, whose tables have names.
  var defaultQuery: String? { form == .database ? nil : "SELECT * FROM input" }

  /// The query of a table's name in a database.
  static func query(ofTable name: String) -> String { "SELECT * FROM \(name)" }

  /// The query of the version of DuckDB, and of the names and types of the columns.
  static func description(of query: String) -> String {
    "SELECT version() AS version, column_name, column_type FROM (DESCRIBE SELECT * FROM (\(query)\n))"
  }

  /// The query of the tables of a database.
  static let tables = "SELECT schema, name FROM (SHOW ALL TABLES) WHERE database = 'source' ORDER BY ALL"

  /// The statement that writes all rows to standard output.
  ///
  /// Values are written as DuckDB writes them: null as an empty field and an empty text as `""`, or JSON, if a column
  /// has several values in a row.
  func copy(_ query: String, _ columns: [Column], isDefault: Bool) -> String {
    if form == .objects, isDefault {
      return "COPY (SELECT json FROM (\(query)\n)) TO '/dev/stdout' (FORMAT csv, HEADER false, QUOTE '', ESCAPE '')"
    }
    let fields = columns.map { $0.expression(isCell: form == .workbook) }.joined(separator: ", ")
    let isNested = columns.contains(where: \.isNested)
    return "COPY (SELECT \(fields) FROM (\(query)\n)) TO '/dev/stdout' "
      + (isNested ? "(FORMAT json, ARRAY false)" : "(FORMAT csv, HEADER true, DELIMITER ',', QUOTE '\"', ESCAPE '\"')")
  }

  /// A column of a query.
  struct Column: Sendable, Equatable {
    var name: String
    /// The type, as DuckDB writes it.
    var type: String

    /// Whether the column has several values in a row.
    var isNested: Bool {
      type.hasSuffix("]") || ["STRUCT(", "MAP(", "UNION(", "JSON", "VARIANT"].contains { type.hasPrefix($0) }
    }

    /// The expression of the column's values.
    ///
    /// Some writers of Parquet do not mark texts as such; they are bytes, and read as UTF-8 where they are. The numbers
    /// of a workbook have no type of their own: a whole one is written without a point, as identifiers are.
    fileprivate func expression(isCell: Bool) -> String {
      let name = DuckDBInput.identifier(name)
      switch type {
      case "BLOB": return "coalesce(TRY(decode(\(name))), CAST(\(name) AS VARCHAR)) AS \(name)"
      case "DOUBLE" where isCell:
        return
          "CASE WHEN \(name) = trunc(\(name)) AND abs(\(name)) < 1e15 THEN CAST(CAST(\(name) AS BIGINT) AS VARCHAR) "
          + "ELSE CAST(\(name) AS VARCHAR) END AS \(name)"
      default: return name
      }
    }
  }
}
