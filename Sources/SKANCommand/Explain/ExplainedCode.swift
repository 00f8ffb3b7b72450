/// A code that `skan explain` knows: every case of the enumerations behind results, checks and verdicts.
///
/// ``explanation`` is a switch over all cases, so that a new code does not compile without its text.
protocol ExplainedCode: Sendable {
  static var kind: CodeKind { get }
  /// As it stands in outputs.
  var code: String { get }
  /// What it is, to stand beside the code.
  var roleText: String { get }
  var explanation: CodeExplanation { get }
  /// How the code's command shows it.
  var trace: String { get }
  /// Other spellings that are taken for it, in small letters.
  var spellings: [String] { get }
}

extension ExplainedCode {
  var kind: CodeKind { Self.kind }
  var trace: String { code }
  var spellings: [String] { [] }
}
