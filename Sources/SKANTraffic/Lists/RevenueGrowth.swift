import SKANBase
import SKANDevice
import SKANRun

/// Revenue that the app added between two requests, derived from the growth of a total.
struct RevenueGrowth {
  let currency: String
  let isAdMonetization: Bool
  /// The amount that the app passed: the one with the fewest decimals that explains the growth.
  let amount: Double
  /// The window whose total also changed; nil where none did.
  let window: ConversionWindow?

  /// All totals that changed, in order of currency.
  static func all(from old: ShownDetails, to new: ShownDetails, by sums: SnippetRules.Sums) -> [RevenueGrowth] {
    [false, true].flatMap { isAdMonetization -> [RevenueGrowth] in
      let total = StoreEntry.revenue(fromAds: isAdMonetization, in: nil)
      let (before, after) = (old.table(total), new.table(total))
      return after.keys.sorted().compactMap { currency in
        guard let sum = after[currency], before[currency] != sum else { return nil }
        let window = ConversionWindow.allCases.first { window in
          let entry = StoreEntry.revenue(fromAds: isAdMonetization, in: window)
          return old.table(entry)[currency] != new.table(entry)[currency]
        }
        return RevenueGrowth(
          currency: currency, isAdMonetization: isAdMonetization,
          amount: amount(from: before[currency] ?? 0, to: sum, by: sums), window: window)
      }
    }
  }

  /// The amount with the fewest decimals that explains the sum. The snippet computes it in single precision in SKAN 4
  /// and double precision in SKAN 3; a client may keep doubles.
  static func amount(from old: Double, to new: Double, by sums: SnippetRules.Sums) -> Double {
    func sum(_ amount: Double) -> Double {
      sums == .single && Double(Float(new)) != new ? old + amount : sums.adding(amount, to: old)
    }
    let difference = new - old
    for scale in [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000] {
      let amount = (difference * scale).rounded() / scale
      if sum(amount) == new { return amount }
    }
    return difference
  }
}

/// The revenue steps between two requests.
extension PhoneList {
  /// Adds a step for each sum that changed since the last request, and compares it with the amount that the server
  /// reported.
  mutating func addRevenue(
    to details: ShownDetails, _ report: CheckedRequest?, sums: SnippetRules.Sums, at: Instant?
  ) {
    let paid = report.flatMap(PaidAmount.init)
    var isPaid = paid == nil
    let all = RevenueGrowth.all(from: shown, to: details, by: sums)
    shown = details
    for growth in all {
      let time = time(in: growth.window, before: at)
      guard let paid, paid.currency == growth.currency, paid.isAdMonetization == growth.isAdMonetization else {
        addRevenue(growth.amount, like: growth, at: time, label: nil)
        continue
      }
      isPaid = true
      let times = growth.amount / paid.amount
      if Float(growth.amount) == Float(paid.amount) || growth.amount == paid.amount {
        addRevenue(growth.amount, like: growth, at: time, label: nil)
      } else if times > 1.001, (times - times.rounded()).magnitude > 0.001 {
        // The amount paid without an event, then this one.
        addRevenue(RevenueGrowth.rounded(growth.amount - paid.amount), like: growth, at: time, label: nil)
        addRevenue(paid.amount, like: growth, at: time, label: nil)
      } else {
        addRevenue(
          paid.amount, like: growth, at: time,
          label: "the app's server reported \(paid.amount.jsonText) \(paid.currency), the total grew by "
            + growth.amount.jsonText)
      }
    }
    if let paid, !isPaid, isRegistered {
      addRevenue(
        paid.amount, currency: paid.currency, paid.isAdMonetization, at: at,
        label: "the app's server reported \(paid.amount.jsonText) \(paid.currency), the total did not grow")
    }
  }

  private mutating func addRevenue(_ amount: Double, like growth: RevenueGrowth, at: Instant?, label: String?) {
    addRevenue(amount, currency: growth.currency, growth.isAdMonetization, at: at, label: label)
  }

  private mutating func addRevenue(
    _ amount: Double, currency: String, _ isAdMonetization: Bool, at: Instant?, label: String?
  ) {
    add(
      ListedStep(
        .revenue(Step.Revenue(amount: amount, currency: currency, isAdMonetization: isAdMonetization)), at: at,
        label: label))
  }

  /// The latest possible time in the window whose total grew.
  private func time(in window: ConversionWindow?, before at: Instant?) -> Instant? {
    guard let window, let at, let first = phone.device.kept.firstCall else { return at }
    let end = first + window.end
    return at.wholeSeconds < end ? at : Instant(unixSeconds: end - 1)
  }
}

/// The amount in an event that the app's server reported.
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
  /// Removes binary rounding errors from a difference of two amounts.
  static func rounded(_ amount: Double) -> Double { (amount * 1_000_000).rounded() / 1_000_000 }
}
