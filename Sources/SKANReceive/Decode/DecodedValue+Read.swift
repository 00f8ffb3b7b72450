import SKANDevice
import SKANBase
import SKANModel

/// As it stands in the file of received postbacks, its keys in this order.
extension DecodedValue: JSONObjectWritable {
  package static let fields = JSONFields<DecodedValue> {
    JSONField("model") { $0.model }
    JSONField("window", as: .integer(0...2)) { $0.window.rawValue }
    JSONField("value") { $0.value?.name }
    JSONField("meaning") { $0.meaning?.text }
    JSONField("min_hours") { $0.meaning?.minHours }
    JSONField("max_hours") { $0.meaning?.maxHours }
    JSONField("events") { $0.meaning?.events ?? [] }
    JSONField("revenue") { $0.meaning?.revenue }
    JSONField("undecoded") { $0.undecoded }
  }

  package static let keys = JSONKeys(fields.names)

  /// Reads what ``fields`` wrote; nil, with its problems in `outer`, when it is something else.
  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a decoded value", known: Self.keys)
    let model = reader.require("model", reader.string("model"))
    let window = reader.require("window", reader.integer("window", in: 0...2))
      .flatMap { ConversionWindow(rawValue: Int($0)) }
    let value =
      reader.isNull("value")
      ? nil
      : reader.read("value", "a value such as \"fine 12\" or \"coarse high\"") { content -> Value? in
        content.text.flatMap { Value(name: $0) }
      }
    let text = reader.isNull("meaning") ? nil : reader.string("meaning")
    let minHours = reader.isNull("min_hours") ? nil : reader.integer("min_hours")
    let maxHours = reader.isNull("max_hours") ? nil : reader.integer("max_hours")
    let events = reader.items("events") { DecodedEvent($0, in: &$1) }
    let revenue = reader.isNull("revenue") ? nil : reader.node("revenue").flatMap { RevenueRange($0, in: &reader) }
    let undecoded = reader.isNull("undecoded") ? nil : reader.string("undecoded")
    outer.add(reader.problems)
    guard let model, let window, reader.problems.isEmpty else { return nil }
    self.init(
      model: model, window: window, value: value,
      meaning: text.map {
        Meaning(text: $0, minHours: minHours, maxHours: maxHours, events: events, revenue: revenue)
      }, undecoded: undecoded)
  }
}
