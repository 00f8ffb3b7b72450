import SKANBase
import SKANDevice
import SKANModel

/// The value of a received postback, and its meaning according to a conversion model.
package struct DecodedValue: Sendable, Equatable {
  /// The name of the model's file, as given.
  package var model: String
  package var window: ConversionWindow
  /// Nil for a postback without a value, and for one that is neither a number nor a coarse value.
  package var value: Value?
  /// Nil where the model does not map the value.
  package var meaning: Meaning?
  /// Why the value has no meaning; nil when it has one, and when there is no value.
  package var undecoded: String?

  /// The value of a postback.
  package enum Value: Hashable, Sendable {
    case fine(Int64)
    case coarse(CoarseValue)

    /// A text such as `fine 12` or `coarse high`.
    package var name: String {
      switch self {
      case .fine(let number): "fine \(number)"
      case .coarse(let value): "coarse \(value.rawValue)"
      }
    }

    /// Parses a ``name``; nil for any other text.
    package init?(name: String) {
      let parts = name.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      switch parts[0] {
      case "fine": if let number = Int64(parts[1]) { self = .fine(number) } else { return nil }
      case "coarse":
        if let value = CoarseValue(rawValue: String(parts[1])) { self = .coarse(value) } else { return nil }
      default: return nil
      }
    }
  }

  /// The meaning of one of the model's mappings.
  package struct Meaning: Sendable, Equatable {
    package var text: String
    /// Hours after the first call, half-open; nil for no start, or no end.
    package var minHours: Int64?
    package var maxHours: Int64?
    package var events: [DecodedEvent]
    /// Nil where the mapping does not specify revenue.
    package var revenue: RevenueRange?

    package init(
      text: String, minHours: Int64? = nil, maxHours: Int64? = nil, events: [DecodedEvent] = [],
      revenue: RevenueRange? = nil
    ) {
      self.text = text
      self.minHours = minHours
      self.maxHours = maxHours
      self.events = events
      self.revenue = revenue
    }

    package init(_ mapping: ValueMapping) {
      self.init(
        text: mapping.displayText, minHours: mapping.minHours, maxHours: mapping.maxHours,
        events: mapping.events.map { DecodedEvent($0) }, revenue: mapping.revenueRange)
    }
  }

  package init(
    model: String, window: ConversionWindow, value: Value? = nil, meaning: Meaning? = nil, undecoded: String? = nil
  ) {
    self.model = model
    self.window = window
    self.value = value
    self.meaning = meaning
    self.undecoded = undecoded
  }
}

/// The object in the file of received postbacks, with its keys in this order.
extension DecodedValue: JSONItemReadable, JSONObjectWritable {
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

  /// Reads a value written with ``fields``; nil if it is invalid, with the problems added to `outer`.
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

extension DecodedValue {
  /// The meaning of the value, in one line.
  package var line: String {
    let name = value.map { "\($0.name): " } ?? ""
    let text =
      if let meaning {
        "decoded: \(name)\(meaning.text)"
      } else if let undecoded {
        "undecoded: \(name)\(undecoded)"
      } else {
        "decoded: it has no value"
      }
    return "\(text) [\(model)]".oneLine
  }
}
