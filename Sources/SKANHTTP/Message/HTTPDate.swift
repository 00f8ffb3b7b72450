/// The `Date` header's form of an instant (RFC 9110, section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Written by hand: the C library's words for days and months depend on the locale.
enum HTTPDate {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// An instant before 1970 or after 9999, which has no such form, becomes the first or the last that has.
  static func text(unixTime: Int) -> String {
    let time = max(0, min(unixTime, 253_402_300_799))
    let days = time / 86_400
    let second = time % 86_400
    let (year, month, day) = civil(days)
    let clock = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    return "\(weekdays[days % 7]), \(two(day)) \(months[month - 1]) \(year) \(clock) GMT"
  }

  /// Year, month and day, counted from 1 March, so that the leap day is a year's last.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
