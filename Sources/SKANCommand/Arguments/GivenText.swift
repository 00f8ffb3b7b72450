import SKANBase

/// The text of a value, and how a message names where it came from.
struct GivenText: Sendable {
  let text: String
  /// The option, its variable, the key of the project file, or the argument.
  let name: String
  let invocation: Invocation
  /// Where it stands in a project file; nil when it came from elsewhere.
  var project: ProjectValue?

  /// What is wrong with the text: `NAME must be EXPECTED, it is "TEXT"`.
  func mustBe(_ expected: String, hint: String = "") -> CommandError {
    refused("must be \(expected), it is \(JSONWriter.quoted(text))\(hint)")
  }

  /// Another problem: `NAME: MESSAGE`.
  func problem(_ message: String) -> CommandError {
    project.map { $0.problem("\($0.key): \(message)") } ?? invocation.usage("\(name): \(message)")
  }

  /// Another problem, as a sentence that begins with the name: `NAME MESSAGE`.
  func refused(_ message: String) -> CommandError {
    project.map { $0.problem("\($0.key) \(message)") } ?? invocation.usage("\(name) \(message)")
  }

  /// The text as a path: a relative one of a project file begins at the file's folder.
  var path: String { path(text) }

  /// The same of a part of the text.
  func path(_ part: String) -> String { project?.path(part) ?? part }

  /// The text before its first `=`, or all of it without one.
  var nameOfPair: String { String(text.prefix { $0 != "=" }) }

  /// The text before and after its first `=`; nil without one.
  var pair: (name: String, value: String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }
}
