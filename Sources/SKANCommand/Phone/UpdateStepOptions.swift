import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// The options of `skan session` and `skan event`.
struct UpdateStepOptions: CommandOptions {
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

  /// Runs the step of the operation, behind one for the revenue.
  func run(_ operation: Step.Operation, _ invocation: Invocation) throws(CommandError) -> ExitCode {
    var steps = revenue.map { [Step(.revenue($0))] } ?? []
    steps.append(Step(operation.forwarded(report)))
    steps[0].time = step.time
    if let form = dryRun {
      return try DryRun(form, step, answering, idempotencyKey, invocation).run(steps)
    }
    return try StepCommand(step, answering: answering, idempotencyKey: idempotencyKey, invocation).run(steps)
  }
}
