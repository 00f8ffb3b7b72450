import SKANDevice

/// The revenue of a request's window; a table is empty where there is none.
struct WindowRevenue {
  var iap = RevenueTable()
  var ads = RevenueTable()
  var basis = RevenueBasis.stated
}

extension WindowRevenue {
  /// Reads the window's own entries. They are optional: a request may have the life-long totals alone. In the first window
  /// these are the same; later it is the total less the one that was seen last in an earlier window.
  @inline(__always)
  mutating func read(
    _ parameters: borrowing some ConversionParameters, _ api: EndpointAPI, _ window: ConversionWindow,
    _ memory: borrowing InstallMemory
  ) throws(RequestProblem) {
    guard api == .v2 else {
      if let table = try parameters.revenue(.skan3Revenue) { iap = table }
      return
    }
    if let table = try revenue(fromAds: false, parameters, window, memory) { iap = table }
    if let table = try revenue(fromAds: true, parameters, window, memory) { ads = table }
  }

  @inline(__always)
  private mutating func revenue(
    fromAds: Bool, _ parameters: borrowing some ConversionParameters, _ window: ConversionWindow,
    _ memory: borrowing InstallMemory
  ) throws(RequestProblem) -> RevenueTable? {
    let own = QueryParameter.revenue(fromAds: fromAds, in: window)
    if parameters.hasRevenue(own) { return try parameters.revenue(own) }
    let total = QueryParameter.revenue(fromAds: fromAds, in: nil)
    guard parameters.hasRevenue(total) else { return nil }
    if window == .p0 { return try parameters.revenue(total) }
    // A request with the revenue of any window has this one's too, if there is any.
    if parameters.hasRevenue(.revenue(fromAds: fromAds, in: .p0)) { return nil }
    if parameters.hasRevenue(.revenue(fromAds: fromAds, in: .p1)) { return nil }
    if parameters.hasRevenue(.revenue(fromAds: fromAds, in: .p2)) { return nil }
    guard let (earlier, totals) = memory.totals(before: window) else {
      if basis == .stated { basis = .unknown }
      return nil
    }
    basis = .totalLess(earlier)
    return try parameters.revenue(total)?.less(fromAds ? totals.ads : totals.iap)
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
