import SKANJSON

/// `skan help`: the help of the program or of a command, for a reader or as a table for programs.
enum HelpCommand {
  // A variable that asks for the results of steps does not ask for this.
  private static let json = OptionRow.json.described(
    "print the whole table, or that of the command, as one JSON object on a line", hasVariable: false)

  private static let man = Option<Bool>(
    flag: "man", "print the manual page skan(1)", hasVariable: false)

  static let spec = CommandSpec(
    "help", "print this help, or that of a command; --json prints all of it for programs, --man the manual page",
    arguments: ["COMMAND"],
    isLastRepeatable: true, isLastOptional: true, options: [json, man],
    examples: ["skan help session", "skan help model check", "skan help --json | jq '.commands[].name'"]
  ) { (invocation) throws(CommandError) in
    if invocation[man] {
      if let name = invocation.positional.first {
        throw invocation.usage("\(man.flag) prints one page about all commands: leave out \(JSONWriter.quoted(name))")
      }
      if invocation[json] { throw invocation.usage("\(json.flag) and \(man.flag) exclude each other") }
      try invocation.environment.write(ManPage.text)
    } else if invocation[json] {
      try invocation.environment.write("\(JSONWriter.text(try table(invocation)))\n")
    } else {
      try invocation.environment.print(text(invocation))
    }
    return .ok
  }

  private static func text(_ invocation: Invocation) throws(CommandError) -> [StyledText] {
    let names = invocation.positional
    if names.count == 1 {
      let group = CommandLineTool.group(names[0])
      if !group.isEmpty { return Help.text(for: group) }
    }
    return try command(names).map { Help.text(for: $0) } ?? Help.overview
  }

  private static func table(_ invocation: Invocation) throws(CommandError) -> JSON {
    try command(invocation.positional).map(HelpTable.command) ?? HelpTable.all
  }

  /// The command that is asked about; nil for all.
  private static func command(_ names: [String]) throws(CommandError) -> CommandSpec? {
    if names.isEmpty { return nil }
    let (spec, rest) = try CommandLineTool.spec(names[...])
    try CommandLineTool.requireEnd(rest)
    return spec
  }
}
