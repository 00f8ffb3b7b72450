extension DeviceProfile {
  /// The warnings about a phone that is installed so.
  package var warnings: [Warning] {
    var warnings: [Warning] = []
    if let warning = productionWarning(about: ad) { warnings.append(warning) }
    if let idfv, !idfv.isDeviceIdentifier { warnings.append(.oddProfile(key: "idfv", value: idfv)) }
    if let idfa, !idfa.isDeviceIdentifier { warnings.append(.oddProfile(key: "idfa", value: idfa)) }
    if appVersion.isBlank { warnings.append(.oddProfile(key: "app_version", value: appVersion)) }
    if bundleID.isBlank { warnings.append(.oddProfile(key: "bundle_id", value: bundleID)) }
    if let plist { warnings += plist.findings.map(Warning.infoPlist) }
    return warnings
  }

  /// The warning about an impression that Developer Mode leaves alone; nil if the phone is not in it.
  func productionWarning(about ad: AdAttribution?) -> Warning? {
    guard clock == .developer, let ad, let app = ad.productionApp else { return nil }
    return .productionImpression(app: app, ad.framework)
  }
}

extension String {
  /// Whether the text can be an identifier that iOS gives an app: a UUID that is not all zeros.
  fileprivate var isDeviceIdentifier: Bool {
    isUUID && utf8.contains { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: "-") }
  }

  /// Whether the text is empty or has white space only.
  var isBlank: Bool { utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
}
