import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// `skan session` and `skan event NAME`.
enum UpdateCommands {
  struct SessionOptions: CommandOptions {
    let update: Options

    init(_ reader: OptionReader) throws(CommandError) { update = try Options(reader, isEvent: false) }
  }

  struct Options: CommandOptions {
    let answering: AnswerOptions
    let update: Step.Update
    let revenue: Step.Revenue?
    let idempotencyKey: String?
    let dryRun: DryRun.Form?
    /// The settings of the app server's report; nil if it sends none.
    let report: ForwardOptions?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, isEvent: true) }

    init(_ reader: OptionReader, isEvent: Bool) throws(CommandError) {
      reader.declare(.answer, .took, .frameworkError, .noHandler, under: .update)
      reader.declare(.revenue, .currency, .adMonetization, .idempotencyKey, under: .revenue)
      reader.declare(.forward, under: .server)
      answering = try reader[AnswerOptions.self]
      reader.declare(.dryRun, .curl, under: .wire)
      var update = Step.Update()
      update.answer = try reader[.answer]
      update.took = try reader[.took]
      let frameworkError = try reader[.frameworkError]
      update.options = UpdateOptions(hasHandler: !(try reader[.noHandler]), frameworkError: frameworkError)
      self.update = update
      let revenue = try reader[RevenueOptions.self]
      self.revenue = revenue.revenue
      idempotencyKey = try reader[.idempotencyKey, revenue.isGiven]
      let isForwarded = try reader[.forward]
      let forwarding = OptionReader.Condition(isForwarded, "belongs to \(OptionRow.forward.flag)")
      let settings = try reader.depending(on: forwarding) { () throws(CommandError) in
        try reader.under(.server) { () throws(CommandError) in try ReportSettings(reader, isOfEvent: isEvent) }
      }
      if isForwarded { try reader.requireReports(to: answering.endpoint) }
      report = isForwarded ? settings.report(of: revenue.revenue) : nil
      step = try reader[StepOptions.self]
      dryRun = try DryRun.Form(reader)
    }
  }

  static let session = CommandSpec(
    "session", "Report a session and apply the answer",
    examples: [
      "skan session", "skan session --at +2d3h --endpoint http://localhost:8080 --expect outcome=updated",
      "skan session --answer '{\"json\":{\"conversion_value\":5,\"status\":\"ok\"}}'",
    ]
  ) { (options: SessionOptions, invocation) throws(CommandError) in
    try run(.session(options.update.update), options.update, invocation)
  }

  static let event = CommandSpec(
    "event", "Report an event and apply the answer", arguments: ["NAME"],
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

enum RevenueCommand {
  struct Options: CommandOptions {
    let isAdMonetization: Bool
    let idempotencyKey: String?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      isAdMonetization = try reader[.adMonetization]
      idempotencyKey = try reader[.idempotencyKey]
      step = try reader[StepOptions.self]
    }
  }

  static let spec = CommandSpec(
    "revenue", "Add to the revenue of a currency", arguments: ["AMOUNT", "CURRENCY"],
    examples: ["skan revenue 9.99 USD", "skan revenue -4.99 USD", "skan revenue 0.02 USD --ad-monetization"]
  ) { (options: Options, invocation) throws(CommandError) in
    let revenue = Step.Revenue(
      amount: try ValueParser.amount.parse(invocation.argument(0, named: "AMOUNT")),
      currency: invocation.positional[1], isAdMonetization: options.isAdMonetization)
    let command = try StepCommand(options.step, idempotencyKey: options.idempotencyKey, invocation)
    return try command.run([Step(.revenue(revenue), time: options.step.time)])
  }
}

/// `skan s2s session` and `skan s2s event NAME`: the reports that the app's server sends.
enum ForwardCommands {
  struct SessionOptions: CommandOptions {
    let answering: AnswerOptions
    let answer: EndpointAnswer?
    let dryRun: DryRun.Form?
    let settings: ReportSettings
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, isEvent: false) }

    init(_ reader: OptionReader, isEvent: Bool) throws(CommandError) {
      answering = try reader[AnswerOptions.self]
      reader.declare(.dryRun, .curl, under: .wire)
      reader.declare(.answer, under: .server)
      answer = try reader[.answer]
      settings = try reader.under(.server) { () throws(CommandError) in
        try ReportSettings(reader, isOfEvent: isEvent)
      }
      try reader.requireReports(to: answering.endpoint)
      step = try reader[StepOptions.self]
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
      revenue = try reader.under(RevenueOptions.title) { () throws(CommandError) in
        try RevenueOptions(reader, revenue: Self.revenue).revenue
      }
      session = try SessionOptions(reader, isEvent: true)
    }
  }

  static let session = CommandSpec(
    "s2s session", "Report a session as the app's server does, to launch",
    examples: [
      "skan s2s session", "skan s2s session --endpoint http://localhost:8080 --parameter ip=203.0.113.7",
      "skan s2s session --stale --dry-run",
    ]
  ) { (options: SessionOptions, invocation) throws(CommandError) in
    try options.run(.forward(.session, options.settings.report(answer: options.answer)), invocation)
  }

  static let event = CommandSpec(
    "s2s event", "Report an event as the app's server does, to evt", arguments: ["NAME"],
    examples: ["skan s2s event level_up", "skan s2s event purchase --revenue 9.99 --currency USD --api v2"]
  ) { (options: EventOptions, invocation) throws(CommandError) in
    let report = options.session.settings.report(of: options.revenue, answer: options.session.answer)
    return try options.session.run(
      .forward(.event(name: invocation.positional[0], report.revenue), report), invocation)
  }
}
