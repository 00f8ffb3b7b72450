/// A JSON value without its location in a text: what results are built of and expectations are compared with.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A whole number beyond `Int64`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([JSON])
  /// Members in the order in which they were given; no key occurs twice.
  case object([(key: String, value: JSON)])

  /// The member of an object, or nil when this is not an object or has no such key.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.isLiterally(key) }?.value
  }

  /// The text, the items or the members; nil for another value.
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var items: [JSON]? { if case .array(let items) = self { items } else { nil } }
  package var members: [(key: String, value: JSON)]? { if case .object(let members) = self { members } else { nil } }

  /// Any number; nil for another value.
  package var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// Whether it is an object or an array.
  package var isContainer: Bool { items != nil || members != nil }

  /// `.string`, or `.null` for nil.
  package static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}

extension JSON: Equatable {
  /// Numbers are equal when their values are, however they were written; objects regardless of order.
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.integer(let a), .double(let b)), (.double(let b), .integer(let a)): Int64(exactly: b) == a
    case (.unsigned(let a), .double(let b)), (.double(let b), .unsigned(let a)): UInt64(exactly: b) == a
    case (.string(let a), .string(let b)): a.isLiterally(b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count && a.allSatisfy { member in right[member.key].map { $0 == member.value } ?? false }
    default: false
    }
  }
}
