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

extension KeptState {
  /// Changes the strings that answers have left.
  package mutating func mapStrings(_ change: (String) -> String) {
    for entry in StoreEntry.skan4 {
      if case .string(let text)? = value(entry) { _ = set(entry, to: .value(.string(change(text)))) }
    }
  }

  /// An entry of the store, whatever its kind.
  package enum Entry: Sendable, Equatable {
    case value(KeptValue)
    case revenue(RevenueTable)
  }

  package func entry(_ entry: StoreEntry) -> Entry? {
    entry.isRevenue ? revenue(entry).map(Entry.revenue) : value(entry).map(Entry.value)
  }

  /// A number, or what an answer left in its place; nil for sums.
  // Inlined, so that of all cases one is left wherever the entry is known.
  @inline(__always)
  package func value(_ entry: StoreEntry) -> KeptValue? {
    switch entry {
    case .fineValue: fineValue
    case .previousFineValue: previousFineValue
    case .coarseValue(let window): coarseValue[window]
    case .previousCoarseValue(let window): previousCoarseValue[window]
    case .windowLock(let window): windowLock[window].map(KeptValue.integer)
    case .lastCall: lastCall.map(KeptValue.integer)
    case .firstCall: firstCall.map(KeptValue.integer)
    case .skan3Value: skan3Value.map(KeptValue.integer)
    case .iapRevenue, .adRevenue, .windowIAPRevenue, .windowAdRevenue: nil
    }
  }

  /// The sums of an entry of revenue; nil for others.
  package func revenue(_ entry: StoreEntry) -> RevenueTable? {
    switch entry {
    case .iapRevenue: iapRevenue
    case .adRevenue: adRevenue
    case .windowIAPRevenue(let window): windowIAPRevenue[window]
    case .windowAdRevenue(let window): windowAdRevenue[window]
    default: nil
    }
  }

  /// Sets a sum of an entry of revenue.
  mutating func setRevenue(_ entry: StoreEntry, _ currency: String, to sum: Double) {
    switch entry {
    case .iapRevenue: iapRevenue.set(currency, to: sum)
    case .adRevenue: adRevenue.set(currency, to: sum)
    case .windowIAPRevenue(let window): windowIAPRevenue[window].set(currency, to: sum)
    case .windowAdRevenue(let window): windowAdRevenue[window].set(currency, to: sum)
    default: break
    }
  }

  /// Puts an entry in its place.
  ///
  /// - Returns: false when this entry cannot hold the kind of the value; nothing is changed then.
  package mutating func set(_ entry: StoreEntry, to new: Entry) -> Bool {
    switch (entry, new) {
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

extension RevenueTable? {
  fileprivate mutating func set(_ currency: String, to sum: Double) {
    if self == nil { self = RevenueTable() }
    self?[currency] = sum
  }
}
