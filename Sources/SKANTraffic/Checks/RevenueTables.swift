import SKANDevice

/// The sums of one kind of revenue: over the life of the install, and of each window.
struct RevenueTables {
  /// Which revenue.
  enum Kind: String, CaseIterable {
    case iap = "IAP"
    case ads = "ad"
  }

  let total: RevenueTable?
  let windows: PerWindow<RevenueTable?>

  /// Those of a state.
  init(_ kind: Kind, of kept: KeptState) {
    switch kind {
    case .iap: (total, windows) = (kept.iapRevenue, kept.windowIAPRevenue)
    case .ads: (total, windows) = (kept.adRevenue, kept.windowAdRevenue)
    }
  }

  /// The total, then the windows.
  var all: [RevenueTable?] { [total] + ConversionWindow.allCases.map { windows[$0] } }

  /// A currency whose total is not the sum of the windows, when it was not so before by the same amount.
  func newGap(since before: RevenueTables?) -> String? {
    // The entries of the windows are optional.
    guard let total, hasWindows else { return nil }
    let before = before.flatMap { $0.hasWindows ? $0 : nil }
    return total.sums.first { sum in
      let (now, old) = (gap(sum.currency), before?.gap(sum.currency) ?? 0)
      // Each sum is rounded to single precision at each step.
      return (now - old).magnitude > sum.amount.magnitude * 2e-5 + 1e-6 && now.magnitude > 1e-6
    }?.currency
  }

  private var hasWindows: Bool { ConversionWindow.allCases.contains { windows[$0] != nil } }

  private func gap(_ currency: String) -> Double {
    ConversionWindow.allCases.reduce(total?[currency] ?? 0) { $0 - (windows[$1]?[currency] ?? 0) }
  }
}

extension RevenueTable {
  /// The first sum that is lower in a later table or not there, as a message has it; nil when none is.
  func shrunk(to later: RevenueTable?) -> String? {
    for (currency, amount) in sums {
      guard let now = later?[currency] else { return "from \(amount.shortText) \(currency) to nothing" }
      if amount - now > amount.magnitude * 1e-6 {
        return "from \(amount.shortText) to \(now.shortText) \(currency)"
      }
    }
    return nil
  }
}
