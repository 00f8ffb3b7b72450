import SKANBase

/// The content of a postback that this phone sends.
package struct PostbackContent: Sendable, Equatable {
  package var version: AdVersion
  package var adNetworkID: String
  /// A source identifier of two to four digits in version 4, a campaign ID in earlier ones.
  package var campaign: AdAttribution.Campaign
  package var appID: Int64
  /// A UUID in its original case.
  package var transactionID: String
  package var redownload: Bool
  package var source: AdAttribution.Source?
  /// Present from 2.2 on.
  package var fidelity: Int64?
  /// Present from 3.0 on.
  package var didWin: Bool?
  /// 0, 1 or 2; present in version 4.
  package var sequenceIndex: Int64?
  package var conversionValue: Int64?
  /// `low`, `medium` or `high`; in a simulated postback also `none` (setting `coarse-without`).
  package var coarseValue: String?
  package var countryCode: String?
  /// An ECDSA signature as Base64 of DER, of AdAttributionKit as base64url of r and s; nil if the postback is not signed.
  package var signature: String?
  /// What only a postback of AdAttributionKit says; nil for SKAdNetwork.
  package var kit: AdAttributionKitContent?

  /// U+2063 INVISIBLE SEPARATOR, which joins the signed values.
  package static let separator = "\u{2063}"

  /// The text that is signed: the present values of ``AdVersion/signedFields``, which do not include conversion values;
  /// of AdAttributionKit header and payload of the JWS.
  package var signedText: String {
    if let jws = unsignedJWS { return jws }
    return version.signedFields.compactMap { value(of: $0)?.signedText }.joined(separator: Self.separator)
  }

  /// The value of a field; nil if it is absent.
  package func value(of field: PostbackField) -> JSON? {
    switch field {
    case .version: .string(version.rawValue)
    case .adNetworkID: .string(adNetworkID)
    case .sourceIdentifier: if case .sourceIdentifier(let digits) = campaign { .string(digits) } else { nil }
    case .campaignID: if case .campaignID(let id) = campaign { .integer(id) } else { nil }
    case .appID: .integer(appID)
    case .transactionID: .string(transactionID)
    case .redownload: .bool(redownload)
    case .sourceAppID: if case .app(let id)? = source { .integer(id) } else { nil }
    case .sourceDomain: if case .domain(let name)? = source { .string(name) } else { nil }
    case .fidelityType: fidelity.map(JSON.integer)
    case .didWin: didWin.map(JSON.bool)
    case .sequenceIndex: sequenceIndex.map(JSON.integer)
    case .conversionValue: conversionValue.map(JSON.integer)
    case .coarseConversionValue: coarseValue.map(JSON.string)
    case .countryCode: countryCode.map(JSON.string)
    case .signature: signature.map(JSON.string)
    }
  }
}

/// The JSON of the postback on the wire, with members in the order of the fields.
extension PostbackContent: JSONWritable {
  package static var jsonForm: JSONForm {
    let names = PostbackField.allCases.map(\.rawValue)
    let ofAdAttributionKit = [AdAttributionKitField.jws] + AdAttributionKitField.unsigned.map(\.rawValue)
    return .each(
      of: names + ofAdAttributionKit.filter { !names.contains($0) }, .anyOf([.text, .number, .bool]), isComplete: false)
  }

  package func write(to writer: inout JSONWriter) {
    if let members = adAttributionKitMembers { return writer.append(.object(members)) }
    let members = version.fields.compactMap { field in value(of: field).map { (key: field.rawValue, value: $0) } }
    writer.append(.object(members))
  }
}

extension JSON {
  /// The value as written in the signed text.
  fileprivate var signedText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    default: nil
    }
  }
}

extension PostbackContent {
  /// The content of the postback of a window, limited by tier, winner and settings.
  ///
  /// - Parameters:
  ///   - version: the version by which the ad counts.
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
    if permission.showsCoarse { coarseValue = framework.coarse(of: window, settings.calls)?.rawValue }
    countryCode = permission.showsCountry ? ad.country : nil
    guard ad.isAdAttributionKit else { return }
    kit = AdAttributionKitContent(
      conversion: ad.redownload ? .redownload : .download, interaction: ad.fidelity == 1 ? "click" : "view",
      marketplace: permission.showsMarketplace ? ad.marketplace : nil,
      escapesSlashes: settings.kitSlash == .escaped)
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
  /// The campaign, limited to the digits that may be shown.
  fileprivate func campaign(
    in version: AdVersion, _ permission: PostbackPermission, _ settings: FrameworkSettings
  ) -> Campaign {
    switch campaign {
    case .sourceIdentifier(let digits) where version.hasWindows:
      let count = permission.identifierDigits
      return .sourceIdentifier(
        settings.identifierDigits == .last ? String(digits.suffix(count)) : String(digits.prefix(count)))
    case .sourceIdentifier(let digits):
      // For a version 4 ad on an older iOS: the last two digits, where 00 stands for campaign 100.
      let lastTwo = Int64(digits.suffix(2)) ?? 0
      return .campaignID(lastTwo == 0 ? 100 : lastTwo)
    case .campaignID: return campaign
    }
  }

  /// The source that a postback may name. Before version 4, which added web ads, it has no field for a domain. A
  /// postback that did not win names no source app.
  fileprivate func shownSource(in version: AdVersion) -> Source? {
    switch source {
    case .app: won ? source : nil
    case .domain: version.hasWindows ? source : nil
    }
  }
}

/// The fields that a postback may contain, by its tier and by whether its ad won; see the article "Postbacks".
struct PostbackPermission: Equatable {
  /// The number of digits of the source identifier; versions up to 3 have none.
  var identifierDigits = 2
  var showsFine = false
  var showsCoarse = false
  var showsSource = false
  var showsCountry = false
  // Of AdAttributionKit only
  var showsMarketplace = false

  init(_ ad: AdAttribution, version: AdVersion, window: ConversionWindow, _ settings: FrameworkSettings) {
    if ad.isAdAttributionKit {
      permit(adAttributionKit: ad, window: window, settings)
      return
    }
    guard version.hasWindows else {
      // Apple mentions one privacy threshold without publishing it: setting `old-threshold`.
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
    showsCountry = ad.won && ad.tier == 3 && settings.country == .present
  }

  /// Permits the fields of a postback of AdAttributionKit; see the article "Postbacks".
  private mutating func permit(
    adAttributionKit ad: AdAttribution, window: ConversionWindow, _ settings: FrameworkSettings
  ) {
    let isFirst = window == .p0
    let isLeast = !ad.won && settings.kitNonWinner == .least
    if isFirst, ad.tier >= 2, !isLeast { identifierDigits = Int(settings.kitDigits.rawValue) ?? 4 }
    showsMarketplace = ad.tier >= 1 && !isLeast && (isFirst || settings.kitLaterFields == .present)
    guard ad.won else { return }
    showsFine = isFirst && ad.tier >= 2
    showsCoarse = isFirst ? ad.tier == 1 : ad.tier >= 1
    showsSource = isFirst && ad.tier == 3
    showsCountry = showsSource && settings.kitCountry == .present
  }

  /// The number of digits of the source identifier in a first postback.
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
