/// One header line.
package struct HTTPField: Equatable, Sendable {
  /// As it is sent or was received; upper and lower case mean the same.
  package var name: String
  /// Without the blanks around it.
  package var value: String

  /// The line `name: value`.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether the line can be sent: a line break in it would begin another line, of the caller's making.
  package var isWellFormed: Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte) && value.utf8.allSatisfy { $0 == .tab || !$0.isControl }
  }
}
