import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel

/// `skan model worth`: learns from an export what the users with each value of a model are worth.
enum ModelWorthCommand {
  static let spec = CommandSpec(
    "model worth", "Learn from exported events what each value is worth", arguments: ["FILE"],
    isLastRepeatable: true, argumentFiles: "",
    examples: [
      "skan model worth --model model.json events.csv -o worth.json",
      "skan model worth --model fixtures/models/mixed.json --by campaign --html worth.html events.csv",
    ],
    sections: [
      CommandSpec.Section(
        heading: "Printed",
        rows: [
          ("worths", "as JSON to -o FILE, for 'skan report --worth'"),
          ("report", "as text to standard output, or with --json or --csv as that, and with --html as a page"),
        ])
    ]
  ) { (options: WorthOptions, invocation) throws(CommandError) in
    let plan = try invocation.backtestPlan(options.input, listsDevices: false)
    var reader = try BacktestInput(invocation, plan, options.input.rows)
    let summary = try reader.worth(options.request)
    try BacktestCommand.requireDevices(summary.backtest, invocation)
    let worth = summary.worth(options.request)
    guard let all = worth.groups.first?.value(.null, nil, tier: 0), all[.day35].worth != nil else {
      throw .unusable(
        "no device has ended 35 days by the last row, so nothing says what a value is worth by then: give a longer export, "
          + "or --until if it goes further than its last row")
    }
    try write(worth, summary.backtest, options, invocation.environment)
    return .ok
  }

  private static func write(
    _ worth: Worth, _ backtest: BacktestSummary, _ options: WorthOptions, _ environment: Environment
  ) throws(CommandError) {
    let report = WorthReport(worth, backtest)
    if options.form.form != .text, let missing = report.missing { environment.printError([.remark(missing)]) }
    let json = JSONWriter.text(worth) + "\n"
    try options.output?.write(Array(json.utf8), environment)
    switch options.form.form {
    case .json: try environment.write(json)
    case .csv: try environment.write(report.csv)
    case .text, .other:
      let isFileAlone = options.output?.isStandardOutput == true
      if !options.form.isPageAlone, !isFileAlone {
        try environment.print(ReportText.lines(report.headline, report.parts))
      }
    }
    try options.form.page?.write(Array(report.html.utf8), environment)
  }
}

struct WorthOptions: CommandOptions {
  static let resamples = Option<Int64>(
    "resamples", "N", .integer(in: 20...Int64(Worth.mostResamples), "from 20 to \(Worth.mostResamples)"),
    default: "1000", "how many resamples the intervals are from (default: 1000)")
  static let seed = Option<Int64>(
    "seed", "NUMBER", .integer, default: "1",
    "the seed of the resamples: with the same one, anybody gets the same numbers (default: 1)")
  static let shrinkBelow = Option<Int64>(
    "shrink-below", "N", .integer(in: 0...1_000_000, "from 0 to 1000000"), default: "30",
    "fill up a value with fewer devices to N with the mean of its neighbours; 0 for not (default: 30)")
  static let leastGroup = Option<Int64>(
    "least-group", "N", .integer(in: 1...1_000_000_000, "1 or more"), default: "100",
    "with --by: the fewest devices of 35 days in a group that has worths of its own (default: 100)")
  static let by = BacktestOptions.by.described("learn the worths of the groups of this column of the input, too")
  static let csv = OptionRow.csv.described("print a line a group, window and value")
  static let output = OptionRow.output.described("write the worths as JSON to this file", hasDefault: false)

  let input: BacktestOptions.Input
  let request: WorthRequest
  let form: FormOptions
  /// The file of the worths; nil for none.
  let output: OutputFile?

  init(_ reader: OptionReader) throws(CommandError) {
    reader.declare(Self.output, .json, Self.csv, .html, under: .output)
    let (model, rates) = (try reader[BacktestOptions.model], try reader[.rates])
    let (aliases, currency) = (try reader[.eventAlias], try reader[BacktestOptions.reportCurrency])
    let by = try reader[Self.by]
    let resamples = try reader[Self.resamples]
    let seed = try reader[Self.seed]
    if seed < 0 { throw reader.refused(Self.seed, "must be 0 or more, not \(seed)") }
    let shrinkBelow = try reader[Self.shrinkBelow]
    let leastGroup = try reader[
      Self.leastGroup, OptionReader.Condition(by != nil, "belongs to \(Self.by.flag) COLUMN")]
    request = WorthRequest(
      seed: UInt64(seed), resamples: Int(resamples), shrinkBelow: Int(shrinkBelow), leastDevices: Int(leastGroup))
    let (starts, until) = (try reader[BacktestOptions.startAtFirstRow], try reader[BacktestOptions.until])
    let jobs = try reader[BacktestOptions.jobs]
    var export = try reader[ExportOptions.self]
    export.group = by
    input = BacktestOptions.Input(
      model: model, rates: rates, aliases: aliases, currency: currency, by: by, startsAtFirstRow: starts, until: until,
      rows: RowOptions(jobs: jobs, export: export))
    form = try FormOptions(reader, csv: Self.csv)
    let isTaken = form.form != .text || form.page?.isStandardOutput == true
    output = try reader.output(
      Self.output, replacing: [.worth],
      standardOutputIsTaken: isTaken ? "- and the report both go to standard output" : nil)
  }
}
