import SKANDevice
import SKANModel

/// The sums of what devices spent in a window, and of the errors of what its values tell, in millionths.
package struct WindowErrors: Sendable, Equatable {
  package var revenue = 0
  /// The revenue without refunds, of which errors are percentages.
  package var gross = 0
  /// The number of devices that have ended the window; no other counts.
  package var devices = 0
  /// The part of the revenue that is measured.
  package var measured = 0
  /// The error without a value.
  package var none = 0
  /// The error of the fine value; only in the first window.
  package var fine = 0
  package var coarse = 0
}

extension ModelFit {
  /// The errors against the whole windows of devices, held-out ones included.
  ///
  /// - Parameters:
  ///   - devices: everything that they did.
  ///   - measured: the same devices as the fit saw them.
  package func errors(_ devices: [FitDevice], measured: [FitDevice]) -> PerWindow<WindowErrors> {
    var all = PerWindow<WindowErrors>(repeating: WindowErrors())
    for window in ConversionWindow.allCases {
      var errors = WindowErrors()
      for (device, seen) in zip(devices, measured) where device.counts(window) {
        errors.devices += 1
        errors.gross.add(device.gross[window])
        let revenue = device.revenue[window]
        errors.revenue.add(revenue)
        errors.measured.add(seen.revenue[window])
        errors.none.add(revenue.distance(from: 0))
        if window == .p0 { errors.fine.add(fine.chosen.decoded(seen, in: window).distance(from: revenue)) }
        let told = coarse?[window].chosen.decoded(seen, in: window) ?? 0
        errors.coarse.add(told.distance(from: revenue))
      }
      all[window] = errors
    }
    return all
  }
}

extension ModelFit.Ladder {
  /// The revenue to which the value of a device is decoded, in millionths.
  fileprivate func decoded(_ device: FitDevice, in window: ConversionWindow) -> Int {
    ladder.index(of: device.revenue[window]).map(ladder.decoded) ?? 0
  }
}

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

  /// The expected total error of all three postbacks, each as if as many devices had ended its window as the first one.
  func expected(_ errors: PerWindow<WindowErrors>) -> Int { errors.sum { expected(errors[$0], in: $0) } }

  var text: String { shares.map(\.jsonText).joined(separator: ", ") }
}

extension PerWindow<WindowErrors> {
  /// The revenue of all three windows, in millionths.
  var revenue: Int { sum { self[$0].revenue } }
  /// The revenue of all three windows without refunds, in millionths.
  var gross: Int { sum { self[$0].gross } }

  /// The sum of a number of all three windows, each as if as many devices had ended the window as the first one.
  fileprivate func sum(_ number: (ConversionWindow) -> Int) -> Int {
    ConversionWindow.allCases.reduce(0) {
      $0.addedSaturating(number($1).scaled(from: self[$1].devices, to: self[.p0].devices))
    }
  }
}
