import Foundation

/// The time zone of times written without one.
package struct ExportTimeZone: Sendable, Equatable {
  /// The name as given: `UTC`, `+02:00`, `Europe/Berlin`.
  package let name: String
  private let zone: TimeZone

  /// - Returns: nil unless the name is `UTC`, an offset `±HH:MM`, or the name of a zone in the system.
  package init?(_ name: String) {
    self.name = name
    if name == "UTC" || name == "Z" || name == "GMT" {
      guard let utc = TimeZone(secondsFromGMT: 0) else { return nil }
      zone = utc
    } else if let seconds = Self.offset(name) {
      guard let fixed = TimeZone(secondsFromGMT: seconds) else { return nil }
      zone = fixed
    } else {
      // An abbreviation such as CST may mean several zones.
      guard name.contains("/"), let known = TimeZone(identifier: name) else { return nil }
      zone = known
    }
  }

  /// Parses `±HH:MM` to seconds.
  private static func offset(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":"), let hours = Int(text.dropFirst().prefix(2)), let minutes = Int(text.suffix(2)),
      hours <= 14, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
  }

  /// The zone's offset from UTC at a local time, in seconds. A local time that occurs twice, as in autumn, means the
  /// first; one that does not occur, as in spring, is read with the offset before the change.
  ///
  /// - Parameter local: the local time as seconds since 1970.
  package func offset(atLocal local: Int64) -> Int64 {
    let day: Int64 = 86_400
    let before = at(local - day)
    // Valid with the offset before a change means before the change, which is the first of two.
    if at(local - before) == before { return before }
    let after = at(local + day)
    return at(local - after) == after ? after : before
  }

  private func at(_ seconds: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
  }
}
