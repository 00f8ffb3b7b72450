/// The ladders that a team makes by hand, to show what a fit gains.
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

  /// Ranges with the same number of users with revenue in each, as far as their amounts allow.
  func quantiles(_ count: Int) -> RevenueLadder {
    guard sample.payers > 0 else { return RevenueLadder([]) }
    let boundaries = (0..<count).map { number in
      let rank = sample.counts[first] + number * sample.payers / count
      // The last amount that no more than that many devices are below.
      var (low, high) = (first, sample.amounts.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if sample.counts[middle] <= rank { low = middle } else { high = middle }
      }
      return candidates.below(low - first)
    }
    return RevenueLadder(boundaries)
  }

  /// Ranges of the same width from the least amount on: of all widths for which the last range begins at one of some
  /// boundaries, that with the least error.
  func equalWidth(_ count: Int, edges: [Int]) -> RevenueLadder {
    guard sample.payers > 0 else { return RevenueLadder([]) }
    let start = candidates.below(0)
    var best = (ladder: RevenueLadder([start]), error: sample.error(of: RevenueLadder([start])))
    for end in edges where end > start && count > 1 {
      let ladder = RevenueLadder((0..<count).map { start + (end - start) / (count - 1) * $0 })
      let error = sample.error(of: ladder)
      if error < best.error { best = (ladder, error) }
    }
    return best.ladder
  }
}
