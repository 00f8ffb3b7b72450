import SKANDevice
import SKANRun
import SKANBase

/// `skan session` and `skan event NAME`.
enum UpdateCommands {
  private static let options: [OptionRow] =
    [
      .endpoint, .model, .eventAlias, .eventAliasesFile, .rates, .maxTime, .maxAnswer, .sdkKeyFile, .answer, .took,
      .frameworkError, .noHandler, .revenue, .currency, .adMonetization, .idempotencyKey, .dryRun, .curl, .forward,
    ] + OptionRow.forwardSettings + CommandLineTool.stepOptions

  static let session = CommandSpec(
    "session", "report a session and apply the answer", options: options,
    examples: [
      "skan session", "skan session --at +2d3h --endpoint http://localhost:8080 --expect outcome=updated",
      "skan session --answer '{\"json\":{\"conversion_value\":5,\"status\":\"ok\"}}'",
    ]
  ) { (invocation) throws(CommandError) in try run(invocation, .session(invocation.update())) }

  static let event = CommandSpec(
    "event", "report an event and apply the answer", arguments: ["NAME"], options: options,
    examples: ["skan event level_up", "skan event purchase --revenue 9.99 --currency USD --idempotency-key order-17"]
  ) { (invocation) throws(CommandError) in
    try run(invocation, .event(name: invocation.positional[0], invocation.update()))
  }

  private static func run(
    _ invocation: Invocation, _ operation: Step.Operation
  ) throws(CommandError) -> ExitCode {
    var steps: [Step] = []
    let revenue = try invocation.givenRevenue(besides: [.currency, .adMonetization, .idempotencyKey])
    if let revenue { steps.append(Step(.revenue(revenue))) }
    let forward = try invocation.forwardOptionsIfAsked(revenue: revenue)
    steps.append(Step(operation.forwarded(forward)))
    steps[0].time = try invocation.time()
    if invocation[.dryRun] || invocation[.curl] { return try DryRun.run(invocation, steps) }
    return try invocation.run(steps)
  }

}

extension Invocation {
  /// The revenue of an event; nil without `--revenue`.
  ///
  /// - Parameter companions: options that make no sense without it.
  func givenRevenue(besides companions: [OptionRow]) throws(CommandError) -> Step.Revenue? {
    guard has(.revenue) else {
      for option in companions where isGiven(option) {
        throw usage("\(name(of: option)) belongs to --revenue AMOUNT")
      }
      return nil
    }
    guard let currency = try self[.currency] else { throw usage("--revenue needs --currency CODE") }
    return try self[.revenue].map { amount in
      Step.Revenue(amount: amount, currency: currency, isAdMonetization: self[.adMonetization])
    }
  }

  /// What `--answer` and its companions set.
  fileprivate func update() throws(CommandError) -> Step.Update {
    var update = Step.Update()
    update.took = try self[.took]
    update.options = UpdateOptions(
      hasHandler: !self[.noHandler], frameworkError: try self[.frameworkError])
    update.answer = try self[.answer]
    return update
  }
}
