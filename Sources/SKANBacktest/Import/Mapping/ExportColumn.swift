/// A column of an export: a name of the header, or in JSON Lines a path such as `event_params[key=value].value.int_value`.
package struct ExportColumn: Sendable, Hashable, ExpressibleByStringLiteral {
  package let name: String
  /// Whether an export without it is refused. The columns of a preset may be missing, as an export need not have them all.
  package let isRequired: Bool

  package init(_ name: String, isRequired: Bool = true) {
    self.name = name
    self.isRequired = isRequired
  }

  /// A column of a preset.
  package init(stringLiteral name: String) { self.init(name, isRequired: false) }
}
