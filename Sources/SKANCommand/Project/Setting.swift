import SKANBase

/// What counts for an option, and where it comes from.
struct Setting: Sendable, JSONObjectWritable {
  /// The kinds of sources, those first that count more.
  enum Source: String, CaseIterable, JSONWritable {
    case option, environment, project, device, `default`
  }

  let name: String
  /// Nil for nothing.
  let value: JSON
  let source: Source
  /// The option, the variable, the place in the project file, or the device file; nil for a default.
  let from: String?

  static let fields = JSONFields<Setting> {
    JSONField("name") { $0.name }
    JSONField("value", as: .anyOf([.text, .bool, .list(.text), .null])) { $0.value }
    JSONField("source") { $0.source }
    JSONField("from") { $0.from }
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
