import SKANBase

/// What may stand in an expectation in the place of a value: an object with a key that begins with `$`.
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

  /// How far from the value of `$approx` a number may be.
  static let within = "within"

  /// Whether an object holds matchers: `$` and a letter. A currency may be called `$`.
  static func areIn(_ members: [(key: String, value: JSON)]) -> Bool {
    members.contains { $0.key.isMatcherName }
  }

  /// Whether a value is as this asks.
  ///
  /// - Parameters:
  ///   - within: how far from the argument of `$approx` a number may be.
  ///   - isInterrupted: asked while a search takes long, which then ends without a match.
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
  /// Whether a value is what this expects: equal, deeply and completely, or as the matchers in it ask.
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
          // Null is null here, and only a matcher can ask for nothing at all.
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

  /// This expectation with what is met in it replaced by what met it: what is left to tell from it is what is wrong.
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

  /// Whether this stands in the place of a value.
  package var isMatcher: Bool {
    if case .object(let members) = self { Matcher.areIn(members) } else { false }
  }

  /// Whether every member of this object is met by the other's; the other may have more.
  fileprivate func isPart(of other: JSON, _ isInterrupted: () -> Bool) -> Bool {
    guard case .object(let members) = self, case .object = other, !Matcher.areIn(members) else { return false }
    return members.allSatisfy { $0.value.isMet(by: other[$0.key], isInterrupted) }
  }

  /// A number, or a text that is one, as the values of details are.
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
