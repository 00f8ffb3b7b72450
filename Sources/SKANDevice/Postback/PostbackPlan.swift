/// When the postbacks of one install leave; see the article "Postbacks".
struct PostbackPlan {
  let framework: AppleFramework
  let profile: DeviceProfile
  let install: InstallTraits
  let ad: AdAttribution
  /// As what the ad counts.
  let version: AdVersion
  let phone: String
  /// As of when, never before the latest call.
  let moment: Instant

  private var settings: FrameworkSettings { profile.settings }

  /// The postback of a window of version 4.
  func postback(_ window: ConversionWindow) -> Postback {
    if let reason = obstacle(window) { return Postback(window, .notSent, reason) }
    guard let start = framework.clockStart(on: install) else { return withoutCall(window) }
    let held = framework.held[window]
    let end = start.later(by: profile.clock.end(of: window))
    let isOver = held.lockedAt != nil || install.isOver(end, at: moment)
    let leavesEmpty = settings.emptyWindow == .sendWithoutValue && framework.isRegistered
    if isOver, !held.isUpdated, !leavesEmpty { return unsent(window, ended: end, start: start) }
    var postback = Postback(window, .open, openReason(window, start: start, end: end, held.isUpdated || leavesEmpty))
    // A window that ended before the first call is made known by that call.
    let prepared = held.lockedAt ?? max(end, framework.firstUpdate ?? end)
    schedule(&postback, prepared, profile.clock.delay(of: window, isFineOnly: held.isFineOnly, settings))
    if isOver { close(&postback, held.lockedAt.map(Postback.Reason.windowLocked) ?? .windowEnded(end)) }
    if !held.isUpdated, !leavesEmpty { postback.content = nil }
    return postback
  }

  private func openReason(
    _ window: ConversionWindow, start: Instant, end: Instant, _ leaves: Bool
  ) -> Postback.Reason {
    if !leaves, let before = ConversionWindow(rawValue: window.rawValue - 1) {
      let opening = start.later(by: profile.clock.end(of: before))
      if !install.isOver(opening, at: moment) { return .windowAhead(opens: opening) }
    }
    return .windowOpen(until: end, isUpdated: leaves)
  }

  /// The one postback of versions up to 3.
  var onlyPostback: Postback {
    if profile.build == .development { return Postback(.p0, .notSent, .developmentBuild) }
    guard ad.won || version.hasNonWinners else { return Postback(.p0, .notSent, .noNonWinners(version)) }
    guard let started = framework.timerStart else { return withoutCall(.p0) }
    let end = started.later(by: profile.clock.timer(settings))
    var postback = Postback(.p0, .open, .timerRuns(until: end))
    schedule(&postback, end, profile.clock.delayAfterTimer(settings))
    if install.isOver(end, at: moment) { close(&postback, .timerEnded(end)) }
    return postback
  }

  private func withoutCall(_ window: ConversionWindow) -> Postback {
    if let last = framework.lastFirstUpdate, moment > last { return Postback(window, .notSent, .tooLate(since: last)) }
    return Postback(window, .open, .noCallYet)
  }

  /// What keeps a postback of version 4 from leaving whatever the app does.
  private func obstacle(_ window: ConversionWindow) -> Postback.Reason? {
    if profile.build == .development { return .developmentBuild }
    if window == .p0 { return nil }
    if !ad.won { return .didNotWin }
    return ad.tier == 0 ? .lowestTier : nil
  }

  private func unsent(_ window: ConversionWindow, ended end: Instant, start: Instant) -> Postback {
    let last = start.later(by: profile.clock.end(of: .p2))
    let isLost = !framework.isRegistered && install.isOver(last, at: moment)
    return Postback(window, .notSent, isLost ? .neverRegistered(windowsOver: last) : .noUpdate(in: window, ended: end))
  }

  /// Fills in bounds, draw and content.
  private func schedule(_ postback: inout Postback, _ prepared: Instant, _ bounds: DelayBounds) {
    // Before the first call nothing can be drawn: it is what tells this install from the next.
    guard let registered = framework.firstUpdate else { return }
    let draw = PostbackDraw(
      profile: profile, phone: phone, registered: registered, index: postback.sequenceIndex, bounds: bounds)
    let earliest = prepared.later(by: bounds.shortest)
    postback.preparedAt = prepared
    postback.earliest = earliest
    postback.latest = prepared.later(by: bounds.longest)
    postback.sendsAt = earliest.later(by: draw.offset)
    postback.content = PostbackContent(
      ad, version: version, window: postback.window, held: framework, settings, transactionID: draw.transactionID)
  }

  /// The values are final.
  private func close(_ postback: inout Postback, _ reason: Postback.Reason) {
    postback.reason = reason
    postback.state = postback.sendsAt.map { moment >= $0 } ?? false ? .sent : .scheduled
  }
}
