import SKANBase

/// What counts for an option, and where it comes from.
struct Setting: Sendable {
  /// The kinds of sources, those first that count more.
  enum Source: String, CaseIterable, Sendable {
    case option, environment, project, device, `default`
  }

  let name: String
  /// Nil for nothing.
  let value: JSON
  let source: Source
  /// The option, the variable, the place in the project file, or the device file; nil for a default.
  let from: String?

  var json: JSON {
    .object([
      ("name", .string(name)), ("value", value), ("source", .string(source.rawValue)), ("from", .optional(from)),
    ])
  }

  /// The cells of a table's row.
  var cells: [String] { [name, text, from.map { "\(source.rawValue): \($0)" } ?? source.rawValue] }

  private var text: String {
    switch value {
    case .null: "-"
    case .string(let text): text.oneLine
    case .array(let items):
      items.map { if case .string(let text) = $0 { text.oneLine } else { JSONWriter.text($0) } }.joined(separator: ", ")
    default: JSONWriter.text(value)
    }
  }
}
