import SKANDevice
import SKANModel

/// What each value of a model is decoded to, in millionths of the report's currency.
///
/// The estimate of a range of revenue is ``RevenueRange/estimate``; a value that says nothing of revenue stands for 0.
struct DecodeTable: Sendable {
  /// By fine value; nil where the value says nothing of revenue, and where the range's currency has no rate.
  let fine: [Int?]
  /// By window and the number of the coarse value, 0-2.
  let coarse: PerWindow<[Int?]>
  /// Currencies of ranges that have no rate, sorted.
  let withoutRate: [String]

  init(_ model: ConversionModel, currency: CurrencyCode, _ rates: ExchangeRates) {
    var missing: Set<String> = []
    func amount(_ value: ModelValue) -> Int? {
      guard let range = model.mapping(of: value)?.revenueRange else { return nil }
      guard let code = CurrencyCode(range.currency),
        let amount = rates.converted(range.estimate, from: code, to: currency)
      else {
        missing.insert(range.currency)
        return nil
      }
      return Int(microUnits: amount)
    }
    fine = (0..<64).map { amount(.fine($0)) }
    var coarse = PerWindow<[Int?]>(repeating: [])
    for window in ConversionWindow.allCases {
      coarse[window] = [CoarseValue.low, .medium, .high].map { amount(.coarse($0, window)) }
    }
    self.coarse = coarse
    withoutRate = missing.sorted()
  }
}

extension Int {
  /// An amount in millionths, rounded to the nearest; exact for amounts of up to six decimals and nine billion units.
  package init(microUnits amount: Double) {
    let rounded = (amount * 1_000_000).rounded()
    self = rounded >= 9e18 ? .max : rounded <= -9e18 ? .min : Int(rounded)
  }
}
