import SKANBase

/// The arguments of one command line, checked against its specification.
struct ParsedArguments: Sendable, Equatable {
  var positional: [String] = []
  /// The user's own command behind `--`, with its arguments; empty if there is none.
  private(set) var command: [String] = []
  /// The project file that was read, if any.
  private(set) var projectFile: String?
  /// The given texts by option name. A flag has an empty text.
  private var values: [String: [String]] = [:]
  /// The sources of values that are not given on the command line, by option name.
  private var others: [String: Source] = [:]

  /// The source of a value, in order of precedence.
  enum Source: Sendable, Equatable {
    case commandLine
    case environment
    case project(ProjectValue)
  }

  init() {}

  /// Parses the arguments after the name of the subcommand.
  ///
  /// Long names must be complete: `--name value` or `--name=value`. `--` ends the options. A negative number is an
  /// argument. An option that is not given is taken from its environment variable, or else from the project file.
  init(
    _ arguments: [String], for spec: CommandSpec, variable: (String) -> String?,
    project: () throws(CommandError) -> ProjectFile? = { () throws(CommandError) in nil }
  ) throws(CommandError) {
    // A request for help takes effect whatever else is wrong.
    if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == OptionRow.help.flag || $0 == "-h" }) {
      values[OptionRow.help.name] = [""]
      return
    }
    var rest = ArraySlice(arguments)
    while let argument = rest.popFirst() {
      if argument == "--" {
        try end(rest, spec)
        break
      }
      try Self.checkTypography(argument, spec)
      if argument.hasPrefix("--") {
        try long(argument, &rest, spec)
      } else if argument.hasPrefix("-"), argument != "-", !argument.looksNegative {
        try short(argument, &rest, spec)
      } else {
        positional.append(argument)
      }
    }
    if has(.version) { return }
    try readEnvironment(spec, variable)
    // A command that reads no variables does not read the project file either.
    if spec.readsSettings, let project = try project() { try read(project, spec) }
    try checkPositional(spec)
  }

  /// Reads the values of the environment and a project file, without a command line.
  init(settingsOf spec: CommandSpec, variable: (String) -> String?, project: ProjectFile?) throws(CommandError) {
    try readEnvironment(spec, variable)
    if let project { try read(project, spec) }
  }

  /// Throws for an argument or a value that begins with a dash or a quote of a text program, which the shell passes on
  /// as any other letter.
  private static func checkTypography(_ text: String, _ spec: CommandSpec) throws(CommandError) {
    guard let first = text.first, let plain = Typography.plain(String(first)) else { return }
    if plain == "-" {
      let rest = text.drop { Typography.plain(String($0)) == "-" || $0 == "-" }
      guard let letter = rest.first, letter.isLetter || letter.isNumber else { return }
      let dashes = letter.isLetter && rest.prefix(while: { $0 != "=" }).count > 1 ? "--" : "-"
      throw .usage(
        "\(JSONWriter.quoted(text)) begins with a typographic dash: write \(dashes)\(String(rest).oneLine)",
        command: spec.name)
    }
    throw .usage(
      "\(JSONWriter.quoted(text)) begins with a typographic quote, which the shell takes for a letter: write ' or \"",
      command: spec.name)
  }

  /// Reads what follows `--`.
  private mutating func end(_ rest: ArraySlice<String>, _ spec: CommandSpec) throws(CommandError) {
    guard let example = spec.commandExample else {
      positional += rest
      return
    }
    command = Array(rest)
    if command.first?.isEmpty ?? true {
      throw .usage("-- needs a command, as in 'skan \(spec.name) -- \(example)'", command: spec.name)
    }
  }

  private mutating func long(
    _ argument: String, _ rest: inout ArraySlice<String>, _ spec: CommandSpec
  ) throws(CommandError) {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = spec.options.first(where: { $0.name == name }) else {
      let near =
        OldNames.options[name].map { "; \($0)" }
        ?? meantName(by: name, in: spec.options.map(\.name)).map { "; did you mean --\($0)?" } ?? ""
      throw .usage("'skan \(spec.name)' has no option --\(name.oneLine)\(near)", command: spec.name)
    }
    try set(option, inline: parts.count > 1 ? String(parts[1]) : nil, &rest, spec)
  }

  private mutating func short(
    _ argument: String, _ rest: inout ArraySlice<String>, _ spec: CommandSpec
  ) throws(CommandError) {
    for letter in argument.dropFirst() {
      guard let option = spec.options.first(where: { $0.short == letter }) else {
        throw .usage("'skan \(spec.name)' has no option -\(letter)", command: spec.name)
      }
      try set(option, inline: nil, &rest, spec)
    }
  }

  private mutating func set(
    _ option: OptionRow, inline: String?, _ rest: inout ArraySlice<String>, _ spec: CommandSpec
  ) throws(CommandError) {
    var given = ""
    if let placeholder = option.placeholder {
      guard let value = inline ?? rest.popFirst() else {
        throw .usage("\(option.flag) needs a value: \(option.flag) \(placeholder)", command: spec.name)
      }
      given = value
      try Self.checkTypography(value, spec)
    } else if inline != nil {
      throw .usage("\(option.flag) takes no value", command: spec.name)
    }
    if values[option.name] != nil, option.placeholder != nil, !option.isRepeatable {
      throw .usage("\(option.flag) is given twice", command: spec.name)
    }
    values[option.name, default: []].append(given)
  }

  private mutating func readEnvironment(_ spec: CommandSpec, _ variable: (String) -> String?) throws(CommandError) {
    for option in spec.options where option.hasVariable && values[option.name] == nil {
      guard let text = variable(option.variable), !text.isEmpty else { continue }
      if option.placeholder == nil {
        switch text.lowercased() {
        case "1", "true", "yes", "on": values[option.name] = [""]
        case "0", "false", "no", "off": continue
        default:
          throw .usage("\(option.variable) must be 1 or 0, it is \(JSONWriter.quoted(text))", command: spec.name)
        }
      } else {
        values[option.name] = [text]
      }
      others[option.name] = .environment
    }
  }

  private mutating func read(_ project: ProjectFile, _ spec: CommandSpec) throws(CommandError) {
    projectFile = project.path
    let left = leftOut(of: project, spec)
    for option in spec.options where values[option.name] == nil && !left.contains(option) {
      guard let value = project.value(of: option, in: spec) else { continue }
      let texts: [String]
      do throws(ProjectValue.Mismatch) { texts = try value.texts(for: option) } catch {
        throw value.problem("\(value.key) must be \(error.expected)")
      }
      if texts.isEmpty { continue }
      values[option.name] = texts
      others[option.name] = .project(value)
    }
    // Rates of the project file only take effect together with a model.
    if values[OptionRow.model.name] == nil, case .project? = others[OptionRow.rates.name] {
      values[OptionRow.rates.name] = nil
    }
  }

  /// The options of a project file that are ignored. A model and an endpoint exclude each other, so one given by an
  /// option or a variable replaces both of the project file's. If the project file has both, the endpoint takes
  /// precedence.
  private func leftOut(of project: ProjectFile, _ spec: CommandSpec) -> [OptionRow] {
    guard spec.declares(.endpoint), spec.declares(.model) else { return [] }
    if values[OptionRow.model.name] != nil { return [.endpoint] }
    let embedded = OptionRow.endpoint.defaultText
    let given = values[OptionRow.endpoint.name]?.last
    let own = project.value(of: .endpoint, in: spec).flatMap { try? $0.texts(for: .endpoint).last }
    return (given ?? own ?? embedded) == embedded ? [] : [.model, .rates, .eventAlias]
  }

  private func checkPositional(_ spec: CommandSpec) throws(CommandError) {
    if positional.count < spec.arguments.count - (spec.isLastOptional ? 1 : 0) {
      throw .usage("'skan \(spec.name)' needs \(spec.arguments[positional.count])", command: spec.name)
    }
    if positional.count > spec.arguments.count, !spec.isLastRepeatable {
      let extra = positional[spec.arguments.count]
      let hint =
        spec.commandExample.map { "; a command comes behind --, as in 'skan \(spec.name) -- \($0)'" } ?? ""
      throw .usage("one argument too many: \(JSONWriter.quoted(extra))\(hint)", command: spec.name)
    }
  }

  func has(_ option: OptionRow) -> Bool { values[option.name] != nil }

  /// Whether an option is given on the command line itself.
  func isGiven(_ option: OptionRow) -> Bool { source(of: option) == .commandLine }

  /// The source of an option's value; nil if it has none.
  func source(of option: OptionRow) -> Source? { has(option) ? others[option.name] ?? .commandLine : nil }

  /// The texts given for an option, in order.
  func texts(of option: OptionRow) -> [String] { values[option.name] ?? [] }

  /// The source of a value as messages name it: the option, its variable, or the key of the project file.
  func name(of option: OptionRow) -> String {
    switch source(of: option) {
    case .environment?: option.variable
    case .project(let value)?: "\(value.key) of \(value.file.oneLine)"
    case .commandLine?, nil: option.flag
    }
  }
}

extension String {
  /// Whether the string is a minus sign followed by a number, as for a refund.
  var looksNegative: Bool {
    // `Double.init` also accepts "-inf" and "-nan", which are then refused as amounts.
    Double(self) != nil || dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
  }
}

/// The environment variables that commands read: they describe where a command runs, never what it does. Any other whose
/// name begins with `SKAN_` is an error: a typing mistake, or an option that has no variable.
enum VariableNames {
  static let prefix = "SKAN_"
  /// The prefix of list variables, followed by a name of the user's; see `--variable`.
  static let ofLists = "SKAN_VARIABLE_"
  /// The prefix of event aliases, followed by the name of an event; see `--event-alias`.
  static let ofEventAliases = "SKAN_EVENT_ALIAS_"
  static let sdkKey = "SKAN_SDK_KEY"
  static let project = "SKAN_PROJECT"

  /// A variable that belongs to no option.
  struct Variable: Sendable {
    let name: String
    /// Whether `name` is a prefix that the user completes.
    let isPrefix: Bool
    let help: String
  }

  static let more = [
    Variable(name: sdkKey, isPrefix: false, help: "the SDK key, if --sdk-key-file is not given"),
    Variable(
      name: project, isPrefix: false, help: "the project file, instead of the nearest skan.json; none for no file"),
    Variable(name: ofLists, isPrefix: true, help: "the value of ${NAME} in the strings of a list; see --variable"),
    Variable(name: ofEventAliases, isPrefix: true, help: "our event for an event of the model; see --event-alias"),
  ]

  /// The options that have a variable, by name, each as the first command with its variable describes it.
  static let options: [OptionRow] = CommandLineTool.commands.flatMap(\.options).filter(\.hasVariable)
    .reduce(into: []) { rows, row in if !rows.contains(row) { rows.append(row) } }.sorted { $0.name < $1.name }
  private static let known = Set(options.map(\.variable) + [sdkKey, project])

  /// Throws if the environment has a variable that no command reads, or one whose value is not valid UTF-8. Empty
  /// variables are ignored.
  static func check(_ environment: Environment, for command: CommandSpec? = nil) throws(CommandError) {
    let names = environment.variables(prefix).filter { !$0.value.isEmpty }.map(\.name)
    // The message does not show the value, which may be a key.
    if let name = names.sorted().first(where: { !environment.isUTF8($0) }) {
      throw .usage("the value of \(name.oneLine) is not UTF-8, as every variable must be", command: nil)
    }
    // The names of all commands are made only for a name that is not of `command`.
    let own = (command?.variables ?? []) + [sdkKey, project]
    let unknown = names.filter { name in
      !name.hasPrefix(ofLists) && !name.hasPrefix(ofEventAliases) && !own.contains(name) && !known.contains(name)
    }
    guard !unknown.isEmpty else { return }
    let messages = unknown.sorted { $0.literallyPrecedes($1) }.map { optionMessage($0, command) ?? message($0) }
    throw .usage(messages.joined(separator: "\n      "), command: nil)
  }

  /// The message for the variable of an option that is read from command lines and project files only; nil for a name
  /// that no option has.
  ///
  /// - Parameter command: the command that runs. If it has no such option, the first command that does is named.
  private static func optionMessage(_ name: String, _ command: CommandSpec?) -> String? {
    for spec in (command.map { [$0] } ?? []) + CommandLineTool.commands {
      guard let option = spec.options.first(where: { $0.variable == name && ![.help, .version].contains($0) }) else {
        continue
      }
      let value = option.placeholder.map { " \($0)" } ?? ""
      let project = spec.readsSettings ? ", or \"\(option.name)\" of \"\(spec.name)\" in \"commands\" of skan.json" : ""
      return "the variable \(name) is not read: write 'skan \(spec.name) \(option.flag)\(value)'\(project)"
    }
    return nil
  }

  private static func message(_ name: String) -> String {
    let option = String(name.dropFirst(prefix.count)).lowercased().replacing("_", with: "-")
    if let now = OldNames.options[option] { return "the variable \(name) is not read: \(now)" }
    // The common prefix is left out of the comparison.
    let near = nearestName(
      to: String(name.dropFirst(prefix.count)), in: known.sorted().map { $0.dropFirst(prefix.count) }.map(String.init))
    let hint = near.map { "did you mean \(prefix)\($0)?" } ?? "unset it: 'skan help environment' lists the variables"
    return "there is no variable \(name.oneLine); \(hint)"
  }
}
