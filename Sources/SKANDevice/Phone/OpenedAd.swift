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
          "Re-engagements need iOS \(IOSVersion.reEngagement.text), and this phone has \(profile.ios.text): the ad "
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
    guard profile.clock(of: ad) == .production, let last = engagements.lastOpened else { return nil }
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
      (engagements.lastOpened, settings.kitReEngagementCooldown, .kitReEngagementCooldown),
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
    for index in engagements.all.indices
    where engagements.all[index].replaced == nil && engagements.all[index].development == nil {
      var conversion = engagements.all[index]
      let install = InstallTraits(of: conversion, on: profile)
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
