import SKANBase

extension KeptValue {
  /// A value of a JSON text, or nil for null, arrays and objects, which are not.
  package init?(_ content: JSONNode.Content) {
    switch content {
    case .bool(let flag): self = .bool(flag)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number): self = .unsigned(number)
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .null, .array, .object: return nil
    }
  }

  package var json: JSON {
    switch self {
    case .integer(let number): .integer(number)
    case .unsigned(let number): .unsigned(number)
    case .double(let number): .double(number)
    case .bool(let flag): .bool(flag)
    case .string(let text): .string(text)
    }
  }
}
