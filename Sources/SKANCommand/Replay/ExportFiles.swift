import SKANBacktest
import SKANBase
import SKANDevice
import SKANRun
import SKANTraffic

/// The options for reading exports of events.
struct ExportOptions: CommandOptions {
  static let preset = Option<ExportPreset?>(
    "preset", "NAME", .choice,
    "whose export it is: \(ExportPreset.allCases.map(\.rawValue).joined(separator: ", ")) (default: by its columns)")
  static let mapping = Option<String?>(
    "mapping", "FILE", .namedFile, "which columns hold what, as JSON; 'skan help import' says how")
  static let timezone = Option<ExportTimeZone?>(
    "timezone", "ZONE", .timeZone, "of times that are written without one: UTC, +02:00 or Europe/Berlin")
  static let currency = Option<CurrencyCode?>(
    "currency", "CODE", .currencyCode, "of amounts whose row says none")
  static let dedupe = Option<Set<DuplicateField>>(
    "dedupe", "LIST", .duplicateFields, default: "",
    "count the rows of a device once that are the same in these, with commas between: tx, device, name, time")
  static let maxErrors = Option<Int>(
    "max-errors", "NUMBER", .errorCount, default: "100",
    "how many rows may be rejected: a number, or unlimited")

  /// The source of a mapping.
  enum Base: Sendable {
    case preset(ExportPreset)
    case file(String)
  }

  /// Nil if the columns of the input determine the preset.
  let base: Base?
  let timezone: ExportTimeZone?
  let currency: CurrencyCode?
  let duplicateFields: Set<DuplicateField>
  /// The maximum number of rejected rows.
  let mostErrors: Int
  /// The most bytes to which a packed input may unpack.
  let mostUnpacked: Int
  /// The query of the rows of a table that DuckDB reads.
  let query: String?
  /// The column by which devices are grouped.
  var group: String?

  init(_ reader: OptionReader) throws(CommandError) {
    let way = try reader.oneOf([Self.preset, Self.mapping]) {
      "\($0) and \($1) exclude each other: a mapping file may name a \"preset\" of its own"
    }
    let preset = try reader.value(of: Self.preset, if: way == Self.preset).map(Base.preset)
    base = try reader.value(of: Self.mapping, if: way == Self.mapping).map(Base.file) ?? preset
    timezone = try reader[Self.timezone]
    currency = try reader[Self.currency]
    duplicateFields = try reader[Self.dedupe]
    mostErrors = try reader[Self.maxErrors]
    mostUnpacked = try reader[PackedInputs.maxUnpacked]
    query = try reader[DuckDBTables.query]
  }
}

extension ValueParser<ExportTimeZone> {
  fileprivate static var timeZone: Self {
    Self(.text, values: ["UTC"]) { (given) throws(CommandError) in
      // An offset may also have one of the shorter forms that captures have.
      let zone = ExportTimeZone(given.text) ?? UTCOffset(given.text).flatMap { ExportTimeZone($0.text) }
      guard let zone else { throw given.mustBe(ExportMapping.zones) }
      return zone
    }
  }
}

extension ValueParser<CurrencyCode> {
  static var currencyCode: Self {
    Self(.text) { (given) throws(CommandError) in
      guard let code = CurrencyCode(given.text) else { throw given.mustBe("three capital letters such as USD") }
      return code
    }
  }
}

extension ValueParser<Set<DuplicateField>> {
  fileprivate static var duplicateFields: Self {
    let names = DuplicateField.allCases.map(\.rawValue)
    return Self(.text, values: names) { (given) throws(CommandError) in
      var fields: Set<DuplicateField> = []
      for part in given.text.split(separator: ",") {
        guard let field = DuplicateField(rawValue: String(part)) else {
          let near = nearestName(to: String(part), in: names).map { "; did you mean \($0)?" } ?? ""
          throw given.mustBe("of \(names.joined(separator: ", ")), with commas between", hint: near)
        }
        fields.insert(field)
      }
      // All rows of a device have the same device.
      if fields == [.device] { throw given.problem("device alone would leave one row of each device") }
      return fields
    }
  }
}

extension ValueParser<Int> {
  fileprivate static var errorCount: Self {
    Self(.integer, values: ["unlimited"]) { (given) throws(CommandError) in
      if given.text == "unlimited" { return .max }
      guard let count = Int(given.text), count >= 0 else { throw given.mustBe("a whole number from 0, or unlimited") }
      return count
    }
  }
}

extension ExportOptions {
  /// The mapping of `--preset` or `--mapping`, completed by the other options; nil if neither is given.
  func givenMapping(_ invocation: Invocation) throws(CommandError) -> ExportMapping? {
    switch base {
    case nil: return nil
    case .preset(let preset)?: return completed(preset.mapping)
    case .file(let path)?:
      let bytes = try invocation.environment.readRequired(
        path, as: [.mapping], hint: "it should hold a mapping of columns, as JSON")
      return completed(
        try invocation.content(of: path, bytes) { () throws(SourceProblems) in
          try ExportMapping(bytes, file: path.oneLine)
        })
    }
  }

  /// A mapping completed by the other options.
  func completed(_ mapping: ExportMapping) -> ExportMapping {
    var mapping = mapping
    if let timezone { mapping.timeZone = timezone }
    if let currency { mapping.currency = currency }
    mapping.duplicateFields = duplicateFields
    if let group { mapping.group = ExportColumn(group) }
    return mapping
  }
}

extension ExportMapping {
  /// Throws for `--dedupe tx` if no row of any input has a transaction.
  ///
  /// - Parameters:
  ///   - tally: the counts of all rows.
  ///   - columns: the columns of all exports.
  func checkTransactions(_ tally: ImportTally, columns: [String]) throws(CommandError) {
    if let problem = problemOfTransactions(tally, columns: columns) { throw .unusable(problem) }
  }
}

extension ImportTally {
  /// Throws if too many rows are rejected, or if a row has a time without a zone.
  ///
  /// - Parameter most: the maximum number of rejected rows.
  func check(most: Int) throws(CommandError) {
    let zoneless = rejected[ImportRejection.timeZone.rawValue]
    if zoneless > 0 {
      let first = places.first { $0.reason == .timeZone }
      throw .lines([
        .at(
          first.map { "\($0.file):\($0.line)" } ?? "",
          "its time is \(JSONWriter.quoted(first?.value ?? "")), without a zone: say which it is, as in "
            + "\(ExportOptions.timezone.flag) UTC")
      ])
    }
    guard rejectedRows > most else { return }
    let rows = places.map { place in
      let value = place.value.map { ": \(JSONWriter.quoted($0))" } ?? ""
      return StyledText.at("\(place.file):\(place.line)", "\(place.reason.message)\(value)")
    }
    let flag = ExportOptions.maxErrors.flag
    throw .lines(
      rows + [
        .remark(
          "more than \(most) row\(most == 1 ? "" : "s") cannot be used; \(flag) allows more, and \(flag) unlimited any "
            + "number", .failure)
      ])
  }
}

/// The inputs of a command that reads events, in order: exports, whose preset is determined by their columns, and event
/// lists.
struct ExportFiles {
  enum Input {
    /// The rows of an export, and the mapping to read them with.
    case rows(ExportBlocks, ExportMapping)
    case eventList(ByteSource, file: String)
  }

  /// The number of bytes of an input by which its kind is recognized. A reader of a pipe waits for them.
  private static let headSize = 4096
  /// The kinds of files that are read, and those about which the reader of exports has words of its own.
  private static let readable: Set<ContentKind> = [.export, .table, .eventList, .utf16, .gzip, .zip]

  private let invocation: Invocation
  private let options: ExportOptions
  private let paths: [String]
  private let inputs: PackedInputs
  private let tables: DuckDBTables
  private let given: ExportMapping?
  /// The mapping determined by the columns of the first export, if none is given.
  private var guessed: (mapping: ExportMapping, preset: ExportPreset, file: String)?
  private var index = 0
  /// Whether to report a determined preset on stderr.
  private let saysGuess: Bool
  /// Hashes all bytes of the inputs, unpacked.
  private let hash: InputHash?

  /// - options: the options for reading the files.
  ///   - saysGuess: whether to report a determined preset and progress on stderr.
  ///   - hash: hashes all bytes of the inputs.
  ///   - Throws: an error if the mapping file is invalid or an input is named twice.
  /// - Throws: when a file holds no mapping, or a file is named twice.
  init(
    _ invocation: Invocation, _ options: ExportOptions, saysGuess: Bool, hash: InputHash? = nil
  ) throws(CommandError) {
    self.invocation = invocation
    self.options = options
    self.hash = hash
    self.saysGuess = saysGuess
    paths = invocation.positional
    inputs = PackedInputs(
      count: paths.count, mostUnpacked: options.mostUnpacked, isWatched: saysGuess, invocation.environment)
    tables = DuckDBTables(invocation, query: options.query)
    given = try options.givenMapping(invocation)
    try invocation.checkNamedOnce(paths, hint: "a file of events, or - for standard input")
  }

  /// The next input that is not empty; nil after the last.
  mutating func next() throws(CommandError) -> Input? {
    while index < paths.count {
      let (path, number) = (paths[index], index)
      index += 1
      let (text, file) = try open(path)
      let source = hash?.watching(text) ?? text
      do throws(ExportFailure) {
        switch try ExportInput.open(source, file: file.inputName, index: number) {
        case .empty: continue
        case .eventList(let list): return .eventList(list, file: file)
        case .rows(let blocks): return .rows(blocks, try mapping(of: blocks.layout))
        }
      } catch {
        throw CommandError(error, file: file)
      }
    }
    return nil
  }

  /// Opens an input, or the rows of a table that DuckDB reads.
  ///
  /// - Returns: the rows, and the name of the input for messages.
  private func open(_ path: String) throws(CommandError) -> (ByteSource, file: String) {
    if let table = try tables.input(path) { return try open(table) }
    let (text, head): (ByteSource, [UInt8])
    do throws(SourceFailure) {
      text = try inputs.open(path)
      head = try text.beginning(Self.headSize)
    } catch {
      let files = invocation.environment.files
      throw CommandError(error, file: path, hint: files.hint(forMissing: path, else: "it should hold events"))
    }
    if let table = try tables.input(path, beginning: head, isFile: text.size != nil) { return try open(table) }
    let file = path.inputName
    if let message = ContentKind.message(of: head, file: file, unless: Self.readable) {
      throw .lines([.at("\(file):1", message)])
    }
    return (text.preceded(by: head), path)
  }

  private func open(_ table: DuckDBInput) throws(CommandError) -> (ByteSource, file: String) {
    let (rows, version) = try tables.open(table)
    if saysGuess {
      inputs.hidden {
        invocation.environment.printError([.remark("\(table.name): read by duckdb \(version)")])
      }
    }
    return (rows, table.name)
  }

  private mutating func mapping(of layout: ExportLayout) throws(ExportFailure) -> ExportMapping {
    let mapping: ExportMapping
    if let given { mapping = given } else { mapping = try guess(layout) }
    let problems = mapping.problems(with: layout)
    if problems.isEmpty { return mapping }
    throw .content(line: 1, message: problems.joined(separator: "\n      "))
  }

  private mutating func guess(_ layout: ExportLayout) throws(ExportFailure) -> ExportMapping {
    guard let preset = ExportPreset(columns: layout.columns) else {
      throw .content(line: 1, message: UnknownColumns(layout.columns).message)
    }
    if let guessed {
      if guessed.preset == preset { return guessed.mapping }
      throw .content(
        line: 1,
        message:
          "these are columns of \(preset.rawValue), and \(guessed.file) has those of \(guessed.preset.rawValue): "
          + "import each by itself, or name a mapping for both")
    }
    let mapping = options.completed(preset.mapping)
    guessed = (mapping, preset, layout.file)
    if saysGuess {
      inputs.hidden {
        invocation.environment.printError(
          [.remark("\(layout.file): read with preset \(preset.rawValue), by its columns")])
      }
    }
    return mapping
  }
}

extension CommandError {
  /// The error for an export that cannot be read.
  init(_ failure: ExportFailure, file: String) {
    switch failure {
    case .source(let failure): self = CommandError(failure, file: file, hint: "it should hold events")
    case .content(let line, let message):
      self = .lines([.at("\(file.inputName):\(line)", message)])
    }
  }
}

extension CommandError {
  /// The error for exports without a usable row.
  ///
  /// - Parameters:
  ///   - rejected: the unusable rows by reason.
  ///   - filtered: the rows left out by the mapping, by reason.
  ///   - places: the first unusable rows, if they are known.
  static func noRow(
    rejected: [(count: Int, reason: String)], filtered: [(count: Int, reason: String)],
    places: [ImportTally.Rejected] = []
  ) -> CommandError {
    if rejected.isEmpty, filtered.isEmpty { return .nothingToCheck("the input has no row of an event") }
    let first = places.first.map { ", the first at \($0.file):\($0.line)" } ?? ""
    let reasons =
      rejected.map { "\($0.count.counted("row")) cannot be used: \($0.reason)" }
      + filtered.map { "\($0.count.counted("row")) left out by the mapping: \($0.reason)" }
    return .unusable("no row of the input can be used\(first)\n  \(reasons.joined(separator: "\n  "))")
  }
}

/// Errors while rows are divided by device.
extension Invocation {
  /// The error for rows that could not be stored in temporary files or read back.
  ///
  /// - Parameter options: the options for reading the input again to find the device; nil not to do so.
  func failed(_ failure: EventPartitions.ReadFailure, _ options: ExportOptions?) -> CommandError {
    switch failure {
    case .file(let error): .cannotWrite(file: "the temporary file in \(error.path)", reason: error.reason)
    case .stopped: .interrupted
    case .tooManyRecords(let key, let count):
      tooManyRows(count, at: options.flatMap { firstRow(of: key, $0) })
    }
  }

  /// The error for a device with more rows than fit in memory.
  ///
  /// - Parameters:
  ///   - count: the number of rows; nil if it is not known.
  ///   - place: the location of one of the rows; nil if it is not known.
  func tooManyRows(_ count: Int? = nil, at place: String?) -> CommandError {
    let problem =
      "has \(count.map(String.init) ?? "more") rows, and at most \(environment.mostRowsOfDevice) of one device are kept "
      + "in memory. Is it one device, or what the export writes for many? \"where\" in a mapping file leaves it out"
    return place.map { .lines([.at($0, "the device of this row \(problem)")]) } ?? .unusable("one device \(problem)")
  }

  /// `FILE:LINE` of a device's first row; nil if the input cannot be read again. The inputs are read again because only
  /// a hash of the identifier is kept.
  private func firstRow(of key: DeviceKey, _ options: ExportOptions) -> String? {
    guard !positional.contains("-"), var files = try? ExportFiles(self, options, saysGuess: false) else { return nil }
    while let input = try? files.next() {
      switch input {
      case .eventList(let source, let file):
        let reader = ListReader(file, source, ListReader.Options())
        var step = Step(.details)
        while case .step? = try? reader.next(into: &step), !environment.isInterrupted() {
          if step.operation.takesPhone, DeviceKey(step.device) == key {
            return "\(file.oneLine):\(reader.location.line)"
          }
        }
      case .rows(let blocks, let mapping):
        let parser = ExportParser(mapping)
        while let block = try? blocks.next(), !environment.isInterrupted() {
          var line: Int?
          _ = unsafe parser.parse(block) { row in
            if line == nil, unsafe DeviceKey(row.device) == key { line = unsafe row.line }
          }
          if let line { return "\(blocks.layout.file):\(line)" }
        }
      }
    }
    return nil
  }
}
