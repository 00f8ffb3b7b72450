import SKANDevice

/// Maps times to positions in the drawing, from 0 to 1. Periods with more events are drawn longer, so the scale changes
/// at each knot, which has a tick.
package struct TimeAxis: Sendable, Equatable {
  package struct Knot: Sendable, Equatable {
    package let at: Instant
    /// From 0 to 1.
    package let position: Double
  }

  /// At least two knots, in ascending order.
  package let knots: [Knot]

  /// Whether all periods of the same length are drawn equally long.
  package var isLinear: Bool { knots.count == 2 }

  package var start: Instant { knots[0].at }
  package var end: Instant { knots[knots.count - 1].at }

  /// - Parameters:
  ///   - moments: the times where the scale may change, at least two in ascending order.
  ///   - marks: the times of the events to draw.
  init(_ moments: [Instant], marks: [Instant]) {
    let total = max(1, moments[moments.count - 1].since(moments[0]).seconds)
    let weights = zip(moments, moments.dropFirst()).map { start, end in
      let events = marks.count { $0 >= start && $0 < end }
      // The fourth root by way of square roots, which are exact on every machine.
      let length = (max(0, end.since(start).seconds) / total).squareRoot().squareRoot()
      return length * (1 + Double(min(events, 12)) / 4)
    }
    let sum = max(weights.reduce(0, +), .leastNonzeroMagnitude)
    let least = 0.08
    let rest = 1 - least * Double(weights.count)
    var position = 0.0
    var knots = [Knot(at: moments[0], position: 0)]
    for (moment, weight) in zip(moments.dropFirst(), weights) {
      position += least + rest * weight / sum
      knots.append(Knot(at: moment, position: min(1, position)))
    }
    knots[knots.count - 1] = Knot(at: moments[moments.count - 1], position: 1)
    self.knots = knots
  }

  /// The position of a time; times outside the axis are at its ends.
  package func position(_ moment: Instant) -> Double {
    if moment <= start { return 0 }
    for (left, right) in zip(knots, knots.dropFirst()) where moment < right.at {
      let part = moment.since(left.at).seconds / right.at.since(left.at).seconds
      return left.position + (right.position - left.position) * part
    }
    return 1
  }
}

extension TimeAxis {
  init(_ life: TimelineLife) {
    let events = life.history.map(\.at)
    let last = events.max() ?? life.origin
    let postbacks = life.postbacks.compactMap { $0.content == nil ? nil : $0.latest }
    let ofApple = life.appleBands.map(\.end)
    let ofApp = life.appBands.map(\.end)
    // Where Apple's windows are minutes, the app's days would take all the space.
    let limit = ((life.appleBands.isEmpty ? ofApp : ofApple) + postbacks + [last]).max() ?? last
    let end = max(limit, life.origin.later(by: .minutes(1)))
    let least = end.since(life.origin).microseconds / 5000
    var moments = [life.origin]
    for moment in (ofApple + ofApp).sorted() where moment <= end {
      if moment.since(moments[moments.count - 1]).microseconds > least { moments.append(moment) }
    }
    if moments[moments.count - 1] < end {
      // A period that is too short to be drawn is added to the one before.
      if moments.count > 1, end.since(moments[moments.count - 1]).microseconds <= least { moments.removeLast() }
      moments.append(end)
    }
    if let first = events.min(), life.origin.since(first).microseconds > least { moments.insert(first, at: 0) }
    if let index = moments.firstIndex(of: life.origin),
      let inner = Self.inner(moments[index], moments[index + 1], events)
    {
      moments.insert(inner, at: index + 1)
    }
    self.init(moments, marks: events)
  }

  /// Many events may happen at the beginning of the first window: the time where the scale changes to separate them.
  private static func inner(_ start: Instant, _ end: Instant, _ events: [Instant]) -> Instant? {
    let inside = events.filter { $0 >= start && $0 < end }
    let length = end.since(start).microseconds
    let early = inside.filter { $0.since(start).microseconds < length / 8 }
    guard early.count > 2, early.count * 2 >= inside.count, let last = early.max() else { return nil }
    let spans: [Int64] = [10, 30, 60, 300, 600, 1800, 3600, 3 * 3600, 6 * 3600]
    return spans.map { start.later(by: TimeSpan(seconds: $0)) }.first {
      $0 > last && $0.since(start).microseconds < length / 3
    }
  }
}

extension TimeSpan {
  /// The span rounded for readers: to hours from one day on, to minutes from one hour on, and so on.
  package var displayText: String {
    let size = microseconds.magnitude
    let grain: UInt64 =
      switch size {
      case (100 * Self.day)...: Self.day
      case Self.day...: 3_600_000_000
      case 3_600_000_000...: 60_000_000
      case 10_000_000...: 1_000_000
      default: 1000
      }
    let rounded = (size + grain / 2) / grain * grain
    let text = TimeSpan(microseconds: Int64(clamping: rounded)).description
    return microseconds < 0 && rounded > 0 ? "-\(text)" : text
  }

  /// ``displayText`` with a sign, as command lines show it: `+1d8h`.
  package var signedText: String {
    let displayText = displayText
    return displayText.hasPrefix("-") ? displayText : "+\(displayText)"
  }

  private static let day: UInt64 = 86_400_000_000
}
