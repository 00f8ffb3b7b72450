import Testing

@testable import SKANBase

@Suite("Objects that a value holds several times")
struct WrittenObjectsTests {
  private func copy(_ value: JSON) -> JSON {
    switch value {
    case .array(let items): .array(items.map(copy))
    case .object(let members): .object(members.map { ($0.key, copy($0.value)) })
    default: value
    }
  }

  @Test("They are written as if each were there once", arguments: [JSONWriter.Layout.compact, .indented, .line, .file])
  func shared(layout: JSONWriter.Layout) {
    let inner: JSON = .object([("y", .integer(1)), ("x", .string("\"")), ("z", .double(5))])
    let one: JSON = .object([("b", inner), ("a", .null), ("c", .array([inner, inner]))])
    let other: JSON = .object([("b", .null), ("a", inner), ("c", .bool(true))])
    let value: JSON = .object([
      ("e", one), ("d", .array([other, one, inner, other])), ("c", other), ("b", inner), ("a", one), ("f", .null),
    ])
    #expect(JSONWriter.text(value, layout: layout) == JSONWriter.text(copy(value), layout: layout))
    // Longer than the memory that a text begins with.
    let long: JSON = .array((0..<500).map { $0 % 3 == 0 ? one : other })
    #expect(JSONWriter.text(long, layout: layout) == JSONWriter.text(copy(long), layout: layout))
  }
}
