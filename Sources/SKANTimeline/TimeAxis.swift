import SKANDevice

/// Where moments lie on the drawing, from 0 to 1. Stretches of time are drawn longer the more happens in them, so the
/// scale changes at each knot, and each knot has its tick.
package struct TimeAxis: Sendable, Equatable {
  package struct Knot: Sendable, Equatable {
    package let at: Instant
    /// From 0 to 1.
    package let position: Double
  }

  /// At least two, ascending.
  package let knots: [Knot]

  /// Whether a stretch of time has the same length wherever it lies.
  package var isLinear: Bool { knots.count == 2 }

  package var start: Instant { knots[0].at }
  package var end: Instant { knots[knots.count - 1].at }

  /// - Parameters:
  ///   - moments: where the scale may change, ascending and at least two.
  ///   - marks: what is to be drawn.
  init(_ moments: [Instant], marks: [Instant]) {
    let total = max(1, moments[moments.count - 1].since(moments[0]).seconds)
    let weights = zip(moments, moments.dropFirst()).map { start, end in
      let events = marks.count { $0 >= start && $0 < end }
      // The fourth root, of square roots, since those are the same on every machine.
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

  /// Where a moment lies; what is outside lies on the border.
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
  init(_ life: Life) {
    let events = life.history.map(\.at)
    let last = events.max() ?? life.origin
    let postbacks = life.postbacks.compactMap { $0.content == nil ? nil : $0.latest }
    let ofApple = life.appleBands.map(\.end)
    let ofApp = life.appBands.map(\.end)
    // By Apple's minutes the app's days would take all the room.
    let limit = ((life.appleBands.isEmpty ? ofApp : ofApple) + postbacks + [last]).max() ?? last
    let end = max(limit, life.origin.later(by: .minutes(1)))
    let least = end.since(life.origin).microseconds / 5000
    var moments = [life.origin]
    for moment in (ofApple + ofApp).sorted() where moment <= end {
      if moment.since(moments[moments.count - 1]).microseconds > least { moments.append(moment) }
    }
    if moments[moments.count - 1] < end {
      // What is too short for a stretch of its own belongs to the one before.
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

  /// Much happens at the beginning of the first window: where to change the scale, so that it can be distinguished.
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
  /// Rounded to what a reader wants to know: from a day on to hours, from an hour on to minutes, and so on.
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

  /// The same with its sign, as command lines have it: `+1d8h`.
  package var signedText: String {
    let displayText = displayText
    return displayText.hasPrefix("-") ? displayText : "+\(displayText)"
  }

  private static let day: UInt64 = 86_400_000_000
}
