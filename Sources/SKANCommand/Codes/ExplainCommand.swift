import SKANBase
import SKANCommandLine
import SKANDevice

/// `skan explain`: explains the codes of results, checks, verdicts and exits.
enum ExplainCommand {
  private static let json = OptionRow.json.described("print one JSON object per code", hasVariable: false)

  struct Options: CommandOptions {
    let isJSON: Bool

    init(_ reader: OptionReader) throws(CommandError) { isJSON = try reader[json] }
  }

  static let spec = CommandSpec(
    "explain", "Explain a code: its cause, an example and what to do",
    arguments: ["CODE"], isLastRepeatable: true, isLastOptional: true,
    examples: [
      "skan explain lock-leaked", "skan explain clock-start", "skan explain exit-76", "skan explain SKANErrorDomain-10",
      "skan explain check.idfv-missing", "skan explain --json | jq -r .code",
    ], readsSettings: false, printsOwnTexts: true
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

  /// All codes by kind, one line each.
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

extension ExplainedCode {
  /// The explanation for people. Prose is filled to 80 columns; lines of code and commands are never wrapped.
  ///
  /// - Parameter fixtures: see ``CodeExplanation/command(fixtures:)``.
  func text(fixtures: String? = nil) -> String {
    let explanation = explanation
    var parts = ["\(code): \(roleText)"]
    parts.append(section(kind.firstHeading, prose: explanation.phone))
    parts.append(section("What causes it", prose: explanation.cause))
    if let guide = explanation.guide {
      parts.append(section("The guide's code", lines: guide.lines))
    } else {
      parts.append(section("The guide's code", prose: "No line of it decides this."))
    }
    if let command = explanation.command(fixtures: fixtures) {
      parts.append(section("Try it", lines: [command]))
    } else {
      parts.append(section("Try it", prose: "No command line brings it about."))
    }
    parts.append(section("What to do", prose: explanation.remedy))
    parts.append(section("Sources", lines: explanation.sources))
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func section(_ heading: String, prose: String) -> String {
    section(heading, lines: prose.filled(to: Self.width - 2))
  }

  private func section(_ heading: String, lines: [String]) -> String {
    "\(heading)\n" + lines.map { "  \($0)" }.joined(separator: "\n")
  }

  private static var width: Int { 80 }
}

/// The explanation for programs.
struct ShownCode: JSONObjectWritable {
  private let code: any ExplainedCode
  private let explanation: CodeExplanation
  private let fixtures: String?

  init(_ code: any ExplainedCode, fixtures: String?) {
    (self.code, self.fixtures) = (code, fixtures)
    explanation = code.explanation
  }

  static let fields = JSONFields<ShownCode> {
    JSONField("code") { $0.code.code }
    JSONField("kind") { $0.code.kind }
    JSONField("role") { $0.code.roleText }
    JSONField("summary") { $0.explanation.summary }
    JSONField("phone") { $0.explanation.phone }
    JSONField("cause") { $0.explanation.cause }
    JSONField("guide", as: guideFields.form.orNull) { code, writer in
      guard let guide = code.explanation.guide else { return writer.null() }
      guideFields.write((guide.guide.title, guide.lines), to: &writer)
    }
    JSONField("command") { $0.explanation.command(fixtures: $0.fixtures) }
    JSONField("remedy") { $0.explanation.remedy }
    JSONField("sources") { $0.explanation.sources }
  }

  private static let guideFields = JSONFields<(title: String, lines: [String])> {
    JSONField("title") { $0.title }
    JSONField("lines") { $0.lines }
  }
}

extension CodeKind: JSONWritable {}

extension CodeExplanation {
  /// The shell command that produces the code.
  ///
  /// - Parameter folder: the folder of the installed fixtures; nil to name them as in a clone.
  func command(fixtures folder: String?) -> String? {
    let command = example?.command
    guard let folder else { return command }
    return command?.replacing(" fixtures/", with: " \(folder.shellWord)/")
  }

  /// The sources of the explanation, including the guide if its code is quoted.
  var sources: [String] {
    articles.map { "behaviour reference, article \($0)" } + (guide.map { [$0.guide.title] } ?? []) + documents
  }
}
