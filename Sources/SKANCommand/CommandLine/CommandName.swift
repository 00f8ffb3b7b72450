import SKANCommandLine

/// The subcommands, in the order of the help.
enum CommandName: String, CaseIterable, Sendable {
  case install, register, session, event, revenue
  case s2sSession = "s2s session"
  case s2sEvent = "s2s event"
  case aakUpdate = "aak update"
  case aakReengage = "aak reengage"
  case aakDevelopmentPostback = "aak development-postback"
  case impression, download
  case details, update, relaunch, reset, history, why
  case replay, timeline
  case `import`
  case serve
  case check
  case postbacks, verify, receive, report
  case receiverTest = "receiver-test"
  case modelCheck = "model check"
  case modelExplain = "model explain"
  case modelDiff = "model diff"
  case modelConvert = "model convert"
  case modelFit = "model fit"
  case modelWorth = "model worth"
  case backtest
  case `init`
  case config, doctor, explain, schema, completion, help

  /// The groups of commands, in the order in which the help, the manual page and the manual show them.
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
    case .install, .register, .session, .event, .revenue, .s2sSession, .s2sEvent, .aakUpdate, .aakReengage,
      .aakDevelopmentPostback, .impression, .download, .details, .update, .relaunch, .reset, .history, .why:
      .phone
    case .replay, .timeline, .import: .lists
    case .serve: .endpoint
    case .check: .traffic
    case .postbacks, .verify, .receive, .report, .receiverTest: .postbacks
    case .modelCheck, .modelExplain, .modelDiff, .modelConvert, .modelFit, .modelWorth, .backtest: .models
    case .`init`, .config, .doctor, .explain, .schema, .completion, .help: .project
    }
  }

  var spec: CommandSpec {
    switch self {
    case .install: InstallCommand.spec
    case .register: RegisterCommand.spec
    case .session: SessionCommand.spec
    case .event: EventCommand.spec
    case .revenue: RevenueCommand.spec
    case .s2sSession: S2SSessionCommand.spec
    case .s2sEvent: S2SEventCommand.spec
    case .aakUpdate: AAKUpdateCommand.spec
    case .aakReengage: AAKReengageCommand.spec
    case .aakDevelopmentPostback: AAKDevelopmentPostbackCommand.spec
    case .impression: ImpressionCommand.spec
    case .download: DownloadCommand.spec
    case .details: DetailsCommand.spec
    case .update: UpdateCommand.spec
    case .relaunch: RelaunchCommand.spec
    case .reset: ResetCommand.spec
    case .replay: ReplayCommand.spec
    case .modelCheck: ModelCheckCommand.spec
    case .modelExplain: ModelExplainCommand.spec
    case .modelDiff: ModelDiffCommand.spec
    case .modelConvert: ModelConvertCommand.spec
    case .modelFit: ModelFitCommand.spec
    case .modelWorth: ModelWorthCommand.spec
    case .backtest: BacktestCommand.spec
    case .serve: ServeCommand.spec
    case .check: CheckCommand.spec
    case .postbacks: PostbacksCommand.spec
    case .verify: VerifyCommand.spec
    case .receive: ReceiveCommand.spec
    case .report: ReportCommand.spec
    case .receiverTest: ReceiverTestCommand.spec
    case .timeline: TimelineCommand.spec
    case .history: HistoryCommand.spec
    case .why: WhyCommand.spec
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

extension CommandTable {
  /// The commands of this program.
  static let skan = CommandTable(
    groups: CommandName.Group.allCases.map { Group(title: $0.rawValue, names: $0.commands.map(\.rawValue)) },
    examples: HelpCommand.firstLines, hosts: (command: CommandName.check.rawValue, option: CheckCommand.host.name),
    advice: { Advice(options: OldNames.options, commands: OldNames.commands, hints: OtherNames.hints) },
    spec: { name in CommandName.allCases.first { $0.rawValue == name }?.spec },
    all: { CommandLineTool.commands })
}
