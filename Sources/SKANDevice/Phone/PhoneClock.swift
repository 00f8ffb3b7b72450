/// When the next step happens; see the article "Operations".
public enum TimeSpec: Sendable, Equatable {
  case at(Instant)
  /// After the device's first step that had a time.
  case sinceFirst(TimeSpan)
  /// After the end of the previous step.
  case after(TimeSpan)
  /// The real clock, and from here on again.
  case now
}

/// The phone's clock: real until a step is given a time, then virtual, moving only with the steps.
public struct PhoneClock: Sendable, Equatable {
  /// The beginning of the first step that had a time, else of the first step.
  @OptionalInstant public private(set) var first: Instant?
  /// The end of the previous step.
  @OptionalInstant public private(set) var end: Instant?
  /// Whether `first` was given, so that it stays.
  public private(set) var hasGivenTime = false
  /// Whether time moves with the steps only.
  public private(set) var isVirtual = false
  /// No step since the install: its first time cannot be a step back.
  private var isFresh = true

  /// A clock that runs by itself, or one that moves with the steps only.
  public init(isVirtual: Bool) { self.isVirtual = isVirtual }

  /// The clock of a phone in the middle of its life.
  public init(first: Instant?, hasGivenTime: Bool, end: Instant?, isVirtual: Bool) {
    self.first = first
    self.hasGivenTime = hasGivenTime
    self.end = end
    self.isVirtual = isVirtual
    isFresh = first == nil
  }

  /// How far before the end of the previous step a step begins, if it does.
  public func wentBack(to beginning: Instant) -> TimeSpan? {
    guard let end, !isFresh, beginning < end else { return nil }
    return end.since(beginning)
  }

  /// When a step with this time begins.
  ///
  /// - Parameter now: what the clock shows that runs by itself: the real one, or a list's beginning.
  /// - Returns: nil when the sum leaves the years 1 to 9999.
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

  /// When a step without a time happens.
  private func untimed(_ now: Instant) -> Instant { isVirtual ? end ?? now : now }

  /// Goes over to the clock by which a step with this time runs; ``record(_:beginning:end:)`` follows it.
  @inline(__always)
  public mutating func begin(_ time: TimeSpec?) {
    switch time {
    case .now: isVirtual = false
    case nil: break
    default: isVirtual = true
    }
  }

  /// Records a step that began and ended at these moments.
  public mutating func record(_ time: TimeSpec?, beginning: Instant, end: Instant) {
    begin(time)
    if time == nil || time == .now {
      first = first ?? beginning
    } else if !hasGivenTime {
      // "+2d" as the first time of all counts from the first step, and that stays the beginning.
      if case .sinceFirst(let span) = time {
        first = first ?? Instant(microseconds: beginning.microseconds - span.microseconds)
      } else {
        first = beginning
      }
      hasGivenTime = true
    }
    self.end = end
    isFresh = false
  }

  /// From here on time moves with the steps only.
  public mutating func runWithSteps() { isVirtual = true }

  /// A fresh install begins its own count; the clock on the wall goes on.
  public mutating func startAnew() {
    first = nil
    hasGivenTime = false
    isFresh = true
  }
}
