/// The version of an ad's signature. It decides how many postbacks there are, when they are sent and what they contain.
///
/// The cases are ordered from the newest to the oldest.
package enum AdVersion: String, CaseIterable, Sendable {
  case v4 = "4.0"
  case v3 = "3.0"
  case v2_2 = "2.2"
  case v2_1 = "2.1"
  case v2_0 = "2.0"

  /// Whether the version has three windows, coarse values and locks.
  package var hasWindows: Bool { self == .v4 }

  /// Whether ads that did not win get a postback too: since 3.0.
  package var hasNonWinners: Bool { self == .v4 || self == .v3 }

  /// The first iOS that sends postbacks of this version.
  private var firstIOS: IOSVersion {
    switch self {
    case .v4: .coarseValueUpdate
    case .v3: IOSVersion(14, 6)
    case .v2_2: IOSVersion(14, 5)
    case .v2_1, .v2_0: IOSVersion(14, 0)
    }
  }

  /// This version or the newest older one that an iOS supports; nil if it supports none.
  fileprivate func known(to ios: IOSVersion) -> AdVersion? {
    Self.allCases.drop { $0 != self }.first { $0.firstIOS <= ios }
  }
}

extension DeviceProfile {
  /// The version by which this phone's framework treats the ad of the install; nil if it supports none.
  ///
  /// An older iOS sends postbacks of the newest version that it supports. How an iOS before 16.1 treats an ad of
  /// SKAdNetwork 4 is decided by the setting `old-ios`.
  package var adVersion: AdVersion? {
    // AdAttributionKit has the windows of version 4.
    if let ad, ad.isAdAttributionKit { return ios >= .adAttributionKit ? .v4 : nil }
    guard let ad, let version = AdVersion(rawValue: ad.version), let known = version.known(to: ios) else { return nil }
    guard version.hasWindows, !known.hasWindows else { return known }
    switch settings.oldIOS {
    case .asVersion3: return known
    case .asVersion4: return .v4
    case .notAttributed: return nil
    }
  }
}
