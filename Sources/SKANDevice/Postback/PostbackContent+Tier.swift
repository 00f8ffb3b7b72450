extension PostbackContent {
  /// What leaves in the postback of a window, as tier, winner and settings let it.
  ///
  /// - Parameters:
  ///   - version: as what the ad counts.
  ///   - window: the first for versions up to 3.
  init(
    _ ad: AdAttribution, version: AdVersion, window: ConversionWindow, held framework: AppleFramework,
    _ settings: FrameworkSettings, transactionID: String
  ) {
    let permission = PostbackPermission(ad, version: version, window: window, settings)
    self.init(
      version: version, adNetworkID: ad.network, campaign: ad.campaign(in: version, permission, settings),
      appID: ad.appID, transactionID: transactionID, redownload: ad.redownload)
    source = permission.showsSource ? ad.shownSource(in: version) : nil
    fidelity = version.signedFields.contains(.fidelityType) ? ad.fidelity : nil
    didWin = version.signedFields.contains(.didWin) ? ad.won : nil
    sequenceIndex = version.hasWindows ? Int64(window.rawValue) : nil
    let values = framework.held[window]
    if permission.showsFine {
      conversionValue = values.fine.map(Int64.init) ?? (values.isUpdated ? settings.valueOfRegister : nil)
    }
    if permission.showsCoarse { coarseValue = framework.coarse(of: window, settings)?.rawValue }
  }
}

extension FrameworkSettings {
  /// The fine value of an install that was registered without one.
  fileprivate var valueOfRegister: Int64? {
    switch registerValue {
    case .zero: 0
    case .absent: nil
    }
  }
}

extension AdAttribution {
  /// What stands for the campaign, cut to the digits that may be shown.
  fileprivate func campaign(
    in version: AdVersion, _ permission: PostbackPermission, _ settings: FrameworkSettings
  ) -> Campaign {
    switch campaign {
    case .sourceIdentifier(let digits) where version.hasWindows:
      let count = permission.identifierDigits
      return .sourceIdentifier(
        settings.identifierDigits == .last ? String(digits.suffix(count)) : String(digits.prefix(count)))
    case .sourceIdentifier(let digits):
      // A version 4 ad on an older iOS: the last two digits, of which 00 stands for campaign 100.
      let lastTwo = Int64(digits.suffix(2)) ?? 0
      return .campaignID(lastTwo == 0 ? 100 : lastTwo)
    case .campaignID: return campaign
    }
  }

  /// Web ads came with version 4: before, a postback has no field for a domain. One that did not win has no source app.
  fileprivate func shownSource(in version: AdVersion) -> Source? {
    switch source {
    case .app: won ? source : nil
    case .domain: version.hasWindows ? source : nil
    }
  }
}
