import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANModel
import SKANRun
import SKANSystem

/// `skan import`: turns an export of events into an event list.
enum ImportCommand {
  private static let output = OptionRow.output.described(
    "write the event list to this file (- for stdout)", hasDefault: false)
  private static let check = Option<Bool>(
    flag: "check", "write no list, and print what the export holds: rows, devices, currencies, names")
  private static let model = OptionRow.model.described(
    "with --check: report which of its event names the export never has (repeatable)")
  private static let rates = OptionRow.rates.described(
    "with --check: report which currencies have no rate: {\"EUR\":0.92}, or date,currency,rate by day")
  private static let json = OptionRow.json.described("with --check: print one JSON object")
  private static let quiet = OptionRow.quiet.described("print no summary on stderr")

  struct Options: CommandOptions {
    /// The file for the list; nil for `--check`.
    let output: OutputFile?
    let isCheck: Bool
    let export: ExportOptions
    let models: [ModelArgument]
    let aliases: GivenPairs
    /// The file of exchange rates.
    let rates: String?
    let isJSON: Bool
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      reader.declare(ImportCommand.output, json, quiet, under: .output)
      let target = try reader.oneOf([ImportCommand.output, check])
      output = try reader.output(ImportCommand.output, replacing: [.eventList], if: target == ImportCommand.output)
      isCheck = target == check
      export = try reader[ExportOptions.self]
      // If neither a list nor the check is requested, the command says what to give.
      let ofCheck = OptionReader.Condition(output == nil, "belongs to \(check.flag)")
      models = try reader[model, ofCheck]
      aliases = try reader.depending(on: ofCheck) { () throws(CommandError) in try reader[.eventAlias] }
      rates = try reader[ImportCommand.rates, ofCheck]
      isJSON = try reader[json, ofCheck]
      isQuiet = try reader[quiet]
      if models.isEmpty, !aliases.pairs.isEmpty {
        throw reader.refused(OptionRow.eventAlias, "belongs to \(model.flag)")
      }
    }
  }

  static let spec = CommandSpec(
    "import", "Make an event list from exported events", arguments: ["FILE"],
    isLastRepeatable: true, argumentFiles: "",
    examples: [
      "skan import --check --model model.json export.csv.gz", "skan import -o events.jsonl part-*.csv",
      "skan import -o - --preset appsflyer --timezone UTC raw.csv | skan replay -",
      "skan import --check events.parquet s3://bucket/month/*.parquet",
      "skan import --check --query \"SELECT idfv AS device, ts AS time, event AS name FROM events\" app.duckdb",
    ], sections: ImportHelp.sections
  ) { (options: Options, invocation) throws(CommandError) in
    if options.output == nil, !options.isCheck {
      throw invocation.usage("say where the list goes, as in -o events.jsonl (- for stdout), or \(check.flag)")
    }
    var run = try ImportRun(invocation, options)
    try run.read()
    if let output = options.output {
      // Nothing is written in the place of a list from before.
      try run.requireRows()
      try run.write(to: output)
      if !options.isQuiet {
        invocation.environment.printError(ImportReportText.summary(run.report).map { .remark($0) })
      }
    } else {
      try run.count()
      if options.isJSON {
        try invocation.environment.write(JSONWriter.text(run.report) + "\n")
      } else {
        try invocation.environment.print(ImportReportText.lines(run.report))
      }
      try run.requireRows()
    }
    return .ok
  }

  /// The models and rates of `--check`.
  static func knowledge(
    _ options: Options, _ invocation: Invocation
  ) throws(CommandError) -> ([ConversionModel], ExchangeRates?) {
    var models: [ConversionModel] = []
    for argument in options.models { models.append(try invocation.readModel(argument.path, for: argument.app)) }
    let aliases = try invocation.eventAliases(options.aliases)
    try aliases.check(models, invocation)
    let rates = try options.rates.map { (path) throws(CommandError) in try invocation.exchangeRates(path).rates }
    return (models.map { $0.renamingEvents(aliases.names) }, rates)
  }
}

/// The sections of the help of `skan import` besides its options.
enum ImportHelp {
  static let sections = [
    CommandSpec.Section(
      heading: "A mapping file is JSON; every key but format may be left out beside a preset:",
      rows: [
        ("format", "1"), ("preset", "the preset that it completes"),
        ("device, name", "a column, or several; the first that is not empty counts"),
        ("time, installed", "a column, or {\"column\":…,\"unit\":\"s\"}, of s, ms, us, ns or text"),
        (
          "revenue",
          "a column, {\"column\":…,\"currency\":…}, or several; \"currency_code\":\"USD\", \"unit\":\"cents\" or \"micros\", \"key\" in JSON"
        ), ("admon", "{\"column\":…,\"equals\":…}, or names: which rows are revenue from ads"),
        ("session, install", "the same: which rows are sessions, and installs or first openings"),
        ("revenue_only", "the same: which rows are revenue without an event"),
        ("where", "{\"column\":…,\"equals\":…} or \"not_equals\", or several that must all hold"),
        ("rename", "{\"name in the export\":\"name in the app\"}"), ("transaction", "the column of --dedupe tx"),
        ("timezone, date_format, currency", "as the options"),
      ]),
    CommandSpec.Section(
      heading: "Times:",
      rows: [
        ("read", ExportTimeForm.read),
        (
          "--date-format",
          "\"MM/DD/YYYY h:mm:ss AM\", DD.MM.YYYY, M/D/YY: the order of the date's fields, and perhaps the time"
        ),
        ("--date-format excel", "the days since the end of 1899, as Excel's General cells hold them"),
      ]),
    CommandSpec.Section(
      heading: "Packed input:",
      rows: [
        ("gzip", "is unpacked by the program gzip on the PATH, to no more than --max-unpacked")
      ]),
    CommandSpec.Section(
      heading: "Read by the program duckdb on the PATH:",
      rows: [
        ("*.parquet", "a file, a pattern in quotes, or a folder with such files; Delta and Iceberg tables"),
        ("*.xlsx, *.duckdb", "the first sheet of a workbook; the only table of a database, or the rows of --query"),
        ("s3://, gs://, https://", "Parquet, CSV, JSON Lines or a workbook, by its name; only these use the network"),
        ("--query SQL", "selects from the table input, or from the tables of a database"),
      ]),
  ]
}

/// A run of `skan import`: reads every row, and then every device.
struct ImportRun {
  /// The number of bytes of the list that are written at once.
  private static let pieceSize = 1 << 18

  private let invocation: Invocation
  private let options: ImportCommand.Options
  private let sorter: ExportSorter
  private let knowledge: ([ConversionModel], ExchangeRates?)
  private(set) var report: ImportReport

  init(_ invocation: Invocation, _ options: ImportCommand.Options) throws(CommandError) {
    self.invocation = invocation
    self.options = options
    sorter = ExportSorter(keepsTexts: options.output != nil, mostRows: invocation.environment.mostRowsOfDevice)
    knowledge = try ImportCommand.knowledge(options, invocation)
    report = ImportReport(nil, models: knowledge.0, rates: knowledge.1)
  }

  mutating func read() throws(CommandError) {
    var files = try ExportFiles(invocation, options.export, saysGuess: !options.isQuiet)
    var columns: [String] = []
    while let input = try files.next() {
      switch input {
      case .eventList(_, let file):
        throw .lines(["\(file.oneLine): this is an event list already: 'skan replay' and 'skan backtest' read it"])
      case .rows(let blocks, let mapping):
        report.mapping = mapping
        columns += blocks.layout.columns
        try read(blocks, mapping)
      }
    }
    try report.tally.checkShare(options.export.mostErrors)
    try report.mapping?.checkTransactions(report.tally, columns: columns)
    try report.mapping?.checkForms(report.tally)
  }

  /// Throws for input from which nothing can be made: no row, no usable row, or revenue of which none has a rate.
  func requireRows() throws(CommandError) {
    let tally = report.tally
    if tally.mappedRows == 0 {
      let filtered = report.filtered.map { (count: $0.count, reason: $0.reason) }
      let rejected = report.rejected.map { (count: $0.count, reason: $0.reason.message) }
      throw .noRow(rejected: rejected, filtered: filtered, tally: tally)
    }
    let revenue = report.revenue
    guard options.rates != nil, !revenue.isEmpty, revenue.allSatisfy(\.lacksRates) else { return }
    throw .unusable("no revenue has a rate: there is none for \(revenue.map(\.currency).listed("or"))")
  }

  private mutating func read(_ blocks: ExportBlocks, _ mapping: ExportMapping) throws(CommandError) {
    let parser = ExportParser(mapping)
    while let block = try nextBlock(of: blocks) {
      if invocation.environment.isInterrupted() { throw .interrupted }
      report.tally += sorter.add(block, parser, &report)
      if options.isCheck { report.unread.add(block, mapping) }
      try report.tally.check(most: options.export.mostErrors)
      do throws(FileError) { try sorter.flush() } catch { throw invocation.failed(.file(error), nil) }
    }
  }

  private func nextBlock(of blocks: ExportBlocks) throws(CommandError) -> ExportBlock? {
    do throws(ExportFailure) { return try blocks.next() } catch { throw CommandError(error, file: blocks.layout.file) }
  }

  mutating func count() throws(CommandError) { try forEachDevice { _ in } }

  mutating func write(to file: OutputFile) throws(CommandError) {
    var steps = ImportedSteps()
    try file.writePieces(invocation.environment) { (write) throws(CommandError) in try self.write(&steps, write) }
    report.steps = steps.count
  }

  private mutating func write(
    _ steps: inout ImportedSteps, _ write: ([UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    try forEachDevice { (device) throws(CommandError) in
      steps.add(device)
      if steps.byteCount >= Self.pieceSize { try write(steps.takeBytes()) }
    }
    if steps.byteCount > 0 { try write(steps.takeBytes()) }
  }

  private mutating func forEachDevice(_ body: (ImportedDevice) throws(CommandError) -> Void) throws(CommandError) {
    do throws(SortFailure<CommandError>) {
      try sorter.forEachDevice { (device) throws(CommandError) in
        if invocation.environment.isInterrupted() { throw .interrupted }
        report.add(device)
        try body(device)
      }
    } catch {
      switch error {
      case .body(let error): throw error
      case .rows(let error): throw invocation.failed(error, options.export)
      }
    }
  }
}
