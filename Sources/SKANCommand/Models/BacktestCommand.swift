import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel
import SKANRun

/// `skan backtest`: computes which values a conversion model would have given to the devices in exports and event
/// lists.
enum BacktestCommand {
  static let spec = CommandSpec(
    "backtest", "Test a conversion model against exported events", arguments: ["FILE"],
    isLastRepeatable: true, argumentFiles: "",
    examples: [
      "skan backtest --model fixtures/models/mixed.json --mapping fixtures/backtest/mapping.json fixtures/backtest/may.csv",
      "skan backtest --model a.json --compare b.json --by campaign events.csv",
      "skan backtest --model a.json --shard 1/4 --partial events.csv > part-1.json",
      "skan backtest --model a.json --run may --until 1783296000 --part 1/4 --partial 1.csv > part-1.json",
      "skan backtest --model a.json --devices devices.csv events.csv",
      "skan backtest --merge part-*.json",
    ]
  ) { (options: BacktestOptions, invocation) throws(CommandError) in
    let summary: BacktestSummary
    var inputHash: UInt64?
    if let input = options.input {
      let plan = try invocation.backtestPlan(input, listsDevices: options.devices != nil)
      let isFitted = plan.models.contains { $0.model.fittedTo != nil }
      let hash: InputHash? = options.origin == nil && !isFitted ? nil : InputHash()
      func run(_ list: @escaping ([UInt8]) -> Bool) throws(CommandError) -> BacktestSummary {
        var reader = try BacktestInput(invocation, plan, input.rows, hash: hash, holdsOut: input.holdsOut, list: list)
        let summary = try reader.summary(isPart: options.origin != nil, isDivided: input.part != nil)
        inputHash = reader.inputHash
        if options.isWhole { try requireDevices(summary, invocation) }
        return summary
      }
      if let file = options.devices {
        summary = try file.writePieces(invocation.environment) { (write) throws(CommandError) in
          try write(plan.deviceColumns)
          return try list(to: write, run)
        }
      } else {
        summary = try run { _ in true }
      }
    } else {
      try invocation.checkNamedOnce(invocation.positional, hint: "a file of parts, or - for standard input")
      var merge = BacktestMerge(invocation.environment)
      summary = try merge.summary(of: invocation.positional)
      try requireDevices(summary, invocation)
    }
    try write(summary, options, inputHash, invocation.environment)
    return .ok
  }

  /// Runs a backtest that writes the rows of devices.
  private static func list(
    to write: ([UInt8]) throws(CommandError) -> Void,
    _ run: (_ list: @escaping ([UInt8]) -> Bool) throws(CommandError) -> BacktestSummary
  ) throws(CommandError) -> BacktestSummary {
    try withoutActuallyEscaping(write) { (write) throws(CommandError) in
      let output = DeviceOutput(write)
      defer { output.close() }
      do throws(CommandError) { return try run { output.take($0) } } catch { throw output.failure ?? error }
    }
  }

  /// The file to which a backtest writes the rows of devices.
  ///
  /// Its threads can keep the closure that they are given for a moment after the backtest has ended. That closure has only
  /// this object, which lets go of the file then.
  private final class DeviceOutput {
    private var write: (([UInt8]) throws(CommandError) -> Void)?
    private(set) var failure: CommandError?

    init(_ write: @escaping ([UInt8]) throws(CommandError) -> Void) { self.write = write }

    /// - Returns: false when the file cannot be written.
    func take(_ bytes: [UInt8]) -> Bool {
      do throws(CommandError) { if !bytes.isEmpty { try write?(bytes) } } catch { failure = error }
      return failure == nil
    }

    func close() { write = nil }
  }

  /// Throws for input about which a report would say nothing: no row, no usable row, no device with a beginning, none that
  /// has ended a window, or revenue of which none has a rate.
  static func requireDevices(_ summary: BacktestSummary, _ invocation: Invocation) throws(CommandError) {
    let (input, tally) = (summary.input, summary.total.model)
    if input.rows == 0 {
      if input.otherSteps > 0 {
        throw .unusable(
          "the input has no session, no event and no revenue, only \(input.otherSteps.counted("other step"))")
      }
      func sorted(_ counts: [String: Int]) -> [(count: Int, reason: String)] {
        counts.sorted { $0.key.literallyPrecedes($1.key) }.map { (count: $0.value, reason: $0.key) }
      }
      throw .noRow(rejected: sorted(input.rejected), filtered: sorted(input.filtered))
    }
    if tally.devices == 0 {
      throw .unusable(
        "no device can be counted: the beginning of all \(input.withoutBeginning) is not in the input; "
          + "\(BacktestOptions.startAtFirstRow.flag) begins with their first row")
    }
    if tally.devices(in: .p0) == 0 {
      throw .unusable(summary.input.allYoung(summary.header.until))
    }
    if !input.withoutRate.isEmpty, !tally.hasRevenue, summary.header.decodesRevenue {
      let rows = input.withoutRate.sorted { $0.key.literallyPrecedes($1.key) }
        .map { "\($0.value.counted("row")) in \($0.key)" }
      throw .unusable(
        "no revenue of the first 35 days can be converted to \(summary.header.currency); there is no rate for "
          + "\(rows.listed()): \(invocation.name(of: .rates)) FILE gives one")
    }
  }

  private static func write(
    _ summary: BacktestSummary, _ options: BacktestOptions, _ inputHash: UInt64?, _ environment: Environment
  ) throws(CommandError) {
    let report = BacktestReport(summary)
    // Text and pages say it themselves.
    if options.isWhole, options.output.form != .text, let missing = report.missing {
      environment.printError([.remark(missing)])
    }
    if let origin = options.origin {
      return try environment.write(BacktestPart(summary, origin: origin, inputHash: inputHash).line + "\n")
    }
    switch options.output.form {
    case .json: try environment.write(JSONWriter.text(report) + "\n")
    case .csv: try environment.write(report.csv)
    case .text, .other:
      if !options.output.isPageAlone { try environment.print(ReportText.lines(report.headline, report.parts)) }
    }
    try options.output.page?.write(Array(report.html.utf8), environment)
  }
}

struct BacktestOptions: CommandOptions {
  enum Choice: String, CaseIterable, Sendable { case on, off }

  static let model = Option<ModelArgument?>(
    "model", "[APP=]FILE", .model, "the conversion model that answers every device", hasVariable: true)
  static let compare = Option<[String]>(
    "compare", "FILE", each: .modelFile,
    "run every device with this model, too, print all models side by side, and recommend one (repeatable)")
  static let reportCurrency = Option<CurrencyCode?>(
    "report-currency", "CODE", .currencyCode, absent: "that of the model's first revenue range, else USD",
    "the currency of the report (default: that of the model's first revenue range, else USD)")
  static let by = Option<String?>("by", "COLUMN", .text, "count the devices in groups by this column of the input")
  static let startAtFirstRow = Option<Bool>(
    flag: "start-at-first-row",
    "a device whose beginning is not in the input begins with its first row (default: it is left out)")
  static let until = Option<Instant?>(
    "until", "TIME", .instant,
    "the end of the input (default: its last row): a device counts in the windows that have ended by then")
  static let jobs = Option<Int?>("jobs", "N", .count(from: 1), "the number of threads (default: the number of cores)")
  static let shard = Option<Shard>(
    "shard", "K/N", .shard, default: "1/1",
    "use only part K of N of the devices, K from 1 (by FNV-1a 64 of the identifier; default 1/1)")
  static let part = Option<Shard?>(
    "part", "K/N", .shard, "with --partial: the input is part K of N, after the rows were divided by device"
  )
  static let run = Option<String?>(
    "run", "NAME", .text, "with --part: the name of the run; only parts of one run are added up")
  static let grouped = Option<Bool>(
    flag: "grouped", "the rows of each device are adjacent: keep only one device in memory")
  static let holdout = Option<Choice?>(
    "holdout", "on|off", .choice,
    "count only the devices that 'skan model fit' holds out (default: on if one of several models was fitted to this input)"
  )
  static let partial = Option<Bool>(flag: "partial", "print the counts of this part, for --merge")
  static let merge = Option<Bool>(flag: "merge", "the files are parts that --partial printed: add them up")
  static let csv = OptionRow.csv.described("print one line per group, model and value")
  static let devices = Option<OutputFile?>(
    "devices", "FILE", .outputFile,
    "write one row per device as CSV to this file: its values, locks and revenue (- for stdout)")

  /// The options that determine what is counted. A merged report takes them from its parts.
  struct Input: CommandOptions {
    let model: ModelArgument?
    let compare: [String]
    let rates: String?
    let aliases: GivenPairs
    let currency: CurrencyCode?
    let by: String?
    let startsAtFirstRow: Bool
    let until: Instant?
    /// Nil for the default.
    let holdsOut: Bool?
    let shard: Shard
    /// The part of the rows, which were divided by device beforehand, and the run that it belongs to; nil if the rows
    /// are not divided.
    let part: (Shard, run: String)?
    let rows: RowOptions

    init(_ reader: OptionReader) throws(CommandError) {
      reader.declare(
        BacktestOptions.shard, BacktestOptions.part, BacktestOptions.run, partial, BacktestOptions.merge, under: .parts)
      model = try reader[BacktestOptions.model]
      compare = try reader[BacktestOptions.compare]
      rates = try reader[.rates]
      aliases = try reader[.eventAlias]
      currency = try reader[reportCurrency]
      by = try reader[BacktestOptions.by]
      startsAtFirstRow = try reader[startAtFirstRow]
      until = try reader[BacktestOptions.until]
      holdsOut = try reader[holdout].map { $0 == .on }
      let jobs = try reader[BacktestOptions.jobs]
      shard = try reader[BacktestOptions.shard]
      part = try Self.part(reader)
      let isGrouped = try reader[grouped]
      _ = try reader[partial]
      var export = try reader[ExportOptions.self]
      export.group = by
      rows = RowOptions(jobs: jobs, isGrouped: isGrouped, export: export)
    }

    /// All rows of one model's backtest.
    init(
      model: ModelArgument?, rates: String?, aliases: GivenPairs, currency: CurrencyCode?, by: String?,
      startsAtFirstRow: Bool, until: Instant?, rows: RowOptions
    ) {
      (self.model, compare, self.rates, self.aliases) = (model, [], rates, aliases)
      (self.currency, self.by, self.startsAtFirstRow, self.until) = (currency, by, startsAtFirstRow, until)
      holdsOut = false
      (shard, part, self.rows) = (.whole, nil, rows)
    }

    private static func part(_ reader: OptionReader) throws(CommandError) -> (Shard, run: String)? {
      let (part, run) = (try reader[BacktestOptions.part], try reader[BacktestOptions.run])
      if part == nil, run == nil { return nil }
      let given: OptionRow = part == nil ? BacktestOptions.run : BacktestOptions.part
      guard let part, let run, !run.isEmpty else {
        throw reader.refused(
          given,
          "needs \((part == nil ? BacktestOptions.part : BacktestOptions.run).flag), too, as in --run may --part 1/8: "
            + "parts are added up by the name of their run and their number")
      }
      if reader.has(BacktestOptions.shard) {
        throw reader.refused(
          given,
          "and \(reader.name(of: BacktestOptions.shard)) exclude each other: rows are divided before, or here")
      }
      return (part, run)
    }
  }

  /// Nil if the files are parts to be added up.
  let input: Input?
  /// Whether the report is about all devices, not those of a part or a shard.
  var isWhole: Bool {
    origin == nil && input.map { $0.shard.count == 1 } ?? true
  }

  /// The devices that the printed part is about; nil unless a part is printed.
  let origin: BacktestPart.Origin?
  let output: FormOptions
  /// The file for a row a device.
  let devices: OutputFile?

  init(_ reader: OptionReader) throws(CommandError) {
    let isMerge = reader.has(Self.merge)
    let decided = OptionReader.Condition(!isMerge, "has been decided by the parts: leave it out with --merge")
    reader.declare(.json, Self.csv, .html, Self.devices, under: .output)
    let input = try reader.depending(on: decided) { () throws(CommandError) in try reader[Input.self] }
    self.input = isMerge ? nil : input
    let isPartial = try reader.oneOf([.json, Self.csv, Self.partial]) == Self.partial
    if input.part != nil, !isPartial {
      throw reader.refused(Self.part, "belongs to \(Self.partial.flag)")
    }
    if input.part != nil, input.until == nil {
      throw reader.refused(
        Self.part, "needs \(Self.until.flag), too: a part does not know the last row of the others")
    }
    let origin: BacktestPart.Origin = input.part.map { .divided($0.0, run: $0.run) } ?? .shard(input.shard)
    self.origin = isPartial ? origin : nil
    if isPartial, reader.has(.html) {
      throw reader.refused(.html, "belongs to a whole report: leave it out with --partial")
    }
    output = try FormOptions(reader, csv: Self.csv, or: Self.partial)
    if isMerge, reader.has(Self.devices) {
      throw reader.refused(Self.devices, "needs the input, and parts hold no device: leave it out with --merge")
    }
    let isFree = output.isPageAlone && output.page?.isStandardOutput == false
    devices = try reader.output(
      Self.devices, replacing: [.table],
      standardOutputIsTaken: isFree ? nil : "- and the report both go to standard output")
    // Only an earlier list is replaced, no other table.
    if let file = devices, !file.isStandardOutput, let head = reader.invocation.environment.files.head(of: file.path),
      !head.starts(with: BacktestPlan.deviceStart)
    {
      try reader.invocation.environment.files.requireOutput(file.path, replacing: [])
    }
  }
}

/// The options for reading the rows of exports.
struct RowOptions: Sendable {
  /// The number of threads; nil for the number of cores.
  let jobs: Int?
  /// Whether the rows of each device are consecutive.
  var isGrouped = false
  let export: ExportOptions
  /// Whether to report on stderr a preset determined by the columns.
  var saysGuess = true
}

extension ValueParser<Shard> {
  /// `K/N`, from `1/N` to `N/N`.
  static var shard: Self {
    Self(.text) { (given) throws(CommandError) in
      guard let shard = Shard(given.text) else { throw given.mustBe("K/N with K from 1 to N, such as 1/8") }
      return shard
    }
  }
}

extension Invocation {
  /// The plan of the backtest: its models, rates and options.
  ///
  /// - Parameter listsDevices: whether each device gets a row.
  func backtestPlan(
    _ options: BacktestOptions.Input, listsDevices: Bool
  ) throws(CommandError) -> BacktestPlan {
    guard let argument = options.model else { throw usage("name the model: \(BacktestOptions.model.flag) FILE") }
    // There is one model, so this only refuses a date.
    _ = try answeringModels([argument], decodes: false)
    var models = [try backtestModel(argument.path, for: argument.app)]
    for path in options.compare { models.append(try backtestModel(path)) }
    let rates = try options.rates.map { (path) throws(CommandError) in try exchangeRates(path) }
    var hash = fnv1a(rates?.bytes ?? [], after: fnv1a(""))
    let aliases = try eventAliases(options.aliases)
    try aliases.check(models.map(\.model), self)
    for (from, to) in aliases.names.sorted(by: { $0.key.literallyPrecedes($1.key) }) {
      hash = fnv1a("\(from)=\(to)\n", after: hash)
    }
    func renamed(_ named: BacktestModel) -> BacktestModel {
      BacktestModel(name: named.name, hash: named.hash, named.model.renamingEvents(aliases.names))
    }
    let currency = options.currency ?? models[0].model.currencies.first ?? .usd
    if rates?.rates.isDaily == true {
      for model in models {
        guard let other = model.model.currencies.first(where: { $0 != currency }) else { continue }
        throw usage(
          "\(name(of: .rates)) has rates by day, and a range of revenue belongs to no day: the ranges of \(model.name) are in "
            + "\(other.name), and the report is in \(currency.name); \(BacktestOptions.reportCurrency.flag) gives it the "
            + "currency of all ranges")
      }
    }
    return BacktestPlan(
      models.map(renamed), rates: rates?.rates ?? ExchangeRates(), currency: currency,
      startsAtFirstRow: options.startsAtFirstRow, until: options.until, listsDevices: listsDevices,
      shard: options.shard, groupColumn: options.by, optionsHash: hash)
  }

  private func backtestModel(_ path: String, for app: String? = nil) throws(CommandError) -> BacktestModel {
    let model = try readModel(path, for: app)
    let bytes = try environment.readRequired(
      try modelPath(path).path, as: [.model], hint: "it should hold a conversion model")
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return BacktestModel(name: name, hash: fnv1a(path.contains("#") ? bytes + Array(path.utf8) : bytes), model)
  }
}

extension ConversionModel {
  /// The currencies of the revenue ranges, in order.
  fileprivate var currencies: [CurrencyCode] {
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    return mappings.compactMap(\.revenueRange).compactMap { CurrencyCode($0.currency) }
  }
}

/// Adds up the parts printed by `--partial`.
struct BacktestMerge {
  private let environment: Environment
  private var whole: BacktestSummary?
  private var added = AddedParts()

  init(_ environment: Environment) { self.environment = environment }

  /// The sum of all parts in the files, which have one part per line.
  mutating func summary(of files: [String]) throws(CommandError) -> BacktestSummary {
    for file in files {
      let bytes = try read(file)
      try ContentKind.check(bytes, of: file, isOneOf: [.part])
      for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
        if line.allSatisfy(\.isLineSpace) { continue }
        try add(Array(line), file, index + 1)
      }
    }
    guard let whole else {
      throw Self.wrong(files.first ?? "-", 1, "there is no part in it: 'skan backtest --partial' prints them", [])
    }
    if let missing = added.missing { throw .unusable(missing) }
    return whole
  }

  /// - Parameter file: the path, or `-` for standard input.
  private func read(_ file: String) throws(CommandError) -> [UInt8] {
    do throws(SourceFailure) { return try environment.files.open(file).readAll(atMost: .max) } catch {
      let hint = environment.files.hint(forMissing: file, else: "it should hold what --partial printed")
      throw CommandError(error, file: file, hint: hint)
    }
  }

  private mutating func add(_ line: [UInt8], _ file: String, _ number: Int) throws(CommandError) {
    let part: BacktestPart
    do throws(BacktestPart.LineError) { part = try BacktestPart(line: line) } catch {
      let message =
        switch error {
        case .json: "this is not a line of JSON"
        case .notPart: "this is not a part of a backtest: 'skan backtest --partial' prints them"
        case .otherFormat(let format): "this part has format \(format): make all parts with this version of skan"
        }
      throw Self.wrong(file, number, message, line)
    }
    if let first = added.first, let difference = whole?.header.difference(from: part.summary.header) {
      throw Self.wrong(file, number, "this part and that of \(first.place) do not belong together: \(difference)", [])
    }
    if let problem = added.take(part, at: "\(file.oneLine):\(number)") {
      throw Self.wrong(file, number, problem, [])
    }
    if whole == nil { whole = part.summary } else { whole?.add(part.summary) }
  }

  private static func wrong(_ file: String, _ line: Int, _ message: String, _ text: [UInt8]) -> CommandError {
    let location = TextLocation(of: 0..<min(1, text.count), in: text)
    return .content(file: file, [SourceNote(location: location, message: message).moved(by: line - 1)], more: 0)
  }
}
