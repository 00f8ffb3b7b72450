import SKANDevice
import SKANBase
import SKANRun

/// Revenue between two requests.
extension PhoneList {
  /// Adds a step for each sum that grew since the last request, and compares it with what the server reported as paid.
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
        // What was paid without an event, and then this.
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

  /// A time in the window whose total grew, as late as can be.
  private func time(in window: ConversionWindow?, before at: Instant?) -> Instant? {
    guard let window, let at, let first = phone.device.kept.firstCall else { return at }
    let end = first + window.end
    return at.wholeSeconds < end ? at : Instant(unixSeconds: end - 1)
  }
}
