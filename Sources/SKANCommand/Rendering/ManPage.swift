/// The page skan(1), made of the same tables that parse: `skan help --man`.
enum ManPage {
  static var text: String {
    let lines = head + commands + options + environment + files + exitStatus + examples + seeAlso
    return lines.map { "\($0)\n" }.joined()
  }

  private static var head: [String] {
    [
      ".TH SKAN 1 2026-11-22 \"skan \(Roff.text(CommandLineTool.version))\" \"User Commands\"", ".SH NAME",
      "skan \\- a simulated iOS device with its SKAdNetwork life on the command line", ".SH SYNOPSIS",
      "\\fBskan\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]", ".SH DESCRIPTION",
      Roff.text(
        "skan runs the SKAdNetwork snippet of Singular's guide on a simulated phone: registration, sessions, events, the "
          + "calls into Apple's framework and the postbacks that come of them. A phone is kept in a device file, or runs "
          + "through an event list."),
      ".PP",
      Roff.text(
        "Results go to standard output, everything else to standard error. 'skan COMMAND --help' describes a command, "
          + "'skan help --json' prints all tables for programs."),
    ]
  }

  private static var commands: [String] {
    [".SH COMMANDS", Roff.text("Every command takes --color, --help and --version.")]
      + CommandLineTool.commands.flatMap { spec in
        let own = spec.options.filter { ![.color, .help, .version].contains($0) }.map(\.flag)
        let options = own.isEmpty ? [] : [Roff.text("Options: \(own.joined(separator: ", ")).")]
        return [
          ".TP", "\\fBskan \(Roff.text(spec.name))\\fR\(Roff.text(spec.argumentText))", Roff.text("\(spec.summary)."),
        ] + options
      }
  }

  /// Each option once; what another command says about it follows.
  private static var options: [String] {
    var rows: [(option: OptionRow, uses: [(help: String, commands: [String])])] = []
    for spec in CommandLineTool.commands {
      for option in spec.options {
        let index =
          rows.firstIndex { $0.option == option }
          ?? {
            rows.append((option, []))
            return rows.count - 1
          }()
        if let use = rows[index].uses.firstIndex(where: { $0.help == option.help }) {
          rows[index].uses[use].commands.append(spec.name)
        } else {
          rows[index].uses.append((option.help, [spec.name]))
        }
      }
    }
    return [".SH OPTIONS", Roff.text("Each command takes those that stand with it above.")]
      + rows.sorted { $0.option.name < $1.option.name }.flatMap { lines(of: $0.option, $0.uses) }
  }

  private static func lines(
    of option: OptionRow, _ uses: [(help: String, commands: [String])]
  ) -> [String] {
    let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
    let placeholder = option.placeholder.map { " \\fI\(Roff.text($0))\\fR" } ?? ""
    let texts = uses.map { uses.count == 1 ? "\($0.help)." : "\($0.commands.joined(separator: ", ")): \($0.help)." }
    var lines = [".TP", "\(short)\\fB\(Roff.text(option.flag))\\fR\(placeholder)"]
    for (index, text) in texts.enumerated() { lines += (index == 0 ? [] : [".br"]) + [Roff.text(text)] }
    return lines
  }

  private static var environment: [String] {
    let others = [
      ("NO_COLOR", "where it is not empty, there are no colors"),
      ("TERM", "of a terminal \"dumb\" there are no colors"),
      ("COLUMNS", "the width to which lines are wrapped on a terminal"),
    ]
    let rows =
      [
        (
          "SKAN_OPTION",
          "what an option says that is not given: SKAN_LOCK_TIMEOUT for --lock-timeout, 1 or 0 for a flag"
        )
      ]
      + VariableNames.more.map { ($0.name + ($0.isPrefix ? "NAME" : ""), $0.help) } + others
    return [".SH ENVIRONMENT"] + rows.flatMap(entry)
  }

  private static var files: [String] {
    let name = OptionRow.state.defaultText ?? ""
    return [".SH FILES"]
      + [
        (name, "the device file, in which one phone is kept between commands; see --state"),
        ("\(name).lock", "held by a command that changes the device file"),
      ].flatMap(entry)
  }

  private static var exitStatus: [String] {
    [".SH EXIT STATUS"] + ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }.flatMap(entry)
  }

  private static var examples: [String] {
    [".SH EXAMPLES", ".EX"] + Help.examples.map { Roff.text($0) } + [".EE"]
  }

  private static var seeAlso: [String] { [".SH SEE ALSO", "\\fBcurl\\fR(1), \\fBjq\\fR(1), \\fBopenssl\\fR(1)"] }

  private static func entry(_ row: (name: String, text: String)) -> [String] {
    [".TP", "\\fB\(Roff.text(row.name))\\fR", Roff.text("\(row.text).")]
  }
}
