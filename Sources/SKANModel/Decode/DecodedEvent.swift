import SKANDevice
import SKANBase

/// What a value says of one event: an entry of its mapping, as `skan model decode --json` prints it.
package struct DecodedEvent: Sendable, Equatable, JSONObjectWritable {
  package var name: String
  /// ISO 4217; nil where nothing is said of revenue and the model names no currency.
  package var currency: String?
  package var revenueMin: Double?
  /// The end is not part of the range; nil = there is none.
  package var revenueBelow: Double?
  /// How often the event happened; nil for an entry about revenue alone.
  package var countMin: Int64?
  /// Nil = there is no upper end.
  package var countMax: Int64?

  package init(_ event: MappedEvent) {
    name = event.name
    currency = event.revenue == nil ? event.currency : event.currency ?? MappedEvent.defaultCurrency
    revenueMin = event.revenue?.min
    revenueBelow = event.revenue?.max
    countMin = event.isRevenueOnly ? nil : event.occurrence?.min ?? 1
    countMax = event.occurrence?.max
  }

  package static let fields = JSONFields<DecodedEvent> {
    JSONField("event") { $0.name }
    JSONField("currency") { $0.currency }
    JSONField("revenue_min") { $0.revenueMin }
    JSONField("revenue_below") { $0.revenueBelow }
    JSONField("count_min") { $0.countMin }
    JSONField("count_max") { $0.countMax }
  }

  package static let keys = JSONKeys(fields.names)

  /// Reads what ``fields`` wrote; nil, with its problems in `outer`, when it is something else.
  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a decoded event", known: Self.keys)
    let event = reader.require("event", reader.string("event"))
    currency = reader.isNull("currency") ? nil : reader.string("currency")
    revenueMin = reader.isNull("revenue_min") ? nil : reader.number("revenue_min")
    revenueBelow = reader.isNull("revenue_below") ? nil : reader.number("revenue_below")
    countMin = reader.isNull("count_min") ? nil : reader.integer("count_min")
    countMax = reader.isNull("count_max") ? nil : reader.integer("count_max")
    outer.add(reader.problems)
    guard let event else { return nil }
    name = event
  }
}
