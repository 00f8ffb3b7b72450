import SKANBase

/// `skan help`: the help of the program or of a command, for a reader or as a table for programs.
enum HelpCommand {
  // A variable that asks for the results of steps does not ask for this.
  private static let json = OptionRow.json.described(
    "print the whole table, or that of the command, as one JSON object on a line", hasVariable: false)

  private static let man = Option<Bool>(
    flag: "man", "print the manual page skan(1)", hasVariable: false)

  struct Options: CommandOptions {
    enum Form { case json, man }

    /// Nil for a reader.
    let form: Form?

    init(_ reader: OptionReader) throws(CommandError) { form = try reader.choice((json, .json), (man, .man)) }
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
    switch options.form {
    case .man?:
      if let name = invocation.positional.first {
        throw invocation.usage("\(man.flag) prints one page about all commands: leave out \(JSONWriter.quoted(name))")
      }
      try invocation.environment.write(ManPage.text)
    case .json?: try invocation.environment.write("\(try table(invocation))\n")
    case nil: try invocation.environment.print(text(invocation))
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

  /// Refuses what is nearest to a topic; all else that is no command is refused where commands are found.
  private static func requireName(_ name: String) throws(CommandError) {
    let topics = HelpTopic.allCases.map(\.rawValue)
    let commands = CommandName.allCases.map(\.rawValue)
    guard !commands.contains(name), OtherNames.hints[name] == nil,
      let near = meantName(by: name, in: commands + topics), topics.contains(near)
    else { return }
    throw .usage("there is no command or topic \(JSONWriter.quoted(name)); did you mean '\(near)'?", command: nil)
  }

  /// The topic that is asked about, which is alone.
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

  /// The command that is asked about; nil for all.
  private static func command(_ names: [String]) throws(CommandError) -> CommandSpec? {
    if names.isEmpty { return nil }
    let (spec, rest) = try CommandLineTool.spec(ArraySlice(names))
    try CommandLineTool.requireEnd(rest)
    return spec
  }
}
