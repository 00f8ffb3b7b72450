extension KeptState {
  /// Whether everything in it is as the documents say and a server reads just what was written: whole numbers in their
  /// ranges, and no `+` in the text of sums.
  package var isPlain: Bool {
    StoreEntry.all.allSatisfy { entry in
      switch entry.kind {
      case .fine, .coarse:
        switch value(entry) {
        case nil: true
        case .integer(let number)?: entry.kind.range?.contains(number) ?? true
        default: false
        }
      case .lock: value(entry).map { $0.int64 >= 0 } ?? true
      case .revenue: !(revenue(entry)?.hasPlus ?? false)
      case .call, .skan3: true
      }
    }
  }

  /// Whether a server reads something else than was written in the sums of the install, or in those of a window.
  @inline(__always)
  func hasPlusInRevenue(of window: ConversionWindow?) -> Bool {
    if hasPlus(.iapRevenue) || hasPlus(.adRevenue) { return true }
    return window.map { hasPlus(.windowIAPRevenue($0)) || hasPlus(.windowAdRevenue($0)) } ?? false
  }

  @inline(__always)
  private func hasPlus(_ entry: StoreEntry) -> Bool { revenue(entry)?.hasPlus ?? false }
}
