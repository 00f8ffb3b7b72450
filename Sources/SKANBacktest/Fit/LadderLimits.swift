import SKANDevice

/// The limits that each range of revenue keeps.
///
/// Without them a fit divides one price into ranges below a cent, because exchange rates make many amounts of it, and its
/// highest range rests on one device.
package struct LadderLimits: Sendable, Equatable {
  /// The larger of a share of a whole and an amount.
  package struct Least: Sendable, Equatable {
    /// The share in millionths, 0 to 1,000,000.
    package var share: Int
    package var amount: Int

    package init(share: Int = 0, amount: Int = 0) { (self.share, self.amount) = (share, amount) }

    /// The least for a whole of at least 0, rounded up. A larger whole never has a smaller one.
    func of(_ whole: Int) -> Int {
      max(amount, whole / 1_000_000 * share + (whole % 1_000_000 * share + 999_999) / 1_000_000)
    }
  }

  /// The least width of a range, of where it begins, in millionths of the currency. With a share it is at least the
  /// currency's smallest unit. The highest range has no end, and no width.
  package var width: Least
  /// The least number of fitted devices for a value, of those with revenue.
  package var devices: Least

  /// The least number of devices where a share of them is asked for.
  package static let fewestDevices = 5

  package init(
    width: Least = Least(share: 10_000), devices: Least = Least(share: 10_000, amount: fewestDevices)
  ) {
    (self.width, self.devices) = (width, devices)
  }

  /// No limits.
  static let none = LadderLimits(width: Least(), devices: Least())

  /// These limits with the smallest unit of a currency.
  func with(_ currency: CurrencyCode) -> LadderLimits {
    var limits = self
    if width.share > 0 { limits.width.amount = max(width.amount, currency.smallestUnit) }
    return limits
  }

  /// The boundaries that keep the limits, chosen from the highest one down: one that does not is left out, so that its
  /// range is part of the one below.
  func keeping(_ boundaries: [Int], of sample: RevenueSample) -> RevenueLadder {
    let least = devices.of(sample.payers)
    var kept: [Int] = []
    var above = sample.devices
    for boundary in RevenueLadder(boundaries).boundaries.reversed() {
      let below = sample.counts[sample.index(of: boundary)]
      if above - below >= least, kept.last.map({ $0 - boundary >= width.of(boundary) }) ?? true {
        kept.append(boundary)
        above = below
      }
    }
    return RevenueLadder(kept)
  }
}

extension CurrencyCode {
  /// The smallest unit in millionths, as ISO 4217 has it: a cent of most currencies, a yen, a thousandth of a dinar.
  var smallestUnit: Int {
    switch name {
    case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
      "XPF":
      1_000_000
    case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 1_000
    case "CLF", "UYW": 100
    default: 10_000
    }
  }
}
