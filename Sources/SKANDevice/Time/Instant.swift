import SKANBase

/// A moment of the phone's clock in whole microseconds, so that sums of fractions hit window borders exactly.
public struct Instant: Sendable, Hashable, Comparable {
  /// Microseconds since 1970.
  public var microseconds: Int64

  /// The moment at a number of microseconds since 1970.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// - Returns: nil outside the years 1 to 9999.
  public init?(unixSeconds: Double) {
    guard Self.range.contains(unixSeconds) else { return nil }
    let whole = unixSeconds.rounded(.towardZero)
    // Finer fractions are rounded, but never to another second, because the phone truncates fractions.
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

  /// The start of a list without times: 2026-01-01T00:00:00Z, so that its results are the same on every day.
  public static let listStart = Instant(microseconds: 1_767_225_600_000_000)

  /// The seconds that the snippet sees: `(NSInteger)[[NSDate date] timeIntervalSince1970]`, truncated towards zero.
  public var wholeSeconds: Int64 { microseconds / 1_000_000 }

  /// Seconds since 1970 with their fraction.
  public var unixSeconds: Double { Double(microseconds) / 1e6 }

  /// Whether one moment is before another.
  public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

  /// The moment later by a duration; nil outside the years 1 to 9999.
  public func advanced(by duration: TimeSpan) -> Instant? {
    let (sum, overflow) = microseconds.addingReportingOverflow(duration.microseconds)
    return overflow ? nil : Instant(inRange: sum)
  }

  /// The moment later by a duration, even outside the years 1 to 9999: a life of 41 days that begins in the year 9999
  /// may end in the year 10000.
  ///
  /// - Parameter span: at most some years, so that the sum does not overflow.
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

/// An optional moment in eight bytes.
@propertyWrapper
public struct OptionalInstant: Sendable, Equatable {
  /// ``none``, which is outside the years 1 to 9999, if the moment is absent.
  private var microseconds: Int64

  private static let none = Int64.min

  /// Wraps an optional moment.
  @inline(__always)
  public init(wrappedValue: Instant?) { microseconds = wrappedValue?.microseconds ?? Self.none }

  /// The moment; nil if absent.
  public var wrappedValue: Instant? {
    @inline(__always) get { microseconds == Self.none ? nil : Instant(microseconds: microseconds) }
    @inline(__always) set { microseconds = newValue?.microseconds ?? Self.none }
  }
}

extension Instant: CustomStringConvertible {
  /// The moment as ISO 8601 in UTC, with a fraction only if there is one: `2026-01-03T00:00:00Z`.
  public var description: String { String(writing: { $0.append(self) }) }
}

extension ByteText {
  /// Adds the ``Instant/description`` of a moment.
  package mutating func append(_ instant: Instant) {
    let microseconds = instant.microseconds
    let perSecond: Int64 = 1_000_000
    let seconds = microseconds >= 0 ? microseconds / perSecond : (microseconds - perSecond + 1) / perSecond
    let fraction = microseconds - seconds * perSecond
    let dayNumber = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let rest = seconds - dayNumber * 86_400
    let date = CivilDate(daysSince1970: dayNumber)
    if (0...9999).contains(date.year) {
      append(date.year.magnitude, digits: 4)
    } else {
      append(String(date.year).leftPadded(to: 4, with: "0"))
    }
    append("-", twoDigits: date.month)
    append("-", twoDigits: date.day)
    append("T", twoDigits: rest / 3600)
    append(":", twoDigits: rest / 60 % 60)
    append(":", twoDigits: rest % 60)
    if fraction > 0 { append(fractionOf: fraction.magnitude) }
    append(UInt8(ascii: "Z"))
  }

  private mutating func append(_ mark: Unicode.Scalar, twoDigits number: Int64) {
    append(UInt8(ascii: mark))
    append(number.magnitude, digits: 2)
  }

  /// Adds microseconds as a fraction of a second without trailing zeros.
  mutating func append(fractionOf microseconds: UInt64) {
    append(UInt8(ascii: "."))
    var (rest, digits) = (microseconds, 6)
    while rest % 10 == 0, digits > 1 { (rest, digits) = (rest / 10, digits - 1) }
    append(rest, digits: digits)
  }
}

extension Instant {
  /// Parses an ISO 8601 instant: date, `T`, time with seconds and optionally a fraction, then `Z` or `+hh:mm`.
  ///
  /// - Returns: nil for anything else, such as a date alone or 30 February.
  package init?(iso8601 text: String) {
    var rest = text.utf8[...]
    func number(_ digits: Int, then separator: Unicode.Scalar?) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<digits {
        guard let byte = rest.popFirst(), byte.isASCIIDigit else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      guard let separator else { return value }
      return rest.popFirst() == UInt8(ascii: separator) ? value : nil
    }
    guard let year = number(4, then: "-"), let month = number(2, then: "-"), let day = number(2, then: "T"),
      let hour = number(2, then: ":"), let minute = number(2, then: ":"), let second = number(2, then: nil),
      year > 0, hour < 24, minute < 60, second < 60, let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var fraction: Int64 = 0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: \.isASCIIDigit)
      guard !digits.isEmpty, let value = Int64(Substring(digits.prefix(6))) else { return nil }
      fraction = (0..<6 - min(6, digits.count)).reduce(value) { value, _ in value * 10 }
      rest = rest.dropFirst(digits.count + 1)
    }
    var offset: Int64 = 0
    if !rest.elementsEqual("Z".utf8) {
      guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
        let hours = number(2, then: ":"),
        let minutes = number(2, then: nil), rest.isEmpty, hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    }
    let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
    self.init(inRange: seconds * 1_000_000 + fraction)
  }
}

/// A moment is written as Unix seconds, with a fraction only if there is one.
extension Instant: JSONReadable {
  package static var jsonForm: JSONForm { .number }

  package func write(to writer: inout JSONWriter) {
    writer.text.append(unixSecondsOf: self)
  }

  package static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> Instant? {
    reader.instant(key)
  }
}

extension ByteText {
  /// Adds the Unix seconds of a moment.
  package mutating func append(unixSecondsOf instant: Instant) {
    let (seconds, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if rest == 0 { append(seconds) } else { append(instant.unixSeconds) }
  }
}

extension JSONObjectReader {
  /// A moment in Unix seconds within the years 1 to 9999; nil if absent or null.
  package mutating func instant(_ key: JSONKey) -> Instant? {
    guard let node = node(key), !node.isNull else { return nil }
    return read(key, "Unix seconds of the years 1 to 9999") { content in
      switch content {
      case .integer(let seconds): Instant(unixSeconds: Double(seconds))
      case .double(let seconds): Instant(unixSeconds: seconds)
      default: nil
      }
    }
  }
}
