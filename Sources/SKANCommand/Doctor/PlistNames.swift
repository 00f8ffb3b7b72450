import SKANText

/// Keys of an Info.plist that are commonly mistaken.
enum PlistNames {
  /// Keys at the top that have to do with a test, without what many keys have in common.
  private static let known: [(stem: String, name: String)] = [
    ("AdvertisingAttributionReportEndpoint", ReportEndpointRule.key), ("SKAdNetworkItems", "SKAdNetworkItems"),
    ("AppTransportSecurity", TransportSecurityRule.key), ("UserTracking", "NSUserTrackingUsageDescription"),
    ("LocalNetwork", TransportSecurityRule.localNetwork), ("AdAttributionKit", attributionKit),
  ]

  private static let attributionKit = "AdAttributionKit"
  private static let copyEndpoint = "AttributionCopyEndpoint"

  static func findings(_ members: [String: PlistValue]) -> [DoctorFinding] {
    let names = known.map(\.name)
    var findings: [DoctorFinding] = []
    for name in members.keys.sorted() where !names.contains(name) {
      if [copyEndpoint, "PostbackCopyURL"].contains(name) {
        findings.append(
          .wrong(name, "stands in the dictionary \(attributionKit), as \(copyEndpoint)", .inferred))
      } else if let stem = nearestName(to: stem(name), in: known.map(\.stem)),
        let near = known.first(where: { $0.stem == stem })?.name, !members.keys.contains(near)
      {
        findings.append(.wrong(name, "is not a key of Apple's; did you mean \(near)?", .inferred))
      }
    }
    for name in (members[attributionKit]?.members ?? [:]).keys.sorted() where name == "PostbackCopyURL" {
      findings.append(.wrong(name, "is what Xcode shows; the key is \(copyEndpoint)", .inferred))
    }
    return findings
  }

  /// A name without what those of Apple have in common, which makes no two alike.
  private static func stem(_ name: String) -> String {
    var stem = Substring(name)
    if stem.hasPrefix("NS") { stem = stem.dropFirst(2) }
    for suffix in ["Description", "Usage"] where stem.hasSuffix(suffix) { stem = stem.dropLast(suffix.count) }
    return String(stem)
  }
}
