import SKANModel

/// Ranges of revenue, each of which ends where the next begins; the last has no end.
package struct RevenueLadder: Sendable, Equatable {
  /// Where each range begins, in millionths, ascending, above 0.
  package let boundaries: [Int]

  /// - Parameter boundaries: in any order, perhaps twice; what is not above 0 is left out.
  init(_ boundaries: [Int]) { self.boundaries = Set(boundaries.filter { $0 > 0 }).sorted() }

  /// The end of a range, which is not part of it; nil of the last.
  func end(of index: Int) -> Int? { index + 1 < boundaries.count ? boundaries[index + 1] : nil }

  /// What a range is decoded to, in millionths: as a backtest decodes it (``RevenueRange/estimate``).
  func decoded(_ index: Int) -> Int { Self.decoded(from: boundaries[index], below: end(of: index)) }

  @inline(__always)
  static func decoded(from start: Int, below end: Int?) -> Int {
    Int(microUnits: RevenueRange.estimate(min: amount(start), below: end.map(amount)))
  }

  /// Millionths as a model writes them.
  @inline(__always)
  static func amount(_ micros: Int) -> Double { Double(micros) / 1_000_000 }

  /// The index of the range that an amount is in; nil below the first.
  func index(of amount: Int) -> Int? {
    var (low, high) = (0, boundaries.count)
    while low < high {
      let middle = (low + high) / 2
      if boundaries[middle] <= amount { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }
}
