/// Formats the numbers of a report.
package enum Figures {
  /// An amount in millionths as units, with two decimals by default: `12.50`.
  package static func money(_ micros: Int, decimals: Int = 2) -> String {
    decimal(Double(micros) / 1_000_000, decimals)
  }

  /// An amount in millionths as units, with all six decimals, for tables that programs read; empty for nil.
  package static func exactMoney(_ micros: Int?) -> String { micros.map { money($0, decimals: 6) } ?? "" }

  /// The mean of an amount in millionths, with four decimals; `-` for a count of 0.
  package static func mean(_ micros: Int, of count: Int) -> String {
    count == 0 ? "-" : decimal(Double(micros) / Double(count) / 1_000_000, 4)
  }

  /// A percentage with its sign, such as `+12.3 %`; `-` where the whole is 0.
  package static func signedPercent(_ part: Int, of whole: Int) -> String {
    (whole != 0 && Double(part) / Double(whole) > 0 ? "+" : "") + part.percent(of: whole)
  }

  /// The mean of seconds in hours; `-` for a count of 0.
  package static func hours(_ seconds: Int, of count: Int) -> String {
    count == 0 ? "-" : decimal(Double(seconds) / Double(count) / 3600, 1)
  }

  /// A number with a fixed number of decimals, rounded half away from 0.
  package static func decimal(_ number: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(number) * scale).rounded()
    guard scaled < 9e15 else { return "\(number)" }
    let digits = "\(Int(scaled))".leftPadded(to: decimals + 1, with: "0")
    let sign = number < 0 && scaled > 0 ? "-" : ""
    return decimals == 0 ? sign + digits : "\(sign)\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
  }
}
