import SKANDevice

/// The parameters of one kind, in the order in which they are checked.
extension QueryParameter {
  /// Whole numbers that a request may leave out, and the largest value of each.
  static let optionalNumbers: [(parameter: QueryParameter, limit: Int64)] =
    [.previousFine, p0Coarse, p0PreviousCoarse, p1Coarse, p1PreviousCoarse, p2Coarse, p2PreviousCoarse].map {
      ($0, $0.entry?.kind.range?.upperBound ?? 0)
    }

  /// When a window was locked.
  static let locks: [QueryParameter] = [.p0Lock, .p1Lock, .p2Lock]

  /// Revenue by currency.
  static func sums(_ api: EndpointAPI) -> [QueryParameter] { api == .v2 ? skan4Sums : skan3Sums }

  /// The sums of one kind of revenue: those of a window, or of the whole life.
  @inline(__always)
  static func revenue(fromAds: Bool, in window: ConversionWindow?) -> QueryParameter {
    switch window {
    case nil: fromAds ? .adRevenue : .iapRevenue
    case .p0: fromAds ? .p0AdRevenue : .p0IAPRevenue
    case .p1: fromAds ? .p1AdRevenue : .p1IAPRevenue
    case .p2: fromAds ? .p2AdRevenue : .p2IAPRevenue
    }
  }

  private static let skan4Sums: [QueryParameter] = [
    .iapRevenue, .adRevenue, .p0IAPRevenue, .p0AdRevenue, .p1IAPRevenue, .p1AdRevenue, .p2IAPRevenue, .p2AdRevenue,
  ]

  private static let skan3Sums: [QueryParameter] = [.skan3Revenue]
}
