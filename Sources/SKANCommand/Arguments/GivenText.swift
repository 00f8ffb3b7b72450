import SKANJSON

/// The text of a value, and how a message names where it came from.
struct GivenText: Sendable {
  let text: String
  /// The option, its variable, or the argument.
  let name: String
  let invocation: Invocation

  /// What is wrong with the text: `NAME must be EXPECTED, it is "TEXT"`.
  func mustBe(_ expected: String, hint: String = "") -> CommandError {
    invocation.usage("\(name) must be \(expected), it is \(JSONWriter.quoted(text))\(hint)")
  }

  /// Another problem: `NAME: MESSAGE`.
  func problem(_ message: String) -> CommandError { invocation.usage("\(name): \(message)") }

  /// The text before and after its first `=`; nil without one.
  var pair: (name: String, value: String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }
}
