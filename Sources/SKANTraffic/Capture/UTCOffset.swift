import SKANDevice
import SKANBase

/// A fixed distance of local time from UTC.
package struct UTCOffset: Sendable, Equatable {
  /// As it stands behind a time: `Z`, `+02:00`.
  let text: String

  /// Reads `Z`, `UTC`, `+02:00`, `+0200` or `+02`; nil for anything else.
  package init?(_ text: String) {
    if ["Z", "z", "UTC", "GMT"].contains(text) {
      self.text = "Z"
      return
    }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard text.hasPrefix("+") || text.hasPrefix("-"), digits.utf8.allSatisfy(\.isASCIIDigit),
      [2, 4].contains(digits.utf8.count), parts.count == 1 || parts.map(\.utf8.count) == [2, 2]
    else { return nil }
    let minutes = digits.utf8.count == 4 ? digits.suffix(2) : "00"
    self.text = "\(text.prefix(1))\(digits.prefix(2)):\(minutes)"
    if Instant(iso8601: "2000-01-01T00:00:00\(self.text)") == nil { return nil }
  }
}

extension Instant {
  /// Why a time of a capture is none.
  enum CaptureMistake: Error {
    case malformed
    /// A local time; nothing says of where.
    case noOffset
  }

  /// Reads an ISO 8601 time as exporters write it: a fraction of any length, `Z`, `+02:00`, `+0200`, or no offset.
  ///
  /// - Parameter zone: for a time without an offset.
  init(captured text: String, zone: UTCOffset?) throws(CaptureMistake) {
    // As most are written.
    if let instant = Instant(iso8601: text) {
      self = instant
      return
    }
    var text = text
    if let space = text.firstIndex(of: " "), !text.contains("T") { text.replaceSubrange(space...space, with: "T") }
    guard let middle = text.firstIndex(of: "T") else { throw .malformed }
    if let sign = text[middle...].lastIndex(where: { "+-Zz".contains($0) }) {
      guard let offset = UTCOffset(String(text[sign...])) else { throw .malformed }
      text.replaceSubrange(sign..., with: offset.text)
    } else if let zone {
      text += zone.text
    } else {
      throw Instant(iso8601: text + "Z") == nil ? .malformed : .noOffset
    }
    guard let instant = Instant(iso8601: text) else { throw .malformed }
    self = instant
  }
}
