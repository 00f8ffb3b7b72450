import SKANDevice
import SKANBase
import SKANRun

/// `skan s2s session` and `skan s2s event NAME`: what the app's server sends.
enum ForwardCommands {
  private static let options: [OptionRow] =
    [
      .endpoint, .model, .eventAlias, .eventAliasesFile, .rates, .maxTime, .maxAnswer, .sdkKeyFile, .answer, .dryRun,
      .curl,
    ] + OptionRow.forwardSettings + CommandLineTool.stepOptions

  private static let revenue = OptionRow.revenue.described("the revenue of the event, sent as amt and cur")

  static let session = CommandSpec(
    "s2s session", "report a session as the app's server does, to launch", options: options,
    examples: [
      "skan s2s session", "skan s2s session --endpoint http://localhost:8080 --parameter ip=203.0.113.7",
      "skan s2s session --stale --dry-run",
    ]
  ) { (invocation) throws(CommandError) in
    try run(invocation, .forward(.session, try invocation.forwardOptions(answer: try invocation[.answer])))
  }

  static let event = CommandSpec(
    "s2s event", "report an event as the app's server does, to evt", arguments: ["NAME"],
    options: [revenue, .currency, .adMonetization] + options,
    examples: ["skan s2s event level_up", "skan s2s event purchase --revenue 9.99 --currency USD --api v2"]
  ) { (invocation) throws(CommandError) in
    let sum = try invocation.givenRevenue(besides: [.currency, .adMonetization])
    let options = try invocation.forwardOptions(revenue: sum, answer: try invocation[.answer])
    return try run(invocation, .forward(.event(name: invocation.positional[0], options.revenue), options))
  }

  private static func run(_ invocation: Invocation, _ operation: Step.Operation) throws(CommandError) -> ExitCode {
    let step = Step(operation, time: try invocation.time())
    return invocation[.dryRun] || invocation[.curl]
      ? try DryRun.run(invocation, [step]) : try invocation.run([step])
  }
}
