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
  fileprivate func countAscending(where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Finds the revenue ranges with the least error among all ladders with at most a given number of ranges that start at
/// given boundaries. The result is exact.
///
/// It uses dynamic programming for one-dimensional segmentation, which takes n²·k/2 steps for n boundaries and k
/// ranges.
struct LadderFit {
  private let sample: RevenueSample
  /// The possible boundaries, ascending.
  let edges: [Int]
  /// The index of the first amount not below each boundary.
  private let indices: [Int]
  private let most: Int
  /// The least error of all devices from a boundary on, by boundary and number of ranges above the first.
  private var least: [Int] = []
  /// The end of the first of these ranges.
  private var ends: [Int32] = []

  /// - Parameter most: the most ranges.
  init(_ sample: RevenueSample, edges: [Int], most: Int) {
    self.sample = sample
    self.most = max(1, most)
    self.edges = Set(edges.filter { $0 > 0 }).sorted()
    indices = self.edges.map { sample.index(of: $0) }
    search()
  }

  private mutating func search() {
    var least = [Int](repeating: .max / 2, count: edges.count * most)
    var ends = [Int32](repeating: -1, count: edges.count * most)
    unsafe least.withUnsafeMutableBufferPointer { least in
      unsafe ends.withUnsafeMutableBufferPointer { ends in
        for start in edges.indices.reversed() {
          unsafe least[start * most] = errorAbove(start)
          var split = indices[start]
          for end in edges.indices[(start + 1)...] {
            let error = error(from: start, to: end, &split)
            for number in 1..<most {
              let sum = unsafe least[end * most + number - 1] &+ error
              if unsafe sum < least[start * most + number] {
                unsafe least[start * most + number] = sum
                unsafe ends[start * most + number] = Int32(truncatingIfNeeded: end)
              }
            }
          }
        }
      }
    }
    (self.least, self.ends) = (least, ends)
  }

  /// The best ladder with at most this many ranges, and at least one; of equally good ones the one with the fewest. Nil
  /// without boundaries.
  ///
  /// - Parameters:
  ///   - count: at most the most ranges.
  ///   - credit: what is taken off the error, by index of the first boundary.
  func best(ranges count: Int, credit: [Int]? = nil) -> (error: Int, ladder: RevenueLadder)? {
    guard count > 0, !edges.isEmpty else { return nil }
    var best = (edge: 0, number: 0, error: Int.max)
    for number in 0..<min(count, most) {
      for edge in edges.indices {
        let error = sample.errorBelow(indices[edge]) &+ least[edge * most + number] &- (credit?[edge] ?? 0)
        if error < best.error { best = (edge, number, error) }
      }
    }
    var boundaries = [edges[best.edge]]
    var (edge, number) = (best.edge, best.number)
    while number > 0 {
      edge = Int(ends[edge * most + number])
      number -= 1
      boundaries.append(edges[edge])
    }
    return (best.error, RevenueLadder(boundaries))
  }

  /// The error if all devices are decoded to 0.
  var errorWithoutRanges: Int { sample.errorBelow(sample.amounts.count) }

  /// The number of boundaries that are not above an amount.
  func position(of amount: Int) -> Int { edges.countAscending { $0 <= amount } }

  /// - Parameter split: moves on with `end`: amounts below the middle of a range are also below that of a longer one.
  @inline(__always)
  private func error(from start: Int, to end: Int, _ split: inout Int) -> Int {
    let decoded = RevenueLadder.decoded(from: edges[start], below: edges[end])
    while split < indices[end], sample.amounts[split] < decoded { split += 1 }
    return sample.error(indices[start]..<indices[end], decodedTo: decoded, split: split)
  }

  private func errorAbove(_ edge: Int) -> Int {
    sample.error(indices[edge]..<sample.amounts.count, decodedTo: edges[edge], split: indices[edge])
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

/// The candidates for boundaries of ranges: they lie between the users' amounts, so that no amount is on a boundary.
///
/// Singular's snippet keeps sums in single precision: 4.99 becomes 4.98999977…, which is below a boundary at 4.99. So a
/// boundary keeps a distance from the adjacent amounts where there is space, is a whole cent where possible, and misses no
/// price.
struct LadderCandidates {
  private let amounts: [Int]

  /// A cent, in millionths.
  fileprivate static let cent = 10_000

  /// - Parameter amounts: the distinct amounts above 0, ascending.
  init(_ amounts: [Int]) { self.amounts = amounts }

  /// The most that a single-precision sum may differ from an amount.
  private static func margin(_ amount: Int) -> Int { max(2, amount / 1_000_000) }

  /// A boundary below an amount and above the previous one.
  func below(_ index: Int) -> Int {
    let amount = amounts[index]
    let before = index > 0 ? amounts[index - 1] : 0
    var rounded = (amount - Self.margin(amount)) / Self.cent * Self.cent
    if Self.missesPrice(rounded) { rounded -= Self.cent }
    if rounded > before + Self.margin(before) { return rounded }
    let middle = before + max(1, (amount - before) / 2)
    return Self.missesPrice(middle) ? middle + (amount - middle) / 2 : middle
  }

  /// A boundary above an amount and below the next one.
  func above(_ index: Int) -> Int {
    let amount = amounts[index]
    var rounded = (amount + Self.margin(amount) + Self.cent - 1) / Self.cent * Self.cent
    if Self.missesPrice(rounded) { rounded += Self.cent }
    guard index + 1 < amounts.count else { return rounded }
    return rounded < amounts[index + 1] - Self.margin(amounts[index + 1]) ? rounded : below(index + 1)
  }

  /// Whether a range from this amount on misses a price.
  fileprivate static func missesPrice(_ amount: Int) -> Bool {
    RevenueCondition.missesPrice(RevenueLadder.amount(amount))
  }

  /// Boundaries below and above each amount; if there are too many, those that divide the devices evenly.
  ///
  /// - Parameter counts: the number of devices below each amount, followed by that of all devices.
  func all(counts: ArraySlice<Int>, atMost limit: Int) -> [Int] {
    indices(counts: counts, atMost: limit / 2).flatMap { [below($0), above($0)] }
  }

  /// Round amounts up to the highest amount, such as 0.01, 7.5, 20 and 250: one or two digits and zeros, in cents. Those
  /// that a device spent are left out.
  ///
  /// People choose such boundaries, and with them a fit is not worse than their models.
  ///
  /// - Parameter limit: if there are more, none.
  func usual(atMost limit: Int) -> [Int] {
    guard let amount = amounts.last else { return [] }
    // Nobody chooses more than a million.
    let highest = min(amount, 1_000_000_000_000)
    var all = (1...9).map { $0 * Self.cent }
    var unit = Self.cent
    while unit <= highest / 10 {
      all += (10...99).map { $0 * unit }
      unit *= 10
    }
    let spent = Set(amounts)
    all = all.filter { $0 <= highest && !spent.contains($0) && isSafe($0) && !Self.missesPrice($0) }
    return all.count > limit ? [] : all
  }

  /// Multiples of a number of millionths up to the highest amount; if there are too many, those adjacent to amounts that
  /// divide the devices evenly.
  ///
  /// A multiple that a single-precision sum can miss is not among them: one near an amount, or at an amount that single
  /// precision cannot hold.
  func multiples(of step: Int, counts: ArraySlice<Int>, atMost limit: Int) -> [Int] {
    guard let highest = amounts.last else { return [] }
    let all =
      highest / step <= limit
      ? (0...highest / step).map { $0 * step }
      : indices(counts: counts, atMost: limit / 2).flatMap { index in
        let below = amounts[index] / step * step
        return [below, below.addingReportingOverflow(step).partialValue]
      }
    return all.filter { $0 > 0 && $0 <= highest && isSafe($0) && !Self.missesPrice($0) }
  }

  /// Whether sums in single precision are on the same side of a boundary as the amounts.
  private func isSafe(_ boundary: Int) -> Bool {
    let low = amounts.countAscending { $0 < boundary }
    let isAbove = low == 0 || boundary - amounts[low - 1] > Self.margin(amounts[low - 1])
    guard low < amounts.count else { return isAbove }
    if amounts[low] == boundary {
      let amount = RevenueLadder.amount(boundary)
      return isAbove && Double(Float(amount)) == amount
    }
    return isAbove && amounts[low] - boundary > Self.margin(amounts[low])
  }

  /// The indices of all amounts; if there are too many, of those that divide the devices evenly.
  private func indices(counts: ArraySlice<Int>, atMost limit: Int) -> [Int] {
    let counts = Array(counts)
    guard amounts.count > limit, let first = counts.first, let last = counts.last else { return Array(amounts.indices) }
    let groups = max(1, limit)
    var group = -1
    return amounts.indices.filter { index in
      let own = (counts[index] - first) * groups / max(1, last - first)
      defer { group = own }
      return own != group
    }
  }
}

/// Ladders as made by hand, for comparison with a fit.
struct RivalLadders {
  private let sample: RevenueSample
  private let candidates: LadderCandidates
  /// The index of the first amount above 0.
  private let first: Int

  init(_ sample: RevenueSample) {
    self.sample = sample
    first = sample.index(of: 1)
    candidates = LadderCandidates(Array(sample.amounts[first...]))
  }

  /// Ranges with equal numbers of paying users, as far as their amounts allow.
  func quantiles(_ count: Int) -> RevenueLadder {
    guard sample.payers > 0 else { return RevenueLadder([]) }
    let boundaries = (0..<count).map { number in
      let rank = sample.counts[first] + number * sample.payers / count
      // The last amount with no more than `rank` devices below it.
      var (low, high) = (first, sample.amounts.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if sample.counts[middle] <= rank { low = middle } else { high = middle }
      }
      return candidates.below(low - first)
    }
    return RevenueLadder(boundaries)
  }

  /// Ranges of equal width from the least amount on; a boundary that would miss a price is a cent lower. The width is the
  /// one with the least error for which the last range starts at one of the edges.
  func equalWidth(_ count: Int, edges: [Int]) -> RevenueLadder {
    guard sample.payers > 0 else { return RevenueLadder([]) }
    let start = candidates.below(0)
    var best = (ladder: RevenueLadder([start]), error: sample.error(of: RevenueLadder([start])))
    for end in edges where end > start && count > 1 {
      let ladder = RevenueLadder(
        (0..<count).map { index in
          let boundary = start + (end - start) / (count - 1) * index
          return LadderCandidates.missesPrice(boundary) ? boundary - LadderCandidates.cent : boundary
        })
      let error = sample.error(of: ladder)
      if error < best.error { best = (ladder, error) }
    }
    return best.ladder
  }
}
