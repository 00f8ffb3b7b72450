import SKANBase

/// What a step's result should have at a path.
package struct Expectation: Sendable, Equatable {
  /// Keys of the result joined by dots: `outcome`, `details.p0_coarse`, `warnings.0.code`.
  package var path: String
  package var expected: JSON
  /// The value as typed on a command line; a text that is equal to it meets the expectation too.
  private var plainText: String?

  package init(path: String, expected: JSON) {
    self.path = path
    self.expected = expected
  }

  /// What was found instead of, or as, the expected value.
  package struct Verdict: Sendable, Equatable {
    package var path: String
    package var expected: JSON
    /// Null when the path leads to nothing.
    package var actual: JSON
    /// When it leads to nothing: how far it leads, and to what; an empty path is the result itself.
    package var end: End?
    package var isMet: Bool

    /// The last of a path that is there.
    package struct End: Sendable, Equatable {
      package var path: String
      package var isNull: Bool
    }
  }

  /// Null is met by null and by nothing at all; numbers are compared as numbers; see ``Matcher`` for what may stand in
  /// the place of a value.
  ///
  /// - Parameter isInterrupted: asked while a search takes long, which then ends without a match.
  package func verdict(on result: JSON, _ isInterrupted: () -> Bool = { false }) -> Verdict {
    let actual = result.value(at: Self.expanded(path))
    let isMet = expected.isMet(by: actual, isInterrupted) || plainText.map { actual == .string($0) } ?? false
    return Verdict(
      path: path, expected: expected, actual: actual ?? .null,
      end: actual == nil && !isMet ? Self.end(of: Self.expanded(path), in: result) : nil, isMet: isMet)
  }

  private static func end(of path: String, in result: JSON) -> Verdict.End {
    var rest = path[...]
    while let dot = rest.lastIndex(of: ".") {
      rest = rest[..<dot]
      if let value = result.value(at: String(rest)) { return Verdict.End(path: String(rest), isNull: value == .null) }
    }
    return Verdict.End(path: "", isNull: false)
  }

  /// The key of the result with which the path begins.
  fileprivate var key: String { String(Self.expanded(path).prefix { $0 != "." }) }

  /// `query` may stand for `request.query`.
  private static func expanded(_ path: String) -> String {
    path == "query" || path.hasPrefix("query.") ? "request.\(path)" : path
  }

  /// What is wrong with an expectation that no result can meet: an unknown path, an unknown matcher, a value
  /// that never stands there.
  ///
  /// - Parameters:
  ///   - pathRange: where the path stands.
  ///   - more: keys that a result has besides its own.
  package static func problems(
    withPath path: String, at pathRange: Range<Int>, expecting expected: JSONNode, more: [String] = []
  ) -> [SourceProblem] {
    let matchers = Matcher.problems(in: expected)
    switch JSONForm.result(more: more).form(at: path[...]) {
    case .failure(let mistake): return [SourceProblem(mistake.message, at: pathRange)] + matchers
    case .success(let form): return matchers + form.problems(with: expected, what: path)
    }
  }
}

extension JSON {
  /// Walks into objects by key and into arrays by index. A key may itself contain dots: the longest that fits wins.
  ///
  /// - Parameter path: nil for the value itself; an empty path is the key "".
  func value(at path: String?) -> JSON? {
    guard let path else { return self }
    switch self {
    case .object(let members):
      let fitting = members.filter { path == $0.key || path.hasPrefix($0.key + ".") }
      for member in fitting.sorted(by: { $0.key.count > $1.key.count }) {
        let rest = path == member.key ? nil : String(path.dropFirst(member.key.count + 1))
        if let value = member.value.value(at: rest) { return value }
      }
      return nil
    case .array(let items):
      let parts = path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard let index = Int(parts[0]), items.indices.contains(index) else { return nil }
      return items[index].value(at: parts.count > 1 ? String(parts[1]) : nil)
    default: return nil
    }
  }
}

extension Expectation {
  /// An expectation from a command line, where a value has no type of its own: `details.p0_coarse=1` is met by the
  /// text `"1"` as by the number 1. Quotes ask for a text: `label="1"`.
  ///
  /// - Throws: what ``problems(withPath:at:expecting:more:)`` finds.
  package init(path: String, text: String, more: [String] = []) throws(SourceProblems) {
    let node: JSONNode
    if let value = try? JSONReader.read(Array(text.utf8)) {
      node = value
    } else {
      node = try JSONReader.readSource(Array(JSONWriter.quoted(text).utf8))
    }
    let problems = Self.problems(withPath: path, at: 0..<0, expecting: node, more: more)
    guard problems.isEmpty else { throw SourceProblems(problems) }
    self.path = path
    expected = node.value
    plainText = text
  }
}

extension [Expectation] {
  /// What became of each expectation.
  ///
  /// - Parameter isInterrupted: asked while a search takes long, on the calling thread.
  /// - Returns: nil when an interruption left one of them undecided.
  package func verdicts(on result: ShownResult, isInterrupted: () -> Bool) -> [Expectation.Verdict]? {
    if isEmpty { return [] }
    // Only what is asked for is made.
    let json = ShownResult.fields.json(result, keys: Set(map(\.key)))
    let verdicts = map { $0.verdict(on: json, isInterrupted) }
    return verdicts.contains { !$0.isMet } && isInterrupted() ? nil : verdicts
  }
}

extension Expectation.Verdict: JSONObjectWritable {
  package static let fields = JSONFields<Expectation.Verdict> {
    JSONField("path", "the path of the expectation") { $0.path }
    JSONField("expected", "what was expected") { $0.expected }
    JSONField("actual", "what was found, or null") { $0.actual }
    JSONField("ok", "whether it is met") { $0.isMet }
  }
}
