import SKANBase
import SKANDevice

/// A form of dates besides that of ISO 8601: the order of day, month and year in a country, or the numbers of a
/// spreadsheet.
///
/// It is written as a pattern, in either letter case: `MM/DD/YYYY h:mm:ss AM`, `DD.MM.YYYY`, `M/D/YY h:mm`. A pattern
/// without a time reads `H:mm` or `H:mm:ss`, with `AM` or `PM` behind a time of twelve hours; a date alone is no time
/// of an event. `excel` is the number of days since 1899-12-30.
package struct ExportDateFormat: Sendable, Equatable {
  /// The pattern as given.
  package let text: String
  private let shape: Shape

  private enum Shape: Sendable, Equatable {
    case serial
    case fields(Fields)
  }

  private struct Fields: Sendable, Equatable {
    /// The order of the date's fields: three different ones.
    var order: [Field] = []
    var separator: UInt8 = 0
    /// 4, or 2 for years from 2000 to 2099.
    var yearDigits = 4
    /// Nil for any time.
    var clock: Clock?
  }

  private enum Field: Sendable { case year, month, day }

  private struct Clock: Sendable, Equatable {
    var hasSeconds: Bool
    var isTwelveHours: Bool
  }

  /// The forms for messages.
  package static let forms =
    "a pattern such as \"MM/DD/YYYY h:mm:ss AM\" or DD.MM.YYYY, or excel for the numbers of Excel"

  /// The formats that a hint tries.
  package static let examples = [
    "MM/DD/YYYY", "DD/MM/YYYY", "DD.MM.YYYY", "M/D/YY", "D/M/YY", "D.M.YY", "YYYY/MM/DD",
    "YYYY-MM-DD", "excel",
  ]

  /// - Returns: nil for any other text.
  package init?(_ text: String) {
    self.text = text
    if text.lowercased() == "excel" {
      shape = .serial
      return
    }
    let parts = text.lowercased().split(separator: " ", maxSplits: 1)
    guard let date = parts.first, var fields = Self.fields(date) else { return nil }
    if parts.count == 2 {
      guard let clock = Self.clock(parts[1]) else { return nil }
      fields.clock = clock
    }
    shape = .fields(fields)
  }

  /// Parses `mm/dd/yyyy`.
  private static func fields(_ text: Substring) -> Fields? {
    guard let separator = text.utf8.first(where: { !$0.isASCIILetter }), "/.-".utf8.contains(separator) else {
      return nil
    }
    var fields = Fields(separator: separator)
    for part in text.utf8.split(separator: separator, omittingEmptySubsequences: false) {
      switch String(decoding: part, as: UTF8.self) {
      case "d", "dd": fields.order.append(.day)
      case "m", "mm": fields.order.append(.month)
      case "yyyy": fields.order.append(.year)
      case "yy":
        fields.order.append(.year)
        fields.yearDigits = 2
      default: return nil
      }
    }
    return fields.order.count == 3 && Set(fields.order).count == 3 ? fields : nil
  }

  /// Parses `h:mm:ss am`.
  private static func clock(_ text: Substring) -> Clock? {
    let parts = text.split(separator: " ", maxSplits: 1)
    let isTwelveHours = parts.count == 2
    if isTwelveHours, !["am", "pm", "a", "am/pm", "pm/am"].contains(parts[1]) { return nil }
    switch parts.first ?? "" {
    case "h:mm", "hh:mm": return Clock(hasSeconds: false, isTwelveHours: isTwelveHours)
    case "h:mm:ss", "hh:mm:ss": return Clock(hasSeconds: true, isTwelveHours: isTwelveHours)
    default: return nil
    }
  }

  /// A time as written, without its zone.
  struct Local: Equatable {
    /// Seconds since 1970 of the whole hour.
    var hour: Int64
    /// Microseconds after the hour.
    var rest: Int64
    /// The position after the time, where a zone may follow.
    var end: Int
  }

  /// Parses the beginning of a text; nil if it does not have the form, or is a date that does not exist.
  func read(_ text: UnsafeBufferPointer<UInt8>) -> Local? {
    switch shape {
    case .serial: unsafe Self.serial(text)
    case .fields(let fields):
      unsafe Self.date(text, fields)
    }
  }

  /// Whether a text has the form, perhaps with a zone behind it.
  package func reads(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let local = unsafe read(bytes) else { return false }
      let behind = unsafe bytes.dropFirst(local.end).first
      return behind == nil || behind == 0x20 || behind == UInt8(ascii: "Z")
    }
  }

  /// Reads a number of days since 1899-12-30 in the years 2000 to 2099. It is exact to a millisecond, as Excel's are.
  private static func serial(_ text: UnsafeBufferPointer<UInt8>) -> Local? {
    var cursor = unsafe Cursor(text)
    guard let days = cursor.number(digits: 5...5), (36_526..<73_051).contains(days) else { return nil }
    var milliseconds: Int64 = 0
    if cursor.skip(".") || cursor.skip(",") {
      let start = cursor.position
      // Fifteen digits are more than a double keeps of the part of a day.
      guard let digits = cursor.number(digits: 1...15) else { return nil }
      let scale = (start..<cursor.position).reduce(1.0) { scale, _ in scale * 10 }
      milliseconds = Int64((Double(digits) / scale * 86_400_000).rounded())
    }
    let local = (days - 25_569) * 86_400_000 + milliseconds
    let hour = local / 3_600_000
    return Local(hour: hour * 3600, rest: (local - hour * 3_600_000) * 1000, end: cursor.position)
  }

  private static func date(_ text: UnsafeBufferPointer<UInt8>, _ fields: Fields) -> Local? {
    var cursor = unsafe Cursor(text)
    var (year, month, day): (Int64, Int64, Int64) = (0, 0, 0)
    for (index, field) in fields.order.enumerated() {
      if index > 0, !cursor.skip(fields.separator) { return nil }
      let digits = field == .year ? fields.yearDigits...fields.yearDigits : 1...2
      guard let number = cursor.number(digits: digits) else { return nil }
      switch field {
      case .year: year = fields.yearDigits == 2 ? 2000 + number : number
      case .month: month = number
      case .day: day = number
      }
    }
    guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
    // Excel and JavaScript put a comma between date and time in some countries.
    _ = cursor.skip(",")
    guard cursor.skip(" ") || cursor.skip("T") else { return nil }
    guard var local = time(&cursor, fields.clock) else { return nil }
    local.hour += date.daysSince1970 * 86_400
    return local
  }

  /// Reads `8:32`, `08:32:12` or `08:32:12.5`, and `AM` or `PM`.
  private static func time(_ cursor: inout Cursor, _ clock: Clock?) -> Local? {
    guard var hour = cursor.number(digits: 1...2), cursor.skip(":"), let minute = cursor.number(digits: 2...2),
      minute < 60
    else { return nil }
    var rest = minute * 60_000_000
    let hasSeconds = cursor.skip(":")
    if let clock, clock.hasSeconds != hasSeconds { return nil }
    if hasSeconds {
      guard let second = cursor.number(digits: 2...2), second < 61 else { return nil }
      rest += second * 1_000_000
      if cursor.skip(".") {
        guard let fraction = cursor.fraction() else { return nil }
        rest += fraction
      }
    }
    let half = cursor.halfOfDay()
    if let clock, clock.isTwelveHours != (half != nil) { return nil }
    if let half {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half ? 12 : 0)
    }
    guard hour < 24 else { return nil }
    return Local(hour: hour * 3600, rest: rest, end: cursor.position)
  }

  /// Reads a text from its beginning.
  @safe private struct Cursor {
    private let text: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { unsafe self.text = unsafe text }

    private var next: UInt8? { unsafe position < text.count ? text[position] : nil }

    mutating func skip(_ byte: UInt8) -> Bool {
      guard next == byte else { return false }
      position += 1
      return true
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool { skip(UInt8(ascii: character)) }

    /// All digits that follow, if their number is one of these.
    mutating func number(digits: ClosedRange<Int>) -> Int64? {
      var (number, count): (Int64, Int) = (0, 0)
      while let byte = next, byte.isASCIIDigit {
        count += 1
        if count > digits.upperBound { return nil }
        number = number * 10 + Int64(byte - 0x30)
        position += 1
      }
      return count >= digits.lowerBound ? number : nil
    }

    /// The microseconds of the digits after a point.
    mutating func fraction() -> Int64? {
      var (sum, scale): (Int64, Int64) = (0, 100_000)
      let start = position
      while let byte = next, byte.isASCIIDigit {
        sum += Int64(byte - 0x30) * scale
        scale /= 10
        position += 1
      }
      return position > start ? sum : nil
    }

    /// Skips ` AM` or ` PM`, in either letter case, with or without the space.
    ///
    /// - Returns: whether it is `PM`; nil if neither follows.
    mutating func halfOfDay() -> Bool? {
      let start = position
      // Some systems write a narrow space, which has three bytes.
      if unsafe text.count >= position + 3, unsafe text[position] == 0xE2, unsafe text[position + 1] == 0x80,
        unsafe text[position + 2] == 0xAF
      {
        position += 3
      } else {
        _ = skip(" ")
      }
      if let letter = next.map({ $0 | 0x20 }), letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") {
        position += 1
        if next.map({ $0 | 0x20 }) == UInt8(ascii: "m") {
          position += 1
          return letter == UInt8(ascii: "p")
        }
      }
      position = start
      return nil
    }
  }
}
