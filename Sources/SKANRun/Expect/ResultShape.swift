import SKANBase

/// What can stand at a path of a result, so that an expectation that can never be met is distinguished from
/// one that is not met.
package indirect enum ResultShape: Sendable {
  /// Anything, with anything below it.
  case anything
  /// A single value: a text, a number, true or false.
  case single
  /// One of these texts.
  case name([String])
  /// A whole number in this range.
  case number(ClosedRange<Int64>)
  /// An object with no other keys than these.
  case object([(key: String, shape: ResultShape)])
  case list(ResultShape)

  /// An object of single values.
  static func object(of keys: [String]) -> ResultShape { .object(keys.map { ($0, .single) }) }

  /// The shape at the end of a path.
  ///
  /// - Parameter what: what this is, in the words of a message.
  /// - Returns: what is wrong with the path when no result can have it.
  func shape(at path: Substring, what: String = "a result") -> Result<ResultShape, ResultMistake> {
    let key = path.prefix { $0 != "." }
    let inner: ResultShape
    switch self {
    case .anything: return .success(.anything)
    case .object(let members):
      guard let member = members.first(where: { $0.key == key }) else {
        return .failure(Self.unknown(String(key), in: members.map(\.key), of: what))
      }
      inner = member.shape
    case .list(let item):
      guard !key.isEmpty, key.utf8.allSatisfy(\.isASCIIDigit) else {
        return .failure(
          ResultMistake("\(what) is a list: a number comes after it, as in \(JSONWriter.quoted("\(what).0.\(key)"))"))
      }
      inner = item
    case .single, .name, .number: return .failure(ResultMistake("\(what) is one value, with nothing below it"))
    }
    guard key.endIndex < path.endIndex else { return .success(inner) }
    let name = if what == "a result" { String(key) } else { "\(what).\(key)" }
    return inner.shape(at: path[path.index(after: key.endIndex)...], what: name)
  }

  /// What in an expected value can never be met.
  ///
  /// - Parameters:
  ///   - what: the path that leads here.
  ///   - isPart: whether it may be a part of what is there.
  func problems(with expected: JSONNode, what: String) -> [SourceProblem] {
    switch (self, expected.content) {
    case (.anything, _), (_, .null): return []
    case (_, .object(let members)) where Matcher.areIn(members.map { ($0.key, .null) }):
      // A part of what is there has its keys.
      guard let part = members.first(where: { $0.key == Matcher.contains.rawValue })?.value, part.isObject else {
        return []
      }
      return (item ?? self).problems(with: part, what: what)
    case (.object(let known), .object(let members)):
      return members.flatMap { member in
        guard let shape = known.first(where: { $0.key.isLiterally(member.key) })?.shape else {
          let mistake = Self.unknown(member.key, in: known.map(\.key), of: what)
          return [SourceProblem(mistake.message, at: member.keyRange)]
        }
        return shape.problems(with: member.value, what: "\(what).\(member.key)")
      }
    case (.list(let item), .array(let items)):
      return items.enumerated().flatMap { item.problems(with: $1, what: "\(what).\($0)") }
    case (.name(let names), .string(let text)) where names.contains(where: text.isLiterally): return []
    case (.name(let names), _):
      let near: String? = if case .string(let text) = expected.content { nearestName(to: text, in: names) } else { nil }
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? "; known: \(names.joined(separator: ", "))"
      return [SourceProblem("\(what) is never \(expected.briefly)\(hint)", at: expected.range)]
    case (.number(let range), .integer(let number)) where range.contains(number): return []
    case (.number(let range), .integer):
      let message = "\(what) is never \(expected.briefly); it is from \(range.lowerBound) to \(range.upperBound)"
      return [SourceProblem(message, at: expected.range)]
    default: return []
    }
  }

  private var item: ResultShape? { if case .list(let item) = self { item } else { nil } }

  private static func unknown(_ key: String, in keys: [String], of what: String) -> ResultMistake {
    let hint = nearestName(to: key, in: keys).map { "did you mean \"\($0)\"?" }
    return ResultMistake(
      "\(what) has no key \(JSONWriter.quoted(key)); \(hint ?? "known: \(keys.joined(separator: ", "))")")
  }
}

/// Why an expectation can never be met.
struct ResultMistake: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
