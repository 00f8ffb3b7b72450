import SKANBase

/// Numbers of a report as people read them.
enum Figures {
  /// An amount of millionths with two decimals, or more of them: `12.50`.
  static func money(_ micros: Int, decimals: Int = 2) -> String {
    decimal(Double(micros) / 1_000_000, decimals)
  }

  /// A mean of millionths with four decimals; `-` of nothing.
  static func mean(_ micros: Int, of count: Int) -> String {
    count == 0 ? "-" : decimal(Double(micros) / Double(count) / 1_000_000, 4)
  }

  /// `+12.3 %`; `-` where the whole is 0.
  static func signedPercent(_ part: Int, of whole: Int) -> String {
    (whole != 0 && Double(part) / Double(whole) > 0 ? "+" : "") + part.percent(of: whole)
  }

  /// A mean number of hours of seconds; `-` of nothing.
  static func hours(_ seconds: Int, of count: Int) -> String {
    count == 0 ? "-" : decimal(Double(seconds) / Double(count) / 3600, 1)
  }

  /// A number with a fixed count of decimals, rounded half away from 0.
  static func decimal(_ number: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(number) * scale).rounded()
    guard scaled < 9e15 else { return "\(number)" }
    let digits = "\(Int(scaled))".leftPadded(to: decimals + 1, with: "0")
    let sign = number < 0 && scaled > 0 ? "-" : ""
    return decimals == 0 ? sign + digits : "\(sign)\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
  }
}
