import SKANJSON

extension Expectation.Verdict {
  /// What was expected and what was found, for a person; of two objects or arrays only the lines that differ.
  package var difference: [String] {
    guard expected.isContainer, !expected.isMatcher, actual.isContainer else {
      return ["  expected  \(JSONWriter.text(expected))", "  actual    \(JSONWriter.text(actual))"]
    }
    return LineDifference.lines(
      from: JSONWriter.text(expected.aligned(with: actual), layout: .indented),
      to: JSONWriter.text(actual, layout: .indented)
    ).map { "  \($0)" }
  }
}

extension JSON {
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
