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
  /// An example of the command of the user's that may follow behind `--`; nil where none may.
  let commandExample: String?
  /// Color, help and version come by themselves.
  let options: [OptionRow]
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

  init(
    _ name: String, _ summary: String, arguments: [String] = [], isLastRepeatable: Bool = false,
    isLastOptional: Bool = false, commandExample: String? = nil, options: [OptionRow], examples: [String],
    sections: [Section] = [], resultKeys: [String] = [],
    run: @escaping @Sendable (Invocation) throws(CommandError) -> ExitCode
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments
    self.isLastRepeatable = isLastRepeatable
    self.isLastOptional = isLastOptional
    self.commandExample = commandExample
    self.options = options + [.color, .help, .version]
    self.examples = examples
    self.sections = sections
    self.resultKeys = resultKeys
    self.run = run
  }

  /// Whether the command has an option of this name whose value is read in the same way.
  func declares(_ option: OptionRow) -> Bool {
    options.contains { $0 == option && type(of: $0) == type(of: option) }
  }

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
