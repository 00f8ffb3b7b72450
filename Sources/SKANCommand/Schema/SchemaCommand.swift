import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel
import SKANReceive
import SKANRun
import SKANServe
import SKANTraffic

/// `skan schema`: prints the schema of a file or an output, for editors and other programs.
enum SchemaCommand {
  static let spec = CommandSpec(
    "schema",
    "Print the JSON Schema of a file or of a command's JSON",
    arguments: ["NAME"], isLastRepeatable: true, isLastOptional: true,
    examples: ["skan schema step", "skan schema model > model.schema.json", "skan schema check"],
    sections: [CommandSpec.Section(heading: "Names:", rows: rows)], readsSettings: false, printsOwnTexts: true
  ) { (_: NoOptions, invocation) throws(CommandError) in
    guard !invocation.positional.isEmpty else {
      try invocation.environment.print(TextTable.styled(rows.map { [$0.name, $0.text] }))
      return .ok
    }
    // A command of two words may have a schema of the same name.
    let schema = SchemaName(rawValue: invocation.positional.joined(separator: "-").lowercased())
    guard let schema else { throw invocation.usage(unknown(invocation.positional)) }
    try invocation.environment.write(JSONWriter.text(schema.json, layout: .file) + "\n")
    return .ok
  }

  private static let rows: [(name: String, text: String)] = SchemaName.allCases.map { ($0.rawValue, $0.title) }

  /// The message for an unknown schema. If the name is a command's, it names the schemas of that command.
  private static func unknown(_ names: [String]) -> String {
    if names.count > 1, names.allSatisfy({ SchemaName(rawValue: $0.lowercased()) != nil }) {
      return "one schema at a time: \(names.map { "'skan schema \($0)'" }.joined(separator: ", "))"
    }
    let text = names.joined(separator: " ")
    let message = "there is no schema \(JSONWriter.quoted(text))"
    if let command = CommandLineTool.commands.first(where: { $0.name == text.lowercased() }) {
      let names = SchemaName.names(of: command).map(\.rawValue)
      if names.isEmpty { return "\(message): 'skan \(command.name)' has no --json" }
      let verb = names.count == 1 ? "that of 'skan \(command.name)' is" : "those of 'skan \(command.name)' are"
      return "\(message); \(verb) \(names.joined(separator: ", "))"
    }
    let near = meantName(by: text, in: SchemaName.allCases.map(\.rawValue))
    return "\(message); \(near.map { "did you mean \($0)?" } ?? "'skan schema' lists them all")"
  }
}

/// The schemas that `skan schema` prints, of input files and outputs.
enum SchemaName: String, CaseIterable, Sendable {
  case step, result, model, device, project, received
  case history, request, delivery, summary, matrix, journal
  case pageSetup = "page-setup"
  case pageEvent = "page-event"
  case pagePhone = "page-phone"
  case pageRequest = "page-request"
  case pagePostbacks = "page-postbacks"
  case pageTrouble = "page-trouble"
  case replayReport = "replay-report"
  case modelExplain = "model-explain"
  case modelDiff = "model-diff"
  case modelFit = "model-fit"
  case worth
  case backtest, check, verify, receive, report
  case reportWorth = "report-worth"
  case receiverTest = "receiver-test"
  case `import`, config, doctor, explain, help

  var title: String {
    switch self {
    case .step: "a step of an event list, a line of its file"
    case .result: "the result of a step, as --json prints it"
    case .model: "a conversion model"
    case .device: "a device file"
    case .project: "a project file, skan.json"
    case .received: "a received postback, a line of its file"
    case .history: "a step of a device file, a line of 'skan history --json' and of 'skan why --json'"
    case .request: "a request that would be sent, as --dry-run --json prints it"
    case .delivery: "a delivery of 'skan replay --send --json', a line after the results"
    case .summary: "the object of 'skan replay --summary --json'"
    case .matrix: "the comparison of 'skan replay --matrix --json', its last line"
    case .replayReport: "the file of 'skan replay --report-json'"
    case .journal: "a line of the journal of 'skan serve'"
    case .pageSetup: "/page/setup of 'skan serve': rules, faults, parameters and models"
    case .pageEvent: "the data of an event 'line' of /events of 'skan serve'"
    case .pagePhone: "/page/phone of 'skan serve': the life of a phone"
    case .pageRequest: "/page/request of 'skan serve': a request as a command, and its answer laid out"
    case .pagePostbacks: "/page/postbacks of 'skan serve'"
    case .pageTrouble: "/page/trouble of 'skan serve': what is pending"
    case .modelExplain: "the tables of 'skan model explain --json', or with --fine or --coarse the object"
    case .modelDiff: "the object of 'skan model diff --json'"
    case .modelFit: "the object of 'skan model fit --json'"
    case .worth: "the object of 'skan model worth --json', and its file"
    case .backtest: "the object of 'skan backtest --json'"
    case .check: "a line of 'skan check --json': the summary first, then the findings"
    case .verify: "a line of 'skan verify --json'"
    case .receive: "a line of 'skan receive --json': the postbacks, their counts, who accepted them"
    case .report: "the object of 'skan report --json', and the file of 'skan receiver-test --expected'"
    case .reportWorth: "the object of 'skan report --worth --json'"
    case .receiverTest: "a line of 'skan receiver-test --json': the deliveries, the causes of wrong answers, and counts"
    case .import: "the object of 'skan import --json'"
    case .config: "the object of 'skan config --json'"
    case .doctor: "the object of 'skan doctor --json'"
    case .explain: "a line of 'skan explain --json'"
    case .help: "the object of 'skan help --json'"
    }
  }

  private var form: JSONForm {
    switch self {
    case .step: StepSchema.form
    case .result: .anyOf([ShownResult.jsonForm, SkippedStep.jsonForm])
    case .model: ModelSchema.form
    case .device: DeviceFile.fields.form(requiring: ["format", "profile", "kept"])
    case .project: ProjectSchema.form
    case .received: ReceivedSchema.form
    case .history: HistoryEntry.jsonForm
    case .request: DryRun.form
    case .delivery: DeliveryOfPhone.jsonForm
    case .summary: SummaryReport.jsonForm
    case .matrix: MatrixComparison.jsonForm
    case .replayReport: ReplayReport.jsonForm
    case .journal: JournalLine.jsonForm
    case .pageSetup: PageSetup.jsonForm
    case .pageEvent: PageEvent.jsonForm
    case .pagePhone: PageLife.jsonForm
    case .pageRequest: PageRequest.jsonForm
    case .pagePostbacks: PagePostbacks.Shown.jsonForm
    case .pageTrouble: [Trouble].jsonForm
    case .modelExplain: .anyOf([[ConversionModel.Table].jsonForm, ModelExplainCommand.decodedFields.form])
    case .modelDiff: ModelDiffCommand.fields.form
    case .modelFit: .anyOf([FitReport.fields(model: ModelSchema.form).form, FitReport.choiceFields.form])
    case .worth: Worth.jsonForm
    case .backtest: BacktestReport.jsonForm
    case .check: .anyOf([TrafficReport.jsonForm, TrafficReport.groupFields.form])
    case .verify: VerifyReport.form
    case .receive: ReceiveReport.form
    case .report: ShownPostbackReport.jsonForm
    case .reportWorth: CampaignReports.jsonForm
    case .receiverTest: ReceiverTestReport.form
    case .import: ImportReport.jsonForm
    case .config: ConfigCommand.fields.form
    case .doctor: DoctorCommand.fields.form
    case .explain: ShownCode.jsonForm
    case .help: .anyOf([HelpTable.jsonForm, CommandSpec.jsonForm])
    }
  }

  var json: JSON {
    .object(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("$id", .string("urn:skan:schema:\(rawValue)")),
        ("title", .string("skan: \(title)")),
      ] + form.members)
  }
}

extension SchemaName {
  /// The schemas of the outputs of commands with `--json`, followed by those of the JSON files that they write.
  private static let outputs: [String: [SchemaName]] = [
    "replay": [.result, .delivery, .summary, .matrix, .replayReport, .step], "model explain": [.modelExplain],
    "model diff": [.modelDiff], "model fit": [.modelFit], "model worth": [.worth], "backtest": [.backtest],
    "serve": [.journal, .received, .pageSetup, .pageEvent, .pagePhone, .pageRequest, .pagePostbacks, .pageTrouble],
    "check": [.check, .step], "verify": [.verify], "receive": [.receive, .received],
    "report": [.report, .reportWorth],
    "receiver-test": [.receiverTest, .report], "history": [.history], "why": [.history],
    "import": [.import, .step], "config": [.config], "doctor": [.doctor], "explain": [.explain], "help": [.help],
    "init": [.project, .step, .model], "model convert": [.model],
  ]

  /// The schemas of a command's outputs with `--json`, followed by those of the JSON files that it writes.
  static func names(of command: CommandSpec) -> [SchemaName] {
    if let names = outputs[command.name] { return names }
    if !command.declares(.expect) { return [] }
    return command.declares(.dryRun) ? [.result, .request] : [.result]
  }
}
