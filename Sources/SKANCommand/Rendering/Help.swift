import SKANText

/// Help texts, made of the same tables that parse.
enum Help {
  /// `skan --help`.
  static var overview: String {
    """
    skan: a simulated iOS device with its SKAdNetwork life on the command line

    Usage: skan COMMAND [ARGUMENTS] [OPTIONS]

    Examples:
      skan register                         install a phone and register it, in skan-state.json
      skan session --answer '{"json":{"conversion_value":1,"status":"ok"}}'
      skan event purchase --revenue 9.99 --currency USD --at +2d3h
      skan details                          what getSkanDetails gives now
      skan replay fixtures/first-month.jsonl

    Commands:
    \(rows(CommandLineTool.commands.map { ($0.name, $0.summary) }))

    'skan COMMAND --help' tells the options of a command. An option that is not given is
    taken from its variable of the environment: SKAN_LOCK_TIMEOUT for --lock-timeout.

    Exit codes:
    \(rows(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }))

    """
  }

  /// `skan model --help`: the commands that begin with the same word.
  static func text(for group: [CommandSpec]) -> String {
    "\(rows(group.map { ("skan \($0.name)", $0.summary) }))\n\n'skan COMMAND --help' tells the options of a command.\n"
  }

  /// `skan COMMAND --help`.
  static func text(for spec: CommandSpec) -> String {
    let arguments =
      spec.arguments.enumerated().map { index, name in
        spec.isLastOptional && index == spec.arguments.count - 1 ? " [\(name)]" : " \(name)"
      }.joined() + (spec.isLastRepeatable ? "…" : "")
    return """
      skan \(spec.name): \(spec.summary)

      Usage: skan \(spec.name)\(arguments) [OPTIONS]\(spec.takesCommand ? " [-- COMMAND [ARGUMENT…]]" : "")

      Examples:
      \(spec.examples.map { "  \($0)" }.joined(separator: "\n"))

      Options:
      \(rows(spec.options.map { (name($0), $0.help) }))
      \(spec.sections.map { "\n\($0.heading)\n\(rows($0.rows))\n" }.joined())
      An option that is not given is taken from its variable: \(variableExample(spec)).
      Exit codes: see 'skan --help'.

      """
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

  private static func rows(_ rows: [(name: String, text: String)]) -> String {
    let width = min(28, rows.map(\.name.count).max() ?? 0)
    return rows.map { name, text in
      name.count > width
        ? "  \(name)\n  \(String(repeating: " ", count: width))  \(text)"
        : "  \(name.padded(to: width))  \(text)"
    }.joined(separator: "\n")
  }
}
