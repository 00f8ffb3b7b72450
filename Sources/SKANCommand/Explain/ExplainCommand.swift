import SKANBase

/// `skan explain`: what a code of results, checks, verdicts or exit codes means.
enum ExplainCommand {
  private static let json = OptionRow.json.described("print one JSON object a code", hasVariable: false)

  struct Options: CommandOptions {
    let isJSON: Bool

    init(_ reader: OptionReader) throws(CommandError) { isJSON = try reader[json] }
  }

  static let spec = CommandSpec(
    .explain, "Explain a code: its cause, an example and what to do",
    arguments: ["CODE"], isLastRepeatable: true, isLastOptional: true,
    examples: [
      "skan explain lock-leaked", "skan explain clock-start", "skan explain exit-76", "skan explain SKANErrorDomain-10",
      "skan explain check.idfv-missing", "skan explain --json | jq -r .code",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    var codes: [any ExplainedCode] = []
    for name in invocation.positional { codes += try CodeCatalog.codes(named: name) }
    let isList = invocation.positional.isEmpty
    if isList { codes = CodeCatalog.all }
    let environment = invocation.environment
    let fixtures = environment.installedFixtures()
    if options.isJSON {
      try environment.write(codes.map { JSONWriter.text(ShownCode($0, fixtures: fixtures)) + "\n" }.joined())
    } else {
      let texts = codes.map { $0.text(fixtures: fixtures) }
      try environment.print(isList ? list : StyledText.sections(texts.joined(separator: "\n\n")))
    }
    return .ok
  }

  /// All codes by kind, a line each.
  private static var list: [StyledText] {
    let width = CodeCatalog.all.map(\.code.count).max() ?? 0
    return CodeKind.allCases.flatMap { kind in
      let rows = CodeCatalog.all.filter { $0.kind == kind }.map { code in
        var row = StyledText("  \(code.code.padded(to: width))  \(code.explanation.summary)")
        row.indent = width + 4
        return row
      }
      return [StyledText(kind.heading, .bold)] + rows + [""]
    } + ["'skan explain CODE' says more about one."]
  }
}
