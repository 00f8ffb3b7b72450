import SKANBase

extension Instant: CustomStringConvertible {
  /// ISO 8601 in UTC, with a fraction only when there is one: `2026-01-03T00:00:00Z`.
  public var description: String { String(writing: { $0.append(self) }) }
}

extension ByteText {
  /// Adds the ``Instant/description`` of a moment.
  package mutating func append(_ instant: Instant) {
    let microseconds = instant.microseconds
    let perSecond: Int64 = 1_000_000
    let second = microseconds >= 0 ? microseconds / perSecond : (microseconds - perSecond + 1) / perSecond
    let fraction = microseconds - second * perSecond
    let day = second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
    let rest = second - day * 86_400
    let date = CivilDate(daysSince1970: day)
    if (0...9999).contains(date.year) {
      append(date.year.magnitude, digits: 4)
    } else {
      append(String(date.year).leftPadded(to: 4, with: "0"))
    }
    append(UInt8(ascii: "-"))
    append(date.month.magnitude, digits: 2)
    append(UInt8(ascii: "-"))
    append(date.day.magnitude, digits: 2)
    append(UInt8(ascii: "T"))
    append((rest / 3600).magnitude, digits: 2)
    append(UInt8(ascii: ":"))
    append((rest / 60 % 60).magnitude, digits: 2)
    append(UInt8(ascii: ":"))
    append((rest % 60).magnitude, digits: 2)
    if fraction > 0 { append(fractionOf: fraction.magnitude) }
    append(UInt8(ascii: "Z"))
  }

  /// Adds microseconds as a fraction of a second, without zeros at its end.
  private mutating func append(fractionOf microseconds: UInt64) {
    append(UInt8(ascii: "."))
    var (rest, digits) = (microseconds, 6)
    while rest % 10 == 0, digits > 1 { (rest, digits) = (rest / 10, digits - 1) }
    append(rest, digits: digits)
  }

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

  /// Adds how many whole units there are, if any, and takes them away.
  private mutating func append(_ unit: Unicode.Scalar, _ size: UInt64, of rest: inout UInt64) {
    if rest < size { return }
    append(rest / size)
    append(UInt8(ascii: unit))
    rest %= size
  }
}

extension Instant {

  /// An ISO 8601 instant: date, `T`, time with seconds and perhaps a fraction, then `Z` or `+hh:mm`.
  ///
  /// - Returns: nil for anything else, such as a date alone or a 30 February.
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

extension TimeSpan: CustomStringConvertible {
  /// In the two largest units that say it, such as `2d3h`, `90s` as `1m30s`, `0.5s`; the form that is also read.
  public var description: String { String(writing: { $0.append(self) }) }

  /// Numbers each with a unit of `ms s m h d`: `36h`, `2d3h`, `1.5s`, `250ms`.
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
