import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANTraffic

/// The options for reading exports of events.
struct ExportOptions: CommandOptions {
  static let title: OptionTitle? = .export

  static let preset = Option<ExportPreset?>(
    "preset", "NAME", .choice,
    "whose export it is: \(ExportPreset.allCases.map(\.rawValue).joined(separator: ", ")) (default: by its columns)")
  static let mapping = Option<String?>(
    "mapping", "FILE", .namedFile, "what the columns contain, as JSON; 'skan help import' describes the form")
  static let timezone = Option<ExportTimeZone?>(
    "timezone", "ZONE", .timeZone, "the zone of times without one: UTC, +02:00 or Europe/Berlin")
  static let currency = Option<CurrencyCode?>(
    "currency", "CODE", .currencyCode, "the currency of amounts whose row has none")
  static let dedupe = Option<Set<DuplicateField>>(
    "dedupe", "LIST", .duplicateFields, default: "",
    "count rows of a device only once if these are equal, separated by commas: tx, device, name, time")
  static let dateFormat = Option<ExportDateFormat?>(
    "date-format", "FORM", .dateFormat,
    "the form of dates: a pattern such as \"MM/DD/YYYY h:mm:ss AM\" or DD.MM.YYYY, or excel; 'skan help import' says more"
  )
  static let encoding = Option<TextEncoding>(
    "encoding", "NAME", .choice, default: TextEncoding.utf8.rawValue,
    "the encoding of the input: utf8, or latin1 (with the characters of Windows-1252)")
  static let maxErrors = Option<ErrorLimit>(
    "max-errors", "NUMBER", .errorLimit, default: "100",
    "how many rows may be rejected: a number, a share of all rows such as 5%, or unlimited")

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
  let dateFormat: ExportDateFormat?
  let encoding: TextEncoding
  /// The maximum of rejected rows.
  let mostErrors: ErrorLimit
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
    dateFormat = try reader[Self.dateFormat]
    encoding = try reader[Self.encoding]
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

extension ValueParser<ExportDateFormat> {
  fileprivate static var dateFormat: Self {
    Self(.text, values: ["excel"]) { (given) throws(CommandError) in
      guard let format = ExportDateFormat(given.text) else { throw given.mustBe(ExportDateFormat.forms) }
      return format
    }
  }
}

/// The encoding of the text of exports.
enum TextEncoding: String, CaseIterable, Sendable {
  case utf8, latin1
}

/// The most rows of exports that may be rejected.
enum ErrorLimit: Sendable, Equatable {
  case count(Int)
  /// A share of all rows, in percent from 0 to 100. It is known after the last row.
  case percent(Double)

  /// - Returns: nil for any other text than a number, a share such as `2.5%`, or `unlimited`.
  init?(_ text: String) {
    if text == "unlimited" {
      self = .count(.max)
    } else if text.last == "%" {
      guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
      self = .percent(percent)
    } else {
      guard let count = Int(text), count >= 0 else { return nil }
      self = .count(count)
    }
  }
}

extension ValueParser<ErrorLimit> {
  fileprivate static var errorLimit: Self {
    Self(.text, values: ["unlimited"]) { (given) throws(CommandError) in
      guard let limit = ErrorLimit(given.text) else {
        throw given.mustBe("a whole number from 0, a share such as 5%, or unlimited")
      }
      return limit
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
    if let timezone { (mapping.timeZone, mapping.zoneSource) = (timezone, Self.timezone.flag) }
    if let dateFormat { mapping.dateFormat = dateFormat }
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

  /// Throws for a time zone or a date format that no time needs, because the column that is read holds something else.
  func checkForms(_ tally: ImportTally) throws(CommandError) {
    let forms = ExportTimeForm.allCases.filter { tally.timeForms[$0.rawValue] > 0 }
    guard let form = forms.first else { return }
    if let zoneSource, !tally.usesZone, forms.contains(where: \.isNumber) {
      let number = forms.first(where: \.isNumber) ?? form
      throw .unusable(
        "\(zoneSource) is for times that are written without a zone, and the input has none: its times are "
          + "\(number.text), which are of UTC; leave it out, or name another column in a mapping file")
    }
    if let dateFormat, !tally.usesDateFormat {
      throw .unusable(
        "no time has the form \(JSONWriter.quoted(dateFormat.text)) of \(ExportOptions.dateFormat.flag): the times of the "
          + "input are \(forms.map(\.text).listed())")
    }
  }
}

extension ImportTally {
  /// Throws if too many rows are rejected, or if a row has a time without a zone.
  ///
  /// - Parameter most: the maximum of rejected rows. A share is checked after the last row (``checkShare(_:)``).
  func check(most: ErrorLimit) throws(CommandError) {
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
    guard case .count(let most) = most, rejectedRows > most else { return }
    throw tooMany("more than \(most) row\(most == 1 ? "" : "s") cannot be used")
  }

  /// Throws if too large a share of all rows is rejected.
  func checkShare(_ most: ErrorLimit) throws(CommandError) {
    guard case .percent(let percent) = most, Double(rejectedRows) * 100 > percent * Double(rows) else { return }
    throw tooMany("\(rejectedRows) of \(rows.counted("row")) cannot be used, which is more than \(percent.jsonText)%")
  }

  private func tooMany(_ problem: String) -> CommandError {
    let rows = places.map { place in
      let value = place.value.map { ": \(JSONWriter.quoted($0))" } ?? ""
      return StyledText.at("\(place.file):\(place.line)", "\(place.reason.message)\(value)")
    }
    let flag = ExportOptions.maxErrors.flag
    let hints: [StyledText] = timeHints.map { .remark($0) }
    let end = StyledText.remark("\(problem); \(flag) allows more, and \(flag) unlimited any number", .failure)
    return .lines(rows + hints + [end])
  }

  /// The forms of times that are read, and the date formats that read the first unreadable time; empty if every time is
  /// readable.
  var timeHints: [String] {
    guard rejected[ImportRejection.time.rawValue] > 0 else { return [] }
    let flag = ExportOptions.dateFormat.flag
    let value = places.first { $0.reason == .time }?.value ?? ""
    let fitting = ExportDateFormat.examples.filter { ExportDateFormat($0)?.reads(value) == true }
    let hint =
      fitting.isEmpty
      ? "\(flag) reads others, such as \"MM/DD/YYYY h:mm:ss AM\", DD.MM.YYYY and Excel's"
      : "\(JSONWriter.quoted(value)) is read by \(flag) \(fitting.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.listed("or"))"
        + (fitting.count > 1 ? ": it is not known which one the export has" : "")
    return ["times are read as \(ExportTimeForm.read)", hint]
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
      let bytes = hash?.watching(text) ?? text
      let source = options.encoding == .latin1 ? bytes.decodingLatin1 : bytes
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
    if options.encoding == .latin1, head.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw .lines([.at("\(file):1", "it begins with the mark of UTF-8: leave out \(ExportOptions.encoding.flag)")])
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
  ///   - tally: the counts with the first unusable rows, if they are known.
  static func noRow(
    rejected: [(count: Int, reason: String)], filtered: [(count: Int, reason: String)], tally: ImportTally? = nil
  ) -> CommandError {
    if rejected.isEmpty, filtered.isEmpty { return .nothingToCheck("the input has no row of an event") }
    let first = tally?.places.first.map { ", the first at \($0.file):\($0.line)" } ?? ""
    let reasons =
      rejected.map { "\($0.count.counted("row")) cannot be used: \($0.reason)" }
      + filtered.map { "\($0.count.counted("row")) left out by the mapping: \($0.reason)" } + (tally?.timeHints ?? [])
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
