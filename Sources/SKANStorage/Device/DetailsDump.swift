import SKANDevice
import SKANJSON

/// A `getSkanDetails` dictionary of a real phone, from which a device can start.
package enum DetailsDump {
  /// The store that gives these details.
  ///
  /// Numbers may be given as the snippet gives them, as decimal text, or as numbers, as the header's comment shows
  /// them; null is absent.
  ///
  /// - Throws: every problem with its place.
  package static func read(_ bytes: [UInt8]) throws(SourceProblems) -> KeptState {
    let node = try JSONReader.readSource(bytes)
    guard case .object(var members) = node.content else {
      throw [SourceProblem("a getSkanDetails dump must be an object, this is \(node.kind)", at: node.range)]
    }
    var problems: [SourceProblem] = []
    members.removeAll { if case .null = $0.value.content { true } else { false } }
    members = members.compactMap { member in
      guard case .string(let text) = member.value.content else { return member }
      guard let number = number(text) else {
        let words = "\"\(member.key)\" must be a number or its decimal text, this is \(member.value.briefly)"
        problems.append(SourceProblem(words, at: member.value.range))
        return nil
      }
      var member = member
      member.value.content = number
      return member
    }
    var reader = JSONObjectReader(
      JSONNode(.object(members), range: node.range), what: "a getSkanDetails dump", known: KeptKey.all.map(\.name))
    let kept = KeptState(from: &reader)
    problems += reader.problems
    guard problems.isEmpty else { throw SourceProblems(problems) }
    return kept
  }

  private static func number(_ text: String) -> JSONNode.Content? {
    guard let node = try? JSONReader.read(Array(text.utf8)) else { return nil }
    switch node.content {
    case .integer, .unsigned, .double: return node.content
    default: return nil
    }
  }
}
