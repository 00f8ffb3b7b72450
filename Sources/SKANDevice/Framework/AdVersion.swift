/// The version with which an ad was signed: it decides how many postbacks there are, when they leave and what is in them.
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
}

extension DeviceProfile {
  /// As what version this phone's framework treats the install's ad; nil = it knows of none.
  ///
  /// SKAdNetwork 4 came with iOS 16.1; what an older iOS does with such an ad is the setting `old-ios`.
  package var adVersion: AdVersion? {
    guard let ad, let version = AdVersion(rawValue: ad.version) else { return nil }
    guard version.hasWindows, ios < .coarseValueUpdate else { return version }
    switch settings.oldIOS {
    case .asVersion3: return .v3
    case .asVersion4: return .v4
    case .notAttributed: return nil
    }
  }
}
