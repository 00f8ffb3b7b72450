/// What the app keeps in `NSUserDefaults`: everything of the snippet that outlives a process; see the article
/// "Kept state".
///
/// One store for all versions of the snippet, because an update of the app changes the code and not the store.
package struct KeptState: Sendable, Equatable {
  /// `skan_current_conversion_value`: the last fine value written in P0.
  package var fineValue: KeptValue?
  /// `prev_fine_value`: the one before.
  package var previousFineValue: KeptValue?
  /// `p0_coarse` … : the last coarse number written in the window.
  package var coarseValue = PerWindow<KeptValue?>(repeating: nil)
  /// `p0_prev_coarse_value` … : the one before.
  package var previousCoarseValue = PerWindow<KeptValue?>(repeating: nil)
  /// `p0_window_lock` … : Unix seconds of the last update that locked.
  package var windowLock = PerWindow<Int64?>(repeating: nil)
  /// `skan_total_revenue_by_currency`, shared with SKAN 3.
  package var iapRevenue: RevenueTable?
  /// `skan_total_admon_revenue_by_currency`.
  package var adRevenue: RevenueTable?
  /// `p0_total_iap_revenue` … .
  package var windowIAPRevenue = PerWindow<RevenueTable?>(repeating: nil)
  /// `p0_total_admon_revenue` … .
  package var windowAdRevenue = PerWindow<RevenueTable?>(repeating: nil)
  /// Unix seconds, shared with SKAN 3.
  package var lastCall: Int64?
  /// Unix seconds, shared with SKAN 3.
  package var firstCall: Int64?
  /// `skan_conversion_value`: SKAN 3's one value.
  package var skan3Value: Int64?

  package init() {}
}

/// An entry of the store: its exact name, and which property it is.
///
/// The order is the one in which a request carries the entries.
package enum KeptKey: Sendable, Hashable {
  case fineValue, previousFineValue
  case coarseValue(ConversionWindow), previousCoarseValue(ConversionWindow), windowLock(ConversionWindow)
  case iapRevenue, adRevenue
  case windowIAPRevenue(ConversionWindow), windowAdRevenue(ConversionWindow)
  case lastCall, firstCall
  case skan3Value

  /// What `getSkanDetails` reads, in the order of the request.
  package static let skan4: [KeptKey] =
    [.fineValue, .previousFineValue] + each(KeptKey.coarseValue) + each(KeptKey.previousCoarseValue)
    + each(KeptKey.windowLock) + [.iapRevenue, .adRevenue] + each(KeptKey.windowIAPRevenue)
    + each(KeptKey.windowAdRevenue) + [.lastCall, .firstCall]

  /// The four entries of SKAN 3.
  package static let skan3: [KeptKey] = [.skan3Value, .iapRevenue, .lastCall, .firstCall]

  package static let all = skan4 + [.skan3Value]

  /// Its rank when all are ordered by their names.
  var rank: Int {
    switch self {
    case .coarseValue(let window): 5 * window.rawValue
    case .previousCoarseValue(let window): 5 * window.rawValue + 1
    case .windowAdRevenue(let window): 5 * window.rawValue + 2
    case .windowIAPRevenue(let window): 5 * window.rawValue + 3
    case .windowLock(let window): 5 * window.rawValue + 4
    case .previousFineValue: 15
    case .skan3Value: 16
    case .fineValue: 17
    case .firstCall: 18
    case .lastCall: 19
    case .adRevenue: 20
    case .iapRevenue: 21
    }
  }

  /// How many ranks there are.
  static let ranks = 22

  private static func each(_ key: (ConversionWindow) -> KeptKey) -> [KeptKey] { ConversionWindow.allCases.map(key) }

  /// The key in `NSUserDefaults`, in `getSkanDetails` and in the request.
  package var name: String {
    switch self {
    case .fineValue: "skan_current_conversion_value"
    case .previousFineValue: "prev_fine_value"
    case .coarseValue(let window): Self.coarseNames[window]
    case .previousCoarseValue(let window): Self.previousCoarseNames[window]
    case .windowLock(let window): Self.windowLockNames[window]
    case .iapRevenue: "skan_total_revenue_by_currency"
    case .adRevenue: "skan_total_admon_revenue_by_currency"
    case .windowIAPRevenue(let window): Self.windowIAPRevenueNames[window]
    case .windowAdRevenue(let window): Self.windowAdRevenueNames[window]
    case .lastCall: "skan_last_call_to_skadnetwork_timestamp"
    case .firstCall: "skan_first_call_to_skadnetwork_timestamp"
    case .skan3Value: "skan_conversion_value"
    }
  }

  // Names are asked for in every step that is shown. Literals are part of the program and not reference
  // counted, as composed texts are.
  private static let coarseNames = names("p0_coarse", "p1_coarse", "p2_coarse")
  private static let previousCoarseNames = names(
    "p0_prev_coarse_value", "p1_prev_coarse_value", "p2_prev_coarse_value")
  private static let windowLockNames = names("p0_window_lock", "p1_window_lock", "p2_window_lock")
  private static let windowIAPRevenueNames = names(
    "p0_total_iap_revenue", "p1_total_iap_revenue", "p2_total_iap_revenue")
  private static let windowAdRevenueNames = names(
    "p0_total_admon_revenue", "p1_total_admon_revenue", "p2_total_admon_revenue")

  private static func names(_ p0: String, _ p1: String, _ p2: String) -> PerWindow<String> {
    var names = PerWindow(repeating: p0)
    names[.p1] = p1
    names[.p2] = p2
    return names
  }
}

extension KeptKey {
  /// Whether it holds sums by currency.
  package var isRevenue: Bool {
    switch self {
    case .iapRevenue, .adRevenue, .windowIAPRevenue, .windowAdRevenue: true
    default: false
    }
  }

  /// Whether it holds Unix seconds.
  package var isTimestamp: Bool {
    switch self {
    case .windowLock, .firstCall, .lastCall: true
    default: false
    }
  }
}

extension KeptState {
  /// Changes the strings that answers have left.
  package mutating func mapStrings(_ change: (String) -> String) {
    for key in KeptKey.skan4 {
      if case .value(.string(let text))? = entry(key) { _ = set(key, to: .value(.string(change(text)))) }
    }
  }

  /// An entry of the store, whatever its kind.
  package enum Entry: Sendable, Equatable {
    case value(KeptValue)
    case revenue(RevenueTable)
  }

  package func entry(_ key: KeptKey) -> Entry? {
    switch key {
    case .fineValue: fineValue.map(Entry.value)
    case .previousFineValue: previousFineValue.map(Entry.value)
    case .coarseValue(let window): coarseValue[window].map(Entry.value)
    case .previousCoarseValue(let window): previousCoarseValue[window].map(Entry.value)
    case .windowLock(let window): windowLock[window].map { .value(.integer($0)) }
    case .iapRevenue: iapRevenue.map(Entry.revenue)
    case .adRevenue: adRevenue.map(Entry.revenue)
    case .windowIAPRevenue(let window): windowIAPRevenue[window].map(Entry.revenue)
    case .windowAdRevenue(let window): windowAdRevenue[window].map(Entry.revenue)
    case .lastCall: lastCall.map { .value(.integer($0)) }
    case .firstCall: firstCall.map { .value(.integer($0)) }
    case .skan3Value: skan3Value.map { .value(.integer($0)) }
    }
  }

  /// Puts an entry in its place.
  ///
  /// - Returns: false when the entry is of a kind that this key cannot hold; nothing is changed then.
  package mutating func set(_ key: KeptKey, to entry: Entry) -> Bool {
    switch (key, entry) {
    case (.fineValue, .value(let value)): fineValue = value
    case (.previousFineValue, .value(let value)): previousFineValue = value
    case (.coarseValue(let window), .value(let value)): coarseValue[window] = value
    case (.previousCoarseValue(let window), .value(let value)): previousCoarseValue[window] = value
    case (.windowLock(let window), .value(.integer(let seconds))): windowLock[window] = seconds
    case (.iapRevenue, .revenue(let table)): iapRevenue = table
    case (.adRevenue, .revenue(let table)): adRevenue = table
    case (.windowIAPRevenue(let window), .revenue(let table)): windowIAPRevenue[window] = table
    case (.windowAdRevenue(let window), .revenue(let table)): windowAdRevenue[window] = table
    case (.lastCall, .value(.integer(let seconds))): lastCall = seconds
    case (.firstCall, .value(.integer(let seconds))): firstCall = seconds
    case (.skan3Value, .value(.integer(let value))): skan3Value = value
    default: return false
    }
    return true
  }
}
