import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANRun

/// Opens the inputs that DuckDB reads.
struct DuckDBTables {
  static let query = Option<String?>(
    "query", "SQL", .text,
    "the rows of a database, or of a file that DuckDB reads, as in \"SELECT idfv AS device, … FROM input\"")

  private let invocation: Invocation
  /// The query of `--query`.
  private let query: String?
  private let program: DuckDBProgram

  init(_ invocation: Invocation, query: String?) {
    self.invocation = invocation
    program = invocation.environment.duckDB
    // The query becomes part of another one.
    self.query = query.map { query in
      let text = query.utf8.trimming { $0.isLineSpace || $0 == 0x0A || $0 == UInt8(ascii: ";") }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// The input that DuckDB reads, by its path; nil for any other.
  func input(_ path: String) throws(CommandError) -> DuckDBInput? {
    try DuckDBInput(path: path, invocation.environment.files)
  }

  /// The input that DuckDB reads, by its first bytes; nil for any other.
  ///
  /// - Parameter isFile: whether it is a file, which can be opened again.
  /// - Throws: ``CommandError`` if DuckDB reads only some inputs, but there is a query.
  func input(_ path: String, beginning bytes: [UInt8], isFile: Bool) throws(CommandError) -> DuckDBInput? {
    if isFile, let input = DuckDBInput(path: path, beginning: bytes) { return input }
    if query == nil { return nil }
    throw invocation.usage(
      "\(invocation.name(of: Self.query)): \(path.inputName) is not read by DuckDB: a query is for databases, Parquet, "
        + "workbooks and addresses")
  }

  /// Opens an input.
  ///
  /// - Returns: the rows as CSV or JSON Lines, and the version of DuckDB.
  func open(_ input: DuckDBInput) throws(CommandError) -> (rows: ByteSource, version: String) {
    let setup =
      DuckDBInput.settings(temporaryFolder: program.temporaryFolder + "/skan-duckdb") + input.preparation
    let chosen: String
    if let query = query ?? input.defaultQuery { chosen = query } else { chosen = try onlyTable(of: input, setup) }
    let rows = try run(setup + DuckDBInput.description(of: chosen), input)
    let columns = rows.compactMap { row -> DuckDBInput.Column? in
      guard case .string(let name)? = row.member("column_name")?.content,
        case .string(let type)? = row.member("column_type")?.content
      else { return nil }
      return DuckDBInput.Column(name: name, type: type)
    }
    guard case .string(let version)? = rows.first?.member("version")?.content, columns.count == rows.count else {
      throw .unreadable(file: input.name, reason: "duckdb did not say which columns there are")
    }
    let sql = setup + input.copy(chosen, columns, isDefault: query == nil)
    do throws(DuckDBProgram.Failure) {
      return (try program.stream(sql).describing { words($0, input) }, version)
    } catch {
      throw self.error(error, input)
    }
  }

  /// The query of a database's only table.
  private func onlyTable(of input: DuckDBInput, _ setup: String) throws(CommandError) -> String {
    let names = try run(setup + DuckDBInput.tables, input).compactMap { row -> String? in
      guard case .string(let schema)? = row.member("schema")?.content,
        case .string(let name)? = row.member("name")?.content
      else {
        return nil
      }
      let table = DuckDBInput.identifier(name)
      return schema == "main" ? table : "\(DuckDBInput.identifier(schema)).\(table)"
    }
    if names.count == 1 { return DuckDBInput.query(ofTable: names[0]) }
    if names.isEmpty { throw .unusable("\(input.name) has no table") }
    throw invocation.usage(
      "\(input.name) has the tables \(names.listed(atMost: 20)): choose its rows, as in \(Self.query.flag) "
        + "'\(DuckDBInput.query(ofTable: names[0]))'")
  }

  /// Runs a query, and returns its rows.
  private func run(_ sql: String, _ input: DuckDBInput) throws(CommandError) -> [JSONNode] {
    let bytes: [UInt8]
    do throws(DuckDBProgram.Failure) { bytes = try program.run(sql) } catch { throw self.error(error, input) }
    if bytes.allSatisfy({ $0.isLineSpace || $0 == 0x0A }) { return [] }
    guard case .array(let rows)? = (try? JSONReader.read(bytes, dialect: .export))?.content else {
      throw .unreadable(file: input.name, reason: "duckdb did not answer in JSON")
    }
    return rows
  }

  // MARK: - Errors

  private func error(_ failure: DuckDBProgram.Failure, _ input: DuckDBInput) -> CommandError {
    switch failure {
    case .interrupted: return .interrupted
    case .missing:
      return .helperMissing(
        "\(input.name) is read by duckdb, which is not on the PATH: 'pip install duckdb-cli' or 'brew install duckdb' "
          + "installs it, or see https://duckdb.org/install")
    case .failed(let text):
      let words = words(text, input)
      if let name = Self.missingExtension(text) {
        return .helperMissing(
          "cannot read \(input.name): duckdb needs its extension \(name): 'duckdb -c \"INSTALL \(name)\"' installs it")
      }
      if input.isAddress, ["establish connection", "resolve", "timed out", "Timeout"].contains(where: text.contains) {
        return .helperMissing("cannot read \(input.name): \(words)")
      }
      if query != nil, ["Parser Error", "Binder Error", "Catalog Error"].contains(where: text.contains) {
        return invocation.usage("\(invocation.name(of: Self.query)): \(words)")
      }
      return .unreadable(file: input.name, reason: words)
    }
  }

  /// The message of DuckDB about an input, in one line: without the place in SQL that the user did not write, and without
  /// what follows the path of an address.
  private func words(_ text: String, _ input: DuckDBInput) -> String {
    let lines = text.split(separator: "\n").prefix { !$0.hasPrefix("LINE ") }
      .filter { !$0.hasPrefix("-- Loading resources") }
    let said = lines.joined(separator: " ").replacing(input.path, with: input.name)
    return "duckdb: \(said.isEmpty ? "it ended without a word" : said.oneLine)"
  }

  /// The extension that DuckDB says is not installed.
  private static func missingExtension(_ text: String) -> String? {
    guard text.contains("xtension"), let start = text.firstRange(of: "INSTALL ") else { return nil }
    let name = text[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }
}

extension ByteSource {
  /// This source, with the reason why it cannot be read in other words.
  fileprivate func describing(_ words: @escaping (String) -> String) -> ByteSource {
    unsafe ByteSource(isRegular: false) { buffer throws(SourceFailure) in
      do throws(SourceFailure) { return try unsafe read(buffer) } catch {
        if case .unreadable(let reason) = error { throw .unreadable(words(reason)) }
        throw error
      }
    }
  }
}
