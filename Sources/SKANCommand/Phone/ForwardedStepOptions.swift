import SKANCommandLine
import SKANDevice
import SKANRun

/// The options of `skan s2s session` and `skan s2s event`: the reports that the app's server sends.
struct ForwardedStepOptions: CommandOptions {
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
