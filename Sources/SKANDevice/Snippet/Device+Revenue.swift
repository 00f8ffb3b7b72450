/// Revenue that must not be added: on the phone it would make every later request crash.
package enum RevenueError: Error, Sendable, Equatable {
  /// The amount is not a finite number.
  case amountNotFinite
  /// The sum of that entry of the store would be beyond a single-precision number.
  case sumTooLarge(entry: String)
}

extension Device {
  /// `updateRevenue`: adds to the sums of a currency; see the article "Operations".
  ///
  /// - Throws: ``RevenueError``; nothing is changed then.
  package mutating func addRevenue(
    _ amount: Double, currency: String?, isAdMonetization: Bool, at now: Instant
  ) throws(RevenueError) -> StepReport {
    guard amount.isFinite else { throw .amountNotFinite }
    let splits = snippet.rules.splitsRevenue
    if !traits.canUpdate {
      return StepReport(.ignored, .revenueNeedsIOS(has: profile.ios))
    }
    guard amount != 0 else { return StepReport(.ignored, .amountIsZero) }
    guard let currency else { return StepReport(.ignored, .currencyIsMissing) }
    let window = splits ? window(at: now) : nil
    let isAd = splits && isAdMonetization
    let code = CurrencyCode(currency)
    // Both sums before the first change.
    let total = StoreEntry.revenue(fromAds: isAd, in: nil)
    let newTotal = try sum(amount, currency, code, in: total)
    if let window {
      let entry = StoreEntry.revenue(fromAds: isAd, in: window)
      kept.setSum(entry, currency, code, to: try sum(amount, currency, code, in: entry))
    }
    kept.setSum(total, currency, code, to: newTotal)
    if kept.hasPlusInRevenue(of: window) { revision &+= 1 }
    var report = StepReport.revenueAdded(amount, currency, code, isAd: isAdMonetization, window, snippet)
    if currency.isEmpty { report.found.append(.emptyCurrency) }
    if splits, window == nil { report.notice(.revenueOutsideWindows) }
    if !splits, isAdMonetization { report.found.append(.adRevenueMerged) }
    if code == nil, !currency.isEmpty { report.found.append(.oddCurrency(currency)) }
    return report
  }

  // Inlined, as a call would be given a copy of the whole device.
  @inline(__always)
  private func sum(
    _ amount: Double, _ currency: String, _ code: CurrencyCode?, in entry: StoreEntry
  ) throws(RevenueError) -> Double {
    let sum = snippet.rules.sums.adding(amount, to: kept.sum(entry, currency, code) ?? 0)
    guard Float(sum).isFinite else { throw .sumTooLarge(entry: entry.name) }
    return sum
  }
}
