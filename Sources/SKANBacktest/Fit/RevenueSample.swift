import SKANModel

/// Amounts of revenue, of each device one, so that the error of a range is known without looking at each.
package struct RevenueSample: Sendable {
  /// Every amount once, ascending, in millionths.
  let amounts: [Int]
  /// How many devices have an amount below the one at an index; one more at the end.
  let counts: [Int]
  /// What they have together.
  private let sums: [Int]
  /// The same without signs.
  private let magnitudes: [Int]

  /// The most that an amount counts for: a million millions.
  private static let most = 1_000_000_000_000_000_000

  init(_ revenue: [Int]) {
    var (amounts, counts, sums, magnitudes): ([Int], [Int], [Int], [Int]) = ([], [0], [0], [0])
    for exact in revenue.sorted() {
      // Beyond all money; what is below adds up without an overflow.
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

  /// How many have revenue.
  package var payers: Int { devices - counts[index(of: 1)] }

  /// What all have together, in millionths.
  package var total: Int { sums[sums.count - 1] }

  /// The index of the first amount that is not below one.
  func index(of amount: Int) -> Int {
    var (low, high) = (0, amounts.count)
    while low < high {
      let middle = (low + high) / 2
      if amounts[middle] < amount { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The sum over all devices of |decoded − true|, in millionths: a device below the first range is decoded to 0.
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

  /// The error of those below an index, which are decoded to 0.
  func errorBelow(_ index: Int) -> Int { magnitudes[index] }

  /// The error of those in a range of indices.
  ///
  /// - Parameter split: in the range, the index of the first amount that is not below `decoded`.
  @inline(__always)
  func error(_ range: Range<Int>, decodedTo decoded: Int, split: Int) -> Int {
    let below = (counts[split] - counts[range.lowerBound]).multipliedSaturating(by: decoded)
    let above = (counts[range.upperBound] - counts[split]).multipliedSaturating(by: decoded)
    return (below &- (sums[split] &- sums[range.lowerBound])).addedSaturating(
      sums[range.upperBound] &- sums[split] &- above)
  }
}

extension Int {
  /// Far above every sum of money, and so far below the end that a sum of two does not pass it.
  private static let enough = Int.max / 4

  @inline(__always)
  fileprivate func multipliedSaturating(by other: Int) -> Int {
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
