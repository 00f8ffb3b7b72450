import SKANBase

/// How the text of a JSON object was damaged before it was sent, as far as its remains show.
package enum JSONTextDamage: Sendable, Equatable {
  /// `[object Object]`: JavaScript's text of an object.
  case objectText
  /// A JSON string that holds the text: it was encoded twice.
  case quotedTwice
  /// `%7B…`: its percent escapes were escaped again.
  case escapedTwice
  /// `{'USD': 9.99}`: Python's text of a dictionary.
  case singleQuotes
  /// `USD`: the keys of a dictionary, which Python's `requests` writes for one.
  case flattened
  /// An object or an array stands where a plain value belongs.
  case nested
  /// Another text.
  case notAnObject

  /// Finds the damage of a decoded text.
  ///
  /// - Parameter isFlat: whether members that are objects or arrays are damage, as in a table of revenue.
  /// - Returns: nil for the text of an object.
  package init?(_ text: String, isFlat: Bool = false) {
    switch (try? JSONReader.read(Array(text.utf8)))?.value {
    case .object(let members):
      guard isFlat, members.contains(where: { $0.value.isContainer }) else { return nil }
      self = .nested
    case .string(let inner):
      let isObject = (try? JSONReader.read(Array(inner.utf8)))?.isObject ?? false
      self = isObject ? .quotedTwice : .notAnObject
    default: self = Self.guess(text)
    }
  }

  private static func guess(_ text: String) -> JSONTextDamage {
    if text == "[object Object]" { return .objectText }
    if text.lowercased().hasPrefix("%7b") { return .escapedTwice }
    if text.hasPrefix("{'") { return .singleQuotes }
    return text.isCurrencyCode ? .flattened : .notAnObject
  }

  /// What the text is, and how it comes about, behind "it is".
  package var message: String {
    switch self {
    case .objectText: "JavaScript's text of an object: pass JSON.stringify of it"
    case .quotedTwice: "a JSON string that holds the object: it was encoded twice"
    case .escapedTwice: "escaped twice: the percent escapes arrive as text"
    case .singleQuotes: "Python's text of a dictionary: pass json.dumps of it"
    case .flattened: "the key of a dictionary: pass its JSON text"
    case .nested: "an object with another one or an array in it"
    case .notAnObject: "not the text of a JSON object"
    }
  }
}
