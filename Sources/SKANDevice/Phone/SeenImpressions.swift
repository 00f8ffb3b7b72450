import SKANBase

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
      (engagements?.lastOpened, profile.settings.kitReEngagementCooldown, .kitReEngagementCooldown),
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

extension ImpressionRace {
  /// A warning for each impression that did not win.
  package var warnings: [Warning] {
    entries.compactMap { entry in
      switch entry.rule.part {
      case .winner: nil
      case .loser: .impressionLost(entry.sentence)
      case .unused: .impressionUnused(entry.sentence)
      }
    }
  }
}
