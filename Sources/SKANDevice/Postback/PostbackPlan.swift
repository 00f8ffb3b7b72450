import SKANBase

extension AppleFramework {
  /// All postbacks of the install as of a moment: three with an ad of version 4 or of AdAttributionKit, one with an older
  /// ad, none without an ad; and one of each impression that lost.
  ///
  /// - Parameters:
  ///   - name: the phone's name in a list, empty for a device file; it makes the draws of phones without an identifier
  ///     for vendors differ.
  ///   - tier: replaces the postback data tier of the ad.
  package func postbacks(
    on profile: DeviceProfile, _ engagements: ReEngagements? = nil, phone name: String, at now: Instant,
    tier: Int64? = nil
  ) -> [Postback] {
    let ofInstall = postbacksOfInstall(on: profile, engagements?.installReplaced, phone: name, at: now, tier: tier)
    guard let engagements else {
      return profile.ad?.usesAdAttributionKit ?? false ? ofInstall : ofInstall.map(\.withoutFramework)
    }
    return ofInstall
      + engagements.all.enumerated().flatMap { index, conversion -> [Postback] in
        var ad = conversion.ad
        ad.tier = tier ?? ad.tier
        var plan = PostbackPlan(
          framework: conversion.framework, profile: profile, install: InstallTraits(of: conversion, on: profile),
          settings: profile.settings.forAdAttributionKit, ad: ad, version: .v4, phone: name,
          moment: conversion.framework.moment(now))
        plan.firstDraw = 10 * (index + 1)
        plan.replaced = conversion.replaced
        plan.development = conversion.development
        guard let development = conversion.development else {
          plan.impression = .reEngagement(number: index + 1)
          return [.p0, .p1, .p2].map(plan.postback)
        }
        plan.impression = .development(number: index + 1)
        return zip(ConversionWindow.allCases, development.tiers).map { window, own in
          plan.ad.tier = tier ?? own
          return plan.postback(window)
        }
      }
  }

  private func postbacksOfInstall(
    on profile: DeviceProfile, _ replaced: Instant?, phone name: String, at now: Instant, tier: Int64?
  ) -> [Postback] {
    guard var ad = profile.ad, let version = version ?? profile.adVersion else { return [] }
    if let tier {
      ad.tier = tier
      for index in ad.lost.indices { ad.lost[index].tier = nil }
    }
    var plan = PostbackPlan(
      framework: self, profile: profile, install: InstallTraits(profile),
      settings: ad.isAdAttributionKit ? profile.settings.forAdAttributionKit : profile.settings, ad: ad,
      version: version, phone: name, moment: moment(now))
    plan.replaced = replaced
    let own = version.hasWindows ? [.p0, .p1, .p2].map(plan.postback) : [plan.onlyPostback]
    return own + ad.lost.enumerated().map { plan.lost($1, number: $0) }
  }
}

/// The schedule of an install's postbacks; see the article "Postbacks".
struct PostbackPlan {
  let framework: AppleFramework
  let profile: DeviceProfile
  let install: InstallTraits
  /// The settings of the framework of the install's ad.
  let settings: FrameworkSettings
  var ad: AdAttribution
  /// The version by which the ad counts; for AdAttributionKit 4.0, whose windows it has.
  var version: AdVersion
  let phone: String
  /// The moment of the schedule, never before the latest call.
  let moment: Instant
  /// The number of the first postback in the random draws; the others follow in the order of their windows.
  var firstDraw = 0
  /// The impression whose postbacks these are.
  var impression = Postback.Impression.own
  /// What a tester chose for a conversion without an ad.
  var development: DevelopmentConversion?
  /// When a re-engagement ended the conversion.
  var replaced: Instant?

  /// The postback of an impression that did not win, which leaves when the winner's first one does.
  ///
  /// When it leaves is ours: Apple says that there is one, for the first window.
  fileprivate func lost(_ impression: AdAttribution.LostImpression, number: Int) -> Postback {
    var plan = self
    plan.ad = ad.lost(impression)
    if impression.framework == .adattributionkit { plan.version = .v4 }
    plan.firstDraw = 3 + number
    plan.impression = .lost(number: number + 1, network: impression.network)
    return plan.version.hasWindows ? plan.postback(.p0) : plan.onlyPostback
  }

  /// The postback of a window of version 4.
  func postback(_ window: ConversionWindow) -> Postback {
    if let reason = obstacle(window) { return row(window, .notSent, reason) }
    if let replaced, !framework.isRegistered { return row(window, .notSent, .replaced(replaced)) }
    guard let start = framework.clockStart(on: install) else { return withoutCall(window) }
    if let replaced, let before = ConversionWindow(rawValue: window.rawValue - 1),
      start.later(by: install.clock.end(of: before)) > replaced
    {
      return row(window, .notSent, .replaced(replaced))
    }
    let held = framework.held[window]
    let end = start.later(by: install.clock.end(of: window))
    let isOver = held.lockedAt != nil || install.isOver(end, at: moment)
    let leavesEmpty = settings.emptyWindow == .sendWithoutValue && framework.isRegistered
    if isOver, !held.isUpdated, !leavesEmpty { return unsent(window, ended: end, start: start) }
    var postback = row(window, .open, openReason(window, start: start, end: end, held.isUpdated || leavesEmpty))
    // If a window ended before the first call, its postback is prepared at that call.
    let prepared = held.lockedAt ?? max(end, framework.firstUpdate ?? end)
    // An impression of AdAttributionKit can lose to one of SKAdNetwork, which alone has calls without a coarse value.
    let isFineOnly = held.isFineOnly && !ad.isAdAttributionKit
    // "The device sends eligible postbacks automatically, which can take a few minutes": how many is ours.
    let delay =
      development == nil
      ? delayClock(of: window).delay(of: window, isFineOnly: isFineOnly, settings) : DelayBounds(.zero, .minutes(5))
    schedule(&postback, prepared, delay)
    if isOver { close(&postback, held.lockedAt.map(Postback.Reason.windowLocked) ?? .windowEnded(end)) }
    if !held.isUpdated, !leavesEmpty { postback.content = nil }
    return postback
  }

  /// The clock of the delay after a window: the conversion's, apart from the setting `aak-dev-delay`.
  private func delayClock(of window: ConversionWindow) -> DeviceProfile.ClockPreset {
    let isShort = !ad.isAdAttributionKit || window == .p0 || settings.kitDeveloperDelay == .allWindows
    return isShort ? install.clock : .production
  }

  private func openReason(
    _ window: ConversionWindow, start: Instant, end: Instant, _ leaves: Bool
  ) -> Postback.Reason {
    if !leaves, let before = ConversionWindow(rawValue: window.rawValue - 1) {
      let opening = start.later(by: install.clock.end(of: before))
      if !install.isOver(opening, at: moment) { return .windowAhead(opens: opening) }
    }
    return .windowOpen(until: end, isUpdated: leaves)
  }

  private func row(_ window: ConversionWindow, _ state: Postback.State, _ reason: Postback.Reason) -> Postback {
    var postback = Postback(window, state, reason, of: impression, ad.framework)
    if ad.isAdAttributionKit { postback.retries = RetryRule(settings) }
    postback.hasCopy =
      ad.won && development == nil && (!install.isReEngagement || settings.kitCopies == .on)
      && (profile.plist.map { $0.copies[ad.framework] != nil } ?? true)
    return postback
  }

  /// The only postback of versions up to 3.
  var onlyPostback: Postback {
    if profile.build == .development { return row(.p0, .notSent, .developmentBuild) }
    guard ad.won || version.hasNonWinners else { return row(.p0, .notSent, .noNonWinners(version)) }
    guard let started = framework.timerStart else { return withoutCall(.p0) }
    let end = started.later(by: install.clock.timer(settings.calls))
    var postback = row(.p0, .open, .timerRuns(until: end))
    schedule(&postback, end, install.clock.delayAfterTimer(settings.calls))
    if install.isOver(end, at: moment) { close(&postback, .timerEnded(end)) }
    return postback
  }

  private func withoutCall(_ window: ConversionWindow) -> Postback {
    if let last = framework.lastFirstUpdate(on: install), moment > last {
      return row(window, .notSent, .tooLate(since: last))
    }
    return row(window, .open, .noCallYet)
  }

  /// Why a postback of version 4 is never sent, whatever the app does; nil if it may be.
  private func obstacle(_ window: ConversionWindow) -> Postback.Reason? {
    if install.build == .development { return .developmentBuild }
    if window == .p0 { return nil }
    if !ad.won { return .didNotWin }
    return ad.tier == 0 ? .lowestTier : nil
  }

  private func unsent(_ window: ConversionWindow, ended end: Instant, start: Instant) -> Postback {
    let last = start.later(by: install.clock.end(of: .p2))
    let isLost = !framework.isRegistered && install.isOver(last, at: moment)
    return row(window, .notSent, isLost ? .neverRegistered(windowsOver: last) : .noUpdate(in: window, ended: end))
  }

  /// Sets times and content.
  private func schedule(_ postback: inout Postback, _ prepared: Instant, _ bounds: DelayBounds) {
    // Nothing can be drawn before the first call, whose time distinguishes this install from the next.
    guard let registered = framework.firstUpdate else { return }
    let draw = PostbackDraw(
      profile: profile, phone: phone, registered: registered, index: firstDraw + postback.sequenceIndex, bounds: bounds,
      isAdAttributionKit: ad.isAdAttributionKit)
    let earliest = prepared.later(by: bounds.shortest)
    postback.preparedAt = prepared
    postback.earliest = earliest
    postback.latest = prepared.later(by: bounds.longest)
    postback.sendsAt = earliest.later(by: draw.offset)
    postback.content = PostbackContent(
      ad, version: version, window: postback.window, held: framework, settings, transactionID: draw.transactionID)
    if install.isReEngagement { postback.content?.kit?.conversion = .reEngagement }
    if let development { postback.content?.kit?.conversion = development.conversion }
  }

  /// Ends the time in which values can change.
  private func close(_ postback: inout Postback, _ reason: Postback.Reason) {
    postback.reason = reason
    postback.state = postback.sendsAt.map { moment >= $0 } ?? false ? .sent : .scheduled
  }
}

/// The random parts of a postback: its delay and its transaction ID; see the article "Postbacks".
struct PostbackDraw {
  /// The delay after the earliest moment, in whole seconds.
  let offset: TimeSpan
  /// A version 4 UUID in lower case, as in Apple's samples; of AdAttributionKit by the setting `aak-uuid-case`.
  let transactionID: String

  /// The generator is seeded with a hash of everything that distinguishes a postback from others: the profile's seed,
  /// the phone's name and identifier for vendors, the time of registration and the index. Tier and settings are not
  /// included, so that their effects can be compared.
  ///
  /// - Parameter registered: hashed in microseconds, so that a reinstalled app does not repeat its IDs.
  init(
    profile: DeviceProfile, phone name: String, registered: Instant, index: Int, bounds: DelayBounds,
    isAdAttributionKit: Bool
  ) {
    let key = { (purpose: String, index: Int) in
      fnv1a(
        "skan \(purpose) 1 \(index)\n\(profile.seed)\n\(registered.microseconds)\n\(profile.idfv ?? "none")\n\(name)")
    }
    let span = UInt64(max(0, (bounds.longest.microseconds - bounds.shortest.microseconds) / 1_000_000))
    var delays = SplitMix64(seed: key("delay", index))
    let seconds: UInt64 =
      switch profile.settings.delayDistribution {
      case .uniform: delays.next(through: span)
      case .earliest: 0
      case .latest: span
      }
    offset = TimeSpan(seconds: Int64(seconds))
    let isShared = !isAdAttributionKit && profile.settings.transactionIDs == .same && index < 3
    var ids = SplitMix64(seed: key("transaction", isShared ? 0 : index))
    transactionID = Self.uuid(
      ids.next(), ids.next(), uppercase: isAdAttributionKit && profile.settings.kitUUIDCase == .upper)
  }

  /// 128 bits as a UUID of version 4, variant 1.
  private static func uuid(_ first: UInt64, _ second: UInt64, uppercase: Bool) -> String {
    let high = first & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return DeviceProfile.uuid(high: high, low: low, uppercase: uppercase)
  }
}
