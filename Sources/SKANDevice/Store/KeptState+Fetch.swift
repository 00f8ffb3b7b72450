/// Memory that a step will need, looked at before its turn: with thousands of phones it is far away, and looked at for
/// many steps together it comes for all of them in little more than the time of one.
extension KeptState {
  /// Looks at the sums.
  ///
  /// Mutating, as otherwise it would be done on a copy.
  ///
  /// - Returns: something of what is there, so that it is not left out as useless.
  package mutating func fetch() -> UInt64 {
    // One by one: a list of them would be made each time.
    var found = (iapRevenue?.fetch() ?? 0) &+ (adRevenue?.fetch() ?? 0)
    found &+= (windowIAPRevenue[.p0]?.fetch() ?? 0) &+ (windowAdRevenue[.p0]?.fetch() ?? 0)
    found &+= (windowIAPRevenue[.p1]?.fetch() ?? 0) &+ (windowAdRevenue[.p1]?.fetch() ?? 0)
    found &+= (windowIAPRevenue[.p2]?.fetch() ?? 0) &+ (windowAdRevenue[.p2]?.fetch() ?? 0)
    return found
  }
}

extension RevenueTable {
  @inline(__always)
  fileprivate func fetch() -> UInt64 { sums.withUnsafeBufferPointer { $0.first?.amount.bitPattern ?? 0 } }
}
