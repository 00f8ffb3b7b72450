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

/// One subcommand: what it takes and what its help says.
struct CommandSpec: Sendable {
  let name: String
  let summary: String
  /// Names of the positional arguments, in order.
  let arguments: [String]
  /// Whether the last argument may be given more than once, but at least once.
  let isLastRepeatable: Bool
  /// Whether the last argument may be left out.
  let isLastOptional: Bool
  /// The noun in messages for a file that an argument names, with a space behind it; nil where arguments name no file to
  /// read.
  let argumentFiles: String?
  /// An example of the command of the user's that may follow behind `--`; nil where none may.
  let commandExample: String?
  /// Color, help and version come by themselves.
  private(set) var options: [OptionRow]
  /// Command lines that a reader can take over.
  let examples: [String]
  /// What else its help tells, as sections with a heading and rows.
  let sections: [Section]
  /// Keys of its result that no other command's has.
  let resultKeys: [String]
  let run: @Sendable (Invocation) throws(CommandError) -> ExitCode

  struct Section: Sendable {
    let heading: String
    let rows: [(name: String, text: String)]
  }

  /// A command whose options are read before it runs, once.
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
    self.run = { (invocation) throws(CommandError) in
      try invocation.checkFiles()
      return try run(Options(OptionReader(invocation)), invocation)
    }
    options = []
    options = Self.rows(of: Options.self, in: self) + [.color, .help, .version]
  }

  /// The command `name` with other options, which is only looked at.
  init(_ name: CommandName, options: [OptionRow]) {
    self.init(name, "", examples: []) { (_: NoOptions, _) in .ok }
    self.options = options + self.options
  }

  /// The options that are read of an empty command line.
  private static func rows(of type: (some CommandOptions).Type, in spec: CommandSpec) -> [OptionRow] {
    let reader = OptionReader(Invocation(spec, ParsedArguments(), .empty))
    do throws(CommandError) { _ = try type.init(reader) } catch {
      assertionFailure("'skan \(spec.name)' requires an option while its options are read: \(error)")
    }
    return reader.rows
  }

  /// Whether the command has an option of this name.
  func declares(_ option: OptionRow) -> Bool { options.contains(option) }

  /// Whether variables of the environment, and the project file, stand for its options.
  var readsSettings: Bool { options.contains { $0.hasVariable && $0 != .color } }

  /// The arguments as a usage line has them, with a space in front of each.
  var argumentText: String {
    arguments.enumerated().map { index, name in
      isLastOptional && index == arguments.count - 1 ? " [\(name)]" : " \(name)"
    }.joined() + (isLastRepeatable ? "…" : "")
  }

  /// The same with what stands for the options.
  var usage: String { "\(argumentText) [OPTIONS]\(commandExample != nil ? " [-- COMMAND [ARGUMENT…]]" : "")" }
}
