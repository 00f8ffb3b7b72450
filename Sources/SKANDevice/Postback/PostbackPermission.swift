/// What a postback may show: by its tier, and by whether its ad won; see the article "Postbacks".
struct PostbackPermission: Equatable {
  /// Digits of the source identifier; versions up to 3 have none.
  var identifierDigits = 2
  var showsFine = false
  var showsCoarse = false
  var showsSource = false

  init(_ ad: AdAttribution, version: AdVersion, window: ConversionWindow, _ settings: FrameworkSettings) {
    guard version.hasWindows else {
      // Apple speaks of one privacy threshold and publishes none: setting `old-threshold`.
      guard ad.won else { return }
      showsFine = ad.tier >= settings.oldThreshold.ofFineValue
      showsSource = ad.tier >= settings.oldThreshold.ofSource
      return
    }
    guard window == .p0 else {
      showsCoarse = ad.won && ad.tier >= 1
      return
    }
    if ad.won || settings.nonWinner != .least { identifierDigits = Self.digits(tier: ad.tier, settings) }
    showsSource = ad.tier == 3 && (ad.won || settings.nonWinner == .byTier)
    showsCoarse = ad.won && ad.tier == 1
    showsFine = ad.won && ad.tier >= 2
  }

  /// Digits of the source identifier in a first postback.
  private static func digits(tier: Int64, _ settings: FrameworkSettings) -> Int {
    switch tier {
    case 3: Int(settings.tier3Digits.rawValue) ?? 4
    case 2: Int(settings.tier2Digits.rawValue) ?? 3
    default: 2
    }
  }
}

extension FrameworkSettings.OldThreshold {
  fileprivate var ofFineValue: Int64 {
    switch self {
    case .tier1: 1
    case .asVersion4, .tier2: 2
    case .tier3: 3
    }
  }

  fileprivate var ofSource: Int64 {
    switch self {
    case .tier1: 1
    case .tier2: 2
    case .asVersion4, .tier3: 3
    }
  }
}
