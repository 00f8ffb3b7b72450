import SKANBase

@testable import SKANDevice

/// A second evaluation of Apple's framework, from the rules alone: it keeps every call that counted, and works
/// everything else out anew when it is asked. Times are seconds after ``start``.
///
/// It reads the settings by their names, so that a name that sets the wrong field shows.
struct PlainApple {
  /// The settings that differ from the default.
  let settings: [String: String]
  let ad: AdAttribution?
  let isDevelopmentBuild: Bool
  let isDeveloperMode: Bool
  var ios: IOSVersion
  /// The conversion of the install; nil for an organic one.
  var install: Conversion?
  var engagements: [Conversion] = []

  init(_ profile: DeviceProfile, _ settings: [String: String]) {
    self.settings = settings
    ad = profile.ad
    isDevelopmentBuild = profile.build == .development
    isDeveloperMode = profile.clock == .developer
    ios = profile.ios
    install = profile.ad.map { Conversion(of: $0, settings, isDeveloperMode) }
  }

  func has(_ name: String, _ value: String) -> Bool { settings[name] == value }
  var isKit: Bool { ad?.framework == .adattributionkit }
  var allowsOverlap: Bool { has("aak-overlap", "on") && ios >= IOSVersion(18, 4) }

  /// The version by which a first call counts now; nil if this iOS has none for the ad.
  var version: String? {
    guard let ad else { return nil }
    if isKit { return ios >= IOSVersion(17, 4) ? "4.0" : nil }
    let needs = [
      ("4.0", IOSVersion(16, 1)), ("3.0", IOSVersion(14, 6)), ("2.2", IOSVersion(14, 5)), ("2.1", IOSVersion(14, 0)),
      ("2.0", IOSVersion(14, 0)),
    ]
    guard let newest = needs.drop(while: { $0.0 != ad.version }).first(where: { $0.1 <= ios })?.0 else { return nil }
    if newest == ad.version || ad.version != "4.0" { return newest }
    return has("old-ios", "as_4_0") ? "4.0" : has("old-ios", "not_attributed") ? nil : newest
  }

  // MARK: What happens

  struct Answer: Equatable {
    var fate: CallFate
    var effects: CallEffects = []
    var error: Int64?

    var isTaken: Bool { if case .taken = fate { true } else { fate == .registered } }
  }

  /// A call of SKAdNetwork.
  mutating func call(_ call: FrameworkCall, at time: Int64, failingWith error: Int64?) -> Answer {
    let reached = targets(nil, nil)
    var answers: [Answer] = []
    if !isKit || engagements.isEmpty || reached.contains(nil) { answers.append(toInstall(call, at: time, error)) }
    for index in reached.compactMap(\.self) { answers.append(toEngagement(index, call, at: time, error)) }
    return answers.dropFirst().reduce(answers[0]) { before, own in
      if own.isTaken, !before.isTaken { return own }
      var both = before
      both.effects.formUnion(own.effects.intersection([.mirrored, .coarseNotMirrored, .directCoarseCleared]))
      return both
    }
  }

  /// A call of AdAttributionKit; the answer of the last conversion that took it, or of the last one.
  mutating func direct(_ update: DirectUpdate, at time: Int64) -> (outcome: Outcome, answer: Answer?) {
    let needed = update.tag != nil ? IOSVersion(18, 4) : update.types != nil ? IOSVersion(18, 0) : IOSVersion(17, 4)
    if ios < needed { return (.iosTooOld, nil) }
    if isDevelopmentBuild { return (.ignored, nil) }
    if let tag = update.tag, !allowsOverlap || !engagements.contains(where: { $0.tag == tag }) {
      return (has("aak-tag-errors", "ignored") ? .ignored : .adAttributionKitError, nil)
    }
    if update.fine < 0 || update.fine > 63 {
      return (has("aak-fine-range", "ignored") ? .ignored : .adAttributionKitError, nil)
    }
    let call = FrameworkCall.updateAdAttributionKit(fine: update.fine, coarse: update.coarse, lock: update.lock)
    let reached = targets(update.types, update.tag)
    var answers: [Answer] = []
    if reached.contains(nil) || has("aak-to-skan", "on") && !isKit { answers.append(toInstall(call, at: time, nil)) }
    for index in reached.compactMap(\.self) { answers.append(toEngagement(index, call, at: time, nil)) }
    let taken = answers.last { $0.isTaken }
    return (taken == nil ? .ignored : .updated, taken ?? answers.last)
  }

  /// The app is opened by an ad; nil if its tag is taken.
  mutating func open(_ opened: OpenedAd, at time: Int64) -> Outcome? {
    if ios < IOSVersion(18, 0) { return .iosTooOld }
    let tag = allowsOverlap || !has("aak-overlap-tag", "overlap_only") ? opened.tag : nil
    var ad = opened.ad ?? AdAttribution(ofReEngagementUnder: isDeveloperMode ? .developer : .production)
    ad.country = self.ad?.country ?? ad.country
    var conversion = Conversion(of: ad, settings, isDeveloperMode, isReEngagement: true)
    (conversion.launched, conversion.tag) = (time, tag)
    let days: Int64 = has("aak-reengagement-limit", "one_per_month") ? 30 : 365
    let isLimited = settings["aak-reengagement-limit"] ?? "none" != "none" && !conversion.isShort
    if !opened.isEligible { return .ignored }
    if isLimited, let last = engagements.last?.launched, time < last + days * 86_400 { return .ignored }
    if ios >= IOSVersion(18, 4) {
      let rules = [
        (engagements.last?.launched, "re-engagement-cooldown-hours"),
        (isKit ? install?.installed ?? install?.launched : nil, "install-cooldown-hours"),
      ]
      for (began, name) in rules {
        let hours = Int64(settings[name] ?? "0") ?? -1
        // A clock that was set back is before any moment, and no cool-down is then open.
        if let began, hours > 0, time < began + hours * 3600 { return .ignored }
      }
    }
    if let tag, engagements.contains(where: { $0.tag == tag }) { return nil }
    if !allowsOverlap {
      if isKit { install?.end(at: time) }
      for index in engagements.indices { engagements[index].end(at: time) }
    }
    engagements.append(conversion)
    return .opened
  }

  private mutating func toInstall(_ call: FrameworkCall, at time: Int64, _ error: Int64?) -> Answer {
    if let refusal = refusal(error) { return refusal }
    let version = version
    return install?.take(call, at: time, version) ?? Answer(fate: .organic)
  }

  private mutating func toEngagement(_ index: Int, _ call: FrameworkCall, at time: Int64, _ error: Int64?) -> Answer {
    refusal(error) ?? engagements[index].take(call, at: time, "4.0")
  }

  private func refusal(_ error: Int64?) -> Answer? {
    (error ?? (isDevelopmentBuild ? 10 : nil)).map { Answer(fate: .refused($0), error: $0) }
  }

  /// The conversions of AdAttributionKit that an update reaches; nil stands for the install.
  private func targets(_ types: [DirectUpdate.ConversionKind]?, _ tag: String?) -> [Int?] {
    var all: [Int?] = []
    if isKit, install?.ended == nil, tag == nil, types?.contains(.install) ?? true { all.append(nil) }
    for (index, engagement) in engagements.enumerated() where engagement.ended == nil {
      if tag ?? engagement.tag == engagement.tag, types?.contains(.reengagement) ?? true { all.append(index) }
    }
    if tag != nil || has("aak-untagged", "all") { return all }
    guard let last = all.last else { return [] }
    return has("aak-untagged", "each_type") && last != nil && all.contains(nil) ? [nil, last] : [last]
  }

  // MARK: What leaves

  /// - Parameter tier: replaces the tier of each ad.
  func postbacks(at time: Int64, tier: Int64?) -> [PlainPostback] {
    var all: [PlainPostback] = []
    if let install, var ad, let version = install.version ?? version {
      ad.tier = tier ?? ad.tier
      let windows = version == "4.0" ? [0, 1, 2] : [0]
      all += windows.map { postback(of: install, ad, version, window: $0, .own, at: time) }
      for (index, lost) in ad.lost.enumerated() {
        var other = ad
        (other.framework, other.network) = (lost.framework, lost.network)
        (other.campaign, other.fidelity, other.won) = (.sourceIdentifier(lost.sourceIdentifier), 1, false)
        all.append(
          postback(
            of: install, other, lost.framework == .adattributionkit ? "4.0" : version, window: 0,
            .lost(number: index + 1, network: lost.network), at: time))
      }
    }
    for (index, engagement) in engagements.enumerated() {
      var ad = engagement.ad
      ad.tier = tier ?? ad.tier
      for window in 0...2 {
        all.append(postback(of: engagement, ad, "4.0", window: window, .reEngagement(number: index + 1), at: time))
      }
    }
    return all
  }

  /// - Parameter ad: that of the conversion, or of an impression that lost to it.
  private func postback(
    of conversion: Conversion, _ ad: AdAttribution, _ version: String, window: Int, _ impression: Postback.Impression,
    at time: Int64
  ) -> PlainPostback {
    let now = max(time, conversion.latest ?? time)
    let isKit = ad.framework == .adattributionkit
    var postback = PlainPostback(window: window, impression: impression, isKit: isKit, now: now)
    postback.hasCopy = ad.won && (!conversion.isReEngagement || has("aak-reengagement-copies", "on"))
    postback.decide(conversion, ad, version, at: now, isDevelopmentBuild: isDevelopmentBuild)
    guard let prepared = postback.prepared else { return postback }
    let bounds = delay(of: conversion, isKit, version, window)
    (postback.earliest, postback.latest) = (prepared + bounds.0, prepared + bounds.1)
    if postback.hasContent {
      postback.body = isKit ? kitBody(conversion, ad, window) : body(conversion, ad, version, window)
    }
    return postback
  }

  /// The shortest and the longest delay in seconds.
  private func delay(
    of conversion: Conversion, _ isKit: Bool, _ version: String, _ window: Int
  ) -> (Int64, Int64) {
    let hour: Int64 = 3600
    let (inFive, soon) = ((Int64(300), Int64(600)), (Int64(0), Int64(300)))
    if version != "4.0" {
      return conversion.isShort ? has("developer-timer", "3m_then_5_10m") ? inFive : soon : (0, 24 * hour)
    }
    if conversion.isShort, !isKit || window == 0 || !has("aak-dev-delay", "first_window") { return inFive }
    if window > 0 { return (24 * hour, 144 * hour) }
    let calls = conversion.counted[0]
    let isFineOnly = !isKit && !calls.isEmpty && calls.allSatisfy { !$0.isFull }
    return isFineOnly && has("fine-only-delay", "0_24h") ? (0, 24 * hour) : (24 * hour, 48 * hour)
  }

  /// The members of a postback of SKAdNetwork, apart from its transaction ID.
  private func body(_ conversion: Conversion, _ ad: AdAttribution, _ version: String, _ window: Int) -> [String: JSON] {
    var body: [String: JSON] = [
      "version": .string(version), "ad-network-id": .string(ad.network), "app-id": .integer(ad.appID),
      "redownload": .bool(ad.redownload),
    ]
    let fine = conversion.fine.map(JSON.integer) ?? (has("register-value", "absent") ? nil : .integer(0))
    if version != "2.0", version != "2.1" { body["fidelity-type"] = .integer(ad.fidelity) }
    if version == "4.0" || version == "3.0" { body["did-win"] = .bool(ad.won) }
    guard version == "4.0" else {
      switch ad.campaign {
      case .campaignID(let id): body["campaign-id"] = .integer(id)
      case .sourceIdentifier(let digits):
        body["campaign-id"] = .integer(digits.hasSuffix("00") ? 100 : Int64(digits.suffix(2)) ?? -1)
      }
      let both = ["tier_1": Int64(1), "tier_2": 2, "tier_3": 3][settings["old-threshold"] ?? ""]
      if ad.won, ad.tier >= both ?? 2 { body["conversion-value"] = fine }
      if ad.won, ad.tier >= both ?? 3, case .app(let id) = ad.source { body["source-app-id"] = .integer(id) }
      return body
    }
    body["postback-sequence-index"] = .integer(Int64(window))
    var digits = 2
    if window == 0, ad.won || !has("non-winner", "least") {
      if ad.tier == 2 { digits = Int(settings["tier2-digits"] ?? "3") ?? -1 }
      if ad.tier == 3 { digits = Int(settings["tier3-digits"] ?? "4") ?? -1 }
    }
    body["source-identifier"] = identifier(ad, digits)
    if window == 0, ad.tier == 3 {
      if ad.won, case .app(let id) = ad.source { body["source-app-id"] = .integer(id) }
      if ad.won || has("non-winner", "by_tier"), case .domain(let name) = ad.source {
        body["source-domain"] = .string(name)
      }
      if ad.won, has("country", "present") { body["country-code"] = ad.country.map(JSON.string) }
    }
    addValues(to: &body, conversion, ad, window)
    return body
  }

  /// The claims and the members beside the JWS, apart from the identifier.
  private func kitBody(_ conversion: Conversion, _ ad: AdAttribution, _ window: Int) -> [String: JSON] {
    let isLeast = !ad.won && has("aak-nonwinner", "least")
    let digits = window == 0 && ad.tier >= 2 && !isLeast ? Int(settings["aak-digits"] ?? "4") ?? -1 : 2
    var body: [String: JSON] = [
      "ad-network-identifier": .string(ad.network), "source-identifier": identifier(ad, digits),
      "advertised-item-identifier": .integer(ad.appID), "impression-type": .string("app-impression"),
      "conversion-type": .string(
        conversion.isReEngagement ? "re-engagement" : ad.redownload ? "redownload" : "download"),
      "did-win": .bool(ad.won), "postback-sequence-index": .integer(Int64(window)),
      "ad-interaction-type": .string(ad.fidelity == 1 ? "click" : "view"),
    ]
    if ad.tier > 0, !isLeast, window == 0 || !has("aak-later-fields", "absent") {
      body["marketplace-identifier"] = .string(ad.marketplace)
    }
    if window == 0, ad.tier == 3, ad.won {
      if case .app(let id) = ad.source { body["publisher-item-identifier"] = .integer(id) }
      if has("aak-country", "present") { body["country-code"] = ad.country.map(JSON.string) }
    }
    addValues(to: &body, conversion, ad, window)
    return body
  }

  private func identifier(_ ad: AdAttribution, _ count: Int) -> JSON {
    guard case .sourceIdentifier(let digits) = ad.campaign else { return .null }
    return .string(String(has("identifier-digits", "first") ? digits.prefix(count) : digits.suffix(count)))
  }

  /// The conversion values of version 4, by tier and window.
  private func addValues(
    to body: inout [String: JSON], _ conversion: Conversion, _ ad: AdAttribution, _ window: Int
  ) {
    guard ad.won else { return }
    if window == 0, ad.tier >= 2, !conversion.counted[0].isEmpty {
      body["conversion-value"] =
        conversion.fine.map(JSON.integer) ?? (has("register-value", "absent") ? nil : .integer(0))
    }
    if window == 0 ? ad.tier == 1 : ad.tier > 0 {
      body["coarse-conversion-value"] = conversion.coarse(of: window).map(JSON.string)
    }
  }
}

/// A postback by the second evaluation.
struct PlainPostback {
  let window: Int
  let impression: Postback.Impression
  let isKit: Bool
  /// The moment of the question, never before the latest call.
  let now: Int64
  var hasCopy = false
  var reason = Postback.Reason.noCallYet
  /// Whether its values can change, it leaves, or it never does.
  var phase = Phase.open
  var prepared: Int64?
  var earliest: Int64?
  var latest: Int64?
  /// Whether it would leave as things stand.
  var hasContent = false
  var body: [String: JSON]?

  enum Phase { case open, leaves, never }

  init(window: Int, impression: Postback.Impression, isKit: Bool, now: Int64) {
    (self.window, self.impression, self.isKit, self.now) = (window, impression, isKit, now)
  }

  /// Phase, reason and the time of its preparation.
  fileprivate mutating func decide(
    _ conversion: Conversion, _ ad: AdAttribution, _ version: String, at now: Int64, isDevelopmentBuild: Bool
  ) {
    func never(_ why: Postback.Reason) { (phase, reason) = (.never, why) }
    if isDevelopmentBuild { return never(.developmentBuild) }
    if version == "4.0", window > 0, !ad.won { return never(.didNotWin) }
    if version == "4.0", window > 0, ad.tier == 0 { return never(.lowestTier) }
    if !ad.won, version.hasPrefix("2") { return never(.noNonWinners(AdVersion(rawValue: version) ?? .v4)) }
    let registered = conversion.registered
    if version == "4.0", let ended = conversion.ended, registered == nil { return never(.replaced(moment(ended))) }
    guard let start = version == "4.0" ? conversion.started : conversion.timer else {
      if let deadline = conversion.deadline, now > deadline { never(.tooLate(since: moment(deadline))) }
      return
    }
    guard version == "4.0" else {
      let end = start + conversion.timerLength
      (prepared, hasContent) = (end, true)
      let isOver = conversion.isOver(end, now)
      (phase, reason) = isOver ? (.leaves, .timerEnded(moment(end))) : (.open, .timerRuns(until: moment(end)))
      return
    }
    let opening = window == 0 ? nil : start + conversion.ends[window - 1]
    if let ended = conversion.ended, let opening, opening > ended { return never(.replaced(moment(ended))) }
    let (end, lock) = (start + conversion.ends[window], conversion.locks[window])
    let isOver = lock != nil || conversion.isOver(end, now)
    let leaves = conversion.hasUpdate(in: window) || conversion.sendsEmpty && registered != nil
    if isOver, !leaves {
      let last = start + conversion.ends[2]
      return never(
        registered == nil && conversion.isOver(last, now)
          ? .neverRegistered(windowsOver: moment(last))
          : .noUpdate(in: ConversionWindow(rawValue: window) ?? .p0, ended: moment(end)))
    }
    if let registered { (prepared, hasContent) = (lock ?? max(end, registered), leaves) }
    if isOver {
      (phase, reason) = (.leaves, lock.map { .windowLocked(moment($0)) } ?? .windowEnded(moment(end)))
    } else if !leaves, let opening, !conversion.isOver(opening, now) {
      reason = .windowAhead(opens: moment(opening))
    } else {
      reason = .windowOpen(until: moment(end), isUpdated: leaves)
    }
  }
}

/// What Apple holds of one install or re-engagement, as the calls that counted.
struct Conversion {
  let ad: AdAttribution
  let settings: [String: String]
  /// Whether Developer Mode shortens its windows and delays.
  let isShort: Bool
  let isReEngagement: Bool
  var tag: String?
  var installed: Int64?
  var launched: Int64?
  /// The first call that counted, and the version that it fixed.
  var registered: Int64?
  var version: String?
  var latest: Int64?
  /// The calls that counted in each window, and when a lock ended it.
  var counted: [[Parts]] = [[], [], []]
  var locks: [Int64?] = [nil, nil, nil]
  /// Versions up to 3: the start of the timer, and the value.
  var timer: Int64?
  var value: Int64?
  /// When a later re-engagement replaced it.
  var ended: Int64?

  /// What a call says.
  struct Parts {
    var fine: Int64?
    var coarse: CoarseValue?
    var lock = false
    /// Whether the call can have a coarse value and a lock.
    var isFull = false
    var isDirect = false

    init(_ call: FrameworkCall) {
      switch call {
      case .register: break
      case .updateConversionValue(let fine), .updatePostback(let fine): self.fine = fine
      case .updatePostbackCoarse(let fine, let coarse, let lock):
        (self.fine, self.coarse, self.lock, isFull) = (fine, coarse, lock, true)
      case .updateAdAttributionKit(let fine, let coarse, let lock):
        (self.fine, self.coarse, self.lock, isFull, isDirect) = (fine, coarse, lock, true, true)
      }
    }
  }

  init(of ad: AdAttribution, _ settings: [String: String], _ isDeveloperMode: Bool, isReEngagement: Bool = false) {
    self.ad = ad
    self.settings = settings
    self.isReEngagement = isReEngagement
    if case .app(let id) = ad.source, id != 0 { isShort = false } else { isShort = isDeveloperMode }
  }

  private func has(_ name: String, _ value: String) -> Bool { settings[name] == value }
  private var isKit: Bool { ad.framework == .adattributionkit }
  private typealias Answer = PlainApple.Answer

  var ends: [Int64] { isShort ? [180, 360, 540] : [48 * 3600, 168 * 3600, 840 * 3600] }
  var timerLength: Int64 { isShort ? has("developer-timer", "3m_then_5_10m") ? 180 : 300 : 24 * 3600 }
  var sendsEmpty: Bool { isKit ? has("aak-empty-window", "sent") : has("empty-window", "send_without_value") }
  var deadline: Int64? { (installed ?? launched).map { $0 + (isReEngagement ? 2 : 60) * 86_400 } }

  /// The start of the windows.
  var started: Int64? {
    has(isKit ? "aak-window-start" : "clock-start", "first_launch") ? launched ?? registered : registered
  }

  func isOver(_ end: Int64, _ now: Int64) -> Bool { has("window-edges", "end_included") ? now > end : now >= end }

  /// Whether a call counted in a window; versions up to 3 have the first alone.
  func hasUpdate(in window: Int) -> Bool { !counted[window].isEmpty || window == 0 && timer != nil }

  /// The fine value of the first window, or the only value of versions up to 3.
  var fine: Int64? { version == "4.0" ? counted[0].last { $0.fine != nil }?.fine : value }

  /// The coarse value of a window: the last one given, or the one before it.
  func coarse(of window: Int) -> String? {
    var coarse = window > 0 && !isKit && has("carry-over", "yes") ? self.coarse(of: window - 1) : nil
    for call in counted[window] where call.fine != nil { coarse = call.coarse?.rawValue ?? without(coarse) }
    return coarse
  }

  /// What a call without a coarse value leaves of one.
  private func without(_ coarse: String?) -> String? {
    if isKit {
      if has("aak-fine-only", "keeps") { return coarse }
      return has("aak-fine-only", "clears") || !has("coarse-without", "keep") ? nil : coarse
    }
    return has("coarse-without", "keep") ? coarse : has("coarse-without", "literal_none") ? "none" : nil
  }

  mutating func take(_ call: FrameworkCall, at time: Int64, _ version: String?) -> PlainApple.Answer {
    guard let version = self.version ?? version else { return Answer(fate: .unknownVersion) }
    if let fine = call.fineValue, fine < 0 || fine > 63 { return Answer(fate: .refused(6), error: 6) }
    var parts = Parts(call)
    guard isKit, !parts.isDirect else { return count(parts, version, at: time) }
    if has("aak-mirror", "off") || has("aak-mirror", "multi_argument") && !parts.isFull {
      return Answer(fate: .notMirrored)
    }
    let isCarried = has("aak-mirror-coarse", "carried")
    let isLost = parts.coarse != nil && !isCarried
    (parts.fine, parts.isFull) = (parts.fine ?? 0, true)
    if isLost { parts.coarse = nil }
    var answer = count(parts, version, at: time)
    guard answer.isTaken else { return answer }
    answer.effects.insert(.mirrored)
    if isLost { answer.effects.insert(.coarseNotMirrored) }
    if !isCarried, answer.effects.contains(.coarseCleared) { answer.effects.insert(.directCoarseCleared) }
    return answer
  }

  private mutating func count(_ call: Parts, _ version: String, at time: Int64) -> PlainApple.Answer {
    let now = max(time, latest ?? time)
    if registered == nil, let deadline, now > deadline {
      let since = moment(deadline)
      return Answer(fate: isReEngagement ? .reEngagementOver(since: since) : .tooLate(since: since))
    }
    latest = now
    let isFirst = registered == nil
    var answer = version == "4.0" ? countInWindow(call, now) : countByTimer(call, now)
    if isFirst, registered != nil {
      self.version = version
      answer.effects.insert(.registered)
    }
    return answer
  }

  private mutating func countInWindow(_ call: Parts, _ now: Int64) -> PlainApple.Answer {
    let start = started ?? now
    let error: (String) -> Int64? = { [self] name in !isKit && has(name, "error_10") ? 10 : nil }
    guard let index = ends.firstIndex(where: { !isOver(start + $0, now) }),
      let window = ConversionWindow(rawValue: index)
    else { return Answer(fate: .windowsOver(since: moment(start + ends[2])), error: error("after-windows")) }
    if let lock = locks[index] { return Answer(fate: .locked(window, since: moment(lock)), error: error("after-lock")) }
    let isFirst = registered == nil
    if isFirst { registered = now }
    let counts = call.isFull || index == 0 || has("fine-only-calls", "every_window")
    guard call.fine != nil || !isFirst else {
      if counts { counted[index].append(call) }
      return Answer(fate: .registered)
    }
    guard counts else { return Answer(fate: .fineOnly(window)) }
    let before = coarse(of: index)
    var answer = Answer(fate: .taken(window))
    if call.fine == nil {
      let hasValue = before != nil || index == 0 && counted[0].contains { $0.fine != nil }
      guard !counted[index].isEmpty, hasValue, !has("register-again", "ignored") else {
        return Answer(fate: .alreadyRegistered)
      }
      answer.effects.insert(.reset)
      counted[index].append(Parts(.updateConversionValue(0)))
    } else {
      counted[index].append(call)
      if index > 0 { answer.effects.insert(.fineIgnored) }
    }
    if call.coarse == nil, let before, before != "none", coarse(of: index) != before {
      answer.effects.insert(.coarseCleared)
    }
    if call.lock {
      locks[index] = now
      answer.effects.insert(.locked)
    }
    return answer
  }

  private mutating func countByTimer(_ call: Parts, _ now: Int64) -> PlainApple.Answer {
    var ignored: CallEffects = []
    if call.coarse != nil, !call.isDirect { ignored.insert(.coarseIgnored) }
    if call.lock, !call.isDirect { ignored.insert(.lockIgnored) }
    guard let timer else {
      (registered, timer, value) = (now, now, call.fine)
      return Answer(fate: call.fine == nil ? .registered : .taken(.p0), effects: ignored)
    }
    let end = timer + timerLength
    if isOver(end, now) {
      return Answer(fate: .final(since: moment(end)), error: has("after-windows", "error_10") ? 10 : nil)
    }
    guard let fine = call.fine else {
      if value == nil || has("register-again", "ignored") { return Answer(fate: .alreadyRegistered) }
      value = 0
      return Answer(fate: .taken(.p0), effects: .reset)
    }
    if let value, fine <= value { return Answer(fate: .notHigher(than: UInt8(value))) }
    (value, self.timer) = (fine, now)
    return Answer(fate: .taken(.p0), effects: ignored)
  }

  /// A re-engagement begins: the open window is locked, and what has not begun is dropped.
  mutating func end(at time: Int64) {
    if ended != nil { return }
    guard let registered else {
      if !has("aak-unregistered", "kept") { ended = time }
      return
    }
    let now = max(time, latest ?? time)
    guard let window = ends.firstIndex(where: { !isOver((started ?? registered) + $0, now) }) else { return }
    locks[window] = locks[window] ?? now
    if !has("aak-later-windows", "kept") { ended = time }
  }
}
