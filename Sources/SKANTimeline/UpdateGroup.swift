import SKANDevice

/// Updates of which each was called before another of them had ended, and an update that never ended by itself.
package struct UpdateGroup: Sendable {
  /// The time of the first call, and the latest end.
  package let start, end: Instant
  /// The first ``mostBars`` updates, in the order of their calls.
  package let bars: [UpdateBar]
  /// The number of further updates.
  package let more: Int
  /// The values of Apple and of the app from their times on; empty where no value changes.
  package let values: [Values]

  /// The values of one side, in order.
  package struct Values: Sendable {
    package let side: ValueLane.Side
    package let name: String
    package let changes: [Change]
  }

  /// A value from a time on.
  package struct Change: Sendable, Equatable {
    package let at: Instant
    /// The texts of the value, longest first.
    package let texts: [String]
  }

  /// The most updates of a group that are drawn.
  static let mostBars = 12
  /// The most groups that are drawn.
  static let most = 8
}

/// An update of a phone whose updates overlap, from its call to its end.
package struct UpdateBar: Sendable, Equatable {
  /// The reasons for which an update waits.
  package enum Part: CaseIterable, Sendable {
    case lock, answer, completion

    package var name: String {
      switch self {
      case .lock: "waits for the lock"
      case .answer: "request under way"
      case .completion: "until Apple's completion"
      }
    }
  }

  package struct Span: Sendable, Equatable {
    package let part: Part
    package let start, end: Instant
  }

  /// A description such as `event tutorial`.
  package let name: String
  /// In order of time; each begins where the one before ends. A request that was answered at once has a span without a
  /// length.
  package let spans: [Span]
  package let start, end: Instant
  /// The outcome, where no value was stored; nil otherwise.
  package let ending: String?
  /// Whether it came to its own end: it was neither killed nor left without its completion.
  fileprivate let hasEnded: Bool

  /// - Returns: nil for an event that is not an update of a phone whose updates overlap.
  init?(_ event: LifeEvent) {
    guard let course = event.course else { return nil }
    name = event.displayText
    start = course.calledAt
    // Apple's completion is the end, and what the app's server is sent comes after it.
    let isCut = event.outcome == .killed
    let end = isCut ? event.at : course.completedAt ?? course.answeredAt ?? course.requestedAt ?? event.at
    let isCalled = event.call != nil && (isCut || course.completedAt != nil)
    let moments: [(part: Part, start: Instant?, end: Instant)] = [
      (.lock, course.calledAt, course.requestedAt ?? end), (.answer, course.requestedAt, course.answeredAt ?? end),
      (.completion, isCalled ? course.answeredAt : nil, end),
    ]
    // The clock may have been set back meanwhile.
    var latest = start
    var spans: [Span] = []
    for (part, from, to) in moments where from != nil {
      let to = max(latest, to)
      if to > latest || part == .answer { spans.append(Span(part: part, start: latest, end: to)) }
      latest = to
    }
    self.spans = spans
    self.end = latest
    switch event.outcome {
    case .updated, .frameworkError: ending = nil
    default: ending = event.outcome.name
    }
    hasEnded = event.outcome != .killed && event.outcome != .uncompleted
  }
}

extension UpdateGroup {
  /// The groups of a life, in order of time.
  static func all(_ history: [LifeEvent], lanes: [ValueLane]) -> [UpdateGroup] {
    let bars = Array(history.compactMap { UpdateBar($0) }.enumerated())
    var groups: [[(offset: Int, element: UpdateBar)]] = []
    var end: Instant?
    // The longest of the updates that were called at one moment begins the group.
    for bar in bars.sorted(by: { ($0.element.start, $1.element.end) < ($1.element.start, $0.element.end) }) {
      if let last = end, bar.element.start < last {
        groups[groups.count - 1].append(bar)
        end = max(last, bar.element.end)
      } else {
        groups.append([bar])
        end = bar.element.end
      }
    }
    return groups.map { group in
      group.sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }.filter { $0.count > 1 || !$0[0].hasEnded }.map { UpdateGroup($0, lanes) }
  }

  /// - Parameter bars: at least one, in the order of their calls.
  private init(_ bars: [UpdateBar], _ lanes: [ValueLane]) {
    let (start, end) = (bars[0].start, bars.map(\.end).reduce(bars[0].start, max))
    (self.start, self.end) = (start, end)
    self.bars = Array(bars.prefix(Self.mostBars))
    more = bars.count - self.bars.count
    let changes = lanes.map { $0.changes(from: start, to: end) }
    let isAny = changes.contains { $0.contains { $0.at > start } }
    values = isAny ? zip(lanes, changes).map { Values(side: $0.side, name: $0.shortTitle, changes: $1) } : []
  }
}

extension ValueLane {
  fileprivate var shortTitle: String { side == .app ? "app keeps" : title }

  /// The value at the start of a period, if there is one, and those that follow in it.
  fileprivate func changes(from start: Instant, to end: Instant) -> [UpdateGroup.Change] {
    let known = steps.filter { !$0.isAssumed && $0.at <= end }
    let before = known.last { $0.at <= start }
    return (before.map { [UpdateGroup.Change($0, at: start)] } ?? [])
      + known.filter { $0.at > start }.map { UpdateGroup.Change($0, at: $0.at) }
  }
}

extension UpdateGroup.Change {
  fileprivate init(_ step: ValueLane.Step, at moment: Instant) {
    at = moment
    let short = step.values.fine.map(String.init) ?? step.values.coarse.map { String($0.name.prefix(3)) }
    texts = [step.values.displayText, short].compactMap(\.self)
  }
}

extension LifeEvent {
  /// When the snippet called Apple.
  var appleCalledAt: Instant { course?.answeredAt ?? at }

  /// When the app stored the values.
  var storedAt: Instant { course.map { $0.completedAt ?? $0.answeredAt ?? at } ?? at }
}

extension [LifeEvent] {
  /// The events in the order of one of their moments, those of one moment in the order of the life. A life without
  /// overlapping updates is in order, also where its clock was set back.
  func inOrder(of moment: (LifeEvent) -> Instant) -> [LifeEvent] {
    guard contains(where: { $0.course != nil }) else { return self }
    return enumerated().sorted { left, right in
      let (one, other) = (moment(left.element), moment(right.element))
      return one == other ? left.offset < right.offset : one < other
    }.map(\.element)
  }
}
