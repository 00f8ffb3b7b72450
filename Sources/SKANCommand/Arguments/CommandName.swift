/// The subcommands, in the order of the help.
///
/// A command's table is made when it is asked for: a run pays for its own alone.
enum CommandName: String, CaseIterable, Sendable {
  case install, register, session, event, revenue
  case s2sSession = "s2s session"
  case s2sEvent = "s2s event"
  case details, update, relaunch, reset, history, why
  case replay, timeline
  case `import`
  case serve
  case check
  case postbacks, verify, receive, report
  case receiverTest = "receiver-test"
  case modelCheck = "model check"
  case modelExplain = "model explain"
  case modelDecode = "model decode"
  case modelDiff = "model diff"
  case modelConvert = "model convert"
  case modelFit = "model fit"
  case backtest
  case `init`
  case config, doctor, explain, schema, completion, help

  /// What commands are for, in the order in which help, manual page and manual show them.
  enum Group: String, CaseIterable {
    case phone = "Phone"
    case lists = "Lists"
    case endpoint = "Endpoint"
    case traffic = "Traffic"
    case postbacks = "Postbacks"
    case models = "Models"
    case project = "Project and help"

    var commands: [CommandName] { CommandName.allCases.filter { $0.group == self } }
  }

  var group: Group {
    switch self {
    case .install, .register, .session, .event, .revenue, .s2sSession, .s2sEvent, .details, .update, .relaunch, .reset,
      .history, .why:
      .phone
    case .replay, .timeline, .import: .lists
    case .serve: .endpoint
    case .check: .traffic
    case .postbacks, .verify, .receive, .report, .receiverTest: .postbacks
    case .modelCheck, .modelExplain, .modelDecode, .modelDiff, .modelConvert, .modelFit, .backtest: .models
    case .`init`, .config, .doctor, .explain, .schema, .completion, .help: .project
    }
  }

  /// The commands of two words that begin with this one.
  static func group(_ word: String) -> [CommandName] { allCases.filter { $0.rawValue.hasPrefix("\(word) ") } }

  var spec: CommandSpec {
    switch self {
    case .install: InstallCommands.install
    case .register: InstallCommands.register
    case .session: UpdateCommands.session
    case .event: UpdateCommands.event
    case .revenue: RevenueCommand.spec
    case .s2sSession: ForwardCommands.session
    case .s2sEvent: ForwardCommands.event
    case .details: DetailsCommand.spec
    case .update: PhoneCommands.update
    case .relaunch: PhoneCommands.relaunch
    case .reset: PhoneCommands.reset
    case .replay: ReplayCommand.spec
    case .modelCheck: ModelCheckCommand.spec
    case .modelExplain: ModelCommands.explain
    case .modelDecode: ModelCommands.decode
    case .modelDiff: ModelDiffCommand.spec
    case .modelConvert: ModelConvertCommand.spec
    case .modelFit: ModelFitCommand.spec
    case .backtest: BacktestCommand.spec
    case .serve: ServeCommand.spec
    case .check: CheckCommand.spec
    case .postbacks: PostbacksCommand.spec
    case .verify: VerifyCommand.spec
    case .receive: ReceiveCommand.spec
    case .report: ReportCommand.spec
    case .receiverTest: ReceiverTestCommand.spec
    case .timeline: TimelineCommand.spec
    case .history: HistoryCommand.history
    case .why: HistoryCommand.why
    case .import: ImportCommand.spec
    case .completion: CompletionCommand.spec
    case .config: ConfigCommand.spec
    case .`init`: InitCommand.spec
    case .doctor: DoctorCommand.spec
    case .explain: ExplainCommand.spec
    case .schema: SchemaCommand.spec
    case .help: HelpCommand.spec
    }
  }
}
