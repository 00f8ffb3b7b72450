import SKANDevice
import SKANSigning

/// Which day a postback belongs to, in UTC.
package enum ReportDate: String, CaseIterable, Sendable {
  /// That of its receipt.
  case postbackDate = "postback-date"
  /// That of its receipt less the middle of what Apple's delay and window allow; see the article "Reports of postbacks".
  case estimatedInstallDate = "estimated-install-date"

  /// The name of a date type of Singular's SKAN reports (article 360056377792, `skadnetwork_date_type`).
  var columnName: String { self == .postbackDate ? "skan_postback_date" : "estimated_install_date" }

  /// How the day is found, a sentence each.
  package var explanation: [String] {
    switch self {
    case .postbackDate: return ["Days are those of the receipt, in UTC."]
    case .estimatedInstallDate:
      let windows = ConversionWindow.allCases.map { "P\($0.rawValue) \(PostbackAge(.v4, $0, clock: .production).text)" }
      return [
        "Install days (UTC) are estimated: receipt less the middle of window and delay.",
        "Version 4.0: \(windows.joined(separator: ", ")).",
        "Up to 3.0: \(PostbackAge(.v3, .p0, clock: .production).text).",
        "A locked window makes the day too early, a value that rose later too late.",
      ]
    }
  }

  /// The day of a postback, counted from 1970; nil where nothing can be estimated.
  func day(of postback: ReportedPostback, receivedAt time: Instant, by clock: DeviceProfile.ClockPreset) -> Int64? {
    switch self {
    case .postbackDate: return time.count(of: .hours(24))
    case .estimatedInstallDate:
      guard let age = postback.age(by: clock) else { return nil }
      return Instant(microseconds: time.microseconds - age.middle.microseconds).count(of: .hours(24))
    }
  }
}

extension ReceivedSignature.Key {
  /// The clock of the phones that send such postbacks: a development impression is tested in Developer Mode.
  var clock: DeviceProfile.ClockPreset { self == .development ? .developer : .production }
}

extension Instant {
  /// How many whole spans have passed since 1970, negative before.
  func count(of span: TimeSpan) -> Int64 {
    let (quotient, rest) = microseconds.quotientAndRemainder(dividingBy: span.microseconds)
    return rest < 0 ? quotient - 1 : quotient
  }
}

extension PostbackAge {
  /// `84 h (72-96)`.
  fileprivate var text: String {
    let hours = { (span: TimeSpan) in span.microseconds / TimeSpan.hours(1).microseconds }
    return "\(hours(middle)) h (\(hours(shortest))-\(hours(longest)))"
  }
}
