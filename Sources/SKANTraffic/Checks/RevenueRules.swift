import SKANBase
import SKANDevice
import SKANModel

/// The rules that compare an event's amount with the phone's totals.
struct RevenueRules {
  private var transactions: [UInt64] = []
  /// Whether a negative amount was reported.
  private(set) var hasRefund = false

  /// - Parameters:
  ///   - before: the state in the previous report.
  ///   - since: the time of that report, in Unix seconds.
  ///   - isFresh: whether the capture begins right after the registration, so that a missing total means 0.
  mutating func check(
    _ request: CheckedRequest, before: KeptState?, since: Int64?, isFresh: Bool, into findings: inout [TrafficFinding]
  ) {
    guard let text = request.sent["amt"], let amount = Double(text), amount != 0, let currency = request.sent["cur"]
    else { return }
    if amount < 0 { hasRefund = true }
    if let transaction = request.sent["purchase_transaction_id"], !transaction.isEmpty {
      let hash = fnv1a(transaction)
      if transactions.contains(hash) {
        findings.append(
          request.finding(
            .revenueTwice, "its transaction was reported before.", about: ["purchase_transaction_id"]))
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
    // The totals are single-precision numbers.
    let tolerance = max(old.magnitude, new.magnitude, amount.magnitude) * 4e-7
    if (growth - amount).magnitude <= tolerance { return }
    let isTwice = (growth - 2 * amount).magnitude <= tolerance
    findings.append(
      request.finding(
        isTwice ? .revenueTwice : .revenueMismatch,
        "amt is \(text) \(currency), and the phone's total went from \(old.shortText) to \(new.shortText).",
        about: ["amt", StoreEntry.revenue(fromAds: isAdRevenue, in: nil).name]
      ).missing(.event, from: since, to: request.seconds))
  }
}

extension Double {
  /// The number with the digits of single precision.
  var shortText: String { Float(self).description }
}

extension StateRules {
  /// Checks the sums of revenue.
  func revenue(
    _ request: CheckedRequest, first: Int64, hasRefund: Bool, into findings: inout [TrafficFinding]
  ) {
    let tables = RevenueTables.Kind.allCases.map { RevenueTables($0, of: request.kept) }
    for (kind, now) in zip(RevenueTables.Kind.allCases, tables) {
      let before = last.map { RevenueTables(kind, of: $0) }
      if !hasRefund, let before {
        for (window, (old, new)) in zip([nil] + ConversionWindow.allCases, zip(before.all, now.all)) {
          guard let lost = old?.shrunk(to: new) else { continue }
          findings.append(
            request.finding(
              .revenueShrank, "\(kind.rawValue) revenue went \(lost).", about: [kind.entry(in: window)]
            ).missing(.event, from: nil, to: request.seconds))
          break
        }
      }
      guard let seconds = request.captured.at?.wholeSeconds else { continue }
      outside(kind, now, before, request, since: seconds - first, into: &findings)
      if seconds - first < ConversionWindow.p2.end - Self.clockTolerance, let currency = now.newGap(since: before) {
        findings.append(
          request.finding(
            .totalNotSum, "\(kind.rawValue) revenue in \(currency) is not the sum of that of P0, P1 and P2.",
            about: [kind.entry(in: nil)]))
      }
    }
  }

  private func outside(
    _ kind: RevenueTables.Kind, _ now: RevenueTables, _ before: RevenueTables?, _ request: CheckedRequest,
    since: Int64, into findings: inout [TrafficFinding]
  ) {
    for window in ConversionWindow.allCases where now.windows[window] != before?.windows[window] {
      let began = since >= window.start - Self.clockTolerance
      let ended = lastSeconds.map { $0 - (request.kept.firstCall ?? $0) >= window.end + Self.clockTolerance } ?? false
      guard now.windows[window] != nil, !began || (before != nil && ended) else { continue }
      findings.append(
        request.finding(
          .revenueOutsideWindow, "\(kind.rawValue) revenue of P\(window.rawValue) changed outside that window.",
          about: [kind.entry(in: window)]))
    }
  }
}

/// The sums of one kind of revenue: for the life of the install, and for each window.
struct RevenueTables {
  /// The kind of revenue.
  enum Kind: String, CaseIterable {
    case iap = "IAP"
    case ads = "ad"

    /// The entry of the sums in a window, or of the total.
    func entry(in window: ConversionWindow?) -> StoreEntry { .revenue(fromAds: self == .ads, in: window) }
  }

  let total: RevenueTable?
  let windows: PerWindow<RevenueTable?>

  init(_ kind: Kind, of kept: KeptState) {
    switch kind {
    case .iap: (total, windows) = (kept.iapRevenue, kept.windowIAPRevenue)
    case .ads: (total, windows) = (kept.adRevenue, kept.windowAdRevenue)
    }
  }

  /// The total, followed by the windows.
  var all: [RevenueTable?] { [total] + ConversionWindow.allCases.map { windows[$0] } }

  /// A currency whose total is not the sum of its windows, unless it already differed by the same amount before.
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
  /// A message about the first sum that is lower or missing in a later table; nil when there is none.
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
