/// Finds the revenue ranges with the least error among all ladders with at most a given number of ranges that start at
/// given boundaries and keep the limits. The result is exact.
///
/// It uses dynamic programming for one-dimensional segmentation: the least error of all devices from boundary *s* on, with
/// *k* ranges, is the least of `error(s, e) + least(e, k − 1)` over the ends *e* of the first range. The error of a range,
/// whose value is decoded to its middle, is not Monge, so that divide and conquer over the ends is not exact. Instead,
/// blocks of ends that cannot have the least sum are skipped:
///
/// - *Error of a block.* Let a block have the ends *a* to *b*. Each range from *s* to an end in it contains all devices
///   from *s* to *a*, and its middle *m* is between those of the ranges to *a* and to *b*. So its error is at least the sum
///   of |amount − *v*| over these devices for *v* = *m*. This sum is convex in *v* and least at their median, so that it is
///   least at the *v* between the two middles that is nearest to the median.
/// - *Rest of a block.* `least(e, k − 1)` is at least its minimum over the block.
/// - *What is already found.* The best end for boundary *s* + 1 and *k* ranges is allowed for *s*, too, since the first
///   allowed end does not fall with *s*. Its sum for *s* is not below the least. A block where the two bounds
///   together are above this sum, or not below that of an end before, has no better end.
/// - *Number of ranges.* Two adjacent ranges that keep the limits keep them as one. So where no *k* ranges do,
///   no *k* + 1 do.
///
/// Errors of ranges are computed at most once for each start and end, and only in blocks that are not skipped. In the worst
/// case nothing is skipped, and there are n²·k/2 additions for n boundaries and k ranges. The bounds are proven for sums of
/// amounts up to two million millions, above which sums are limited.
struct LadderFit {
  private let sample: RevenueSample
  /// The possible boundaries, ascending.
  let edges: [Int]
  /// The least number of devices for a value.
  let leastDevices: Int
  /// The index of the first amount not below each boundary.
  private let indices: [Int]
  private let most: Int
  /// The least error of all devices from a boundary on, by number of ranges above the first, and boundary.
  private var least: [Int] = []
  /// The end of the first of these ranges.
  private var ends: [Int32] = []

  /// More than any error: there is no ladder.
  private static let never = Int.max / 2
  /// The number of ends in a block.
  private static let size = 32

  /// - Parameter most: the most ranges.
  init(_ sample: RevenueSample, edges: [Int], most: Int, limits: LadderLimits = .none) {
    self.sample = sample
    self.most = max(1, most)
    self.edges = Set(edges.filter { $0 > 0 }).sorted()
    indices = self.edges.map { sample.index(of: $0) }
    leastDevices = limits.devices.of(sample.payers)
    search(limits)
  }

  /// The first allowed end of a range from each boundary; the number of boundaries if no end is allowed.
  private func firstEnds(_ limits: LadderLimits) -> [Int] {
    var end = 0
    return edges.indices.map { start in
      let least = edges[start] + limits.width.of(edges[start])
      end = max(end, start + 1)
      while end < edges.count,
        edges[end] < least || sample.counts[indices[end]] - sample.counts[indices[start]] < leastDevices
      {
        end += 1
      }
      return end
    }
  }

  private mutating func search(_ limits: LadderLimits) {
    let (count, size) = (edges.count, Self.size)
    let blocks = (count + size - 1) / size
    let firstEnds = firstEnds(limits)
    var least = [Int](repeating: Self.never, count: count * most)
    var ends = [Int32](repeating: -1, count: count * most)
    /// The minimum of `least` in each block.
    var leastOfBlock = [Int](repeating: Self.never, count: blocks * most)
    var errors = RangeErrors(count: count, blocks: blocks)
    for start in edges.indices.reversed() {
      let own = start / size
      guard sample.devices - sample.counts[indices[start]] >= leastDevices else { continue }
      least[start] = errorAbove(start)
      leastOfBlock[own] = min(leastOfBlock[own], least[start])
      let first = firstEnds[start]
      if first == count { continue }
      bound(&errors, from: start, first)
      for number in 1..<most {
        let (rest, blocksOfRest) = ((number - 1) * count, (number - 1) * blocks)
        var best = (sum: Self.never, end: -1)
        if start + 1 < count, case let end = Int(ends[number * count + start + 1]), end >= 0 {
          fill(&errors, from: start, to: end / size, first)
          // The first of equally good ends is chosen, so the search has to find this one again.
          best.sum = min(best.sum, errors.row[end] + least[rest + end] + 1)
        }
        for block in first / size..<blocks where errors.bounds[block] + leastOfBlock[blocksOfRest + block] < best.sum {
          fill(&errors, from: start, to: block, first)
          for end in allowed(block, from: first) {
            let sum = errors.row[end] + least[rest + end]
            if sum < best.sum { best = (sum, end) }
          }
        }
        if best.end < 0 { break }
        least[number * count + start] = best.sum
        ends[number * count + start] = Int32(truncatingIfNeeded: best.end)
        leastOfBlock[number * blocks + own] = min(leastOfBlock[number * blocks + own], best.sum)
      }
    }
    (self.least, self.ends) = (least, ends)
  }

  /// The errors of ranges from one boundary: a lower bound of each block, and those of a block when they are needed.
  private struct RangeErrors {
    var row: [Int]
    /// The boundary from which the ranges of a block in ``row`` begin.
    var starts: [Int]
    var bounds: [Int]
    /// The index of the first amount that is not below the middle of each block's first range.
    var splits: [Int]

    init(count: Int, blocks: Int) {
      row = [Int](repeating: 0, count: count)
      starts = [Int](repeating: -1, count: blocks)
      (bounds, splits) = ([Int](repeating: 0, count: blocks), [Int](repeating: 0, count: blocks))
    }
  }

  /// The allowed ends in a block.
  @inline(__always)
  private func allowed(_ block: Int, from first: Int) -> Range<Int> {
    max(first, block * Self.size)..<min(edges.count, (block + 1) * Self.size)
  }

  @inline(__always)
  private func fill(_ errors: inout RangeErrors, from start: Int, to block: Int, _ first: Int) {
    if errors.starts[block] == start { return }
    errors.starts[block] = start
    var split = errors.splits[block]
    for end in allowed(block, from: first) {
      let decoded = RevenueLadder.decoded(from: edges[start], below: edges[end])
      split = sample.index(of: decoded, near: split, to: indices[end])
      errors.row[end] = sample.error(indices[start]..<indices[end], decodedTo: decoded, split: split)
    }
  }

  /// Computes the bounds of all blocks. Medians and middles do not fall from one block to the next.
  private func bound(_ errors: inout RangeErrors, from start: Int, _ first: Int) {
    let from = indices[start]
    var (split, median) = (from, from + 1)
    for block in first / Self.size..<errors.bounds.count {
      let ends = allowed(block, from: first)
      let to = indices[ends.lowerBound]
      let lowest = RevenueLadder.decoded(from: edges[start], below: edges[ends.lowerBound])
      let highest = RevenueLadder.decoded(from: edges[start], below: edges[ends.upperBound - 1])
      split = sample.index(of: lowest, near: split, to: to)
      (errors.splits[block], errors.bounds[block]) = (split, 0)
      if from == to { continue }
      // The amount of a device in the middle: as many are not above it as are not below it.
      let middle = (sample.counts[from] + sample.counts[to]) / 2
      median = sample.counts.index(near: median, to: to) { $0 <= middle }
      let value = min(max(sample.amounts[median - 1], lowest), highest)
      errors.bounds[block] = sample.error(
        from..<to, decodedTo: value, split: sample.index(of: value, near: split, to: to))
    }
  }

  /// The best ladder with at most this many ranges, and at least one; of equally good ones the one with the fewest. Nil
  /// if there is none.
  ///
  /// - Parameters:
  ///   - count: at most the most ranges.
  ///   - credit: what is taken off the error, by index of the first boundary; nil for one that may not be the first.
  func best(ranges count: Int, credit: [Int?]? = nil) -> (error: Int, ladder: RevenueLadder)? {
    var best = (edge: -1, number: 0, error: Int.max)
    for number in 0..<max(0, min(count, most)) {
      for edge in edges.indices where least[number * edges.count + edge] < Self.never {
        guard let credit = credit.map({ $0[edge] }) ?? 0 else { continue }
        let error = sample.errorBelow(indices[edge]) &+ least[number * edges.count + edge] &- credit
        if error < best.error { best = (edge, number, error) }
      }
    }
    if best.edge < 0 { return nil }
    var boundaries = [edges[best.edge]]
    var (edge, number) = (best.edge, best.number)
    while number > 0 {
      edge = Int(ends[number * edges.count + edge])
      number -= 1
      boundaries.append(edges[edge])
    }
    return (best.error, RevenueLadder(boundaries))
  }

  /// The error if all devices are decoded to 0.
  var errorWithoutRanges: Int { sample.errorBelow(sample.amounts.count) }

  /// The number of boundaries that are not above an amount.
  func position(of amount: Int) -> Int { edges.countAscending { $0 <= amount } }

  private func errorAbove(_ edge: Int) -> Int {
    sample.error(indices[edge]..<sample.amounts.count, decodedTo: edges[edge], split: indices[edge])
  }
}
