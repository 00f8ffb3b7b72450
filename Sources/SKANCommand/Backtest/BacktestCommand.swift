import SKANBacktest
import SKANBase

/// `skan backtest`: what a conversion model would have given to the devices of exports and event lists.
enum BacktestCommand {
  static let spec = CommandSpec(
    "backtest", "run exported events through a conversion model, and say what its values tell", arguments: ["FILE"],
    isLastRepeatable: true,
    options: BacktestOptions.ofInput + [
      BacktestOptions.merge, .json, BacktestOptions.csv, BacktestOptions.html,
    ],
    examples: [
      "skan backtest --model fixtures/models/mixed.json fixtures/backtest/month.jsonl",
      "skan backtest --model a.json --compare b.json --by campaign events.csv",
      "skan backtest --model a.json --shard 1/4 --partial events.csv > part-1.json",
      "skan backtest --model a.json --run may --part 1/4 --partial events-1.csv > part-1.json",
      "skan backtest --merge part-*.json",
    ]
  ) { (invocation) throws(CommandError) in
    try invocation.checkFiles(reading: invocation.positional)
    for option in BacktestOptions.ofInput where invocation[BacktestOptions.merge] && invocation.isGiven(option) {
      throw invocation.usage("\(invocation.name(of: option)) has been decided by the parts: leave it out with --merge")
    }
    let form = try form(invocation)
    let page = try invocation[BacktestOptions.html]
    if let page { try check(page, form, invocation) }
    let summary: BacktestSummary
    var inputHash: UInt64?
    if invocation[BacktestOptions.merge] {
      try invocation.checkNamedOnce(invocation.positional, hint: "a file of parts, or - for standard input")
      var merge = BacktestMerge(invocation.environment)
      summary = try merge.summary(of: invocation.positional)
    } else {
      var input = try BacktestInput(invocation, invocation.backtestPlan())
      summary = try input.summary()
      inputHash = input.hash?.finish()
    }
    try write(summary, form, inputHash, page: page, invocation.environment)
    return .ok
  }

  private enum Form { case json, csv, partial(BacktestPart.Origin) }

  private static func form(_ invocation: Invocation) throws(CommandError) -> Form? {
    let given = invocation.preferred([OptionRow.json, BacktestOptions.csv, BacktestOptions.partial])
    if given.count > 1 {
      throw invocation.usage("\(invocation.name(of: given[0])) and \(invocation.name(of: given[1])) exclude each other")
    }
    let origin = try origin(invocation, isPartial: given.first == BacktestOptions.partial)
    guard let given = given.first else { return nil }
    if given == BacktestOptions.partial { return .partial(origin) }
    return given == OptionRow.json ? .json : .csv
  }

  /// The whole that a part belongs to.
  private static func origin(
    _ invocation: Invocation, isPartial: Bool
  ) throws(CommandError) -> BacktestPart.Origin {
    let (part, run) = (try invocation[BacktestOptions.part], try invocation[BacktestOptions.run])
    if part == nil, run == nil { return .shard(try invocation[BacktestOptions.shard]) }
    let given = invocation.name(of: part == nil ? BacktestOptions.run : BacktestOptions.part)
    guard let part, let run, !run.isEmpty else {
      throw invocation.usage(
        "\(given) needs \((part == nil ? BacktestOptions.part : BacktestOptions.run).flag), too, as in --run may --part 1/8: "
          + "parts are added up by the name of their run and their number")
    }
    if invocation.has(BacktestOptions.shard) {
      throw invocation.usage(
        "\(given) and \(invocation.name(of: BacktestOptions.shard)) exclude each other: rows are divided before, or here"
      )
    }
    if !isPartial { throw invocation.usage("\(given) belongs to \(BacktestOptions.partial.flag)") }
    return .divided(part, run: run)
  }

  /// Refuses a page beside another form, and finds out whether it can be written.
  private static func check(_ page: String, _ form: Form?, _ invocation: Invocation) throws(CommandError) {
    let name = invocation.name(of: BacktestOptions.html)
    if case .partial = form { throw invocation.usage("\(name) belongs to a whole report: leave it out with --partial") }
    if page == "-" {
      if form != nil { throw invocation.usage("\(name) - and another form both go to standard output") }
      return
    }
    try invocation.environment.files.requireOutput(page)
  }

  private static func write(
    _ summary: BacktestSummary, _ form: Form?, _ inputHash: UInt64?, page: String?, _ environment: Environment
  ) throws(CommandError) {
    let report = BacktestReport(summary)
    switch form {
    case .partial(let origin)?:
      try environment.write(BacktestPart(summary, origin: origin, inputHash: inputHash).line + "\n")
    case .json?: try environment.write(JSONWriter.text(report.json) + "\n")
    case .csv?: try environment.write(report.csv)
    case nil where page == nil:
      try environment.print(ReportText.lines(report.headline, report.parts))
    case nil: break
    }
    guard let page else { return }
    let bytes = Array(report.html.utf8)
    if page == "-" { try environment.writeOutput(bytes) } else { try environment.files.publish(page, bytes) }
  }
}
