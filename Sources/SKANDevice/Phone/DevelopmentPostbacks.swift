import SKANBase

/// Apple's screen Settings > Developer > Development Postbacks.
extension Device {
  /// A tester makes a conversion for the app, which updates then reach like those of an ad.
  ///
  /// That it leaves other conversions as they are is ours.
  ///
  /// - Parameter country: nil for that of the install.
  /// - Throws: ``ReEngagementError``, without a change.
  package mutating func makeDevelopmentPostbacks(
    _ chosen: DevelopmentConversion, tag: String?, country: String?, at now: Instant
  ) throws(ReEngagementError) -> StepReport {
    guard profile.ios >= .developmentPostbacks else {
      return StepReport(
        .iosTooOld,
        .adAttributionKit(
          "Development postbacks came with iOS \(IOSVersion.developmentPostbacks.text), and this phone has "
            + "\(profile.ios.text): nothing changes."))
    }
    var engagements = engagements ?? ReEngagements()
    if let tag, engagements.all.contains(where: { $0.tag == tag }) { throw .tagTaken(tag) }
    engagements.all.append(
      ReEngagement(chosen.ad(on: profile, country: country), at: now, tag: tag, chosen))
    self.engagements = engagements
    let tiers = chosen.tiers.map(String.init).listed("and")
    return StepReport(
      .added,
      .adAttributionKit(
        "Development postbacks: conversion \(engagements.all.count) begins, a \(chosen.conversion.rawValue) by a "
          + "\(chosen.interaction.rawValue), with \(chosen.tiers.count.counted("window")) of tier \(tiers). Each postback "
          + "leaves within minutes of its window's end or lock.\(developerURL)"))
  }

  /// What the button Use Developer Postback URL gives, as a sentence after another one; empty without an Info.plist.
  private var developerURL: String {
    guard let plist = profile.plist else { return "" }
    return plist.copies.adAttributionKit.map { " The app's Info.plist names the developer's address: \($0)." }
      ?? " The app's Info.plist names no address of the developer (AttributionCopyEndpoint)."
  }
}
