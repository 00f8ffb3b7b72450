/// The subcommands, in the order of the help.
///
/// The table of a command is built on demand, so that a run only pays for its own.
enum CommandName: String, CaseIterable, Sendable {
  case install, register, session, event, revenue
  case s2sSession = "s2s session"
  case s2sEvent = "s2s event"
  case aakUpdate = "aak update"
  case aakReengage = "aak reengage"
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
    case .install, .register, .session, .event, .revenue, .s2sSession, .s2sEvent, .aakUpdate, .aakReengage, .details,
      .update, .relaunch, .reset,
      .history, .why:
      .phone
    case .replay, .timeline, .import: .lists
    case .serve: .endpoint
    case .check: .traffic
    case .postbacks, .verify, .receive, .report, .receiverTest: .postbacks
    case .modelCheck, .modelExplain, .modelDiff, .modelConvert, .modelFit, .modelWorth, .backtest: .models
    case .`init`, .config, .doctor, .explain, .schema, .completion, .help: .project
    }
  }

  /// The commands of two words whose first word is this one.
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
    case .aakUpdate: AdAttributionKitCommands.update
    case .aakReengage: AdAttributionKitCommands.reengage
    case .details: DetailsCommand.spec
    case .update: PhoneCommands.update
    case .relaunch: PhoneCommands.relaunch
    case .reset: PhoneCommands.reset
    case .replay: ReplayCommand.spec
    case .modelCheck: ModelCheckCommand.spec
    case .modelExplain: ModelCommands.explain
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

/// The specification of a subcommand: its arguments, its options and its help.
struct CommandSpec: Sendable {
  let name: String
  let summary: String
  /// The names of the positional arguments, in order.
  let arguments: [String]
  /// Whether the last argument may be repeated. At least one is required.
  let isLastRepeatable: Bool
  /// Whether the last argument is optional.
  let isLastOptional: Bool
  /// The noun, with a trailing space, that messages use for a file named by an argument; nil if the arguments name no
  /// input files.
  let argumentFiles: String?
  /// An example of the user's own command that may follow `--`; nil if none may.
  let commandExample: String?
  /// The options by title, those of every command last.
  private(set) var groups: [OptionGroup]
  /// The options, those of every command last.
  private(set) var options: [OptionRow]
  /// Command lines that a reader can copy.
  let examples: [String]
  /// Further sections of the help, each with a heading and rows.
  let sections: [Section]
  /// The keys of the command's result that no other command's result has.
  let resultKeys: [String]
  /// Whether environment variables and the project file can provide values for the options. The commands of a project
  /// and of help do not depend on either.
  let readsSettings: Bool
  let run: @Sendable (Invocation) throws(CommandError) -> ExitCode

  struct Section: Sendable {
    let heading: String
    let rows: [(name: String, text: String)]
  }

  /// A command whose options are read once, before it runs.
  init<Options: CommandOptions>(
    _ name: CommandName, _ summary: String, arguments: [String] = [], isLastRepeatable: Bool = false,
    isLastOptional: Bool = false, argumentFiles: String? = nil, commandExample: String? = nil, examples: [String],
    sections: [Section] = [], resultKeys: [String] = [],
    run: @escaping @Sendable (Options, Invocation) throws(CommandError) -> ExitCode
  ) {
    self.name = name.rawValue
    self.summary = summary
    self.arguments = arguments
    self.isLastRepeatable = isLastRepeatable
    self.isLastOptional = isLastOptional
    self.argumentFiles = argumentFiles
    self.commandExample = commandExample
    self.examples = examples
    self.sections = sections
    self.resultKeys = resultKeys
    readsSettings = name.group != .project
    self.run = { (invocation) throws(CommandError) in
      try invocation.checkFiles()
      return try run(Options(OptionReader(invocation)), invocation)
    }
    (groups, options) = ([], [])
    let reader = OptionReader(Invocation(self, ParsedArguments(), .empty))
    do throws(CommandError) { _ = try reader[Options.self] } catch {
      assertionFailure("'skan \(self.name)' requires an option while its options are read: \(error)")
    }
    groups = reader.groups + [Self.general]
    options = reader.rows + Self.general.rows
  }

  /// The options of every command.
  static let general = OptionGroup(title: .general, rows: [OptionRow.color, .help, .version])

  /// A command `config` with other options and with settings, for inspection only. Running it does nothing.
  init(inspecting options: [OptionRow]) {
    name = CommandName.config.rawValue
    summary = ""
    arguments = []
    isLastRepeatable = false
    isLastOptional = false
    argumentFiles = nil
    commandExample = nil
    examples = []
    sections = []
    resultKeys = []
    readsSettings = true
    run = { _ in .ok }
    groups = []
    self.options = options + Self.general.rows
  }

  func declares(_ option: OptionRow) -> Bool { options.contains(option) }

  /// The environment variables that the command reads in the place of options.
  var variables: [String] { options.filter(\.hasVariable).map(\.variable) }

  /// Whether the results are texts of this program alone.
  var printsOwnTexts: Bool { [CommandName.help, .completion, .explain, .schema].contains { $0.rawValue == name } }

  /// The arguments as in a usage line, each preceded by a space.
  var argumentText: String {
    arguments.enumerated().map { index, name in
      isLastOptional && index == arguments.count - 1 ? " [\(name)]" : " \(name)"
    }.joined() + (isLastRepeatable ? "…" : "")
  }

  /// The part of a usage line after the command's name: the arguments and placeholders for the options.
  var usage: String { "\(argumentText) [OPTIONS]\(commandExample != nil ? " [-- COMMAND [ARGUMENT…]]" : "")" }
}
