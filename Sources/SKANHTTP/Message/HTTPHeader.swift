/// One header line.
package struct HTTPHeader: Equatable, Sendable {
  /// As it is sent or was received.
  package var name: String
  /// Without the blanks around it.
  package var value: String

  /// The header `name: value`.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether the line can be sent: a break in it would begin another line, of the giver's making.
  var isWellFormed: Bool {
    !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}

extension [HTTPHeader] {
  /// The value of the first header of that name, the case of its letters aside.
  package func value(of name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
