import SKANDevice
import SKANBase

/// Values as proto3's JSON has them: null, 0 and an empty text are "unset", numbers may be texts.
extension JSONObjectReader {
  /// For an object whose keys may be in snake_case or in camelCase.
  init(_ node: JSONNode, what: StaticString, spellings: [String]) {
    self.init(node, what: what, known: JSONKeys(spellings, takesCamelCase: true))
  }

  /// The value of a key that is neither absent nor null.
  func value(_ key: JSONKey) -> JSONNode? { node(key).flatMap { $0.isNull ? nil : $0 } }

  /// The items of an array.
  mutating func list<Item>(_ key: JSONKey, read: (JSONNode, inout JSONObjectReader) -> Item?) -> [Item] {
    value(key) == nil ? [] : items(key, read: read)
  }

  /// A text that is not empty.
  mutating func text(_ key: JSONKey) -> String? {
    guard value(key) != nil, let text = string(key), !text.isEmpty else { return nil }
    return text
  }

  /// A whole number from 0.
  mutating func count(_ key: JSONKey, upTo limit: Int64 = .max) -> Int64? {
    guard value(key) != nil else { return nil }
    return read(key, limit == .max ? "a whole number, 0 or more" : "a whole number from 0 to \(limit)") { content in
      let number: Int64? =
        switch content.unquoted {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number)
        default: nil
        }
      return number.flatMap { (0...limit).contains($0) ? $0 : nil }
    }
  }

  /// The same, with 0 for unset.
  mutating func positive(_ key: JSONKey) -> Int64? { count(key).flatMap { $0 == 0 ? nil : $0 } }

  /// An amount of money, 0 for unset.
  ///
  /// - Parameter takesInfinity: whether `"Infinity"` may stand here, for no end.
  mutating func amount(_ key: JSONKey, takesInfinity: Bool = false) -> Double? {
    guard value(key) != nil else { return nil }
    let amount = read(key, "a number") { content -> Double? in
      switch content.unquoted {
      case .integer(let number): Double(number)
      case .unsigned(let number): Double(number)
      case .double(let number): number
      case .string("Infinity") where takesInfinity: .infinity
      default: nil
      }
    }
    guard let amount else { return nil }
    if amount < 0 { complain("\"\(key.name)\" must be 0 or more", about: key) }
    return amount == 0 || amount == .infinity ? nil : amount
  }

  /// A coarse value by its name or its number.
  mutating func coarseValue(_ key: JSONKey) -> CoarseValue? {
    guard let node = value(key) else { return nil }
    let names = CoarseValue.allCases.map { $0.rawValue.uppercased() }
    switch node.content {
    // UNSPECIFIED, UNKNOWN, UNAVAILABLE and NONE: unset.
    case .integer(0), .integer(1), .integer(2), .integer(6): return nil
    case .integer(3): return .low
    case .integer(4): return .medium
    case .integer(5): return .high
    case .string("UNSPECIFIED"), .string("UNKNOWN"), .string("UNAVAILABLE"), .string("NONE"), .string(""): return nil
    case .string(let text):
      if let index = names.firstIndex(of: text) { return CoarseValue.allCases[index] }
      let hint = names.contains(text.uppercased()) ? "; did you mean \"\(text.uppercased())\"?" : ""
      complain(
        "\"\(key.name)\" must be one of \(names.joined(separator: ", ")), this is \(node.briefly)\(hint)", about: key)
    default:
      complain("\"\(key.name)\" must be one of \(names.joined(separator: ", ")), this is \(node.briefly)", about: key)
    }
    return nil
  }
}

extension JSONNode.Content {
  /// The number in a text, by JSON's grammar; everything else as it is.
  fileprivate var unquoted: JSONNode.Content {
    guard case .string(let text) = self, !text.isEmpty, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = try? JSONReader.read(Array(text.utf8))
    else { return self }
    return number.content
  }
}
