import SKANJSON
import SKANText

/// `skan schema`: the form of a file or an output, for editors and other programs.
enum SchemaCommand {
  static let spec = CommandSpec(
    "schema",
    "print the JSON Schema of a step, a result, a model, a device or project file, or a received postback",
    arguments: ["NAME"], options: [],
    examples: ["skan schema step", "skan schema model > model.schema.json"],
    sections: [CommandSpec.Section(heading: "Names:", rows: SchemaName.allCases.map { ($0.rawValue, $0.title) })]
  ) { (invocation) throws(CommandError) in
    let text = invocation.positional[0]
    let names = SchemaName.allCases.map(\.rawValue)
    guard let schema = SchemaName(rawValue: text.lowercased()) else {
      let hint = nearestName(to: text, in: names).map { "did you mean \($0)?" }
      throw invocation.usage(
        "there is no schema \(JSONWriter.quoted(text)); \(hint ?? "known: \(names.joined(separator: ", "))")")
    }
    try invocation.environment.write(JSONWriter.text(schema.json, layout: .file) + "\n")
    return .ok
  }
}
