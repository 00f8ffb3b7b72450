import SKANBase

extension Matcher {
  /// What is wrong with the matchers in an expected value.
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
