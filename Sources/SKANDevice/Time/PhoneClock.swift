/// The time of a step; see the article "Operations".
public enum TimeSpec: Sendable, Equatable {
  case at(Instant)
  /// After the device's first step that had a time.
  case sinceFirst(TimeSpan)
  /// After the end of the previous step.
  case after(TimeSpan)
  /// The real time, now and for the following steps.
  case now
}

/// The phone's clock: real until a step has a time, then virtual, moved only by the steps.
public struct PhoneClock: Sendable, Equatable {
  /// The start of the first step that had a time, else of the first step.
  @OptionalInstant public private(set) var first: Instant?
  /// The end of the previous step.
  @OptionalInstant public private(set) var end: Instant?
  /// Whether `first` comes from a given time and no longer changes.
  public private(set) var hasGivenTime = false
  /// Whether only steps move the time.
  public private(set) var isVirtual = false
  /// Whether no step has run since the install: a first time is never a step back.
  private var isFresh = true
  /// How long the previous step took, in microseconds; at most 71 minutes. 0 for a clock that was read from a file.
  private var lasted: UInt32 = 0

  /// - Parameter isVirtual: whether only steps move the time.
  public init(isVirtual: Bool) { self.isVirtual = isVirtual }

  /// The clock of a phone in the middle of its life.
  public init(first: Instant?, hasGivenTime: Bool, end: Instant?, isVirtual: Bool) {
    self.first = first
    self.hasGivenTime = hasGivenTime
    self.end = end
    self.isVirtual = isVirtual
    isFresh = first == nil
  }

  /// A step that begins before the end of the previous one.
  package struct EarlyBeginning: Sendable {
    /// How long before that end.
    package let span: TimeSpan
    /// Whether it does not begin before the previous step began.
    package let isOverlap: Bool
  }

  /// How far a step begins before the end of the previous one; nil if it does not.
  @inline(__always)
  package func earlyBeginning(_ beginning: Instant) -> EarlyBeginning? {
    guard let end, !isFresh, beginning < end else { return nil }
    let span = end.since(beginning)
    return EarlyBeginning(span: span, isOverlap: span.microseconds <= Int64(lasted))
  }

  /// The start of a step.
  ///
  /// - Parameter now: the real time, or the start of a list.
  /// - Returns: nil outside the years 1 to 9999.
  @inline(__always)
  public func beginning(_ time: TimeSpec?, now: @autoclosure () -> Instant) -> Instant? {
    if case .at(let instant) = time { return instant }
    return relative(time, now())
  }

  private func relative(_ time: TimeSpec?, _ now: Instant) -> Instant? {
    switch time {
    case .at(let instant): instant
    case .sinceFirst(let span): (first ?? untimed(now)).advanced(by: span)
    case .after(let span): (end ?? now).advanced(by: span)
    case .now: now
    case nil: untimed(now)
    }
  }

  /// The start of a step without a time.
  private func untimed(_ now: Instant) -> Instant { isVirtual ? end ?? now : now }

  /// Switches to the clock of a step with this time; ``record(_:beginning:end:)`` follows.
  @inline(__always)
  public mutating func begin(_ time: TimeSpec?) {
    switch time {
    case .now: isVirtual = false
    case nil: break
    default: isVirtual = true
    }
  }

  /// Records the start and end of a step.
  public mutating func record(_ time: TimeSpec?, beginning: Instant, end: Instant) {
    begin(time)
    if time == nil || time == .now {
      first = first ?? beginning
    } else if !hasGivenTime {
      // If "+2d" is the first time of all, it counts from the first step, which stays the start.
      if case .sinceFirst(let span) = time {
        first = first ?? Instant(microseconds: beginning.microseconds - span.microseconds)
      } else {
        first = beginning
      }
      hasGivenTime = true
    }
    self.end = end
    lasted = UInt32(clamping: end.microseconds - beginning.microseconds)
    isFresh = false
  }

  /// Records when the previous step really ended: an update that was under way ends later than its step.
  package mutating func previousEnded(at end: Instant) { self.end = end }

  /// From now on, only steps move the time.
  public mutating func runWithSteps() { isVirtual = true }

  /// Restarts the count for a new install; the time itself goes on.
  public mutating func startAnew() {
    first = nil
    hasGivenTime = false
    isFresh = true
  }
}
