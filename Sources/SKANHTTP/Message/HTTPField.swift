/// One header line.
package struct HTTPField: Equatable, Sendable {
  /// As it was sent; upper and lower case mean the same.
  package var name: String
  /// Without the blanks around it.
  package var value: String

  /// The line `name: value`.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
