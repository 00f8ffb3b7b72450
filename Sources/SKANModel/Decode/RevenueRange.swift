import SKANBase

/// What a value says of revenue: `min ≤ x < below`.
package struct RevenueRange: Sendable, Equatable, JSONObjectWritable {
  /// ISO 4217.
  package var currency: String
  package var min: Double
  /// Nil = there is no upper end.
  package var below: Double?

  package init(currency: String, min: Double, below: Double?) {
    self.currency = currency
    self.min = min
    self.below = below
  }

  package static let fields = JSONFields<RevenueRange> {
    JSONField("currency") { $0.currency }
    JSONField("min") { $0.min }
    JSONField("below") { $0.below }
  }

  package static let keys = JSONKeys(fields.names)

  /// Reads what ``fields`` wrote; nil, with its problems in `outer`, when it is something else.
  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a revenue range", known: Self.keys)
    let currency = reader.require("currency", reader.string("currency"))
    let min = reader.require("min", reader.number("min"))
    below = reader.isNull("below") ? nil : reader.number("below")
    outer.add(reader.problems)
    guard let currency, let min else { return nil }
    self.currency = currency
    self.min = min
  }
}

extension ValueMapping {
  /// What its entries say together of the window's revenue, in the currency of the first that says anything; nil when none
  /// does.
  ///
  /// All entries hold at once. Several about one kind of revenue leave what is common to them; in-app purchases and ads
  /// add up; and all revenue is at least their sum. What is in another currency only leaves the range wider.
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
  /// That of an entry that names none.
  static let defaultCurrency = "USD"

  fileprivate var revenueCurrency: String { currency ?? Self.defaultCurrency }
}
