import SKANBase

/// Keys of an Info.plist that are commonly mistaken.
enum PlistNames {
  /// Keys at the top that have to do with a test, without what many keys have in common.
  private static let known: [(stem: String, name: String)] =
    [
      ("AdvertisingAttributionReportEndpoint", PostbackCopyRule.skadnetwork.key),
      ("SKAdNetworkItems", "SKAdNetworkItems"),
      ("AppTransportSecurity", TransportSecurityRule.key), ("UserTracking", "NSUserTrackingUsageDescription"),
      ("LocalNetwork", TransportSecurityRule.localNetwork),
    ] + AdAttributionKitRules.keys.map { ($0, $0) }

  static func findings(_ members: [String: PlistValue]) -> [DoctorFinding] {
    let names = known.map(\.name)
    return members.keys.sorted().compactMap { name in
      guard !names.contains(name), !AdAttributionKitRules.isDictionary(name) else { return nil }
      if let key = AdAttributionKitRules.invented[name] {
        return .wrong(name, "is not a key of Apple's; did you mean \(key)?", .inferred)
      }
      guard let stem = nearestName(to: stem(name), in: known.map(\.stem)),
        let near = known.first(where: { $0.stem == stem })?.name, !members.keys.contains(near)
      else { return nil }
      return .wrong(name, "is not a key of Apple's; did you mean \(near)?", .inferred)
    }
  }

  /// A name without what those of Apple have in common, which makes no two alike.
  private static func stem(_ name: String) -> String {
    var stem = Substring(name)
    if stem.hasPrefix("NS") { stem = stem.dropFirst(2) }
    for suffix in ["Description", "Usage"] where stem.hasSuffix(suffix) { stem = stem.dropLast(suffix.count) }
    return String(stem)
  }
}
