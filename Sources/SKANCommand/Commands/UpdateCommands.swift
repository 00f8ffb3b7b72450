import SKANDevice
import SKANRun
import SKANText

/// `skan session` and `skan event NAME`.
enum UpdateCommands {
  private static let options: [OptionRow] =
    [
      .endpoint, .model, .eventAlias, .eventAliasesFile, .rates, .maxTime, .maxAnswer, .sdkKeyFile, .answer, .took,
      .frameworkError, .noHandler, .revenue, .currency, .adMonetization, .idempotencyKey, .dryRun, .curl,
    ] + CommandLineTool.stepOptions

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
    if let revenue = try revenue(invocation) { steps.append(Step(.revenue(revenue))) }
    steps.append(Step(operation))
    steps[0].time = try invocation.time()
    if invocation[.dryRun] || invocation[.curl] { return try DryRun.run(invocation, steps) }
    return try invocation.run(steps)
  }

  private static func revenue(_ invocation: Invocation) throws(CommandError) -> Step.Revenue? {
    guard invocation.has(.revenue) else {
      for option in [OptionRow.currency, .adMonetization, .idempotencyKey] where invocation.isGiven(option) {
        throw invocation.usage("\(invocation.name(of: option)) belongs to --revenue AMOUNT")
      }
      return nil
    }
    guard let currency = try invocation[.currency] else {
      throw invocation.usage("--revenue needs --currency CODE")
    }
    return try invocation[.revenue].map { amount in
      Step.Revenue(amount: amount, currency: currency, isAdMonetization: invocation[.adMonetization])
    }
  }
}

extension Invocation {
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
