import SKANBase
import SKANDevice

/// The header lines of a message, in order.
///
///     var headers: HTTPFields = [HTTPField("Content-Type", "application/json")]
///     headers.append("Allow", "GET")
///     headers["allow"]  // "GET"
///
/// They are stored as bytes and decoded on demand: most are never read, and a server handles them many thousand times a
/// second.
package struct HTTPFields: Sendable {
  /// The ranges of a line's name and value in ``bytes``.
  struct Slot: Sendable {
    var name: Range<Int>
    var value: Range<Int>

    func moved(by distance: Int) -> Slot {
      Slot(
        name: name.lowerBound + distance..<name.upperBound + distance,
        value: value.lowerBound + distance..<value.upperBound + distance)
    }
  }

  private var bytes: [UInt8]
  private var slots: [Slot]

  /// The lines that the parser found in a request's head.
  init(bytes: [UInt8], slots: [Slot]) {
    self.bytes = bytes
    self.slots = slots
  }

  /// Creates an empty list with reserved capacity.
  ///
  /// - Parameters:
  ///   - lines: the number of lines.
  ///   - bytes: the number of bytes in all names and values.
  package init(lines: Int, bytes: Int) {
    self.bytes = []
    slots = []
    self.bytes.reserveCapacity(bytes)
    slots.reserveCapacity(lines)
  }

  /// Creates a list of lines that are known to be valid.
  package init(_ fields: some Sequence<HTTPField>) {
    self.init(lines: 0, bytes: 0)
    for field in fields { append(field.name, field.value) }
  }

  /// Adds a line.
  package mutating func append(_ name: String, _ value: String) {
    let start = bytes.count
    append(bytes: name)
    let middle = bytes.count
    append(bytes: value)
    slots.append(Slot(name: start..<middle, value: middle..<bytes.count))
  }

  /// Adds a line whose value is made of UTF-8 text, on one line and in ASCII, cut to a limit: an arrow becomes `->`,
  /// all else that is not visible ASCII `\u{20AC}`.
  package mutating func append(_ name: String, ascii text: [UInt8]) {
    let start = bytes.count
    append(bytes: name)
    let middle = bytes.count
    unsafe text.withUnsafeBufferPointer { unsafe append(ascii: $0) }
    slots.append(Slot(name: start..<middle, value: middle..<bytes.count))
  }

  private mutating func append(bytes text: String) {
    var text = text
    text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func append(ascii text: UnsafeBufferPointer<UInt8>) {
    let limit = bytes.count + 1000
    var position = 0
    while position < text.count {
      if bytes.count > limit { return bytes.append(contentsOf: "...".utf8) }
      // Nearly all of it is visible and is copied in one piece.
      let most = Swift.min(text.count, position + limit + 1 - bytes.count)
      var end = unsafe text.endOfText(from: position, to: most, isASCII: true)
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[position..<end]))
      if end == position {
        // The first byte gives the length of the character.
        end += unsafe Swift.max(1, (~text[position]).leadingZeroBitCount)
        let character = unsafe text[position..<end]
        if unsafe character.spells("→") {
          bytes += [UInt8(ascii: "-"), UInt8(ascii: ">")]
        } else {
          let text = unsafe String(decoding: UnsafeBufferPointer(rebasing: character), as: UTF8.self)
          for scalar in text.unicodeScalars { bytes.append(contentsOf: scalar.swiftEscape.utf8) }
        }
      }
      position = end
    }
  }

  /// The value of the first line with a name, ignoring case.
  package subscript(name: String) -> String? {
    let length = name.utf8.count
    for slot in slots where slot.name.count == length && matches(slot, name) { return text(slot.value) }
    return nil
  }

  /// The values of all lines with a name, in order.
  package func values(of name: String) -> [String] {
    slots.filter { $0.name.count == name.utf8.count && matches($0, name) }.map { text($0.value) }
  }

  /// Calls `visit` with the bytes of each line, in order.
  func forEachLine(_ visit: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      for slot in slots {
        unsafe visit(UnsafeBufferPointer(rebasing: bytes[slot.name]), UnsafeBufferPointer(rebasing: bytes[slot.value]))
      }
    }
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// Whether a line has a name of the same length.
  private func matches(_ slot: Slot, _ name: String) -> Bool {
    var name = name
    return name.withUTF8 { letters in
      for index in letters.indices {
        let (one, other) = unsafe (bytes[slot.name.lowerBound + index], letters[index])
        // Nearly always the case is the same.
        if one != other, one.asciiLowercased != other.asciiLowercased { return false }
      }
      return true
    }
  }
}

extension HTTPFields: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { slots.count }

  /// A line; invalid UTF-8 is replaced by U+FFFD.
  package subscript(index: Int) -> HTTPField { HTTPField(text(slots[index].name), text(slots[index].value)) }
}

extension HTTPFields: ExpressibleByArrayLiteral {
  package init(arrayLiteral fields: HTTPField...) { self.init(fields) }
}

extension HTTPFields: Equatable {
  /// Whether the lines are equal byte by byte, in the same order.
  package static func == (left: HTTPFields, right: HTTPFields) -> Bool {
    left.slots.elementsEqual(right.slots) {
      left.bytes[$0.name].elementsEqual(right.bytes[$1.name])
        && left.bytes[$0.value].elementsEqual(right.bytes[$1.value])
    }
  }
}

/// A header line.
package struct HTTPField: Equatable, Sendable {
  /// The name as sent or received, not case-sensitive.
  package var name: String
  /// The value without surrounding blanks.
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether the line can be sent: a line break in it would begin another line.
  package var isWellFormed: Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte) && value.utf8.allSatisfy { $0 == .tab || !$0.isControl }
  }
}

/// Formats an instant for the `Date` header (RFC 9110, section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// The C library is not used because its names of days and months depend on the locale.
package enum HTTPDate {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  /// The names of the months, also for access logs.
  package static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The text of an instant, which is clamped to the years 1970 to 9999.
  static func text(unixTime: Int) -> String {
    let time = max(0, min(unixTime, 253_402_300_799))
    let days = time / 86_400
    let second = time % 86_400
    let date = CivilDate(daysSince1970: Int64(days))
    let day = "\(two(Int(date.day))) \(months[Int(date.month) - 1]) \(date.year)"
    let clock = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    return "\(weekdays[days % 7]), \(day) \(clock) GMT"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
