/// The version with which an ad was signed: it decides how many postbacks there are, when they leave and what is in them.
///
/// From the newest to the oldest.
package enum AdVersion: String, CaseIterable, Sendable {
  case v4 = "4.0"
  case v3 = "3.0"
  case v2_2 = "2.2"
  case v2_1 = "2.1"
  case v2_0 = "2.0"

  /// Whether it has three windows, coarse values and locks.
  package var hasWindows: Bool { self == .v4 }

  /// Whether ads that did not win get a postback too: since 3.0.
  package var hasNonWinners: Bool { self == .v4 || self == .v3 }

  /// The first iOS whose postbacks are of this version.
  private var firstIOS: IOSVersion {
    switch self {
    case .v4: .coarseValueUpdate
    case .v3: IOSVersion(14, 6)
    case .v2_2: IOSVersion(14, 5)
    case .v2_1, .v2_0: IOSVersion(14, 0)
    }
  }

  /// The same, or the newest below it that an iOS knows; nil when it knows none.
  fileprivate func known(to ios: IOSVersion) -> AdVersion? {
    Self.allCases.drop { $0 != self }.first { $0.firstIOS <= ios }
  }
}

extension DeviceProfile {
  /// As what version this phone's framework treats the install's ad; nil = it knows of none.
  ///
  /// An older iOS makes the postback of the newest version that it knows. What one before 16.1 does with an ad of
  /// SKAdNetwork 4 is the setting `old-ios`.
  package var adVersion: AdVersion? {
    guard let ad, let version = AdVersion(rawValue: ad.version), let known = version.known(to: ios) else { return nil }
    guard version.hasWindows, !known.hasWindows else { return known }
    switch settings.oldIOS {
    case .asVersion3: return known
    case .asVersion4: return .v4
    case .notAttributed: return nil
    }
  }
}
