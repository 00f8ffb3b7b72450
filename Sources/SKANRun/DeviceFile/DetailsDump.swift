import SKANDevice
import SKANBase

/// A `getSkanDetails` dictionary of a real phone, from which a device can start.
package enum DetailsDump {
  /// The store that gives these details.
  ///
  /// Numbers may be given as the snippet gives them, as decimal text, or as numbers, as the header's comment shows
  /// them; null is absent.
  ///
  /// - Throws: every problem with its location.
  package static func read(_ bytes: [UInt8]) throws(SourceProblems) -> KeptState {
    let node = try JSONReader.readSource(bytes)
    var reader = JSONObjectReader(node, what: "a getSkanDetails dump", known: JSONKeys(StoreEntry.all.map(\.name)))
    let kept = KeptState(from: &reader) { name, node, reader in
      switch node.content {
      case .null: return nil
      case .string(let text):
        if let number = number(text) { return number }
        reader.complain(
          "\"\(name.name)\" must be a number or its decimal text, this is \(node.briefly)", about: name)
        return nil
      case let content: return content
      }
    }
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
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
