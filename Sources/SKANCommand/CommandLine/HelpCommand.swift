import SKANBase
import SKANDevice
import SKANRun

/// `skan help`: the help of the program or of a command, as text or as a JSON table.
enum HelpCommand {
  // The variable SKAN_JSON asks for the results of steps as JSON and has no effect on this command.
  private static let json = OptionRow.json.described(
    "print the whole table, or that of the command, as one JSON object on a line", hasVariable: false)

  struct Options: CommandOptions {
    let isJSON: Bool

    init(_ reader: OptionReader) throws(CommandError) { isJSON = try reader[json] }
  }

  static let spec = CommandSpec(
    .help, "Show this help, or that of a command or topic",
    arguments: ["COMMAND"], isLastRepeatable: true, isLastOptional: true,
    examples: [
      "skan help session", "skan help model check", "skan help windows", "skan help --json | jq '.commands[].name'",
    ],
    sections: [
      CommandSpec.Section(
        heading: "Topics, in the place of a command:", rows: HelpTopic.allCases.map { ($0.rawValue, $0.summary) })
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    if options.isJSON {
      try invocation.environment.write("\(try table(invocation))\n")
    } else {
      try invocation.environment.printHelp(text(invocation))
    }
    return .ok
  }

  private static func text(_ invocation: Invocation) throws(CommandError) -> [StyledText] {
    let names = invocation.positional
    if let topic = try topic(invocation) {
      // A command may have the same name.
      let command = CommandName(rawValue: topic.rawValue)?.spec
      return StyledText.sections(topic.text) + (command.map { [""] + Help.text(for: $0) } ?? [])
    }
    if names.count == 1 {
      let group = CommandName.group(names[0])
      if !group.isEmpty { return Help.text(for: group) }
      try requireName(names[0])
    }
    return try command(names).map { Help.text(for: $0) } ?? Help.overview
  }

  /// Throws if a name is closest to a topic. Other unknown names are refused by the lookup of commands.
  private static func requireName(_ name: String) throws(CommandError) {
    let topics = HelpTopic.allCases.map(\.rawValue)
    let commands = CommandName.allCases.map(\.rawValue)
    guard !commands.contains(name), OtherNames.hints[name] == nil,
      let near = meantName(by: name, in: commands + topics), topics.contains(near)
    else { return }
    throw .usage("there is no command or topic \(JSONWriter.quoted(name)); did you mean '\(near)'?", command: nil)
  }

  /// The topic that is asked for, which must be the only argument; nil for any other name.
  private static func topic(_ invocation: Invocation) throws(CommandError) -> HelpTopic? {
    guard let name = invocation.positional.first, let topic = HelpTopic(rawValue: name.lowercased()) else { return nil }
    try CommandLineTool.requireEnd(invocation.positional.dropFirst())
    return topic
  }

  private static func table(_ invocation: Invocation) throws(CommandError) -> String {
    if let topic = try topic(invocation), CommandName(rawValue: topic.rawValue) == nil {
      throw invocation.usage(
        "the topic \(topic.rawValue) is prose; only commands have a table, without --json it is printed")
    }
    return try command(invocation.positional).map { JSONWriter.text($0) } ?? JSONWriter.text(HelpTable())
  }

  /// The command that is asked for; nil for all commands.
  private static func command(_ names: [String]) throws(CommandError) -> CommandSpec? {
    if names.isEmpty { return nil }
    let (spec, rest) = try CommandLineTool.spec(ArraySlice(names))
    try CommandLineTool.requireEnd(rest)
    return spec
  }
}

/// Help texts, generated from the tables of the parser.
enum Help {
  /// Command lines to start with.
  static let examples = [
    "skan register                         install a phone and register it, in skan-state.json",
    "skan session --answer '{\"json\":{\"conversion_value\":1,\"status\":\"ok\"}}'",
    "skan event purchase --revenue 9.99 --currency USD --at +2d3h",
    "skan details                          what getSkanDetails gives now",
    "skan replay fixtures/first-month.jsonl",
  ]

  /// The output of `skan --help`.
  static var overview: [StyledText] {
    [
      "\("skan", .bold): a simulated iOS device with its SKAdNetwork life on the command line", "",
      "\("Usage:", .bold) skan COMMAND [ARGUMENTS] [OPTIONS]", "", heading("Examples:"),
    ] + examples.map { .fixed("  \($0)") } + commands + [
      "",
      .paragraph(
        "'skan COMMAND --help' lists the options of a command. An option that describes where it runs can\n"
          + "come from a variable of the environment: SKAN_LOCK_TIMEOUT for --lock-timeout."), "",
      heading("Topics, as in 'skan help windows':"),
    ] + rows(HelpTopic.allCases.map { ($0.rawValue, $0.summary) }) + ["", heading("Exit codes:")]
      + rows(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
  }

  /// The commands in their groups, aligned in one column.
  private static var commands: [StyledText] {
    let width = CommandName.allCases.map(\.rawValue.count).max() ?? 0
    return CommandName.Group.allCases.flatMap { group in
      ["", heading("\(group.rawValue):")] + rows(group.commands.map { ($0.rawValue, $0.spec.summary) }, width: width)
    }
  }

  /// The output of `skan model --help`: the commands with the same first word.
  static func text(for group: [CommandName]) -> [StyledText] {
    rows(group.map { ("skan \($0.rawValue)", $0.spec.summary) })
      + ["", "'skan COMMAND --help' lists the options of a command."]
  }

  /// The output of `skan COMMAND --help`.
  static func text(for spec: CommandSpec) -> [StyledText] {
    var lines: [StyledText] = [
      "\("skan \(spec.name)", .bold): \(spec.summary)", "",
      "\("Usage:", .bold) skan \(spec.name)\(spec.usage)", "", heading("Examples:"),
    ]
    lines += spec.examples.map { .fixed("  \($0)") }
    let width = self.width(spec.options.map(name))
    for group in spec.groups {
      lines += ["", heading("\(group.title.rawValue):")] + rows(group.rows.map { (name($0), $0.help) }, width: width)
    }
    for section in spec.sections { lines += ["", heading(section.heading)] + rows(section.rows) }
    return lines + [
      "", .paragraph("Variables for options that are not given: \(spec.variables.commaSeparated)."),
      "Exit codes: see 'skan --help'.",
    ]
  }

  private static func heading(_ text: String) -> StyledText {
    var line = StyledText(text, .bold)
    line.indent = 0
    return line
  }

  private static func name(_ option: OptionRow) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + option.flag + (option.placeholder.map { " \($0)" } ?? "")
  }

  /// The width of a column of names. Longer ones stand above their text.
  private static func width(_ names: [String]) -> Int { min(28, names.map(\.count).max() ?? 0) }

  private static func rows(_ rows: [(name: String, text: String)], width: Int? = nil) -> [StyledText] {
    let width = width ?? self.width(rows.map(\.name))
    return rows.flatMap { name, text -> [StyledText] in
      let isWide = name.count > width
      var line = StyledText("  \(isWide ? String(repeating: " ", count: width) : name.padded(to: width))  \(text)")
      line.indent = width + 4
      return isWide ? [.fixed("  \(name)"), line] : [line]
    }
  }
}

/// The table of the command line for programs, as `skan help --json` prints it (the manual, "Commands and options").
struct HelpTable: JSONObjectWritable {
  /// The commands with their options, the exit codes, the keys of a step's result, the codes of its warnings, and the
  /// variables that belong to no option.
  static let fields = JSONFields<HelpTable> {
    JSONField("version") { _ in CommandLineTool.version }
    JSONField("commands") { _ in CommandLineTool.commands }
    JSONField("exit_codes", list: exitCodes) { _ in ExitCode.allCases }
    JSONField("result_keys") { _ in StepResult.keys }
    JSONField("warning_codes", list: warnings) { _ in WarningCode.allCases }
    JSONField("variables", list: variables) { _ in VariableNames.more }
  }

  private static let exitCodes = JSONFields<ExitCode> {
    JSONField("code", as: .integer(0...255)) { Int($0.rawValue) }
    JSONField("name") { $0.name }
    JSONField("meaning") { $0.meaning }
  }

  private static let warnings = JSONFields<WarningCode> {
    JSONField("code") { $0.name }
    JSONField("level") { $0.level }
  }

  private static let variables = JSONFields<VariableNames.Variable> {
    JSONField("name") { $0.name }
    JSONField("prefix") { $0.isPrefix }
    JSONField("help") { $0.help }
  }
}

/// A command as an entry of the table.
extension CommandSpec: JSONObjectWritable {
  static let fields = JSONFields<CommandSpec> {
    JSONField("name") { $0.name }
    JSONField("summary") { $0.summary }
    JSONField("arguments", list: argumentFields) { $0.shownArguments }
    JSONField("options", list: optionFields) { $0.options }
    JSONField("examples") { $0.examples }
    JSONField("result_keys") { $0.resultKeys }
    JSONField("schemas", as: .list(.names(SchemaName.allCases.map(\.rawValue)))) {
      SchemaName.names(of: $0).map(\.rawValue)
    }
  }

  private typealias Argument = (name: String, isOptional: Bool, isRepeatable: Bool)

  private var shownArguments: [Argument] {
    let last = arguments.count - 1
    let given: [Argument] = arguments.enumerated().map {
      ($1, $0 == last && isLastOptional, $0 == last && isLastRepeatable)
    }
    return commandExample == nil ? given : given + [("-- COMMAND", true, true)]
  }

  private static let argumentFields = JSONFields<Argument> {
    JSONField("name") { $0.name }
    JSONField("optional") { $0.isOptional }
    JSONField("repeatable") { $0.isRepeatable }
  }

  private static let optionFields = JSONFields<OptionRow> {
    JSONField("name") { $0.name }
    JSONField("short") { $0.short.map { String($0) } }
    JSONField("type") { $0.kind }
    JSONField("placeholder") { $0.placeholder }
    JSONField("default") { $0.defaultText }
    JSONField("values") { $0.values }
    JSONField("variable") { $0.hasVariable ? $0.variable : nil }
    JSONField("repeatable") { $0.isRepeatable }
    JSONField("help") { $0.help }
  }
}

extension ValueKind: JSONWritable {}
