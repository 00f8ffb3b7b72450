import SKANBase
import SKANHTTP
import SKANSystem
import Synchronization

/// An object that replaces a value in an expectation; its key begins with `$`.
///
///     "details.p0_coarse": {"$exists": true}       there, and not null
///     "explanation": {"$matches": "^Updated"}      a regular expression
///     "handler.fine": {"$between": [0, 63]}        both ends included
///     "query.amount": {"$approx": 9.99, "within": 0.01}
///     "warnings": {"$contains": {"code": "odd-type"}}
package enum Matcher: String, CaseIterable, Sendable {
  case exists = "$exists"
  case matches = "$matches"
  case between = "$between"
  case approx = "$approx"
  case contains = "$contains"

  /// The key for the tolerance of `$approx`.
  static let within = "within"

  /// Whether members are matchers: a key is `$` and a letter. A currency may be called `$`.
  static func areIn(_ members: [(key: String, value: JSON)]) -> Bool {
    members.contains { $0.key.isMatcherName }
  }

  /// Whether a value meets this matcher.
  ///
  /// - Parameters:
  ///   - within: the tolerance of `$approx`.
  ///   - isInterrupted: polled during a long search; true ends the search without a match.
  func isMet(_ argument: JSON, by actual: JSON?, within: JSON?, _ isInterrupted: () -> Bool) -> Bool {
    switch self {
    case .exists: return argument == .bool(actual != nil && actual != .null)
    case .matches:
      guard case .string(let pattern) = argument, let text = actual?.plainText else { return false }
      return RegexSearch.isFound(pattern, in: text, isInterrupted)
    case .between:
      guard case .array(let ends) = argument, ends.count == 2, let low = ends[0].number, let high = ends[1].number,
        let number = actual?.number
      else { return false }
      return low <= number && number <= high
    case .approx:
      guard let middle = argument.number, let span = within?.number, let number = actual?.number else { return false }
      return (number - middle).magnitude <= span
    case .contains: return actual.map { Self.contains($0, argument, isInterrupted) } ?? false
    }
  }

  private static func contains(_ actual: JSON, _ part: JSON, _ isInterrupted: () -> Bool) -> Bool {
    switch actual {
    case .string(let text): if case .string(let part) = part { part.isEmpty || text.contains(part) } else { false }
    case .array(let items): items.contains { part.isMet(by: $0, isInterrupted) || part.isPart(of: $0, isInterrupted) }
    default: part.isPart(of: actual, isInterrupted)
    }
  }
}

extension String {
  fileprivate var isMatcherName: Bool { first == "$" && (dropFirst().first?.isLetter ?? false) }
}

extension JSON {
  /// Whether a value meets this expectation: it is deeply equal, and meets the matchers in it.
  func isMet(by actual: JSON?, _ isInterrupted: () -> Bool = { false }) -> Bool {
    switch self {
    case .object(let members) where Matcher.areIn(members):
      members.allSatisfy { key, argument in
        guard let matcher = Matcher(rawValue: key) else { return key == Matcher.within }
        return matcher.isMet(argument, by: actual, within: self[Matcher.within], isInterrupted)
      }
    case .object(let members):
      if case .object(let others)? = actual {
        members.allSatisfy { key, value in
          let other = actual?[key]
          // A null member must be present; only a matcher can expect an absent one.
          return (other != nil || value.isMatcher) && value.isMet(by: other, isInterrupted)
        } && others.allSatisfy { self[$0.key] != nil }
      } else {
        false
      }
    case .array(let items):
      if case .array(let others)? = actual {
        items.count == others.count && zip(items, others).allSatisfy { $0.isMet(by: $1, isInterrupted) }
      } else {
        false
      }
    case .null: actual == nil || actual == .null
    default: actual == self
    }
  }

  /// This expectation, with each part that is met replaced by the actual value: a difference then shows only the parts
  /// that are not met.
  package func aligned(with actual: JSON) -> JSON {
    if isMet(by: actual) { return actual }
    switch (self, actual) {
    case (.object(let members), .object) where !isMatcher:
      let kept = members.filter { key, value in actual[key] != nil || !(value.isMatcher && value.isMet(by: nil)) }
      return .object(kept.map { key, value in (key, actual[key].map(value.aligned) ?? value) })
    case (.array(let items), .array(let others)) where items.count == others.count:
      return .array(zip(items, others).map { $0.aligned(with: $1) })
    default: return self
    }
  }

  /// Whether this is a matcher.
  package var isMatcher: Bool {
    if case .object(let members) = self { Matcher.areIn(members) } else { false }
  }

  /// Whether the other object meets every member of this one; it may have more members.
  fileprivate func isPart(of other: JSON, _ isInterrupted: () -> Bool) -> Bool {
    guard case .object(let members) = self, case .object = other, !Matcher.areIn(members) else { return false }
    return members.allSatisfy { $0.value.isMet(by: other[$0.key], isInterrupted) }
  }

  /// A number, or the number that a text contains; details hold numbers as texts.
  fileprivate var number: Double? {
    double ?? text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The text of a string or a number.
  fileprivate var plainText: String? {
    switch self {
    case .string(let text): text
    case .integer, .unsigned, .double: JSONWriter.text(self)
    default: nil
    }
  }
}

extension Matcher {
  /// The matcher as it is written.
  package var example: String {
    switch self {
    case .exists: "{\"$exists\":true}"
    case .matches: "{\"$matches\":\"^Updated\"}"
    case .between: "{\"$between\":[0,63]}"
    case .approx: "{\"$approx\":9.99,\"within\":0.01}"
    case .contains: "{\"$contains\":…}"
    }
  }

  /// A description of the values that meet the matcher, for help.
  package var meaning: String {
    switch self {
    case .exists: "anything but null; with false, null or absent"
    case .matches: "a text or number that contains a match of the regular expression"
    case .between: "a number, or a number as text, from the first number to the second"
    case .approx: "a number, or a number as text, within that distance"
    case .contains: "a text that contains this part, an array with this element, an object with these members"
    }
  }

  /// The problems of the matchers in an expected value.
  static func problems(in node: JSONNode) -> [SourceProblem] {
    switch node.content {
    case .array(let items): return items.flatMap(problems)
    case .object(let members):
      guard areIn(members.map { ($0.key, .null) }) else { return members.flatMap { problems(in: $0.value) } }
      return members.flatMap { problems(with: $0, of: members) }
    default: return []
    }
  }

  private static func problems(with member: JSONMember, of members: [JSONMember]) -> [SourceProblem] {
    if member.key == within {
      let isUsed = members.contains { $0.key == approx.rawValue }
      return isUsed ? [] : [SourceProblem("\"within\" belongs to \"$approx\"", at: member.keyRange)]
    }
    guard let matcher = Matcher(rawValue: member.key) else {
      let names = allCases.map(\.rawValue)
      let hint = nearestName(to: member.key, in: names).map { "did you mean \"\($0)\"?" }
      let message = "there is no \(JSONWriter.quoted(member.key)) to expect; "
      return [SourceProblem(message + (hint ?? "known: \(names.joined(separator: ", "))"), at: member.keyRange)]
    }
    let range = member.value.range
    switch (matcher, member.value.content) {
    case (.exists, .bool): return []
    case (.exists, _): return [SourceProblem("\"$exists\" is true or false", at: range)]
    case (.matches, .string(let pattern)):
      do {
        _ = try Regex(pattern)
        return []
      } catch {
        return [SourceProblem("\"$matches\" has a regular expression that cannot be read: \(error)", at: range)]
      }
    case (.matches, _): return [SourceProblem("\"$matches\" is a regular expression in a string", at: range)]
    case (.between, .array(let ends)):
      guard ends.count == 2, let low = ends[0].content.value.double, let high = ends[1].content.value.double,
        low <= high
      else { fallthrough }
      return []
    case (.between, _):
      let message = "\"$between\" is an array of two numbers, the lower one first, both included"
      return [SourceProblem(message, at: range)]
    case (.approx, _) where member.value.content.value.double != nil:
      if let span = members.first(where: { $0.key == within })?.value.content.value.double, span >= 0 { return [] }
      return [SourceProblem("\"$approx\" needs \"within\" beside it, a number of 0 or more", at: range)]
    case (.approx, _): return [SourceProblem("\"$approx\" is a number, with \"within\" beside it", at: range)]
    case (.contains, _): return problems(in: member.value)
    }
  }
}

/// Searches texts for regular expressions, and gives up searches that take too long.
enum RegexSearch {
  private static let mostSeconds = 2.0
  private static let secondsBetweenChecks = 0.05
  private static let givenUp = Mutex<Set<String>>([])

  /// Whether a search for the expression was given up, so that its result is unknown.
  static func wasGivenUp(_ pattern: String) -> Bool { givenUp.withLock { $0.contains(pattern) } }

  /// Whether the text contains a match; an invalid expression never matches.
  ///
  /// - Parameter isInterrupted: whether the user wants the program to end; polled during a long search.
  static func isFound(_ pattern: String, in text: String, _ isInterrupted: () -> Bool) -> Bool {
    if isShort(pattern, text) { return search(pattern, text) }
    if wasGivenUp(pattern) { return false }
    let found = Monitor<Bool?>(nil)
    // A search cannot be cancelled: the thread of one that is given up runs until the process ends.
    let isStarted = WorkerThread.start {
      let isFound = search(pattern, text)
      found.change { $0 = isFound }
    }
    if isStarted {
      let deadline = ContinuousClock.now + .seconds(mostSeconds)
      while ContinuousClock.now < deadline {
        if found.wait(seconds: secondsBetweenChecks, until: { $0 != nil }) { return found.withLock { $0 ?? false } }
        if isInterrupted() { return false }
      }
    }
    givenUp.withLock { _ = $0.insert(pattern) }
    return false
  }

  private static func search(_ pattern: String, _ text: String) -> Bool {
    guard let regex = try? Regex(pattern) else { return false }
    return (try? regex.firstMatch(in: text)) != nil
  }

  /// Whether any search with the pattern is fast: the text is short, little is repeated, and no group is repeated.
  private static func isShort(_ pattern: String, _ text: String) -> Bool {
    let (bytes, repeats) = (Array(pattern.utf8), Set("*+{".utf8))
    let groupEnds = zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: ")") && repeats.contains($1) }
    return text.utf8.count <= 512 && !groupEnds && !pattern.contains("\\") && bytes.count(where: repeats.contains) <= 2
  }
}
