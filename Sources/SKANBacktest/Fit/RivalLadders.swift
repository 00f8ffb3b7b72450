/// Ladders as people make them without a search, for comparison with a fit: they keep its limits.
struct RivalLadders {
  private let sample: RevenueSample
  private let candidates: LadderCandidates
  private let limits: LadderLimits
  /// The index of the first amount above 0.
  private let first: Int

  init(_ sample: RevenueSample, _ limits: LadderLimits) {
    (self.sample, self.limits) = (sample, limits)
    first = sample.index(of: 1)
    candidates = LadderCandidates(Array(sample.amounts[first...]))
  }

  /// Ranges with equal numbers of paying users, as far as their amounts allow.
  func quantiles(_ count: Int) -> RevenueLadder {
    guard sample.payers > 0 else { return RevenueLadder([]) }
    return limits.keeping((0..<count).map { candidates.below(index(ofRank: $0, of: count)) }, of: sample)
  }

  /// Ranges from the least amount to the highest one whose ends are equal multiples of their starts.
  func logEqual(_ count: Int) -> RevenueLadder {
    guard let highest = sample.amounts.last, highest > 0 else { return RevenueLadder([]) }
    let lowest = candidates.below(0)
    // The root, between 1 and the whole ratio, by halving: it needs no function that differs from system to system.
    let ratio = Double(highest) / Double(lowest)
    func power(_ root: Double) -> Double { (0..<count).reduce(1) { power, _ in power * root } }
    var (low, high) = (1.0, ratio)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if power(middle) < ratio { low = middle } else { high = middle }
    }
    var boundary = Double(lowest)
    let rest = (1..<max(1, count)).map { _ in
      boundary *= low
      return candidates.nearest(Int(boundary.rounded()))
    }
    return limits.keeping([lowest] + rest, of: sample)
  }

  /// Ranges divided in the middle between the means of neighbouring clusters, by Lloyd's algorithm (k-means) from quantiles.
  func kMeans(_ count: Int) -> RevenueLadder {
    guard sample.payers > 0 else { return RevenueLadder([]) }
    // The index of the first amount of each cluster but the lowest.
    var starts = Set((1..<max(1, count)).map { first + index(ofRank: $0, of: count) }).subtracting([first]).sorted()
    var middles: [Int] = []
    for _ in 0..<100 {
      let clusters = zip([first] + starts, starts + [sample.amounts.count])
      let means = clusters.map { sample.total($0..<$1) / (sample.counts[$1] - sample.counts[$0]) }
      middles = zip(means, means.dropFirst()).map { $0 + ($1 - $0 + 1) / 2 }
      let moved = middles.map { sample.index(of: $0) }
      if moved == starts { break }
      // No cluster is empty.
      starts = Set(moved.filter { $0 > first && $0 < sample.amounts.count }).sorted()
    }
    return limits.keeping([candidates.below(0)] + middles.map(candidates.nearest), of: sample)
  }

  /// The last amount above 0 with no more than a share of the payers below it, by its index among those above 0.
  private func index(ofRank number: Int, of count: Int) -> Int {
    let rank = sample.counts[first] + number * sample.payers / count
    return sample.counts.index(from: first + 1, to: sample.amounts.count) { $0 <= rank } - 1 - first
  }
}
