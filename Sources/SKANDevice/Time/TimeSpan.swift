import SKANBase

/// A length of time in whole microseconds.
public struct TimeSpan: Sendable, Hashable, Comparable {
  /// The length in microseconds.
  public var microseconds: Int64

  /// A length in microseconds.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// A length in whole seconds.
  public init(seconds: Int64) { microseconds = seconds * 1_000_000 }

  /// - Returns: nil for NaN and for lengths beyond 10,000 years.
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

  /// Whether one length is shorter than another.
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.microseconds < right.microseconds }
}

extension TimeSpan: CustomStringConvertible {
  /// The length in days, hours, minutes and seconds, such as `2d3h`, `1m30s` or `0.5s`; ``init(text:)`` reads it.
  public var description: String { String(writing: { $0.append(self) }) }

  /// Parses numbers with the units `ms s m h d`: `36h`, `2d3h`, `1.5s`, `250ms`.
  ///
  /// - Returns: nil for anything else, such as a number without a unit.
  package init?(text: String) {
    var rest = Substring(text)
    var total = 0.0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCIIDigit || $0 == "." }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let first = number.first, first != ".", number.last != ".", let value = Double(number),
        let size = Self.seconds(of: unit)
      else { return nil }
      total += value * size
    }
    self.init(seconds: total)
  }

  private static func seconds(of unit: Substring) -> Double? {
    switch unit {
    case "ms": 0.001
    case "s": 1
    case "m": 60
    case "h": 3600
    case "d": 86_400
    default: nil
    }
  }
}

extension ByteText {
  /// Adds the ``TimeSpan/description`` of a length of time.
  package mutating func append(_ span: TimeSpan) {
    if span.microseconds == 0 { return append("0s") }
    if span.microseconds < 0 { append(UInt8(ascii: "-")) }
    var rest = span.microseconds.magnitude
    append("d", 86_400_000_000, of: &rest)
    append("h", 3_600_000_000, of: &rest)
    append("m", 60_000_000, of: &rest)
    if rest == 0 { return }
    append(rest / 1_000_000)
    if rest % 1_000_000 > 0 { append(fractionOf: rest % 1_000_000) }
    append(UInt8(ascii: "s"))
  }

  /// Adds the number of whole units, if any, and subtracts them from the rest.
  private mutating func append(_ unit: Unicode.Scalar, _ size: UInt64, of rest: inout UInt64) {
    if rest < size { return }
    append(rest / size)
    append(UInt8(ascii: unit))
    rest %= size
  }
}
