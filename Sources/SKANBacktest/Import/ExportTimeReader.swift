import SKANBase
import SKANDevice

/// Parses times of exports, optimized for consecutive rows with the same date.
@safe struct ExportTimeReader {
  enum Result: Equatable {
    /// The microseconds since 1970, and the form.
    case time(Int64, ExportTimeForm)
    case invalid
    case withoutZone
  }

  private let zone: ExportTimeZone?
  private let format: ExportDateFormat?
  /// Whether a time had the date format.
  private(set) var usesFormat = false
  /// The first 11 bytes of the last text, as two overlapping words, and their date in seconds since 1970.
  private var head: UInt64 = 0
  private var tail: UInt64 = 0
  private var day: Int64 = 0
  /// The last hour that was written without a zone, in seconds since 1970, and the zone's offset at that time.
  private var hour = Int64.min
  private var offset: Int64 = 0

  /// Whether a time was written without a zone, and the given one was used.
  var usesZone: Bool { hour != .min }

  /// 2000-01-01 to 2100-01-01. A wrong unit gives times far outside of this range.
  private static let range: Range<Int64> = 946_684_800_000_000..<4_102_444_800_000_000

  init(zone: ExportTimeZone?, format: ExportDateFormat? = nil) { (self.zone, self.format) = (zone, format) }

  @inline(__always)
  mutating func read(_ text: UnsafeBufferPointer<UInt8>, unit: ExportTimeUnit?) -> Result {
    guard text.count > 0, let start = text.baseAddress else { return .invalid }
    if text.count >= 19, unsafe start[4] == UInt8(ascii: "-"), unit == nil || unit == .text {
      return unsafe date(start, text.count)
    }
    if let format, let found = unsafe self.formatted(text, format) { return found }
    return unsafe Self.number(text, unit)
  }

  /// Reads a time in a date format; nil if it has another form.
  @inline(never)
  private mutating func formatted(_ text: UnsafeBufferPointer<UInt8>, _ format: ExportDateFormat) -> Result? {
    guard let local = unsafe format.read(text), let start = text.baseAddress else { return nil }
    usesFormat = true
    let time = local.hour * 1_000_000 + local.rest
    if local.end == text.count { return withoutZone(time, hour: local.hour) }
    guard let zone = unsafe Self.zoneOffset(start + local.end, text.count - local.end) else { return .invalid }
    return Self.checked(time - zone * 1_000_000, .textWithZone)
  }

  /// A time that is written without a zone.
  ///
  /// - Parameters:
  ///   - time: the microseconds since 1970.
  ///   - local: the seconds since 1970 of the whole hour.
  @inline(__always)
  private mutating func withoutZone(_ time: Int64, hour local: Int64) -> Result {
    guard let zone else { return .withoutZone }
    if local != hour { (hour, offset) = (local, zone.offset(atLocal: local)) }
    return Self.checked(time - offset * 1_000_000, .textWithoutZone)
  }

  @inline(__always)
  private mutating func date(_ start: UnsafePointer<UInt8>, _ count: Int) -> Result {
    let raw = unsafe UnsafeRawPointer(start)
    let (first, second) = unsafe (
      raw.loadUnaligned(as: UInt64.self), raw.loadUnaligned(fromByteOffset: 3, as: UInt64.self)
    )
    if first != head || second != tail {
      guard let read = unsafe Self.day(start) else { return .invalid }
      (head, tail, day) = (first, second, read)
    }
    guard let clock = unsafe Self.clock(raw.loadUnaligned(fromByteOffset: 11, as: UInt64.self)) else { return .invalid }
    var time = (day + clock.hour + clock.rest) * 1_000_000
    if unsafe count == 20 && start[19] == UInt8(ascii: "Z") { return Self.checked(time, .textWithZone) }
    var position = 19
    if count > 19, unsafe start[19] == UInt8(ascii: ".") {
      var scale: Int64 = 100_000
      position = 20
      while position < count, unsafe start[position].isASCIIDigit {
        time += unsafe Int64(start[position] &- 0x30) * scale
        scale /= 10
        position += 1
      }
      if position == 20 { return .invalid }
    }
    if position == count { return withoutZone(time, hour: day + clock.hour) }
    guard let zone = unsafe Self.zoneOffset(start + position, count - position) else { return .invalid }
    return Self.checked(time - zone * 1_000_000, .textWithZone)
  }

  /// Parses `HH:MM:SS`. Returns the seconds of the whole hours, and the remaining seconds.
  ///
  /// - Parameter text: the bytes in order.
  @inline(__always)
  private static func clock(_ text: UInt64) -> (hour: Int64, rest: Int64)? {
    // Each byte relative to the digit 0 or the colon that is expected there.
    let digits = text.littleEndian ^ 0x3030_3A30_303A_3030
    // The bytes that are not digits or colons.
    let wrong = ((digits & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7F76_767F_7676 | digits) & 0x8080_8080_8080_8080
    func two(_ shift: UInt64) -> Int64 {
      // Typed, because the expression as one takes the compiler six seconds.
      let tens: UInt64 = (digits >> shift) & 15
      let ones: UInt64 = (digits >> (shift + 8)) & 15
      return Int64(tens * 10 + ones)
    }
    let (hour, minute, second) = (two(0), two(24), two(48))
    guard wrong == 0, hour < 24, minute < 60, second < 61 else { return nil }
    return (hour * 3600, minute * 60 + second)
  }

  private static func checked(_ time: Int64, _ form: ExportTimeForm) -> Result {
    range.contains(time) ? .time(time, form) : .invalid
  }

  @inline(__always)
  private static func two(_ start: UnsafePointer<UInt8>) -> Int64? {
    let (tens, ones) = unsafe (start[0], start[1])
    return tens.isASCIIDigit && ones.isASCIIDigit ? Int64(tens &- 0x30) * 10 + Int64(ones &- 0x30) : nil
  }

  /// Parses `YYYY-MM-DD` and a space or a `T` to seconds since 1970, without a zone.
  private static func day(_ start: UnsafePointer<UInt8>) -> Int64? {
    guard unsafe start[7] == UInt8(ascii: "-"), unsafe start[10] == UInt8(ascii: " ") || start[10] == UInt8(ascii: "T"),
      let century = unsafe two(start), let year = unsafe two(start + 2), let month = unsafe two(start + 5),
      let day = unsafe two(start + 8), let date = CivilDate(year: century * 100 + year, month: month, day: day)
    else { return nil }
    return date.daysSince1970 * 86_400
  }

  /// Parses the zone after a time: `Z`, ` UTC`, `+02`, `+0200` or `+02:00`, in seconds.
  private static func zoneOffset(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
    var text = unsafe UnsafeBufferPointer(start: start, count: count)[...]
    if unsafe text.first == UInt8(ascii: " ") { unsafe text = unsafe text.dropFirst() }
    if unsafe text.elementsEqual("Z".utf8) || text.elementsEqual("UTC".utf8) { return 0 }
    guard let sign = unsafe text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    var digits = unsafe Array(text.dropFirst())
    if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    let values = digits.map { Int64($0 - 0x30) }
    let hours = values[0] * 10 + values[1]
    let minutes = values.count == 4 ? values[2] * 10 + values[3] : 0
    guard hours <= 14, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  /// Parses a number of units; without a given unit it is recognized by the number of digits.
  @inline(__always)
  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ unit: ExportTimeUnit?) -> Result {
    var number: Int64 = 0
    var count = 0
    while count < text.count, count < 20, unsafe text[count].isASCIIDigit {
      number = unsafe number &* 10 &+ Int64(text[count] &- 0x30)
      count += 1
    }
    if count == 0 || count > 19 || number < 0 { return .invalid }
    let form: ExportTimeForm
    switch unit {
    case .seconds: form = .seconds
    case .milliseconds: form = .milliseconds
    case .microseconds: form = .microseconds
    case .nanoseconds: form = .nanoseconds
    case .text: return .invalid
    case nil:
      switch count {
      case 9, 10: form = .seconds
      case 12, 13: form = .milliseconds
      case 15, 16: form = .microseconds
      case 18, 19: form = .nanoseconds
      default: return .invalid
      }
    }
    let time: Int64
    switch form {
    case .seconds where number <= 1 << 40: time = number * 1_000_000
    case .milliseconds where number <= 1 << 50: time = number * 1000
    case .nanoseconds: time = number / 1000
    case .microseconds: time = number
    default: return .invalid
    }
    if count == text.count { return checked(time, form) }
    guard let fraction = unsafe fraction(text, from: count, form) else { return .invalid }
    return checked(time + fraction, form)
  }

  /// The microseconds of `.123` after a number of seconds or milliseconds.
  private static func fraction(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ form: ExportTimeForm
  ) -> Int64? {
    let digits = unsafe Array(text[(start + 1)...])
    guard unsafe text[start] == UInt8(ascii: "."), !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    var scale: Int64 = form == .seconds ? 100_000 : form == .milliseconds ? 100 : 0
    var sum: Int64 = 0
    for digit in digits {
      sum += Int64(digit - 0x30) * scale
      scale /= 10
    }
    return sum
  }
}

/// The form in which a time was written.
package enum ExportTimeForm: Int, Sendable, CaseIterable {
  case seconds, milliseconds, microseconds, nanoseconds
  case textWithZone, textWithoutZone

  /// The forms that are read without a date format, for messages.
  package static let read =
    "2026-05-01 09:00:00, also with a T, a fraction, Z, UTC or +02:00, and Unix time in s, ms, us or ns"

  /// Whether it is a number, which has no zone.
  package var isNumber: Bool { self != .textWithZone && self != .textWithoutZone }

  /// The description in the report.
  package var text: String {
    switch self {
    case .seconds: "Unix seconds"
    case .milliseconds: "Unix milliseconds"
    case .microseconds: "Unix microseconds"
    case .nanoseconds: "Unix nanoseconds"
    case .textWithZone: "text with a zone"
    case .textWithoutZone: "text without a zone"
    }
  }
}

/// The form in which a column's times are written.
package enum ExportTimeUnit: String, Sendable, CaseIterable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
  case nanoseconds = "ns"
  /// `YYYY-MM-DD HH:MM:SS`, optionally with a fraction and a zone.
  case text
}
