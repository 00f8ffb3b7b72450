/// The subcommands, in the order of the help.
///
/// A command's table is made when it is asked for: a run pays for its own alone.
enum CommandName: String, CaseIterable, Sendable {
  case install, register, session, event, revenue
  case s2sSession = "s2s session"
  case s2sEvent = "s2s event"
  case details, update, relaunch, reset, replay
  case modelCheck = "model check"
  case modelExplain = "model explain"
  case modelDecode = "model decode"
  case modelDiff = "model diff"
  case modelConvert = "model convert"
  case modelFit = "model fit"
  case backtest, serve, check, postbacks, verify, receive, report
  case receiverTest = "receiver-test"
  case timeline, history, why
  case `import`
  case completion, config
  case `init`
  case doctor, explain, schema, help

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
