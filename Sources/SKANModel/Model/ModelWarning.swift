import SKANBase
import SKANDevice

/// A warning of `skan model check` about a limit of a valid model: users of whom it says nothing, or too little.
package enum ModelWarning: String, CaseIterable, Sendable {
  case noCoarseValue = "no-coarse-value"
  case windowWithoutCoarse = "window-without-coarse"
  case coarseWithoutFine = "coarse-without-fine"
  case boundaryAtPrice = "boundary-at-price"

  fileprivate func problem(_ message: String, at range: Range<Int>) -> SourceProblem {
    SourceProblem("\(message) [\(rawValue)]", at: range)
  }
}

extension ConversionModel {
  /// The warnings about what the model cannot say. They are not among ``problems``, because they are normal for a model
  /// under construction.
  package var limits: [(warning: ModelWarning, problem: SourceProblem)] {
    var limits: [(ModelWarning, String, Range<Int>)] = []
    let isCoarse = ConversionWindow.allCases.contains { !windows[$0].coarse.isEmpty }
    if givesOnlyFineValues {
      limits.append((.noCoarseValue, "there is no coarse value: \(Self.lostWithoutCoarse)", 0..<1))
    }
    for window in ConversionWindow.allCases where isCoarse && windows[window].coarse.isEmpty {
      // After the measurement no value can come.
      if hours(of: window).isEmpty { continue }
      let without = "postback \(window.rawValue) has no \(window == .p0 && fine.isEmpty ? "value" : "coarse value")"
      let tier = window == .p0 && !fine.isEmpty ? "with tier 1 " : ""
      limits.append((.windowWithoutCoarse, "\(without): \(tier)it says nothing about a user", 0..<1))
    }
    if fine.isEmpty, let first = windows[.p0].coarse.first {
      limits.append(
        (
          .coarseWithoutFine,
          "postback 0 has coarse values and no fine value: with tiers 2 and 3 it has a fine value, which is 0 for every user",
          first.mapping.range
        ))
    }
    let prices = boundariesAtPrices
    if let first = prices.first {
      let listed = prices.map(\.amount.jsonText).listed(atMost: 4)
      limits.append(
        (
          .boundaryAtPrice,
          "revenue from \(listed): a user who pays exactly that is below the range, because the snippet's sums are "
            + "slightly lower",
          first.range
        ))
    }
    return limits.map { ($0, $0.problem($1, at: $2)) }
  }

  /// The starts of revenue ranges that miss a price, at the first mapping with each, ascending.
  private var boundariesAtPrices: [(amount: Double, range: Range<Int>)] {
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    var ranges: [Double: Range<Int>] = [:]
    for mapping in mappings {
      for start in mapping.events.compactMap(\.revenue?.min) where RevenueCondition.missesPrice(start) {
        ranges[start] = ranges[start] ?? mapping.range
      }
    }
    return ranges.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Whether the model has fine values and no coarse value.
  package var givesOnlyFineValues: Bool {
    !fine.isEmpty && ConversionWindow.allCases.allSatisfy { windows[$0].coarse.isEmpty }
  }

  /// The disadvantage of a model without coarse values.
  package static var lostWithoutCoarse: String {
    "first postbacks of tier 1, and second and third postbacks of any tier, say nothing about a user"
  }
}

extension RevenueCondition {
  /// Whether a range from this amount on misses users who pay exactly that: it looks like a price, and single precision
  /// rounds it down. Prices end in 0.49, 0.90, 0.95 or 0.99 (*ours*).
  package static func missesPrice(_ amount: Double) -> Bool {
    let cents = amount * 100
    guard amount > 0, amount < 1e9, abs(cents - cents.rounded()) < 1e-6 else { return false }
    return [49, 90, 95, 99].contains(Int(cents.rounded()) % 100) && Double(Float(amount)) < amount
  }
}
