import SKANDevice

/// The `Date` header's form of an instant (RFC 9110, section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// The C library's names of days and months depend on the locale.
package enum HTTPDate {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  /// The names of the months, also those of access logs.
  package static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// An instant before 1970 or after 9999, which has no such form, becomes the first or the last that has.
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
