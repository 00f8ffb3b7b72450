import Testing

@testable import SKANHTTP

@Suite("The header lines of a message")
struct HTTPFieldsTests {
  private let fields: HTTPFields = [HTTPField("X-a", "1"), HTTPField("x-A", "2"), HTTPField("X-ab", "é")]

  @Test("Found whatever the case of their names")
  func found() {
    #expect(fields["x-a"] == "1")
    #expect(fields["X-AB"] == "é")
    #expect(fields["X"] == nil)
    #expect(fields.values(of: "X-A") == ["1", "2"])
    #expect(fields.values(of: "b") == [])
  }

  @Test("In their order, as they were given")
  func order() {
    #expect(fields.map(\.name) == ["X-a", "x-A", "X-ab"])
    #expect(fields.map(\.value) == ["1", "2", "é"])
    var more = fields
    more.append("B", "")
    #expect(more.count == 4 && more.last == HTTPField("B", ""))
    #expect(more != fields && Array(more.dropLast()) == Array(fields))
  }

  @Test("Equal wherever their bytes are, and only with the same bytes")
  func equality() {
    let read = HTTPFields(bytes: Array("X-a: 1".utf8), slots: [HTTPFields.Slot(name: 0..<3, value: 5..<6)])
    #expect(read == [HTTPField("X-a", "1")])
    #expect(read != [HTTPField("x-a", "1")] && read != [HTTPField("X-a", "")] && read != [])
    // As text both are U+FFFD.
    let bytes = [0xFF, 0xFE].map { HTTPFields(bytes: [0x41, $0], slots: [HTTPFields.Slot(name: 0..<1, value: 1..<2)]) }
    #expect(bytes[0] != bytes[1] && bytes[0]["a"] == "\u{FFFD}")
  }

  @Test(
    "What can be sent",
    arguments: [
      (HTTPField("X-A", "b c\té"), true), (HTTPField("", "b"), false), (HTTPField("A B", "c"), false),
      (HTTPField("A:", "c"), false), (HTTPField("é", "c"), false), (HTTPField("A", "b\r\nC: d"), false),
      (HTTPField("A", "\u{7F}"), false), (HTTPField("A", ""), true),
    ])
  func wellFormed(field: HTTPField, isWellFormed: Bool) { #expect(field.isWellFormed == isWellFormed) }
}
