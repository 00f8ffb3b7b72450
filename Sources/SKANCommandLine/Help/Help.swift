import SKANBase

/// Help texts, generated from the tables of the parser.
package enum Help {
  /// The output of `skan --help`.
  ///
  /// - Parameter topics: what `skan help` explains besides commands.
  package static func overview(
    _ table: CommandTable, topics: [(name: String, text: String)]
  ) -> [StyledText] {
    [
      "\("skan", .bold): a simulated iOS device with its SKAdNetwork life on the command line", "",
      "\("Usage:", .bold) skan COMMAND [ARGUMENTS] [OPTIONS]", "", heading("Examples:"),
    ] + table.examples.map { .fixed("  \($0)") } + commands(table) + [
      "",
      .paragraph(
        "'skan COMMAND --help' lists the options of a command. An option that describes where it runs can\n"
          + "come from a variable of the environment: SKAN_LOCK_TIMEOUT for --lock-timeout."), "",
      heading("Topics, as in 'skan help windows':"),
    ] + rows(topics) + ["", heading("Exit codes:")]
      + rows(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
  }

  /// The commands in their groups, aligned in one column.
  private static func commands(_ table: CommandTable) -> [StyledText] {
    let width = table.names.map(\.count).max() ?? 0
    return table.groups.flatMap { group in
      ["", heading("\(group.title):")]
        + rows(group.names.compactMap { table[$0] }.map { ($0.name, $0.summary) }, width: width)
    }
  }

  /// The output of `skan model --help`: the commands with the same first word.
  package static func text(for group: [CommandSpec]) -> [StyledText] {
    rows(group.map { ("skan \($0.name)", $0.summary) })
      + ["", "'skan COMMAND --help' lists the options of a command."]
  }

  /// The output of `skan COMMAND --help`.
  package static func text(for spec: CommandSpec) -> [StyledText] {
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
