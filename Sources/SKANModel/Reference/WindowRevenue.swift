import SKANDevice

/// The revenue of a request's window.
struct WindowRevenue {
  var iap: RevenueTable?
  var ads: RevenueTable?
  var basis = RevenueBasis.stated

  /// The window's own entries. They are optional: a request may have the life-long totals alone. In the first window
  /// these are the same; later it is the total less the one that was seen last in an earlier window.
  init(
    _ parameters: borrowing some ConversionParameters, _ api: EndpointAPI, _ window: ConversionWindow,
    _ memory: InstallMemory
  ) throws(RequestProblem) {
    guard api == .v2 else {
      iap = try parameters.revenue(.skan3Revenue)
      return
    }
    iap = try revenue(Self.iapEntries, parameters, window, memory)
    ads = try revenue(Self.adEntries, parameters, window, memory)
  }

  /// The parameters of one kind of revenue.
  private struct Entries {
    var total: QueryParameter
    var windows: PerWindow<QueryParameter>
  }

  private static let iapEntries = Entries(
    total: .iapRevenue, windows: PerWindow(.p0IAPRevenue, .p1IAPRevenue, .p2IAPRevenue))
  private static let adEntries = Entries(
    total: .adRevenue, windows: PerWindow(.p0AdRevenue, .p1AdRevenue, .p2AdRevenue))

  private mutating func revenue(
    _ entries: Entries, _ parameters: borrowing some ConversionParameters, _ window: ConversionWindow,
    _ memory: InstallMemory
  ) throws(RequestProblem) -> RevenueTable? {
    if let own = try parameters.revenue(entries.windows[window]) { return own }
    if window == .p0 { return try parameters.revenue(entries.total) }
    guard let total = try parameters.revenue(entries.total) else { return nil }
    // A request with the revenue of any window has this one's too, if there is any.
    for other in ConversionWindow.allCases where try parameters.revenue(entries.windows[other]) != nil { return nil }
    guard let (earlier, totals) = memory.totals(before: window) else {
      if basis == .stated { basis = .unknown }
      return nil
    }
    basis = .totalLess(earlier)
    return total.less(entries.total == .adRevenue ? totals.ads : totals.iap)
  }
}

/// How an endpoint knows a window's revenue.
enum RevenueBasis: Sendable, Equatable {
  /// The request has it.
  case stated
  /// The life-long total less the one seen in an earlier window.
  case totalLess(ConversionWindow)
  /// There is a life-long total, and none was seen in an earlier window.
  case unknown
}

extension RevenueTable {
  /// What was added since another table.
  fileprivate func less(_ other: RevenueTable?) -> RevenueTable {
    guard let other else { return self }
    return RevenueTable(sums.map { (currency: $0.currency, amount: $0.amount - (other[$0.currency] ?? 0)) })
  }
}
