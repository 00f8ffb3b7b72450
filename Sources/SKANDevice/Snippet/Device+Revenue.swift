/// Revenue that must not be added: on the phone it would make every later request crash.
package enum RevenueError: Error, Sendable, Equatable {
  /// The amount is no finite number.
  case amountNotFinite
  /// The sum of that entry of the store would be beyond a single-precision number.
  case sumTooLarge(entry: String)
}

extension Device {
  /// `updateRevenue`: adds to the sums of a currency; see the article "Operations".
  ///
  /// SKAN 4 adds in single precision. SKAN 3 narrows only the old sum and adds in double.
  ///
  /// - Throws: ``RevenueError``; nothing is changed then.
  package mutating func addRevenue(
    _ amount: Double, currency: String?, isAdMonetization: Bool, at now: Instant
  ) throws(RevenueError) -> StepReport {
    guard amount.isFinite else { throw .amountNotFinite }
    if !snippet.isSKAN4, profile.ios < .conversionValueUpdate {
      return StepReport(.ignored, .revenueNeedsIOS(has: profile.ios))
    }
    guard amount != 0 else { return StepReport(.ignored, .amountIsZero) }
    guard let currency else { return StepReport(.ignored, .currencyIsMissing) }
    let window = snippet.isSKAN4 ? window(at: now) : nil
    var report = StepReport(
      .added,
      .revenueAdded(amount: amount, currency: currency, isAd: isAdMonetization, window, snippet))
    var changed = kept
    if snippet.isSKAN4 {
      if isAdMonetization {
        try add(amount, currency, to: &changed.adRevenue, .adRevenue)
        if let window { try add(amount, currency, to: &changed.windowAdRevenue[window], .windowAdRevenue(window)) }
      } else {
        try add(amount, currency, to: &changed.iapRevenue, .iapRevenue)
        if let window { try add(amount, currency, to: &changed.windowIAPRevenue[window], .windowIAPRevenue(window)) }
      }
      if window == nil { report.warnings.append(.revenueOutsideWindows) }
    } else {
      try add(amount, currency, to: &changed.iapRevenue, .iapRevenue)
      if isAdMonetization { report.warnings.append(.adRevenueMerged) }
    }
    if currency.isEmpty { report.warnings.insert(.emptyCurrency, at: 0) }
    kept = changed
    return report
  }

  private func add(
    _ amount: Double, _ currency: String, to table: inout RevenueTable?, _ key: KeptKey
  ) throws(RevenueError) {
    var sums = table ?? RevenueTable()
    let old = Float(sums[currency] ?? 0)
    let sum = snippet.isSKAN4 ? Double(old + Float(amount)) : Double(old) + amount
    guard Float(sum).isFinite else { throw .sumTooLarge(entry: key.name) }
    sums[currency] = sum
    table = sums
  }
}
