/// The specification of a subcommand: its arguments, its options and its help.
package struct CommandSpec: Sendable {
  package let name: String
  package let summary: String
  /// The names of the positional arguments, in order.
  package let arguments: [String]
  /// Whether the last argument may be repeated. At least one is required.
  package let isLastRepeatable: Bool
  /// Whether the last argument is optional.
  package let isLastOptional: Bool
  /// The noun, with a trailing space, that messages use for a file named by an argument; nil if the arguments name no
  /// input files.
  let argumentFiles: String?
  /// An example of the user's own command that may follow `--`; nil if none may.
  package let commandExample: String?
  /// The options by title, those of every command last.
  private(set) var groups: [OptionGroup]
  /// The options, those of every command last.
  package private(set) var options: [OptionRow]
  /// Command lines that a reader can copy.
  package let examples: [String]
  /// Further sections of the help, each with a heading and rows.
  let sections: [Section]
  /// The keys of the command's result that no other command's result has.
  package let resultKeys: [String]
  /// Whether environment variables and the project file can provide values for the options. The commands of a project
  /// and of help do not depend on either.
  package let readsSettings: Bool
  /// Whether the results are texts of this program alone.
  package let printsOwnTexts: Bool
  package let run: @Sendable (Invocation) throws(CommandError) -> ExitCode

  package struct Section: Sendable {
    let heading: String
    let rows: [(name: String, text: String)]

    package init(heading: String, rows: [(name: String, text: String)]) { (self.heading, self.rows) = (heading, rows) }
  }

  /// A command whose options are read once, before it runs.
  package init<Options: CommandOptions>(
    _ name: String, _ summary: String, arguments: [String] = [], isLastRepeatable: Bool = false,
    isLastOptional: Bool = false, argumentFiles: String? = nil, commandExample: String? = nil, examples: [String],
    sections: [Section] = [], resultKeys: [String] = [], readsSettings: Bool = true, printsOwnTexts: Bool = false,
    run: @escaping @Sendable (Options, Invocation) throws(CommandError) -> ExitCode
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments
    self.isLastRepeatable = isLastRepeatable
    self.isLastOptional = isLastOptional
    self.argumentFiles = argumentFiles
    self.commandExample = commandExample
    self.examples = examples
    self.sections = sections
    self.resultKeys = resultKeys
    self.readsSettings = readsSettings
    self.printsOwnTexts = printsOwnTexts
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

  /// A command with these options and with settings, for inspection only. Running it does nothing.
  package init(_ name: String, inspecting options: [OptionRow]) {
    self.name = name
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
    printsOwnTexts = false
    run = { _ in .ok }
    groups = []
    self.options = options + Self.general.rows
  }

  package func declares(_ option: OptionRow) -> Bool { options.contains(option) }

  /// The environment variables that the command reads in the place of options.
  var variables: [String] { options.filter(\.hasVariable).map(\.variable) }

  /// The arguments as in a usage line, each preceded by a space.
  var argumentText: String {
    arguments.enumerated().map { index, name in
      isLastOptional && index == arguments.count - 1 ? " [\(name)]" : " \(name)"
    }.joined() + (isLastRepeatable ? "…" : "")
  }

  /// The part of a usage line after the command's name: the arguments and placeholders for the options.
  var usage: String { "\(argumentText) [OPTIONS]\(commandExample != nil ? " [-- COMMAND [ARGUMENT…]]" : "")" }
}
