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

  var place: String { "\(interaction == .click ? "on" : "of") an ad of \(ad.network.oneLine)" }

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
  /// What decided the install; nil before it.
  package internal(set) var race: ImpressionRace?
  /// Until when the cool-downs of the app's Info.plist hold back a conversion, and the setting that says so.
  package internal(set) var cooldown: Cooldown?

  package struct Cooldown: Sendable, Equatable {
    let until: Instant
    let setting: FrameworkSetting
  }
}

/// Why an impression or a download cannot be as a step says.
package enum ImpressionError: Error, Sendable, Equatable {
  /// The phone has an ad already.
  case adGiven(AdAttribution?)

  package var message: String {
    switch self {
    case .adGiven(let ad):
      "the phone has \(ad == nil ? "\"ad\": false, an organic install," : "an \"ad\"") and impressions, and one of the two "
        + "says what brought the install: leave \"ad\" (--ad, --organic) out, or the impressions"
    }
  }
}

extension Device {
  /// Whether the app is on the phone: it ran, or a download has decided who won.
  package var isInstalled: Bool { hasRun || impressions?.race != nil }

  private var hasRun: Bool { framework.firstLaunch != nil || framework.isRegistered }

  /// Throws if a phone's ad is given otherwise than by impressions.
  private func requireNoAd(_ ad: AdAttribution?) throws(ImpressionError) {
    if ad != AdAttribution(under: profile.clock) { throw .adGiven(ad) }
  }

  /// An ad for the app is shown or tapped on the phone.
  ///
  /// As long as the app has not run, the phone counts as one without it; that is ours.
  ///
  /// - Throws: ``ImpressionError``, without a change.
  package mutating func see(_ ad: AdAttribution, seconds: Double?, at now: Instant) throws(ImpressionError)
    -> StepReport
  {
    let impression = Impression(ad, at: now, seconds: seconds)
    let awaitsInstall = !isInstalled
    if awaitsInstall, impressions == nil {
      try requireNoAd(profile.ad)
      profile.ad = nil
      framework.installed = nil
      impressions = Impressions()
    }
    if let needed = impression.needed, profile.ios < needed.ios {
      return StepReport(
        .iosTooOld,
        .impression(
          "\(needed.name) came with iOS \(needed.ios.text), and this phone has \(profile.ios.text): nothing "
            + "is recorded."))
    }
    if let least = impression.leastSeconds(profile), let seconds, seconds < Double(least) {
      let text =
        "the view of an ad of \(ad.network.oneLine) lasted \(seconds.jsonText) s, and \(ad.framework.displayName) records "
        + "one of \(least) s or more\(ad.isAdAttributionKit ? " (setting aak-view-minimum)" : "")"
      return StepReport(.ignored, .impression("Not recorded: \(text)."), [.impressionUnused(text)])
    }
    var all = impressions ?? Impressions()
    all.pending.append(impression)
    impressions = all
    return StepReport(
      .added,
      .impression(
        "Recorded: \(impression.name)\(awaitsInstall ? "" : "; the app is on the phone, and it counts for the next download")."
      ))
  }

  /// The app runs; if it was not downloaded by a step of its own, it is downloaded now.
  ///
  /// - Returns: whether this decided who won the install.
  @inline(__always)
  package mutating func launched(at now: Instant) -> Bool {
    guard framework.firstLaunch == nil else { return false }
    let decides = hasRare && decide(at: now)
    framework.launched(at: now)
    return decides
  }

  /// Lets the pending impressions decide the install of a phone that awaits it.
  ///
  /// - Returns: false if the phone does not await one.
  @inline(never)
  private mutating func decide(at now: Instant, isRedownload: Bool = false) -> Bool {
    guard var all = impressions, all.race == nil, !framework.isRegistered else { return false }
    let race = ImpressionRace(all.pending, at: now, on: profile, all.cooldown)
    profile.ad = race.ad
    if isRedownload { profile.ad?.redownload = true }
    all.race = race
    all.pending = []
    impressions = all
    return true
  }

  /// The user downloads the app.
  fileprivate mutating func downloaded(isRedownload: Bool, at now: Instant) -> StepReport {
    framework.installed(at: now)
    guard decide(at: now, isRedownload: isRedownload), let race = impressions?.race else {
      if isRedownload { profile.ad?.redownload = true }
      return StepReport(.set, .impression("The app is downloaded; the ad is the one that the phone was given."))
    }
    return StepReport(.set, .impression("The app is downloaded: \(race.sentence)."), race.warnings)
  }

  /// The profile with which the app is installed anew. The ad of a phone that awaits its install is not decided.
  package var profileAnew: DeviceProfile {
    var anew = profile
    if impressions != nil, !isInstalled { anew.ad = AdAttribution(under: profile.clock) }
    return anew
  }

  /// Takes over the impressions that another install on this phone left, before the app is installed with a profile.
  ///
  /// - Parameter fresh: the phone with the app anew.
  /// - Throws: ``ImpressionError`` if the profile names another ad than before.
  package func passImpressions(to fresh: inout Device) throws(ImpressionError) {
    guard let impressions, !impressions.pending.isEmpty else { return }
    let isSame = isInstalled && fresh.profile.ad == profile.ad
    if !isSame { try fresh.requireNoAd(fresh.profile.ad) }
    fresh.profile.ad = nil
    fresh.impressions = Impressions(pending: impressions.pending, cooldown: cooldownAfterInstall)
  }

  /// Decides the install of a phone that was just set up, at the time of its step.
  package mutating func installed(at now: Instant) -> [Warning] {
    hasRare && decide(at: now) ? impressions?.race?.warnings ?? [] : []
  }

  /// The cool-down that the conversions of this install leave to the next one.
  fileprivate var cooldownAfterInstall: Impressions.Cooldown? {
    guard profile.ios >= .attributionRules else { return nil }
    let install = traits.install.isAdAttributionKit ? framework.installed ?? framework.firstLaunch : nil
    let conversions: [(at: Instant?, hours: UInt16, setting: FrameworkSetting)] = [
      (install, profile.settings.kitInstallCooldown, .kitInstallCooldown),
      (engagements?.all.last?.opened, profile.settings.kitReEngagementCooldown, .kitReEngagementCooldown),
    ]
    let ends = conversions.compactMap { moment, hours, setting in
      moment.map { Impressions.Cooldown(until: $0.later(by: .hours(Int64(hours))), setting: setting) }
    }
    return ends.max { $0.until < $1.until }
  }
}

extension Phone {
  /// The user downloads the app. If it is on the phone already, it was deleted before, and nothing of it is kept.
  package mutating func download(isRedownload: Bool, at now: Instant) -> StepReport {
    guard device.isInstalled else { return device.downloaded(isRedownload: isRedownload, at: now) }
    var fresh = Device(device.profile)
    if let impressions = device.impressions {
      fresh.profile.ad = nil
      fresh.impressions = Impressions(pending: impressions.pending, cooldown: device.cooldownAfterInstall)
    }
    // The phone lives on.
    let clock = self.clock
    install(fresh, at: nil)
    self.clock = clock
    return device.downloaded(isRedownload: true, at: now)
  }
}

extension Impression {
  /// What the phone's iOS must have to record it; nil if any has it.
  fileprivate var needed: (name: String, ios: IOSVersion)? {
    if ad.isAdAttributionKit { return ("AdAttributionKit", .adAttributionKit) }
    return interaction == .view ? ("View-through ads of SKAdNetwork", .viewThroughAds) : nil
  }

  /// The least seconds of a view; nil for a click and where the app that shows it decides.
  ///
  /// AdAttributionKit: 2 seconds between `beginView` and `endView` (Apple, "Presenting ads in your app"); `handleView`
  /// of iOS 26.2 has none. SKAdNetwork: 3 seconds (an App Store Connect engineer, Apple's forum, thread 698779).
  fileprivate func leastSeconds(_ profile: DeviceProfile) -> Int? {
    guard interaction == .view else { return nil }
    guard ad.isAdAttributionKit else { return 3 }
    return profile.settings.kitViewMinimum == .none && profile.ios >= .handledViews ? nil : 2
  }
}

extension AdAttribution.Framework {
  /// The name in a sentence.
  package var displayName: String { self == .skadnetwork ? "SKAdNetwork" : "AdAttributionKit" }
}
