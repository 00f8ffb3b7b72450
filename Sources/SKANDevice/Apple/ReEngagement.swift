/// A conversion of AdAttributionKit by a click on an ad that opened the installed app; see the article "Apple's
/// framework".
package struct ReEngagement: Sendable, Equatable {
  package let ad: AdAttribution
  package let opened: Instant
  /// The conversion tag; nil if there is none.
  package let tag: String?
  /// What AdAttributionKit holds of this conversion.
  package internal(set) var framework: AppleFramework
  /// When a later re-engagement ended it; nil if none did.
  package internal(set) var replaced: Instant?

  package init(_ ad: AdAttribution, at opened: Instant, tag: String?, framework: AppleFramework? = nil) {
    self.ad = ad
    self.opened = opened
    self.tag = tag
    if let framework {
      self.framework = framework
    } else {
      self.framework = AppleFramework()
      self.framework.launched(at: opened)
    }
  }
}

extension ReEngagement: CustomStringConvertible {
  /// The values held for each window that has any, without a period: `P0 fine 5, high; P1 locked`.
  package var description: String {
    let windows = ConversionWindow.allCases.filter { framework.held[$0] != HeldValues() }.map { window in
      let held = framework.held[window]
      let values = [held.fine.map { "fine \($0)" }, held.coarse?.rawValue, held.lockedAt.map { _ in "locked" }]
      let text = values.compactMap(\.self).joined(separator: ", ")
      return "P\(window.rawValue) \(text.isEmpty ? "no value" : text)"
    }
    return windows.isEmpty ? "nothing" : windows.joined(separator: "; ")
  }
}

/// The conversions of a phone's AdAttributionKit after its install, and what they did to it.
package struct ReEngagements: Sendable, Equatable {
  package internal(set) var all: [ReEngagement] = []
  /// When the first of them ended the conversion of the install; nil if none did.
  package internal(set) var installReplaced: Instant?

  package init(_ all: [ReEngagement] = [], installReplaced: Instant? = nil) {
    self.all = all
    self.installReplaced = installReplaced
  }
}

/// A direct call of the app to AdAttributionKit: `Postback.updateConversionValue` in one of its forms.
package struct DirectUpdate: Sendable, Equatable {
  package var fine: Int64
  package var coarse: CoarseValue?
  package var lock = false
  /// Nil for all types.
  package var types: [ConversionKind]?
  package var tag: String?

  /// `Postback.ConversionType`, as a parameter of an update.
  package enum ConversionKind: String, CaseIterable, Sendable { case install, reengagement }

  package init(fine: Int64, coarse: CoarseValue? = nil, lock: Bool = false) {
    self.fine = fine
    self.coarse = coarse
    self.lock = lock
  }

  /// The first iOS with this form of the call, by Apple's documentation of each parameter.
  var minimum: IOSVersion {
    tag != nil ? .conversionTags : types != nil ? .reEngagement : .adAttributionKit
  }
}

/// The click that opens the app by an ad.
package struct OpenedAd: Sendable, Equatable {
  /// Nil if nothing is said of the ad.
  package var ad: AdAttribution?
  /// The universal link of the impression.
  package var url: String
  /// Whether the impression is eligible for re-engagement.
  package var isEligible = true
  package var tag: String?

  package init(_ ad: AdAttribution?, url: String) {
    self.ad = ad
    self.url = url
  }

  /// The item that the system appends to the link; `Postback.reengagementOpenURLParameter`.
  static let parameter = "AdAttributionKitReengagementOpen"

  /// The link as the app gets it. With a conversion tag, this is the value of the item.
  func opened(tag: String?, _ parameters: FrameworkSettings.KitTrackingParameters) -> String {
    let item = Self.parameter + (tag.map { "=\($0)" } ?? "")
    let link =
      switch parameters {
      case .kept: url
      case .allRemoved: String(url.prefix { $0 != "?" })
      }
    return link + (link.contains("?") ? "&" : "?") + item
  }

  /// The names of the link's parameters.
  private var parameterNames: [Substring] {
    guard let query = url.firstIndex(of: "?") else { return [] }
    return url[url.index(after: query)...].split(separator: "&").map { $0.prefix { $0 != "=" } }
  }

  /// The warnings about the link.
  var warnings: [Warning] {
    let names = parameterNames
    let others = names.filter { $0 != Self.parameter }.map(String.init)
    return (others.isEmpty ? [] : [.trackingParameters(others)])
      + (others.count < names.count ? [.openParameterGiven] : [])
  }
}

/// Why a re-engagement cannot begin as a step says.
package enum ReEngagementError: Error, Sendable, Equatable {
  /// A conversion has this tag already.
  case tagTaken(String)
}

/// Which conversions of AdAttributionKit an update is for.
private struct Selection {
  var types: [DirectUpdate.ConversionKind]?
  var tag: String?
}

extension Device {
  /// The indices of the conversions that an update reaches, nil for the install, the most recent last.
  ///
  /// A re-engagement without overlap ended what was before it, so that one is left.
  private func targets(of selection: Selection, _ engagements: ReEngagements) -> [Int?] {
    let kinds = selection.types ?? DirectUpdate.ConversionKind.allCases
    var targets: [Int?] = []
    if traits.install.isAdAttributionKit, engagements.installReplaced == nil, kinds.contains(.install),
      selection.tag == nil
    {
      targets.append(nil)
    }
    for (index, conversion) in engagements.all.enumerated() where conversion.replaced == nil {
      let hasTag = selection.tag == nil || conversion.tag == selection.tag
      if kinds.contains(.reengagement), hasTag { targets.append(index) }
    }
    guard selection.tag == nil, targets.count > 1 else { return targets }
    switch profile.settings.kitUntagged {
    case .all: return targets
    case .mostRecent: return Array(targets.suffix(1))
    case .eachType: return (targets[0] == nil ? [nil] : []) + targets.suffix(1)
    }
  }

  /// Applies a call of SKAdNetwork to a phone with re-engagements: to the framework of the install's ad, and mirrored to
  /// the re-engagements.
  ///
  /// - Returns: the answer of the install, or of a re-engagement that took the call when the install did not.
  @inline(never)
  mutating func applyToAll(
    _ call: FrameworkCall, _ engagements: ReEngagements, at now: Instant, failingWith error: Int64?
  ) -> FrameworkAnswer {
    let targets = targets(of: Selection(), engagements)
    let isForInstall = !traits.install.isAdAttributionKit || targets.contains(nil)
    var answer = isForInstall ? framework.apply(call, at: now, on: traits.install, failingWith: error) : nil
    for (_, own) in update(targets.compactMap(\.self), call, at: now, failingWith: error) {
      guard let before = answer, before.fate.isTaken || !own.fate.isTaken else {
        answer = own
        continue
      }
      answer?.effects.formUnion(own.effects.intersection(.ofMirror))
    }
    // The most recent conversion is always reached.
    return answer ?? FrameworkAnswer(.notMirrored, of: call)
  }

  /// Applies a call to re-engagements.
  private mutating func update(
    _ indices: [Int], _ call: FrameworkCall, at now: Instant, failingWith error: Int64? = nil
  ) -> [(index: Int, answer: FrameworkAnswer)] {
    guard var engagements, !indices.isEmpty else { return [] }
    let answers = indices.map { index in
      let install = InstallTraits(of: engagements.all[index].ad, reEngagementOf: profile)
      return (index, engagements.all[index].framework.apply(call, at: now, on: install, failingWith: error))
    }
    self.engagements = engagements
    return answers
  }

  /// The app calls AdAttributionKit itself.
  package mutating func updateAdAttributionKit(_ update: DirectUpdate, at now: Instant) -> StepReport {
    guard profile.ios >= update.minimum else {
      return StepReport(
        .iosTooOld,
        .adAttributionKit(
          "This call of AdAttributionKit came with iOS \(update.minimum.text), and this phone has \(profile.ios.text): "
            + "nothing changes."))
    }
    if profile.build == .development {
      return StepReport(
        .ignored,
        .adAttributionKit("The app is not from the App Store: AdAttributionKit has nothing pending for it (ours)."))
    }
    let engagements = engagements ?? ReEngagements()
    if let error = error(of: update, engagements) {
      guard profile.settings.kitTagErrors == .byCause else {
        return StepReport(
          .ignored,
          .adAttributionKit(
            "AdAttributionKit has no conversion with the tag, and ignores the call without an error (setting "
              + "aak-tag-errors)."))
      }
      return StepReport(.adAttributionKitError, .adAttributionKit("AdAttributionKit refuses the call: \(error)."))
    }
    guard (0...63).contains(update.fine) else {
      let isError = profile.settings.kitFineRange == .errorUnknown
      return StepReport(
        isError ? .adAttributionKitError : .ignored,
        .adAttributionKit(
          "A fine value is from 0 to 63, and this is \(update.fine): AdAttributionKit "
            + (isError ? "refuses the call with the error unknown" : "ignores the call without an error")
            + " (setting aak-fine-range)."))
    }
    let call = FrameworkCall.updateAdAttributionKit(fine: update.fine, coarse: update.coarse, lock: update.lock)
    var answers: [(name: String, answer: FrameworkAnswer)] = []
    let targets = targets(of: Selection(types: update.types, tag: update.tag), engagements)
    if targets.contains(nil) {
      answers.append(("the install", framework.apply(call, at: now, on: traits.install)))
    } else if profile.settings.kitToSKAN == .on, !traits.install.isAdAttributionKit {
      answers.append(("SKAdNetwork", framework.apply(call, at: now, on: traits.install)))
    }
    for (index, answer) in self.update(targets.compactMap(\.self), call, at: now) {
      answers.append(("re-engagement \(index + 1)", answer))
    }
    return .direct(call, answers)
  }

  /// Why AdAttributionKit refuses an update, as the end of a sentence; nil if it does not.
  private func error(of update: DirectUpdate, _ engagements: ReEngagements) -> String? {
    guard let tag = update.tag else { return nil }
    if !allowsOverlap {
      return "conversionTagNotSupported, since the app does not allow overlapping conversions (setting aak-overlap)"
    }
    return engagements.all.contains { $0.tag == tag }
      ? nil : "invalidConversionTag, since no conversion has the tag \"\(tag.oneLine)\""
  }

  /// Whether conversions go on beside later ones: the app's key `EligibleForAdAttributionKitOverlappingConversions`.
  private var allowsOverlap: Bool { profile.settings.kitOverlap == .on && profile.ios >= .conversionTags }
}

extension CallEffects {
  /// The effects that belong to the mirror.
  fileprivate static let ofMirror: CallEffects = [.mirrored, .coarseNotMirrored, .directCoarseCleared]
}

extension StepReport {
  /// The report of a direct call.
  ///
  /// - Parameter answers: of each conversion that the call was for.
  fileprivate static func direct(
    _ call: FrameworkCall, _ answers: [(name: String, answer: FrameworkAnswer)]
  ) -> StepReport {
    let taken = answers.filter { $0.answer.fate.isTaken }
    let text: String
    if answers.isEmpty {
      text = "AdAttributionKit has no conversion pending that the call is for, and ignores it without an error."
    } else if taken.isEmpty {
      let reasons = answers.map { "\($0.name): \($0.answer.fate)" }.joined(separator: "; ")
      text = "AdAttributionKit ignores the call without an error. \(reasons)."
    } else {
      let places = taken.map { name, answer in
        if case .taken(let window) = answer.fate { "P\(window.rawValue) of \(name)" } else { name }
      }
      let values = call.displayedValues
      text = "AdAttributionKit was called directly: \(values) for \(places.listed("and"))."
    }
    var report = StepReport(taken.isEmpty ? .ignored : .updated, .adAttributionKit(text))
    if let answer = (taken.last ?? answers.last)?.answer { report.note(call, answer) }
    // The app keeps nothing of a direct call, so nothing can differ.
    report.found = []
    return report
  }
}

extension FrameworkCall {
  fileprivate var displayedValues: String {
    guard case .updateAdAttributionKit(let fine, let coarse, let lock) = self else { return "" }
    return "fine \(fine), \(coarse.map { "coarse \($0.rawValue)" } ?? "no coarse value")\(lock ? ", lock" : "")"
  }
}

/// The click on an ad that opens the app.
extension Device {
  /// The app is opened by an ad: a re-engagement begins, and ends the conversions before it unless the app allows
  /// overlapping ones.
  ///
  /// - Throws: ``ReEngagementError``, without a change.
  package mutating func open(by opened: OpenedAd, at now: Instant) throws(ReEngagementError) -> StepReport {
    guard profile.ios >= .reEngagement else {
      return StepReport(
        .iosTooOld,
        .adAttributionKit(
          "Re-engagements came with iOS \(IOSVersion.reEngagement.text), and this phone has \(profile.ios.text): the ad "
            + "opens the app and nothing else happens."))
    }
    let overlaps = allowsOverlap
    let tag = overlaps || profile.settings.kitOverlapTag == .always ? opened.tag : nil
    let link = opened.opened(tag: tag, profile.settings.kitTrackingParameters)
    let (ad, warnings) = conversionAd(of: opened)
    var engagements = engagements ?? ReEngagements()
    let obstacle =
      opened.isEligible
      ? limit(of: ad, engagements, at: now) ?? cooldown(engagements, at: now)
      : "the impression is not eligible for re-engagement"
    if let obstacle {
      return StepReport(
        .ignored, .adAttributionKit("The app is opened with \(link); no conversion begins: \(obstacle)."),
        opened.warnings)
    }
    if let tag, engagements.all.contains(where: { $0.tag == tag }) { throw .tagTaken(tag) }
    var changes: [String] = []
    if !overlaps { changes = end(&engagements, at: now) }
    engagements.all.append(ReEngagement(ad, at: now, tag: tag))
    self.engagements = engagements
    let others = changes.isEmpty ? "" : "; \(changes.joined(separator: "; "))"
    return StepReport(
      .opened,
      .adAttributionKit("The app is opened with \(link): re-engagement \(engagements.all.count) begins\(others)."),
      warnings + opened.warnings)
  }

  /// The ad of a conversion that begins, with the country of the install, and the warnings about it.
  ///
  /// WWDC25 ("What's new in AdAttributionKit"): a re-engagement has the country of the original install.
  private func conversionAd(of opened: OpenedAd) -> (ad: AdAttribution, warnings: [Warning]) {
    var ad = opened.ad ?? AdAttribution(ofReEngagementUnder: profile.clock)
    var warnings = profile.productionWarning(about: ad).map { [$0] } ?? []
    if let country = profile.ad?.country {
      if let other = ad.country, other != country { warnings.append(.countryOfInstall(country, given: other)) }
      ad.country = country
    }
    return (ad, warnings)
  }

  /// Why another re-engagement is one too many; nil if it is not. Apple limits no development postbacks.
  private func limit(of ad: AdAttribution, _ engagements: ReEngagements, at now: Instant) -> String? {
    guard profile.clock(of: ad) == .production, let last = engagements.all.last?.opened else { return nil }
    let (days, name): (Int64, String) =
      switch profile.settings.kitLimit {
      case .none: (0, "")
      case .onePerMonth: (30, "in 30 days")
      case .onePerYear: (365, "in 365 days")
      }
    guard days > 0, now < last.later(by: .hours(days * 24)) else { return nil }
    return "the limit is one \(name) (setting aak-reengagement-limit)"
  }

  /// Why the app's cool-down prevents another conversion; nil if it does not.
  private func cooldown(_ engagements: ReEngagements, at now: Instant) -> String? {
    guard profile.ios >= .attributionRules else { return nil }
    let (settings, install) = (profile.settings, framework.installed ?? framework.firstLaunch)
    let conversions: [(at: Instant?, hours: UInt16, setting: FrameworkSetting)] = [
      (engagements.all.last?.opened, settings.kitReEngagementCooldown, .kitReEngagementCooldown),
      (traits.install.isAdAttributionKit ? install : nil, settings.kitInstallCooldown, .kitInstallCooldown),
    ]
    for (moment, hours, setting) in conversions {
      guard let moment, hours > 0, now < moment.later(by: .hours(Int64(hours))) else { continue }
      return "the app's cool-down of \(Int(hours).counted("hour")) has not passed (setting \(setting.rawValue))"
    }
    return nil
  }

  /// Ends the conversions that are pending, and says what became of each.
  private mutating func end(_ engagements: inout ReEngagements, at now: Instant) -> [String] {
    var changes: [String] = []
    func describe(_ name: String, _ change: String?) { if let change { changes.append("\(name) \(change)") } }
    if traits.install.isAdAttributionKit, engagements.installReplaced == nil {
      describe("the install", end(&framework, on: traits.install, &engagements.installReplaced, at: now))
    }
    for index in engagements.all.indices where engagements.all[index].replaced == nil {
      var conversion = engagements.all[index]
      let install = InstallTraits(of: conversion.ad, reEngagementOf: profile)
      describe(
        "re-engagement \(index + 1)", end(&conversion.framework, on: install, &conversion.replaced, at: now))
      engagements.all[index] = conversion
    }
    return changes
  }

  /// Ends a conversion: its open window is locked, and what has not begun is dropped.
  ///
  /// - Returns: what happened, as the end of a sentence; nil if nothing was pending.
  private func end(
    _ framework: inout AppleFramework, on install: InstallTraits, _ replaced: inout Instant?, at now: Instant
  ) -> String? {
    let settings = profile.settings
    guard framework.isRegistered else {
      if settings.kitUnregistered == .kept { return nil }
      replaced = now
      return "had no update and is dropped"
    }
    guard let window = framework.window(at: now, on: install) else { return nil }
    if framework.held[window].lockedAt == nil { framework.held[window].lockedAt = framework.moment(now) }
    if settings.kitLaterWindows == .dropped { replaced = now }
    return "is locked in P\(window.rawValue)"
  }
}
