import SKANBase

extension Instant: CustomStringConvertible {
  /// ISO 8601 in UTC, with a fraction only when there is one: `2026-01-03T00:00:00Z`.
  public var description: String {
    let perSecond: Int64 = 1_000_000
    let second = microseconds >= 0 ? microseconds / perSecond : (microseconds - perSecond + 1) / perSecond
    let fraction = microseconds - second * perSecond
    let day = second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
    let rest = second - day * 86_400
    let date = CivilDate(daysSince1970: day)
    let clock = "\(pad(rest / 3600)):\(pad(rest / 60 % 60)):\(pad(rest % 60))"
    var text = "\(pad(date.year, 4))-\(pad(date.month))-\(pad(date.day))T\(clock)"
    if fraction > 0 {
      text += "." + pad(fraction, 6).trimmingSuffix { $0 == "0" }
    }
    return text + "Z"
  }

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
  public var description: String {
    guard microseconds != 0 else { return "0s" }
    var rest = microseconds.magnitude
    var text = ""
    func append(_ unit: String, _ size: UInt64) {
      if rest >= size { text += "\(rest / size)\(unit)" }
      rest %= size
    }
    append("d", 86_400_000_000)
    append("h", 3_600_000_000)
    append("m", 60_000_000)
    if rest > 0 {
      let decimals = pad(Int64(rest % 1_000_000), 6).trimmingSuffix { $0 == "0" }
      text += "\(rest / 1_000_000)\(decimals.isEmpty ? "" : ".")\(decimals)s"
    }
    return (microseconds < 0 ? "-" : "") + text
  }

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

private func pad(_ number: Int64, _ width: Int = 2) -> String { String(number).leftPadded(to: width, with: "0") }
