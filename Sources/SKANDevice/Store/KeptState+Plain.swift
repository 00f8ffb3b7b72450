extension KeptState {
  /// Whether everything in it is as the documents say and a server reads just what was written: whole numbers in their
  /// ranges, and no `+` in the text of sums.
  package var isPlain: Bool {
    let (fine, coarse) = (StoreEntry.Kind.fineValues, StoreEntry.Kind.coarseValues)
    guard Self.isPlain(fineValue, in: fine), Self.isPlain(previousFineValue, in: fine), !iapRevenue.hasPlus,
      !adRevenue.hasPlus
    else { return false }
    for window in ConversionWindow.allCases {
      guard Self.isPlain(coarseValue[window], in: coarse), Self.isPlain(previousCoarseValue[window], in: coarse),
        (windowLock[window] ?? 0) >= 0, !windowIAPRevenue[window].hasPlus, !windowAdRevenue[window].hasPlus
      else { return false }
    }
    return true
  }

  /// Whether a server reads something else than was written in the sums of the install, or in those of a window.
  // Inlined, as a call would be given a copy of the whole store.
  @inline(__always)
  func hasPlusInRevenue(of window: ConversionWindow?) -> Bool {
    if iapRevenue.hasPlus || adRevenue.hasPlus { return true }
    return window.map { windowIAPRevenue[$0].hasPlus || windowAdRevenue[$0].hasPlus } ?? false
  }

  @inline(__always)
  private static func isPlain(_ value: KeptValue?, in range: ClosedRange<Int64>) -> Bool {
    switch value {
    case nil: true
    case .integer(let number)?: range.contains(number)
    default: false
    }
  }
}

extension RevenueTable? {
  @inline(__always)
  fileprivate var hasPlus: Bool { self?.hasPlus ?? false }
}
