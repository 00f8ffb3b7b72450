import SKANBase

extension Expectation.Verdict {
  /// What was expected and what was found, for a person; of two objects or arrays only the lines that differ. Then what
  /// may be meant instead.
  package var difference: [String] {
    let hint = hint.map { ["  hint      \($0)"] } ?? []
    guard expected.isContainer, !expected.isMatcher, actual.isContainer else {
      return ["  expected  \(JSONWriter.text(expected))", "  actual    \(actualText)"] + hint
    }
    return LineDifference.lines(
      from: JSONWriter.text(expected.aligned(with: actual), layout: .indented),
      to: JSONWriter.text(actual, layout: .indented)
    ).map { "  \($0)" } + hint
  }

  /// What was found; an absent value is distinguished from null.
  package var actualText: String {
    guard let end else { return JSONWriter.text(actual) }
    if end.isNull { return "nothing: \(end.path) is null" }
    let name = String(path.hasPrefix("query") ? "request.\(path)" : path)
    if end.path.isEmpty { return "nothing: there is no \(name) in this result" }
    return "nothing: \(end.path) has no \(name.dropFirst(end.path.count + 1))"
  }

  /// What may be meant instead, where the values are nearly the same.
  package var hint: String? { Self.hint(expected, actual, isKept: path.hasPrefix("details")) }

  private static func hint(_ expected: JSON, _ actual: JSON, isKept: Bool) -> String? {
    if let pattern = expected[Matcher.matches.rawValue]?.text, RegexSearch.wasGivenUp(pattern) {
      return "the search took too long and was given up; repeat nothing within what is repeated, as (a+)+ does"
    }
    switch (expected, actual) {
    case (.object(let members), .object) where !expected.isMatcher:
      return members.lazy.compactMap { key, value in actual[key].flatMap { hint(value, $0, isKept: isKept) } }.first
    case (.array(let items), .array(let others)):
      return zip(items, others).lazy.compactMap { hint($0, $1, isKept: isKept) }.first
    case (_, .string(let text)):
      guard let number = expected.finiteNumber, Double(text) == number else { return nil }
      let reason = isKept ? "getSkanDetails gives texts" : "the value is a text"
      return "\(reason), so expect \(JSONWriter.quoted(text))"
    case (.string(let text), _):
      guard let number = actual.finiteNumber, Double(text) == number else { return nil }
      return "the value is a number, so expect \(JSONWriter.text(actual))"
    default: return precisionHint(expected, actual)
    }
  }

  private static func precisionHint(_ expected: JSON, _ actual: JSON) -> String? {
    guard let wanted = expected.finiteNumber, let found = actual.finiteNumber, wanted != found else { return nil }
    let distance = (wanted - found).magnitude
    // A sum of some amounts is off by a little more than one amount is. Whole numbers are no amounts that were rounded.
    guard distance <= wanted.magnitude * 1e-5, Double(Float(found)) == found, found != found.rounded() else {
      return nil
    }
    var within = 0.01
    while within < distance { within *= 10 }
    return "the phone adds revenue in single precision; expect "
      + "{\"$approx\":\(JSONWriter.text(expected)),\"within\":\(JSONWriter.text(.double(within)))}"
  }
}

extension JSON {
  fileprivate var finiteNumber: Double? { double.flatMap { $0.isFinite ? $0 : nil } }
}
