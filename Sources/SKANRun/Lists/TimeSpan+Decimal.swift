import SKANDevice
import SKANBase

extension TimeSpan {
  /// Seconds in plain notation; 0 when a clock was set back.
  ///
  /// - Parameter digits: how many decimals, at most 6; with 6 of them the text is exact.
  func decimal(digits: Int) -> String {
    let unit = (digits..<6).reduce(1 as Int64) { unit, _ in unit * 10 }
    let perSecond = 1_000_000 / unit
    let count = (max(0, microseconds) + unit / 2) / unit
    return "\(count / perSecond).\(String(count % perSecond).leftPadded(to: digits, with: "0"))"
  }
}
