import SKANBacktest
import SKANDevice
import SKANBase
import SKANModel

/// The options of `skan backtest`.
struct BacktestOptions: CommandOptions {
  static let model = Option<String?>("model", "FILE", .modelFile, "the conversion model that answers every device")
  static let compare = Option<String?>(
    "compare", "FILE", .modelFile, "run every device with this model, too, and print both side by side")
  static let reportCurrency = Option<CurrencyCode?>(
    "report-currency", "CODE", .currencyCode, absent: "that of the model's first revenue range, else USD",
    "the currency of the report (default: that of the model's first revenue range, else USD)")
  static let by = Option<String?>("by", "COLUMN", .text, "count the devices in groups by this column of the input")
  static let startAtFirstRow = Option<Bool>(
    flag: "start-at-first-row",
    "a device whose beginning is not in the input begins with its first row (default: it is left out)")
  static let jobs = Option<Int?>("jobs", "N", .count(from: 1), "how many threads (default: the cores)")
  static let shard = Option<Shard>(
    "shard", "K/N", .shard, default: "1/1",
    "only part K of N, from 1, of the devices (by FNV-1a 64 of the identifier; default 1/1)")
  static let part = Option<Shard?>(
    "part", "K/N", .shard, "with --partial: the input is part K of N, into which the rows were divided by device before"
  )
  static let run = Option<String?>(
    "run", "NAME", .text, "with --part: of the run; parts of one run, and no others, are added up")
  static let grouped = Option<Bool>(
    flag: "grouped", "the rows of each device come together: keep one device in memory")
  static let partial = Option<Bool>(flag: "partial", "print the counts of this part, for --merge")
  static let merge = Option<Bool>(flag: "merge", "the files are parts that --partial printed: add them up")
  static let csv = Option<Bool>(flag: "csv", "print a line a group, model and value")
  static let html = Option<OutputFile?>(
    "html", "OUT", .outputFile, "write a page for browsers to this file (- for stdout)")

  /// What decides what is counted; a merged report has it from its parts.
  struct Input: CommandOptions {
    let model: String?
    let compare: String?
    let rates: String?
    let aliases: AliasOptions
    let currency: CurrencyCode?
    let by: String?
    let startsAtFirstRow: Bool
    let shard: Shard
    /// The part of the rows, which were divided by device before, and the run that it belongs to; nil where nothing was
    /// divided.
    let part: (Shard, run: String)?
    let rows: RowOptions

    init(_ reader: OptionReader) throws(CommandError) {
      model = try reader[BacktestOptions.model]
      compare = try reader[BacktestOptions.compare]
      rates = try reader[.rates]
      aliases = try AliasOptions(reader)
      currency = try reader[reportCurrency]
      by = try reader[BacktestOptions.by]
      startsAtFirstRow = try reader[startAtFirstRow]
      let jobs = try reader[BacktestOptions.jobs]
      shard = try reader[BacktestOptions.shard]
      part = try Self.part(reader)
      let isGrouped = try reader[grouped]
      _ = try reader[partial]
      var export = try ExportOptions(reader)
      export.group = by
      rows = RowOptions(jobs: jobs, isGrouped: isGrouped, export: export)
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

  enum Form: Sendable {
    case json, csv
    case partial(BacktestPart.Origin)
  }

  /// Nil where the files are parts that are added up.
  let input: Input?
  /// Nil for people.
  let form: Form?
  let page: OutputFile?

  init(_ reader: OptionReader) throws(CommandError) {
    let isMerge = reader.has(Self.merge)
    let decided = OptionReader.Condition(!isMerge, "has been decided by the parts: leave it out with --merge")
    let input = try reader.depending(on: decided) { () throws(CommandError) in try Input(reader) }
    reader.declare(Self.merge)
    self.input = isMerge ? nil : input
    let form = try reader.oneOf([.json, Self.csv, Self.partial])
    let isPartial = form == Self.partial
    if input.part != nil, !isPartial {
      throw reader.refused(Self.part, "belongs to \(Self.partial.flag)")
    }
    let origin: BacktestPart.Origin = input.part.map { .divided($0.0, run: $0.run) } ?? .shard(input.shard)
    self.form = isPartial ? .partial(origin) : form == Self.csv ? .csv : form == nil ? nil : .json
    if isPartial, reader.has(Self.html) {
      throw reader.refused(Self.html, "belongs to a whole report: leave it out with --partial")
    }
    page = try reader.output(
      Self.html, standardOutputIsTaken: form == nil ? nil : "- and another form both go to standard output")
  }
}

/// How the rows of exports are read.
struct RowOptions: Sendable {
  /// Threads; nil for the cores.
  let jobs: Int?
  /// Whether the rows of each device come together.
  var isGrouped = false
  let export: ExportOptions
  /// Whether a preset that is found by the columns is said on stderr.
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
