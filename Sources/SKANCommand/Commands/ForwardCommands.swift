import SKANDevice
import SKANBase
import SKANRun

/// `skan s2s session` and `skan s2s event NAME`: what the app's server sends.
enum ForwardCommands {
  struct SessionOptions: CommandOptions {
    let answering: AnswerOptions
    let answer: EndpointAnswer?
    let dryRun: DryRun.Form?
    let settings: ReportSettings
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      answering = try AnswerOptions(reader)
      answer = try reader[.answer]
      reader.declare(.dryRun, .curl)
      settings = try ReportSettings(reader)
      try reader.requireReports(to: answering.endpoint)
      step = try StepOptions(reader)
      dryRun = try DryRun.Form(reader)
    }

    func run(_ operation: Step.Operation, _ invocation: Invocation) throws(CommandError) -> ExitCode {
      let step = Step(operation, time: self.step.time)
      if let dryRun { return try DryRun(dryRun, self.step, answering, nil, invocation).run([step]) }
      return try StepCommand(self.step, answering: answering, invocation).run([step])
    }
  }

  struct EventOptions: CommandOptions {
    private static let revenue = OptionRow.revenue.described("the revenue of the event, sent as amt and cur")

    let revenue: Step.Revenue?
    let session: SessionOptions

    init(_ reader: OptionReader) throws(CommandError) {
      revenue = try RevenueOptions(reader, revenue: Self.revenue).revenue
      session = try SessionOptions(reader)
    }
  }

  static let session = CommandSpec(
    .s2sSession, "Report a session as the app's server does, to launch",
    examples: [
      "skan s2s session", "skan s2s session --endpoint http://localhost:8080 --parameter ip=203.0.113.7",
      "skan s2s session --stale --dry-run",
    ]
  ) { (options: SessionOptions, invocation) throws(CommandError) in
    try options.run(.forward(.session, options.settings.report(answer: options.answer)), invocation)
  }

  static let event = CommandSpec(
    .s2sEvent, "Report an event as the app's server does, to evt", arguments: ["NAME"],
    examples: ["skan s2s event level_up", "skan s2s event purchase --revenue 9.99 --currency USD --api v2"]
  ) { (options: EventOptions, invocation) throws(CommandError) in
    let report = options.session.settings.report(of: options.revenue, answer: options.session.answer)
    return try options.session.run(
      .forward(.event(name: invocation.positional[0], report.revenue), report), invocation)
  }
}
