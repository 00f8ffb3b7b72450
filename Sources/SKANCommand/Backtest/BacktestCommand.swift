import SKANBacktest
import SKANBase

/// `skan backtest`: what a conversion model would have given to the devices of exports and event lists.
enum BacktestCommand {
  static let spec = CommandSpec(
    .backtest, "Test a conversion model against exported events", arguments: ["FILE"],
    isLastRepeatable: true, argumentFiles: "",
    examples: [
      "skan backtest --model fixtures/models/mixed.json fixtures/backtest/month.jsonl",
      "skan backtest --model a.json --compare b.json --by campaign events.csv",
      "skan backtest --model a.json --shard 1/4 --partial events.csv > part-1.json",
      "skan backtest --model a.json --run may --part 1/4 --partial events-1.csv > part-1.json",
      "skan backtest --merge part-*.json",
    ]
  ) { (options: BacktestOptions, invocation) throws(CommandError) in
    let summary: BacktestSummary
    var inputHash: UInt64?
    if let input = options.input {
      let hash: InputHash? = if case .partial? = options.form { InputHash() } else { nil }
      var reader = try BacktestInput(invocation, try invocation.backtestPlan(input), input.rows, hash: hash)
      summary = try reader.summary(isPart: hash != nil, isDivided: input.part != nil)
      inputHash = hash?.finish()
    } else {
      try invocation.checkNamedOnce(invocation.positional, hint: "a file of parts, or - for standard input")
      var merge = BacktestMerge(invocation.environment)
      summary = try merge.summary(of: invocation.positional)
    }
    try write(summary, options, inputHash, invocation.environment)
    return .ok
  }

  private static func write(
    _ summary: BacktestSummary, _ options: BacktestOptions, _ inputHash: UInt64?, _ environment: Environment
  ) throws(CommandError) {
    let report = BacktestReport(summary)
    switch options.form {
    case .partial(let origin)?:
      try environment.write(BacktestPart(summary, origin: origin, inputHash: inputHash).line + "\n")
    case .json?: try environment.write(JSONWriter.text(report) + "\n")
    case .csv?: try environment.write(report.csv)
    case nil where options.page == nil:
      try environment.print(ReportText.lines(report.headline, report.parts))
    case nil: break
    }
    if let page = options.page { try page.write(Array(report.html.utf8), environment) }
  }
}
