/// The header lines of a request.
///
/// They stay bytes until somebody asks for one: most are never looked at, and a server makes a request's worth of them
/// many thousand times a second.
package struct HTTPFields: Equatable, Sendable {
  /// Where in ``bytes`` a line's two parts are.
  struct Slot: Equatable, Sendable {
    var name: Range<Int>
    var value: Range<Int>
  }

  private let bytes: [UInt8]
  private let slots: [Slot]

  /// The lines that the parser found in a request's head.
  init(bytes: [UInt8], slots: [Slot]) {
    self.bytes = bytes
    self.slots = slots
  }

  /// Lines of parts that are known to be well formed, for tests of what handles a request.
  package init(_ fields: [HTTPField] = []) {
    var bytes: [UInt8] = []
    slots = fields.map { field in
      let start = bytes.count
      bytes += field.name.utf8
      let middle = bytes.count
      bytes += field.value.utf8
      return Slot(name: start..<middle, value: middle..<bytes.count)
    }
    self.bytes = bytes
  }

  /// The value of the first line of that name, the case of its letters aside.
  package subscript(name: String) -> String? {
    for slot in slots where matches(slot, name) { return text(slot.value) }
    return nil
  }

  /// The values of all lines of that name, in their order.
  package func values(of name: String) -> [String] {
    slots.filter { matches($0, name) }.map { text($0.value) }
  }

  /// All lines in their order. Bytes that are no UTF-8 have become U+FFFD.
  package var all: [HTTPField] {
    slots.map { HTTPField(text($0.name), text($0.value)) }
  }

  /// Whether the lines are the same, wherever they were kept.
  package static func == (left: HTTPFields, right: HTTPFields) -> Bool {
    left.all == right.all
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private func matches(_ slot: Slot, _ name: String) -> Bool {
    guard slot.name.count == name.utf8.count else { return false }
    return zip(slot.name, name.utf8).allSatisfy { bytes[$0].asciiLowercased == $1.asciiLowercased }
  }
}
