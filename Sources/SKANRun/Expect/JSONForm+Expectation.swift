import SKANBase
import SKANDevice

// What can stand at a path of a result, so that an expectation that can never be met is distinguished from one that is not
// met.
extension JSONForm {
  /// The form of a result, and with `more` of what a command shows besides. `query` stands for `request.query`.
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
  /// - Parameter what: what this is, in the words of a message.
  /// - Returns: what is wrong with the path when no result can have it.
  func form(at path: Substring, what: String = "a result") -> Result<JSONForm, ResultMistake> {
    let key = path.prefix { $0 != "." }
    let inner: JSONForm
    switch withoutNull {
    case .any, .object(_, _, .some): return .success(.any)
    case .object(let members, _, nil):
      guard let member = members.first(where: { $0.key == key }) else {
        return .failure(Self.unknown(String(key), in: members.map(\.key), of: what))
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

  /// What in an expected value can never be met.
  ///
  /// - Parameters:
  ///   - what: the path that leads here.
  ///   - isPart: whether it may be a part of what is there.
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
          let mistake = Self.unknown(member.key, in: known.map(\.key), of: what)
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
