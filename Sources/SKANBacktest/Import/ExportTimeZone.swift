import Foundation

/// The zone of times that are written without one.
package struct ExportTimeZone: Sendable, Equatable {
  /// As it was given: `UTC`, `+02:00`, `Europe/Berlin`.
  package let name: String
  private let zone: TimeZone

  /// - Returns: nil unless it is `UTC`, an offset `±HH:MM`, or a zone that the system knows by this name.
  package init?(_ name: String) {
    self.name = name
    if name == "UTC" || name == "Z" || name == "GMT" {
      guard let utc = TimeZone(secondsFromGMT: 0) else { return nil }
      zone = utc
    } else if let seconds = Self.offset(name) {
      guard let fixed = TimeZone(secondsFromGMT: seconds) else { return nil }
      zone = fixed
    } else {
      // An abbreviation such as CST is several zones.
      guard name.contains("/"), let known = TimeZone(identifier: name) else { return nil }
      zone = known
    }
  }

  /// `±HH:MM` in seconds.
  private static func offset(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":"), let hours = Int(text.dropFirst().prefix(2)), let minutes = Int(text.suffix(2)),
      hours <= 14, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
  }

  /// How far the zone is ahead of UTC at what its clocks show, in seconds. Of a time that comes twice, as in autumn, it is
  /// the first; a time that does not come, as in spring, is read as if the clocks had not been changed yet.
  ///
  /// - Parameter local: what the clocks show, as seconds since 1970.
  package func offset(atLocal local: Int64) -> Int64 {
    let day: Int64 = 86_400
    let before = at(local - day)
    // With the offset from before a change, the moment is before it: that is the first of two.
    if at(local - before) == before { return before }
    let after = at(local + day)
    return at(local - after) == after ? after : before
  }

  private func at(_ seconds: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
  }
}
