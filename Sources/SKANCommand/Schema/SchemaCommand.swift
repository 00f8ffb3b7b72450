import SKANBase

/// `skan schema`: the form of a file or an output, for editors and other programs.
enum SchemaCommand {
  static let spec = CommandSpec(
    .schema,
    "Print the JSON Schema of a file or of a command's JSON",
    arguments: ["NAME"], isLastRepeatable: true, isLastOptional: true,
    examples: ["skan schema step", "skan schema model > model.schema.json", "skan schema check"],
    sections: [CommandSpec.Section(heading: "Names:", rows: rows)]
  ) { (_: NoOptions, invocation) throws(CommandError) in
    guard !invocation.positional.isEmpty else {
      try invocation.environment.print(TextTable.styled(rows.map { [$0.name, $0.text] }))
      return .ok
    }
    // A command of two words has a schema of its name.
    let schema = SchemaName(rawValue: invocation.positional.joined(separator: "-").lowercased())
    guard let schema else { throw invocation.usage(unknown(invocation.positional)) }
    try invocation.environment.write(JSONWriter.text(schema.json, layout: .file) + "\n")
    return .ok
  }

  private static let rows: [(name: String, text: String)] = SchemaName.allCases.map { ($0.rawValue, $0.title) }

  /// The name may be that of a command, of which the schemas have names of their own.
  private static func unknown(_ names: [String]) -> String {
    if names.count > 1, names.allSatisfy({ SchemaName(rawValue: $0.lowercased()) != nil }) {
      return "one schema at a time: \(names.map { "'skan schema \($0)'" }.joined(separator: ", "))"
    }
    let text = names.joined(separator: " ")
    let message = "there is no schema \(JSONWriter.quoted(text))"
    if let command = CommandLineTool.commands.first(where: { $0.name == text.lowercased() }) {
      let names = SchemaName.names(of: command).map(\.rawValue)
      if names.isEmpty { return "\(message): 'skan \(command.name)' has no --json" }
      let verb = names.count == 1 ? "that of 'skan \(command.name)' is" : "those of 'skan \(command.name)' are"
      return "\(message); \(verb) \(names.joined(separator: ", "))"
    }
    let near = meantName(by: text, in: SchemaName.allCases.map(\.rawValue))
    return "\(message); \(near.map { "did you mean \($0)?" } ?? "'skan schema' lists them all")"
  }
}
