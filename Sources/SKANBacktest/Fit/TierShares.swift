import SKANDevice
import SKANModel

/// The shares of installs with each postback data tier, which say how much of a model arrives.
package struct TierShares: Sendable, Equatable {
  /// By tier, 0 to 3; their sum is 1.
  package let shares: [Double]

  /// Nil unless these are four shares from 0 to 1 with the sum 1, to a millionth.
  package init?(_ shares: [Double]) {
    guard shares.count == 4, shares.allSatisfy({ (0...1).contains($0) }), abs(shares.reduce(0, +) - 1) < 0.000_001
    else { return nil }
    self.shares = shares
  }

  /// The expected total error of a window's postbacks, in millionths: a first one has its fine value with tiers 2 and 3,
  /// and its coarse value with tier 1; a later one has its coarse value with tiers 1 to 3.
  func expected(_ errors: WindowErrors, in window: ConversionWindow) -> Int {
    let fine = window == .p0 ? shares[2] + shares[3] : 0
    let none = shares[0]
    return Int(
      (none * Double(errors.none) + fine * Double(errors.fine)
        + max(0, 1 - none - fine) * Double(errors.coarse)).rounded())
  }

  /// The expected total error of all three postbacks.
  func expected(_ errors: PerWindow<WindowErrors>) -> Int {
    ConversionWindow.allCases.reduce(0) { $0.addedSaturating(expected(errors[$1], in: $1)) }
  }

  var text: String { shares.map(\.jsonText).joined(separator: ", ") }
}

extension PerWindow<WindowErrors> {
  /// The revenue of all three windows, in millionths.
  var revenue: Int { ConversionWindow.allCases.reduce(0) { $0.addedSaturating(self[$1].revenue) } }
}
