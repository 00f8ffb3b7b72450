import SKANBase

/// The checks of an app's Info.plist.
///
/// Sources: Apple's pages on `NSAdvertisingAttributionReportEndpoint`, `AttributionCopyEndpoint`, "Configuring attribution
/// rules for your app", `NSAppTransportSecurity` and local network privacy;
/// "Postbacks" and "From the simulator to the phone" say it in full. What is concluded from them is marked as inferred.
enum PlistChecks {
  /// - Parameter host: of the endpoint that the app asks; nil when none is named.
  static func findings(_ bytes: [UInt8], host: TestedHost?) -> [DoctorFinding] {
    let value: PlistValue
    do throws(PlistValue.Failure) { value = try PlistValue(bytes) } catch {
      return [.wrong("Info.plist", "it cannot be read: \(error.reason)")]
    }
    guard let members = value.members else {
      return [.wrong("Info.plist", "it must be a dictionary, this is \(value.kind)")]
    }
    return [PostbackCopyRule.skadnetwork.finding(members)] + AdAttributionKitRules.findings(members)
      + PlistNames.findings(members) + TransportSecurityRule.findings(members, host: host)
  }
}
