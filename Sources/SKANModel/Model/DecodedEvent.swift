import SKANBase
import SKANDevice

extension ConversionModel {
  /// The mapping of a value; nil if the model does not have the value.
  ///
  /// A fine value does not imply the mapping of its coarse value.
  package func mapping(of value: ModelValue) -> ValueMapping? {
    switch value {
    case .fine(let number): fine.first { $0.value == number }?.mapping
    case .coarse(let value, let window): windows[window].coarse.first { $0.value == value }?.mapping
    }
  }
}

/// The meaning of a value for an event: an entry of its mapping, as `skan model explain --fine N --json` prints it.
package struct DecodedEvent: Sendable, Equatable, JSONItemReadable, JSONObjectWritable {
  package var name: String
  /// ISO 4217; nil if the entry has no revenue condition and names no currency.
  package var currency: String?
  package var revenueMin: Double?
  /// The exclusive upper end; nil if there is none.
  package var revenueBelow: Double?
  /// The least number of events; nil for an entry about revenue alone.
  package var countMin: Int64?
  /// Nil for no upper end.
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
    JSONField(required: "event", at: \.name)
    JSONField("currency", at: \.currency)
    JSONField("revenue_min", at: \.revenueMin)
    JSONField("revenue_below", at: \.revenueBelow)
    JSONField("count_min", at: \.countMin)
    JSONField("count_max", at: \.countMax)
  }

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    self.init(node, what: "a decoded event", usual: DecodedEvent(MappedEvent(name: "")), in: &outer)
  }
}

/// The meaning of a value for revenue: `min ≤ x < below`.
package struct RevenueRange: Sendable, Equatable, JSONItemReadable, JSONObjectWritable {
  /// ISO 4217.
  package var currency: String
  package var min: Double
  /// Nil for no upper end.
  package var below: Double?

  package init(currency: String, min: Double, below: Double?) {
    self.currency = currency
    self.min = min
    self.below = below
  }

  package static let fields = JSONFields<RevenueRange> {
    JSONField(required: "currency", at: \.currency)
    JSONField(required: "min", at: \.min)
    JSONField("below", at: \.below)
  }

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    let usual = RevenueRange(currency: "", min: 0, below: nil)
    self.init(node, what: "a revenue range", usual: usual, in: &outer)
  }
}

extension ValueMapping {
  /// The range of the window's revenue that all entries together imply, in the currency of the first entry about
  /// revenue; nil if there is none.
  ///
  /// All entries must hold. Ranges for one kind of revenue are intersected; in-app purchases and ads are added; all
  /// revenue is at least their sum. Entries in other currencies are ignored, which only makes the range wider.
  package var revenueRange: RevenueRange? {
    let entries = events.filter { $0.revenue != nil }
    guard let currency = entries.first?.revenueCurrency else { return nil }
    func common(_ isOfKind: (MappedEvent) -> Bool) -> RevenueRange? {
      let ours = entries.filter { isOfKind($0) }
      if ours.isEmpty { return nil }
      let known = ours.filter { $0.revenueCurrency == currency }.compactMap(\.revenue)
      return RevenueRange(
        currency: currency, min: known.map(\.min).max() ?? 0, below: known.compactMap(\.max).min())
    }
    let parts = [MappedEvent.iapRevenue, MappedEvent.adRevenue].compactMap { name in common { $0.name == name } }
    let sum = RevenueRange(
      currency: currency, min: parts.map(\.min).reduce(0, +),
      below: parts.contains { $0.below == nil } ? nil : parts.compactMap(\.below).reduce(0, +))
    guard let all = common({ $0.name != MappedEvent.iapRevenue && $0.name != MappedEvent.adRevenue }) else {
      return sum
    }
    let end = parts.count == 2 ? [all.below, sum.below].compactMap(\.self).min() : all.below
    return RevenueRange(currency: currency, min: max(all.min, sum.min), below: end)
  }
}

extension MappedEvent {
  /// The currency of an entry that names none.
  static let defaultCurrency = "USD"

  fileprivate var revenueCurrency: String { currency ?? Self.defaultCurrency }
}

extension RevenueRange {
  /// The amount that represents the range: its middle, or its start if it has no end.
  ///
  /// The rule is this program's own: no vendor documents how it decodes a range.
  package var estimate: Double { Self.estimate(min: min, below: below) }

  /// The estimate of the range between two amounts of one currency.
  @inline(__always)
  package static func estimate(min: Double, below: Double?) -> Double { below.map { (min + $0) / 2 } ?? min }
}
