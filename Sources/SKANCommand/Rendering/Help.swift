import SKANBase

/// Help texts, made of the same tables that parse.
enum Help {
  /// Command lines to begin with.
  static let examples = [
    "skan register                         install a phone and register it, in skan-state.json",
    "skan session --answer '{\"json\":{\"conversion_value\":1,\"status\":\"ok\"}}'",
    "skan event purchase --revenue 9.99 --currency USD --at +2d3h",
    "skan details                          what getSkanDetails gives now",
    "skan replay fixtures/first-month.jsonl",
  ]

  /// `skan --help`.
  static var overview: [StyledText] {
    [
      "\("skan", .bold): a simulated iOS device with its SKAdNetwork life on the command line", "",
      "\("Usage:", .bold) skan COMMAND [ARGUMENTS] [OPTIONS]", "", heading("Examples:"),
    ] + examples.map { .fixed("  \($0)") } + commands + [
      "",
      .paragraph(
        "'skan COMMAND --help' tells the options of a command. An option that is not given is\n"
          + "taken from its variable of the environment: SKAN_LOCK_TIMEOUT for --lock-timeout."), "",
      heading("Topics, as in 'skan help windows':"),
    ] + rows(HelpTopic.allCases.map { ($0.rawValue, $0.summary) }) + ["", heading("Exit codes:")]
      + rows(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
  }

  /// The commands in their groups, in one column.
  private static var commands: [StyledText] {
    let width = CommandName.allCases.map(\.rawValue.count).max() ?? 0
    return CommandName.Group.allCases.flatMap { group in
      ["", heading("\(group.rawValue):")] + rows(group.commands.map { ($0.rawValue, $0.spec.summary) }, width: width)
    }
  }

  /// `skan model --help`: the commands that begin with the same word.
  static func text(for group: [CommandName]) -> [StyledText] {
    rows(group.map { ("skan \($0.rawValue)", $0.spec.summary) })
      + ["", "'skan COMMAND --help' tells the options of a command."]
  }

  /// `skan COMMAND --help`.
  static func text(for spec: CommandSpec) -> [StyledText] {
    var lines: [StyledText] = [
      "\("skan \(spec.name)", .bold): \(spec.summary)", "",
      "\("Usage:", .bold) skan \(spec.name)\(spec.usage)", "", heading("Examples:"),
    ]
    lines += spec.examples.map { .fixed("  \($0)") }
    lines += ["", heading("Options:")] + rows(spec.options.map { (name($0), $0.help) })
    for section in spec.sections { lines += ["", heading(section.heading)] + rows(section.rows) }
    return lines + [
      "", "An option that is not given is taken from its variable: \(variableExample(spec)).",
      "Exit codes: see 'skan --help'.",
    ]
  }

  private static func heading(_ text: String) -> StyledText {
    var line = StyledText(text, .bold)
    line.indent = 0
    return line
  }

  private static func variableExample(_ spec: CommandSpec) -> String {
    guard let option = spec.options.first(where: \.hasVariable) else { return "none here" }
    return "\(option.variable) for \(option.flag)"
      + (spec.options.contains { !$0.hasVariable && $0 == .state }
        ? " (--state has none here)" : "")
  }

  private static func name(_ option: OptionRow) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + option.flag + (option.placeholder.map { " \($0)" } ?? "")
  }

  private static func rows(_ rows: [(name: String, text: String)], width: Int? = nil) -> [StyledText] {
    let width = width ?? min(28, rows.map(\.name.count).max() ?? 0)
    return rows.flatMap { name, text -> [StyledText] in
      let isWide = name.count > width
      var line = StyledText("  \(isWide ? String(repeating: " ", count: width) : name.padded(to: width))  \(text)")
      line.indent = width + 4
      return isWide ? [.fixed("  \(name)"), line] : [line]
    }
  }
}
