import SKANDevice
import SKANRun
import SKANBase

/// `skan session` and `skan event NAME`.
enum UpdateCommands {
  struct Options: CommandOptions {
    let answering: AnswerOptions
    let update: Step.Update
    let revenue: Step.Revenue?
    let idempotencyKey: String?
    let dryRun: DryRun.Form?
    /// What the app's server reports; nil where it reports nothing.
    let report: ForwardOptions?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      answering = try AnswerOptions(reader)
      var update = Step.Update()
      update.answer = try reader[.answer]
      update.took = try reader[.took]
      let frameworkError = try reader[.frameworkError]
      update.options = UpdateOptions(hasHandler: !(try reader[.noHandler]), frameworkError: frameworkError)
      self.update = update
      let revenue = try RevenueOptions(reader)
      self.revenue = revenue.revenue
      idempotencyKey = try reader[.idempotencyKey, revenue.isGiven]
      reader.declare(.dryRun, .curl)
      let isForwarded = try reader[.forward]
      let forwarding = OptionReader.Condition(isForwarded, "belongs to \(OptionRow.forward.flag)")
      let settings = try reader.depending(on: forwarding) { () throws(CommandError) in try ReportSettings(reader) }
      if isForwarded { try reader.requireReports(to: answering.endpoint) }
      report = isForwarded ? settings.report(of: revenue.revenue) : nil
      step = try StepOptions(reader)
      dryRun = try DryRun.Form(reader)
    }
  }

  static let session = CommandSpec(
    .session, "Report a session and apply the answer",
    examples: [
      "skan session", "skan session --at +2d3h --endpoint http://localhost:8080 --expect outcome=updated",
      "skan session --answer '{\"json\":{\"conversion_value\":5,\"status\":\"ok\"}}'",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    try run(.session(options.update), options, invocation)
  }

  static let event = CommandSpec(
    .event, "Report an event and apply the answer", arguments: ["NAME"],
    examples: ["skan event level_up", "skan event purchase --revenue 9.99 --currency USD --idempotency-key order-17"]
  ) { (options: Options, invocation) throws(CommandError) in
    try run(.event(name: invocation.positional[0], options.update), options, invocation)
  }

  private static func run(
    _ operation: Step.Operation, _ options: Options, _ invocation: Invocation
  ) throws(CommandError) -> ExitCode {
    var steps = options.revenue.map { [Step(.revenue($0))] } ?? []
    steps.append(Step(operation.forwarded(options.report)))
    steps[0].time = options.step.time
    if let form = options.dryRun {
      return try DryRun(form, options.step, options.answering, options.idempotencyKey, invocation).run(steps)
    }
    return try StepCommand(
      options.step, answering: options.answering, idempotencyKey: options.idempotencyKey, invocation
    ).run(steps)
  }
}
