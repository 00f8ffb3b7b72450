import SKANBase
import SKANDevice

/// The expected value at a path of a step's result.
package struct Expectation: Sendable, Equatable {
  /// Keys of the result joined by dots: `outcome`, `details.p0_coarse`, `warnings.0.code`.
  package var path: String
  package var expected: JSON
  /// The phones on which it is checked; nil for all.
  package var condition: PhoneCondition?
  /// The value as typed on a command line; a text equal to it also meets the expectation.
  private var plainText: String?

  package init(path: String, expected: JSON, on condition: PhoneCondition? = nil) {
    self.path = path
    self.expected = expected
    self.condition = condition
  }

  /// The result of comparing an expected value with the value found.
  package struct Verdict: Sendable, Equatable {
    package var path: String
    package var expected: JSON
    /// Null when the path does not exist.
    package var actual: JSON
    /// How far the path exists, when it does not exist whole; an empty path is the result itself.
    package var end: End?
    package var isMet: Bool

    /// The longest existing part of a path.
    package struct End: Sendable, Equatable {
      package var path: String
      package var isNull: Bool
    }
  }

  /// Compares the expected value with the one in a result.
  ///
  /// Null is met by null and by an absent value. Numbers are compared as numbers. ``Matcher`` lists what may replace a
  /// value.
  ///
  /// - Parameter isInterrupted: polled during a long search; true ends the search without a match.
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

  /// The first key of the path.
  fileprivate var key: String { String(Self.expanded(path).prefix { $0 != "." }) }

  /// Expands `query`, which is short for `request.query`.
  private static func expanded(_ path: String) -> String {
    path == "query" || path.hasPrefix("query.") ? "request.\(path)" : path
  }

  /// The problems of an expectation that no result can meet: an unknown path, an unknown matcher, or a value that never
  /// occurs at its path.
  ///
  /// - Parameters:
  ///   - pathRange: the byte range of the path in its source.
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
  /// Looks up a path, by key in objects and by index in arrays. A key may itself contain dots: the longest matching key
  /// wins.
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
  /// An expectation from a command line, where values have no type: the text `"1"` and the number 1 both meet
  /// `details.p0_coarse=1`. Quotes require a text: `label="1"`.
  ///
  /// - Throws: the problems that ``problems(withPath:at:expecting:more:)`` finds.
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
  /// The verdict on each expectation.
  ///
  /// - Parameter isInterrupted: polled on the calling thread during a long search.
  /// - Returns: nil when an interruption left a verdict undecided.
  package func verdicts(on result: ShownResult, isInterrupted: () -> Bool) -> [Expectation.Verdict]? {
    if isEmpty { return [] }
    // Only the keys that the expectations name.
    let json = ShownResult.fields.json(result, keys: Set(map(\.key)))
    let verdicts = filter { $0.condition?.holds(on: result.result.device.profile) ?? true }
      .map { $0.verdict(on: json, isInterrupted) }
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

// The values that can occur at each path of a result. They distinguish an expectation that can never be met from one
// that is not met.
extension JSONForm {
  /// The form of a result, including the keys in `more` that a command adds. `query` is short for `request.query`.
  static func result(more: [String]) -> JSONForm { more.isEmpty ? plainResult : resultForm(more: more) }

  private static let plainResult = resultForm(more: [])

  private static func resultForm(more: [String]) -> JSONForm {
    let keys = StepResult.keys + more
    let members = ShownResult.fields.rows.filter { keys.contains($0.name) }.map { ($0.name, $0.form) }
    guard case .object(let request, _, _) = ShownRequest.jsonForm else { return .any }
    return .object(members + request.filter { $0.key == "query" }, required: [], others: nil)
  }

  /// The form at the end of a path.
  ///
  /// - Parameter what: the name of this value in messages.
  /// - Returns: the form, or the mistake in a path that no result has.
  func form(at path: Substring, what: String = "a result") -> Result<JSONForm, ResultMistake> {
    let key = path.prefix { $0 != "." }
    let inner: JSONForm
    switch withoutNull {
    case .any, .object(_, _, .some): return .success(.any)
    case .object(let members, _, nil):
      guard let member = members.first(where: { $0.key == key }) else {
        return .failure(unknown(String(key), in: members.map(\.key), of: what))
      }
      inner = member.form
    case .list(let item):
      guard !key.isEmpty, key.utf8.allSatisfy(\.isASCIIDigit) else {
        return .failure(
          ResultMistake("\(what) is a list: a number comes after it, as in \(JSONWriter.quoted("\(what).0.\(key)"))"))
      }
      inner = item
    default: return .failure(ResultMistake("\(what) is one value, with nothing below it"))
    }
    guard key.endIndex < path.endIndex else { return .success(inner) }
    let name = if what == "a result" { String(key) } else { "\(what).\(key)" }
    return inner.form(at: path[path.index(after: key.endIndex)...], what: name)
  }

  /// The problems of an expected value that can never be met.
  ///
  /// - Parameters:
  ///   - what: the path of this value.
  ///   - isPart: whether the expected value may be a part of the actual one.
  func problems(with expected: JSONNode, what: String) -> [SourceProblem] {
    switch (withoutNull, expected.content) {
    case (.any, _), (.object(_, _, .some), _), (_, .null): return []
    case (_, .object(let members)) where Matcher.areIn(members.map { ($0.key, .null) }):
      // A part of what is there has its keys.
      guard let part = members.first(where: { $0.key == Matcher.contains.rawValue })?.value, part.isObject else {
        return []
      }
      return (item ?? self).problems(with: part, what: what)
    case (.object(let known, _, nil), .object(let members)):
      return members.flatMap { member in
        guard let form = known.first(where: { $0.key.isLiterally(member.key) })?.form else {
          let mistake = unknown(member.key, in: known.map(\.key), of: what)
          return [SourceProblem(mistake.message, at: member.keyRange)]
        }
        return form.problems(with: member.value, what: "\(what).\(member.key)")
      }
    case (.list(let item), .array(let items)):
      return items.enumerated().flatMap { item.problems(with: $1, what: "\(what).\($0)") }
    case (.choice(let values), _) where !values.contains(expected.value):
      let names = values.compactMap { if case .string(let name) = $0 { name } else { nil } }
      let near: String? = if case .string(let text) = expected.content { nearestName(to: text, in: names) } else { nil }
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? "; known: \(names.joined(separator: ", "))"
      return [SourceProblem("\(what) is never \(expected.briefly)\(hint)", at: expected.range)]
    case (.integer(let range?), .integer(let number)) where range.upperBound < .max && !range.contains(number):
      let message = "\(what) is never \(expected.briefly); it is from \(range.lowerBound) to \(range.upperBound)"
      return [SourceProblem(message, at: expected.range)]
    default: return []
    }
  }

  private var item: JSONForm? { if case .list(let item) = withoutNull { item } else { nil } }

  private func unknown(_ key: String, in keys: [String], of what: String) -> ResultMistake {
    let prefix = what == "a result" ? "" : "\(what)."
    let inner = paths(to: key).min { $0.count < $1.count }
    let near = inner.map { prefix + $0.joined(separator: ".") } ?? nearestName(to: key, in: keys)
    let hint = near.map { "did you mean \"\($0)\"?" }
    return ResultMistake(
      "\(what) has no key \(JSONWriter.quoted(key)); \(hint ?? "known: \(keys.joined(separator: ", "))")")
  }
}

extension JSONForm {
  /// The paths below this value that end in a key, each with its keys.
  ///
  /// - Parameter depth: the number of keys of the longest path.
  fileprivate func paths(to key: String, depth: Int = 3) -> [[String]] {
    if depth == 0 { return [] }
    switch withoutNull {
    case .object(let members, _, _):
      return members.flatMap { member in
        (member.key == key ? [[key]] : [])
          + member.form.paths(to: key, depth: depth - 1).map { [member.key] + $0 }
      }
    case .list(let item): return item.paths(to: key, depth: depth - 1).map { ["0"] + $0 }
    default: return []
    }
  }
}

/// Why an expectation can never be met.
struct ResultMistake: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

extension Expectation.Verdict {
  /// Expected and actual value for a person, followed by the ``hint``. Two objects or arrays are shown as the lines
  /// that differ.
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

  /// The value found; an absent value is distinguished from null.
  package var actualText: String {
    guard let end else { return JSONWriter.text(actual) }
    if end.isNull { return "nothing: \(end.path) is null" }
    let name = String(path.hasPrefix("query") ? "request.\(path)" : path)
    if end.path.isEmpty { return "nothing: there is no \(name) in this result" }
    return "nothing: \(end.path) has no \(name.dropFirst(end.path.count + 1))"
  }

  /// A suggestion where the expected value is nearly the actual one.
  package var hint: String? { Self.hint(expected, actual, isKept: path.hasPrefix("details")) }

  private static func hint(_ expected: JSON, _ actual: JSON, isKept: Bool) -> String? {
    if let pattern = expected[Matcher.matches.rawValue]?.text, RegexSearch.wasGivenUp(pattern) {
      return "the search took too long and was stopped; do not repeat a part that itself repeats, as (a+)+ does"
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
    // A sum may be off by a little more than a single amount. A whole number is not a rounded amount.
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

/// The difference between two short texts, line by line.
enum LineDifference {
  /// Returns the lines of the first text alone after `-` and those of the second alone after `+`, with one common line
  /// on each side of a difference.
  static func lines(from old: String, to new: String) -> [String] {
    let (left, right) = (
      old.split(separator: "\n", omittingEmptySubsequences: false),
      new.split(separator: "\n", omittingEmptySubsequences: false)
    )
    var marked: [(mark: Character, line: Substring)] = []
    let difference = right.difference(from: left)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (offset, position) = (0, 0)
    while offset < left.count || position < right.count {
      if removed.contains(offset) {
        marked.append(("-", left[offset]))
        offset += 1
      } else if inserted.contains(position) {
        marked.append(("+", right[position]))
        position += 1
      } else {
        if offset < left.count { marked.append((" ", left[offset])) }
        (offset, position) = (offset + 1, position + 1)
      }
    }
    return marked.indices.filter { index in
      marked[max(0, index - 1)...min(marked.count - 1, index + 1)].contains { $0.mark != " " }
    }.map { "\(marked[$0].mark) \(marked[$0].line)" }
  }
}
