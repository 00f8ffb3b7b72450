import SKANDevice

/// Postbacks on their way, of one phone or of many, in the order of their next attempts.
struct ParcelQueue {
  private(set) var parcels: [Parcel]
  /// Those with an attempt to come, the next one last. Of two at the same time the one that comes first is the next.
  private var waiting: [(at: Instant, index: Int)]

  init(_ parcels: [Parcel]) {
    self.parcels = parcels
    waiting = parcels.enumerated().compactMap { index, parcel in parcel.nextAttempt.map { ($0, index) } }
    waiting.sort { Self.isLater($0, $1) }
  }

  private static func isLater(_ left: (at: Instant, index: Int), _ right: (at: Instant, index: Int)) -> Bool {
    left.at == right.at ? left.index > right.index : left.at > right.at
  }

  /// Takes the next attempt out; nil when none is due by a moment, or none is left.
  mutating func next(by now: Instant?) -> (index: Int, at: Instant)? {
    guard let next = waiting.last, now.map({ next.at <= $0 }) ?? true else { return nil }
    waiting.removeLast()
    return (next.index, next.at)
  }

  /// Adds an attempt that was made. Where it did not arrive, the next one is put in its place.
  mutating func add(_ attempt: Delivery, to index: Int) {
    parcels[index].attempts.append(attempt)
    guard let at = parcels[index].nextAttempt else { return }
    let position = waiting.partitioningIndex { Self.isLater((at, index), $0) }
    waiting.insert((at, index), at: position)
  }

  /// No answer at all says more of what is wrong than a wrong one.
  var ending: ExitCode {
    let endings = parcels.map(\.ending)
    return endings.contains(.unavailable) ? .unavailable : endings.first { $0 != .ok } ?? .ok
  }
}

extension Array {
  /// The first index whose element fits, where all behind it do; the end when none does.
  fileprivate func partitioningIndex(_ fits: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if fits(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
