/// Finds the ranges of revenue with the least error, exactly: of all ladders with at most a number of ranges that begin at some
/// boundaries, none has less.
///
/// One-dimensional segmentation by dynamic programming: with n boundaries and k ranges n²·k/2 steps.
struct LadderFit {
  private let sample: RevenueSample
  private let edges: [Int]
  /// By boundary: the index of the first amount that is not below it.
  private let indices: [Int]

  init(_ sample: RevenueSample, edges: [Int]) {
    self.sample = sample
    self.edges = Set(edges.filter { $0 > 0 }).sorted()
    indices = self.edges.map { sample.index(of: $0) }
  }

  /// The best ladder with at most that many ranges; of several the one with the fewest.
  func best(ranges count: Int) -> RevenueLadder {
    guard count > 0, !edges.isEmpty else { return RevenueLadder([]) }
    // By boundary and number of ranges before it: the least error of all devices below it.
    var least = [Int](repeating: .max / 2, count: edges.count * count)
    // Where the range before it begins.
    var origins = [Int32](repeating: -1, count: edges.count * count)
    for (edge, index) in indices.enumerated() { least[edge * count] = sample.errorBelow(index) }
    unsafe least.withUnsafeMutableBufferPointer { least in
      unsafe origins.withUnsafeMutableBufferPointer { origins in
        for start in edges.indices {
          var split = indices[start]
          for end in edges.indices[(start + 1)...] {
            let error = error(from: start, to: end, &split)
            for number in 1..<max(1, count) {
              let sum = unsafe least[start * count + number - 1] &+ error
              if unsafe sum < least[end * count + number] {
                unsafe least[end * count + number] = sum
                unsafe origins[end * count + number] = Int32(truncatingIfNeeded: start)
              }
            }
          }
        }
      }
    }
    var best = (edge: 0, number: 0, error: Int.max)
    for number in 0..<count {
      for edge in edges.indices {
        let error = least[edge * count + number] &+ errorAbove(edge)
        if error < best.error { best = (edge, number, error) }
      }
    }
    var boundaries = [edges[best.edge]]
    var (edge, number) = (best.edge, best.number)
    while number > 0 {
      edge = Int(origins[edge * count + number])
      number -= 1
      boundaries.append(edges[edge])
    }
    return RevenueLadder(boundaries)
  }

  /// - Parameter split: moves on with the end: what is below the middle of a range stays below that of a longer one.
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
