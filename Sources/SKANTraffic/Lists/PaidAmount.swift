/// What an event that the app's server reported says was paid.
struct PaidAmount {
  let amount: Double
  let currency: String
  let isAdMonetization: Bool

  /// Nil for an event without an amount.
  init?(_ report: CheckedRequest) {
    guard case .event = report.kind, let amount = report.sent["amt"].flatMap({ Double($0) }), amount.isFinite,
      amount != 0, let currency = report.sent["cur"]
    else { return nil }
    self.amount = amount
    self.currency = currency
    isAdMonetization =
      report.sent["is_admon_revenue"]?.lowercased() == "true" || report.eventName == "__ADMON_USER_LEVEL_REVENUE__"
  }
}

extension RevenueGrowth {
  /// An amount of money that was the difference of two, without what their binary forms add.
  static func rounded(_ amount: Double) -> Double { (amount * 1_000_000).rounded() / 1_000_000 }
}
