import SKANModel

/// Adjacent ranges of revenue; the last one has no end.
package struct RevenueLadder: Sendable, Equatable {
  /// The start of each range, in millionths, ascending and above 0.
  package let boundaries: [Int]

  /// - Parameter boundaries: in any order and with repetitions; those not above 0 are ignored.
  init(_ boundaries: [Int]) { self.boundaries = Set(boundaries.filter { $0 > 0 }).sorted() }

  /// The exclusive end of a range; nil for the last one.
  func end(of index: Int) -> Int? { index + 1 < boundaries.count ? boundaries[index + 1] : nil }

  /// The decoded value of a range in millionths, as in a backtest (``RevenueRange/estimate``).
  func decoded(_ index: Int) -> Int { Self.decoded(from: boundaries[index], below: end(of: index)) }

  @inline(__always)
  static func decoded(from start: Int, below end: Int?) -> Int {
    Int(microUnits: RevenueRange.estimate(min: amount(start), below: end.map(amount)))
  }

  /// The amount in a model for a number of millionths.
  @inline(__always)
  static func amount(_ micros: Int) -> Double { Double(micros) / 1_000_000 }

  /// The index of the range that contains an amount; nil below the first.
  func index(of amount: Int) -> Int? {
    let count = boundaries.countAscending { $0 <= amount }
    return count == 0 ? nil : count - 1
  }
}

extension [Int] {
  /// The number of items at the beginning that satisfy a condition which no item after them satisfies.
  @inline(__always)
  func countAscending(where isBefore: (Int) -> Bool) -> Int { index(from: 0, to: count, after: isBefore) }

  /// The first index from `start` on whose item does not satisfy a condition which no item after it satisfies; `end` if
  /// there is none before.
  @inline(__always)
  func index(from start: Int, to end: Int, after isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (start, end)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// As above, found in steps that double, for an index near the start.
  @inline(__always)
  func index(near start: Int, to end: Int, after isBefore: (Int) -> Bool) -> Int {
    var (low, step) = (start, 1)
    while step <= end - low, isBefore(self[low + step - 1]) {
      low += step
      step *= 2
    }
    return index(from: low, to: Swift.min(end, low + step), after: isBefore)
  }
}

/// The revenue of a sample of devices, with sums that give the error of a range without iterating over the devices.
package struct RevenueSample: Sendable {
  /// The distinct amounts in millionths, ascending.
  let amounts: [Int]
  /// The number of devices with less than each amount; the last item counts all.
  let counts: [Int]
  /// The sums of these devices' amounts.
  private let sums: [Int]
  /// The sums of these devices' absolute amounts.
  private let magnitudes: [Int]

  /// The limit of an amount: a million millions.
  private static let most = 1_000_000_000_000_000_000

  init(_ revenue: [Int]) {
    var (amounts, counts, sums, magnitudes): ([Int], [Int], [Int], [Int]) = ([], [0], [0], [0])
    for exact in revenue.sorted() {
      // Limits unrealistic amounts, so that sums do not overflow.
      let amount = Swift.min(Swift.max(exact, -Self.most), Self.most)
      if amounts.last != amount {
        amounts.append(amount)
        counts.append(counts[counts.count - 1])
        sums.append(sums[sums.count - 1])
        magnitudes.append(magnitudes[magnitudes.count - 1])
      }
      counts[counts.count - 1] += 1
      sums[sums.count - 1] = sums[sums.count - 1].addedSaturating(amount)
      magnitudes[magnitudes.count - 1] = magnitudes[magnitudes.count - 1].addedSaturating(abs(amount))
    }
    (self.amounts, self.counts, self.sums, self.magnitudes) = (amounts, counts, sums, magnitudes)
  }

  package var devices: Int { counts[counts.count - 1] }

  /// The number of devices with revenue.
  package var payers: Int { devices - counts[index(of: 1)] }

  /// The sum of all amounts, in millionths.
  package var total: Int { sums[sums.count - 1] }

  /// The index of the first amount that is not below `amount`.
  func index(of amount: Int) -> Int { amounts.countAscending { $0 < amount } }

  /// As above, for an index in a range and near its start.
  @inline(__always)
  func index(of amount: Int, near start: Int, to end: Int) -> Int {
    amounts.index(near: start, to: end) { $0 < amount }
  }

  /// The sum of amounts in a range of indices, in millionths.
  func total(_ range: Range<Int>) -> Int { sums[range.upperBound] &- sums[range.lowerBound] }

  /// The sum over all devices of |decoded − true|, in millionths. Devices below the first range are decoded to 0.
  package func error(of ladder: RevenueLadder) -> Int {
    guard let first = ladder.boundaries.first else { return magnitudes[magnitudes.count - 1] }
    var error = errorBelow(index(of: first))
    for range in ladder.boundaries.indices {
      let end = ladder.end(of: range).map(index(of:)) ?? amounts.count
      let decoded = ladder.decoded(range)
      let start = index(of: ladder.boundaries[range])
      error = error.addedSaturating(
        self.error(start..<end, decodedTo: decoded, split: min(max(index(of: decoded), start), end)))
    }
    return error
  }

  /// The error of devices below an index, which are decoded to 0.
  func errorBelow(_ index: Int) -> Int { magnitudes[index] }

  /// The error of devices in a range of indices.
  ///
  /// - Parameter split: the index in the range of the first amount that is not below `decoded`.
  @inline(__always)
  func error(_ range: Range<Int>, decodedTo decoded: Int, split: Int) -> Int {
    let below = (counts[split] - counts[range.lowerBound]).multipliedSaturating(by: decoded)
    let above = (counts[range.upperBound] - counts[split]).multipliedSaturating(by: decoded)
    return (below &- (sums[split] &- sums[range.lowerBound])).addedSaturating(
      sums[range.upperBound] &- sums[split] &- above)
  }
}

extension Int {
  /// A limit far above every sum of money, and low enough that the sum of two limits does not overflow.
  private static let enough = Int.max / 4

  @inline(__always)
  func multipliedSaturating(by other: Int) -> Int {
    let (product, isTooLarge) = multipliedReportingOverflow(by: other)
    return isTooLarge ? Self.enough : Swift.min(product, Self.enough)
  }

  @inline(__always)
  func addedSaturating(_ other: Int) -> Int {
    Swift.max(-Self.enough, Swift.min(clamped &+ other.clamped, Self.enough))
  }

  private var clamped: Int {
    Swift.max(-Self.enough, Swift.min(self, Self.enough))
  }
}
