import SKANBase

/// The manual page skan(1), generated from the tables of the parser.
package enum ManPage {
  /// The command that prints the page, for `scripts/install`. Help does not name it.
  package static let hiddenName = "__man"

  package static func text(of table: CommandTable) -> String {
    let lines =
      head + commands(table) + environment(table) + files + exitStatus + examples(table) + seeAlso
    return lines.map { "\($0)\n" }.joined()
  }

  private static var head: [String] {
    [
      ".TH SKAN 1 2026-11-22 \"skan \(Roff.text(ProgramVersion.text))\" \"User Commands\"",
      // No hyphenation and no justification, so that the text can be searched and copied.
      ".nh", ".ad l", ".SH NAME",
      "skan \\- a simulated iOS device with its SKAdNetwork life on the command line", ".SH SYNOPSIS",
      "\\fBskan\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]", ".SH DESCRIPTION",
    ]
      + Roff.paragraph(
        "skan runs the SKAdNetwork snippet of Singular's guide on a simulated phone: registration, sessions, events, "
          + "the calls into Apple's framework and the resulting postbacks. A phone is kept in a device file, or runs "
          + "through an event list.") + [".PP"]
      + Roff.paragraph(
        "Results go to standard output, everything else to standard error. 'skan COMMAND --help' describes a command, "
          + "'skan help --json' prints all tables for programs.")
  }

  /// The commands in their groups, each with its options. An option that several commands share is repeated for each of
  /// them, where a reader looks for it.
  private static func commands(_ table: CommandTable) -> [String] {
    [".SH COMMANDS", Roff.text("Every command takes these:")]
      + options(CommandSpec.general.rows)
      + table.groups.flatMap { group in
        [".SH \"COMMANDS: \(Roff.text(group.title.uppercased()))\""]
          + group.names.compactMap { table[$0] }.flatMap(lines)
      }
  }

  private static func lines(of spec: CommandSpec) -> [String] {
    [".SS \\fBskan \(Roff.text(spec.name))\\fR\(Roff.text(spec.argumentText))"]
      + Roff.paragraph("\(spec.summary).")
      + spec.groups.filter { $0.title != .general }.flatMap { group in
        [".PP", "\\fI\(Roff.text(group.title.rawValue)):\\fR"] + options(group.rows)
      }
  }

  /// The entries of options, without empty lines between them.
  private static func options(_ rows: [OptionRow]) -> [String] {
    rows.isEmpty ? [] : [".PD 0"] + rows.flatMap(lines) + [".PD"]
  }

  private static func lines(of option: OptionRow) -> [String] {
    let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
    let placeholder = option.placeholder.map { " \\fI\(Roff.text($0))\\fR" } ?? ""
    return [".TP", "\(short)\\fB\(Roff.text(option.flag))\\fR\(placeholder)"] + Roff.paragraph("\(option.help).")
  }

  private static func environment(_ table: CommandTable) -> [String] {
    let others = [
      ("NO_COLOR", "if it is not empty, the output has no colors"),
      ("TERM", "if it is \"dumb\", the output has no colors"),
      ("COLUMNS", "the width to which lines are wrapped on a terminal"),
    ]
    let rows =
      table.variableOptions.map { ($0.variable, "\($0.flag), if it is not given; \($0.help)") }
      + VariableNames.more.map { ($0.name + ($0.isPrefix ? "NAME" : ""), $0.help) } + others
    return [".SH ENVIRONMENT"] + rows.flatMap(entry)
  }

  private static var files: [String] {
    let name = OptionRow.state.defaultText ?? ""
    return [".SH FILES"]
      + [
        (name, "the device file, in which one phone is kept between commands; see --state"),
        ("\(name).lock", "held by a command that changes the device file, and removed at its end"),
      ].flatMap(entry)
  }

  private static var exitStatus: [String] {
    [".SH EXIT STATUS"] + ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }.flatMap(entry)
  }

  private static func examples(_ table: CommandTable) -> [String] {
    [".SH EXAMPLES", ".EX"] + table.examples.map { Roff.text($0) } + [".EE"]
  }

  private static var seeAlso: [String] { [".SH SEE ALSO", "\\fBcurl\\fR(1), \\fBjq\\fR(1), \\fBopenssl\\fR(1)"] }

  private static func entry(_ row: (name: String, text: String)) -> [String] {
    [".TP", "\\fB\(Roff.text(row.name))\\fR"] + Roff.paragraph("\(row.text).")
  }
}

/// Formats texts as roff, the language of manual pages.
package enum Roff {
  /// A line of text in which nothing is a request or an escape, and every hyphen can be copied.
  package static func text(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": line += "\\e"
      case "-": line += "\\-"
      case "'": line += "\\(aq"
      case "`": line += "\\(ga"
      case "^": line += "\\(ha"
      case "~": line += "\\(ti"
      case "\"": line += "\\(dq"
      case _ where scalar.isASCII: line.unicodeScalars.append(scalar)
      default: line += "\\[u\(String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4, with: "0"))]"
      }
    }
    return uncontrolled(line)
  }

  /// A text as escaped lines of at most 79 columns, the width that linters of manual pages ask for.
  static func paragraph(_ text: String) -> [String] { self.text(text).filled(to: 79).map(uncontrolled) }

  /// A line protected from being read as a request because it begins with a period.
  private static func uncontrolled(_ line: String) -> String { line.hasPrefix(".") ? "\\&\(line)" : line }
}
