import SKANBase
import SKANCommandLine
import SKANModel

/// `skan model diff`.
enum ModelDiffCommand {
  static let fields = JSONFields<[ModelDifference]> {
    JSONField("equal") { $0.isEmpty }
    JSONField("differences") { $0 }
  }

  struct Options: CommandOptions {
    let isJSON: Bool
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      isJSON = try reader[.json]
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    "model diff", "Show how two models differ; exit 1 if they do",
    arguments: ["A", "B"],
    examples: [
      "skan model diff spring.json summer.json", "skan model diff main.json fixtures/models/mixed.json --json",
    ],
    sections: [
      CommandSpec.Section(
        heading: "Equal",
        rows: [
          ("spelling", "the order of keys, mappings and entries; camelCase or snake_case; a wrapper of Google's API"),
          ("defaults", "unset or written out: US dollar, at least once, the hours of the window"),
          ("dead", "a mapping that no user can fulfil, or none"),
        ]),
      CommandSpec.Section(
        heading: "Exit code",
        rows: [("0", "both mean the same"), ("1", "they differ"), ("64…", "as for every command")]
      ),
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let (old, new) = (invocation.positional[0], invocation.positional[1])
    let differences = try invocation.readModel(new).differences(from: invocation.readModel(old))
    let output = Output(invocation.environment, isQuiet: options.isQuiet)
    if options.isJSON {
      try output.result(fields.text(differences))
    } else if differences.isEmpty {
      try output.line("\(old.oneLine) and \(new.oneLine) mean the same")
    } else {
      for difference in differences {
        try output.line(StyledText(difference.name, .bold))
        if let before = difference.before { try output.line("  \("-", .failure) \(before)") }
        if let after = difference.after { try output.line("  \("+", .success) \(after)") }
      }
      try output.line("\(differences.count) difference\(differences.count == 1 ? "" : "s")")
    }
    return differences.isEmpty ? .ok : .expectationFailed
  }
}
