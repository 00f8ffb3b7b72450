import SKANBase

/// An ad for the app that was shown on the phone; see the article "Impressions".
package struct Impression: Sendable, Equatable {
  /// The ad as the install has it if this impression wins.
  package var ad: AdAttribution
  /// When it was tapped, or when its view ended.
  package var at: Instant
  /// How long a view lasted; nil if that is not said, and for a click.
  package var seconds: Double?

  package init(_ ad: AdAttribution, at: Instant, seconds: Double? = nil) {
    (self.ad, self.at, self.seconds) = (ad, at, seconds)
  }

  package var interaction: AttributionWindows.Interaction { ad.fidelity == 1 ? .click : .view }

  /// The impression in a sentence: "the click on an ad of a.skadnetwork at 2026-01-01T00:00:00Z".
  package var name: String { "the \(interaction.rawValue) \(place) at \(at)" }

  var place: String { "\(interaction.preposition) an ad of \(ad.network.oneLine)" }

  /// Whether it is one for testing: of an app with the identifier 0, or in Developer Mode a web ad.
  func isDevelopment(_ clock: DeviceProfile.ClockPreset) -> Bool {
    ad.source == .app(0) || clock == .developer && ad.productionApp == nil
  }
}

extension AdAttribution {
  /// The keys of an impression's ad. What only an install decides is missing.
  package static let impressionKeys = keys.filter { !["won", "redownload", "conversion", "lost"].contains($0) }

  /// Reads the ad of an impression.
  package init(impression node: JSONNode, _ problems: inout [SourceProblem]) {
    var reader = JSONObjectReader(node, what: "the ad of an impression", known: JSONKeys(Self.impressionKeys))
    self.init(from: &reader)
    if network.isEmpty, !isAdAttributionKit { reader.complain("\"network\" must not be empty", about: "network") }
    problems += reader.problems
  }

  /// Reads a JSON text that contains only the ad of an impression.
  package init(impression bytes: [UInt8]) throws(SourceProblems) {
    var problems: [SourceProblem] = []
    self.init(impression: try JSONReader.readSource(bytes), &problems)
    guard problems.isEmpty else { throw SourceProblems(problems) }
  }

  /// The members of an impression's ad.
  package var impressionJSON: JSON {
    guard case .object(let members) = json else { return json }
    return .object(members.filter { Self.impressionKeys.contains($0.key) })
  }
}

/// The impressions of a phone, and what became of them.
package struct Impressions: Sendable, Equatable {
  /// Those that no install has used yet, in the order of their steps.
  package internal(set) var pending: [Impression] = []
  /// The race that decided the install; nil before the install.
  package internal(set) var race: ImpressionRace?
  /// Until when the cool-downs of the app's Info.plist hold back a conversion, and the setting that says so.
  package internal(set) var cooldown: Cooldown?

  package struct Cooldown: Sendable, Equatable {
    let until: Instant
    let setting: FrameworkSetting
  }
}

extension Impression {
  /// The feature that records the impression, and the first iOS that has it; nil if every iOS records it.
  var needed: (name: String, ios: IOSVersion)? {
    if ad.isAdAttributionKit { return ("AdAttributionKit", .adAttributionKit) }
    return interaction == .view ? ("View-through ads of SKAdNetwork", .viewThroughAds) : nil
  }

  /// The least seconds of a view; nil for a click and where the app that shows it decides.
  ///
  /// AdAttributionKit: 2 seconds between `beginView` and `endView` (Apple, "Presenting ads in your app"); `handleView`
  /// of iOS 26.2 has none. SKAdNetwork: 3 seconds (an App Store Connect engineer, Apple's forum, thread 698779).
  func leastSeconds(_ profile: DeviceProfile) -> Int? {
    guard interaction == .view else { return nil }
    guard ad.isAdAttributionKit else { return 3 }
    return profile.settings.kitViewMinimum == .none && profile.ios >= .handledViews ? nil : 2
  }
}

extension AdAttribution.Framework {
  /// The name in a sentence.
  package var displayName: String { self == .skadnetwork ? "SKAdNetwork" : "AdAttributionKit" }
}
