import SKANDevice
import SKANModel
import SKANBase

/// The rules that lay the amount of an event beside the totals of the phone.
struct RevenueRules {
  private var transactions: [UInt64] = []
  /// Whether a negative amount was reported.
  private(set) var hasRefund = false

  /// - Parameters:
  ///   - before: what the report before showed.
  ///   - isFresh: whether the capture begins right after register, so that no total is one of 0.
  mutating func check(
    _ request: CheckedRequest, before: KeptState?, isFresh: Bool, into findings: inout [TrafficFinding]
  ) {
    guard let text = request.sent["amt"], let amount = Double(text), amount != 0, let currency = request.sent["cur"]
    else { return }
    if amount < 0 { hasRefund = true }
    if let transaction = request.sent["purchase_transaction_id"], !transaction.isEmpty {
      let hash = fnv1a(transaction)
      if transactions.contains(hash) {
        findings.append(request.finding(.revenueTwice, "its transaction was reported before."))
        return
      }
      transactions.append(hash)
      if transactions.count > DeviceRules.limit { transactions.removeFirst() }
    }
    guard request.metadata.hasSKAN4Names, !request.hasUnreadTable, before != nil || isFresh else { return }
    let isAdRevenue = request.sent["is_admon_revenue"] == "true"
    func total(_ kept: KeptState?) -> Double {
      (isAdRevenue ? kept?.adRevenue : kept?.iapRevenue)?[currency] ?? 0
    }
    let (old, new) = (total(before), total(request.kept))
    let growth = new - old
    // The totals are single-precision.
    let tolerance = max(old.magnitude, new.magnitude, amount.magnitude) * 4e-7
    if (growth - amount).magnitude <= tolerance { return }
    let isTwice = (growth - 2 * amount).magnitude <= tolerance
    findings.append(
      request.finding(
        isTwice ? .revenueTwice : .revenueMismatch,
        "amt is \(text) \(currency), and the phone's total went from \(old.shortText) to \(new.shortText)."))
  }
}

extension Double {
  /// With as many digits as a single-precision number has.
  var shortText: String { Float(self).description }
}
