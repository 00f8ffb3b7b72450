import SKANBase
import SKANDevice

extension ExplainedCode {
  /// The explanation for a person. Prose is at most 80 columns wide; lines of code and commands are left whole.
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
  /// The line of the shell that prints the code.
  ///
  /// - Parameter folder: the fixtures of an installation; nil names them as they stand in a clone.
  func command(fixtures folder: String?) -> String? {
    let command = example?.command
    guard let folder else { return command }
    return command?.replacing(" fixtures/", with: " \(folder.shellWord)/")
  }

  /// What it rests on, the guide among them where its code is quoted.
  var sources: [String] {
    articles.map { "behaviour reference, article \($0)" } + (guide.map { [$0.guide.title] } ?? []) + documents
  }
}
