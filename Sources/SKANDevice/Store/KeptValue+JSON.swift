import SKANBase

extension KeptValue: JSONWritable {
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

  package static var jsonForm: JSONForm { .anyOf([.number, .text, .bool]) }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .integer(let number): writer.append(number)
    case .unsigned(let number): writer.append(number)
    case .double(let number): writer.append(number)
    case .bool(let flag): writer.append(flag)
    case .string(let text): writer.append(text)
    }
  }
}
