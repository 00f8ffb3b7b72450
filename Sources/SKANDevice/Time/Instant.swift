import SKANBase

/// A moment of the phone's clock, exact to the microsecond, so that sums of fractions hit window borders exactly.
public struct Instant: Sendable, Hashable, Comparable {
  /// Microseconds since 1970.
  public var microseconds: Int64

  /// The moment so many microseconds after the beginning of 1970.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// - Returns: nil outside the years 1 to 9999.
  public init?(unixSeconds: Double) {
    guard Self.range.contains(unixSeconds) else { return nil }
    let whole = unixSeconds.rounded(.towardZero)
    // Finer fractions are rounded, but never across a second: the phone cuts fractions off.
    let fraction = min(max(((unixSeconds - whole) * 1e6).rounded(), -999_999), 999_999)
    microseconds = Int64(whole) * 1_000_000 + Int64(fraction)
  }

  /// - Returns: nil outside the years 1 to 9999.
  public init?(unixSeconds: Int64) {
    guard Self.secondsRange.contains(unixSeconds) else { return nil }
    microseconds = unixSeconds * 1_000_000
  }

  /// Unix seconds from 0001-01-01 to 9999-12-31.
  public static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  private static let range = -62_135_596_800.0..<253_402_300_800.0

  /// Where a list without any time begins: 2026-01-01T00:00:00Z, so that it gives the same bytes on every day.
  public static let listStart = Instant(microseconds: 1_767_225_600_000_000)

  /// What the snippet sees: `(NSInteger)[[NSDate date] timeIntervalSince1970]`, fractions cut towards zero.
  public var wholeSeconds: Int64 { microseconds / 1_000_000 }

  /// Seconds since 1970 with their fraction.
  public var unixSeconds: Double { Double(microseconds) / 1e6 }

  /// Whether a moment comes before another.
  public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

  /// The moment so much later, or nil when it leaves the years 1 to 9999.
  public func advanced(by duration: TimeSpan) -> Instant? {
    let (sum, overflow) = microseconds.addingReportingOverflow(duration.microseconds)
    return overflow ? nil : Instant(inRange: sum)
  }

  /// The moment that much later, also outside the years 1 to 9999: a life of 41 days that begins in the year 9999 may end
  /// in the year 10000.
  ///
  /// - Parameter span: of at most some years, so that the sum does not overflow.
  public func later(by span: TimeSpan) -> Instant { Instant(microseconds: microseconds + span.microseconds) }

  /// - Returns: nil outside the years 1 to 9999.
  init?(inRange microseconds: Int64) {
    guard Self.range.contains((Double(microseconds) / 1e6).rounded(.down)) else { return nil }
    self.microseconds = microseconds
  }

  /// The time from an earlier moment to this one.
  public func since(_ earlier: Instant) -> TimeSpan {
    TimeSpan(microseconds: microseconds - earlier.microseconds)
  }
}

/// A length of time, exact to the microsecond.
public struct TimeSpan: Sendable, Hashable, Comparable {
  /// The length in microseconds.
  public var microseconds: Int64

  /// A length in microseconds.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// A length in whole seconds.
  public init(seconds: Int64) { microseconds = seconds * 1_000_000 }

  /// - Returns: nil for what is not a number or beyond 10,000 years.
  public init?(seconds: Double) {
    guard seconds.magnitude < 3.2e11 else { return nil }
    microseconds = Int64((seconds * 1e6).rounded())
  }

  /// No time.
  public static let zero = TimeSpan(microseconds: 0)

  /// A number of hours.
  public static func hours(_ hours: Int64) -> TimeSpan { TimeSpan(seconds: hours * 3600) }

  /// A number of minutes.
  public static func minutes(_ minutes: Int64) -> TimeSpan { TimeSpan(seconds: minutes * 60) }

  /// The length in seconds.
  public var seconds: Double { Double(microseconds) / 1e6 }

  /// Whether a length is the shorter one.
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.microseconds < right.microseconds }
}

/// A moment that may be absent, in the eight bytes of one.
@propertyWrapper
public struct OptionalInstant: Sendable, Equatable {
  /// ``none`` for an absent moment, which lies outside the years 1 to 9999.
  private var microseconds: Int64

  private static let none = Int64.min

  /// Wraps a moment, or none.
  @inline(__always)
  public init(wrappedValue: Instant?) { microseconds = wrappedValue?.microseconds ?? Self.none }

  /// The moment; nil where there is none.
  public var wrappedValue: Instant? {
    @inline(__always) get { microseconds == Self.none ? nil : Instant(microseconds: microseconds) }
    @inline(__always) set { microseconds = newValue?.microseconds ?? Self.none }
  }
}
