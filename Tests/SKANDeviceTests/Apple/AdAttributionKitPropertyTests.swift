import SKANBase
import TestSupport
import Testing

@testable import SKANDevice

/// Draws what happens in a life.
private struct Drawing {
  private var numbers: SplitMix64

  init(_ seed: Int) { numbers = SplitMix64(seed: UInt64(seed)) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[number(through: values.count - 1)] }

  mutating func number(through limit: Int) -> Int { Int(numbers.next(through: UInt64(limit))) }

  /// A winner in either framework, and up to five impressions that lost.
  mutating func ad() -> AdAttribution {
    var ad = AdAttribution()
    ad.framework = pick([.adattributionkit, .adattributionkit, .skadnetwork])
    ad.tier = pick([0, 1, 2, 3])
    ad.source = pick([.app(0), .app(9)])
    ad.country = "US"
    ad.lost = (0..<number(through: 5)).map {
      AdAttribution.LostImpression(
        framework: pick(AdAttribution.Framework.allCases), network: "n\($0)", sourceIdentifier: "1234")
    }
    return ad
  }

  mutating func change(_ settings: inout FrameworkSettings, _ names: [String]) {
    for setting in FrameworkSetting.allCases where names.contains(setting.name) {
      _ = setting.change(&settings, to: pick(setting.values))
    }
  }
}

/// Checks the postbacks of a phone against the rules, without the code that plans them.
private struct PostbackRules {
  let profile: DeviceProfile
  /// The ads of the re-engagements.
  var ads: [AdAttribution] = []

  private func ad(of impression: Postback.Impression) -> AdAttribution? {
    if case .reEngagement(let number) = impression { ads[number - 1] } else { profile.ad }
  }

  /// - Parameter isRegistered: whether the framework of the install's ad has taken a call.
  func check(_ postbacks: [Postback], isRegistered: Bool) throws {
    let contents = postbacks.compactMap { postback in postback.content.map { (postback, $0) } }
    let conversions = contents.filter {
      $0.0.window == .p0 && $0.1.didWin == true && $0.1.kit?.conversion != .reEngagement
    }
    #expect(conversions.count == (isRegistered ? 1 : 0))
    for impression in [.own] + ads.indices.map({ Postback.Impression.reEngagement(number: $0 + 1) }) {
      let windows = contents.filter { $0.0.impression == impression }.map(\.1.sequenceIndex)
      #expect(windows.count <= 3 && Set(windows).count == windows.count)
    }
    let losers = contents.filter { $0.1.didWin == false }
    #expect(losers.count == (isRegistered ? profile.ad?.lost.count ?? 0 : 0))
    #expect(Set(losers.map(\.1.adNetworkID)).count == losers.count && losers.allSatisfy { $0.0.window == .p0 })
    let ids = contents.map(\.1.transactionID)
    #expect(Set(ids).count == ids.count || profile.settings.transactionIDs == .same)
    for (postback, content) in contents {
      try check(content, of: postback)
      checkDeparture(of: postback, isAdAttributionKit: content.kit != nil)
    }
  }

  /// The values that the tier permits.
  private func check(_ content: PostbackContent, of postback: Postback) throws {
    let tier = ad(of: postback.impression)?.tier ?? 3
    let (isFirst, won) = (postback.window == .p0, content.didWin == true)
    #expect((content.kit != nil) == (postback.framework == .adattributionkit))
    #expect(content.conversionValue == nil || isFirst && won && tier >= 2)
    #expect(content.coarseValue == nil || won && (isFirst ? tier == 1 : tier >= 1))
    #expect(isFirst || tier > 0)
    if case .sourceIdentifier(let digits) = content.campaign {
      #expect(isFirst && tier >= 2 ? 2...4 ~= digits.utf8.count : digits.utf8.count == 2)
    }
    #expect(
      content.countryCode == nil
        || isFirst && won && tier == 3 && content.countryCode == ad(of: postback.impression)?.country)
    guard let kit = content.kit else { return }
    #expect(
      (kit.conversion == .reEngagement)
        == (ads.indices.contains { postback.impression == .reEngagement(number: $0 + 1) }))
    #expect(content.value(of: AdAttributionKitField.publisherItemIdentifier) == nil || isFirst && won && tier == 3)
    #expect(kit.marketplace == nil || tier > 0)
    let received = try #require(
      AdAttributionKitPostback(try JSONReader.read(Array(JSONWriter.text(content.json).utf8))))
    #expect(received.findings.isEmpty && received[.postbackIdentifier] == .string(content.transactionID))
  }

  /// Apple's bounds of the delays, in hours.
  private func checkDeparture(of postback: Postback, isAdAttributionKit: Bool) {
    guard let prepared = postback.preparedAt, let departs = postback.sendsAt else { return }
    let isShort =
      profile.clock == .developer && ad(of: postback.impression)?.source == .app(0)
      && (!isAdAttributionKit || postback.window == .p0 || profile.settings.kitDeveloperDelay == .allWindows)
    // The first delay of SKAdNetwork has a setting, fine-only-delay.
    let shortest = isAdAttributionKit || postback.window != .p0 ? 24.0 : 0
    let bounds = isShort ? 5.0 / 60...10.0 / 60 : shortest...(postback.window == .p0 ? 48 : 144)
    let delay = Double(departs.microseconds - prepared.microseconds) / 3.6e9
    #expect(bounds.contains(delay), "\(postback.window) \(delay) h")
  }
}

@Suite("AdAttributionKit, whatever an app does")
struct AdAttributionKitPropertyTests {
  @Test("Any calls of SKAdNetwork under any settings", arguments: Rounds.of(2))
  func calls(seed: Int) throws {
    var drawing = Drawing(seed)
    for _ in 0..<500 {
      var life = Life { profile in
        profile.ad = drawing.ad()
        profile.ios = IOSVersion(18, 4)
        profile.clock = drawing.pick([.production, .developer])
        // No postback of Apple's API has the text "none".
        drawing.change(&profile.settings, FrameworkSetting.allCases.map(\.name).filter { $0 != "coarse-without" })
        _ = try? profile.settings.set("coarse-without", to: drawing.pick(["clear", "keep"]))
      }
      var hours = 0.0
      for _ in 0...drawing.number(through: 12) {
        hours += Double(drawing.number(through: 1000)) * (life.profile.clock == .production ? 1.0 / 6 : 0.000_05)
        let fine = Int64(drawing.number(through: 70)) - 3
        let full = FrameworkCall.updatePostbackCoarse(
          fine: fine, coarse: drawing.pick([.low, .medium, .high, nil]),
          lock: drawing.pick([true, false, false, false])
        )
        life.call(
          drawing.pick([.register, .updateConversionValue(fine), .updatePostback(fine: fine), full, full, full]),
          at: hours)
      }
      let postbacks = life.postbacks(at: Double(drawing.number(through: 3000)))
      #expect(postbacks.count == 3 + (life.profile.ad?.lost.count ?? 0))
      try PostbackRules(profile: life.profile).check(postbacks, isRegistered: life.framework.isRegistered)
      if life.profile.settings.calls.kitMirrorCoarse == .none {
        #expect(postbacks.compactMap(\.content).allSatisfy { $0.kit == nil || $0.coarseValue == nil })
      }
    }
  }

  private static let settings = [
    "aak-overlap", "aak-untagged", "aak-mirror-coarse", "aak-reengagement-limit", "aak-mirror", "aak-fine-only",
    "aak-unregistered", "aak-later-windows", "aak-to-skan", "aak-empty-window", "aak-digits", "aak-country",
    "delay-distribution", "install-cooldown-hours", "re-engagement-cooldown-hours", "country",
  ]

  /// The snippet gives the coarse value medium alone, and direct calls give the others.
  @Test("The snippet, direct calls and re-engagements, each at any time", arguments: Rounds.of(2))
  func reEngagements(seed: Int) throws {
    var drawing = Drawing(seed)
    var carried = 0
    for _ in 0..<300 {
      var profile = Belief(ios: IOSVersion(18, 4), clock: drawing.pick([.production, .production, .developer])).profile
      profile.ad = drawing.number(through: 4) == 0 ? nil : drawing.ad()
      drawing.change(&profile.settings, Self.settings)
      var device = Device(profile)
      var hours = 0.0
      for _ in 0...drawing.number(through: 14) {
        hours += Double(drawing.number(through: drawing.pick([20, 120])))
        happen(to: &device, at: hours, &drawing)
      }
      let engagements = device.engagements ?? ReEngagements()
      let settings = profile.settings
      if settings.kitOverlap == .off, settings.kitUnregistered == .dropped, settings.kitLaterWindows == .dropped {
        let pending = engagements.all.filter { conversion in
          let install = InstallTraits(of: conversion.ad, reEngagementOf: profile)
          guard let window = conversion.framework.window(at: h(hours), on: install) else { return false }
          return conversion.replaced == nil && conversion.framework.held[window].lockedAt == nil
        }
        #expect(pending.count <= 1)
      }
      let postbacks = device.postbacks(phone: "", at: h(20_000))
      #expect(postbacks.count == (profile.ad.map { 3 + $0.lost.count } ?? 0) + 3 * engagements.all.count)
      try PostbackRules(profile: profile, ads: engagements.all.map(\.ad)).check(
        postbacks, isRegistered: device.framework.isRegistered)
      let ofSKAdNetwork = postbacks.compactMap(\.content).count { $0.kit != nil && $0.coarseValue == "medium" }
      if settings.calls.kitMirrorCoarse == .none {
        #expect(ofSKAdNetwork == 0)
      } else {
        carried += ofSKAdNetwork
      }
    }
    #expect(carried > 0)
  }

  private func happen(to device: inout Device, at hours: Double, _ drawing: inout Drawing) {
    switch drawing.number(through: 6) {
    case 0: _ = device.register(at: h(hours))
    case 1:
      var ad = AdAttribution(ofReEngagementUnder: drawing.pick([.production, .developer]))
      ad.tier = drawing.pick([0, 1, 2, 3])
      ad.country = drawing.pick([nil, "US", "MT"])
      var opened = OpenedAd(drawing.pick([ad, nil]), url: "https://example.com/")
      opened.tag = drawing.pick([nil, "t1", "t2"])
      opened.isEligible = drawing.number(through: 4) > 0
      let tags = device.engagements?.all.compactMap(\.tag) ?? []
      _ = try? device.open(by: opened, at: h(hours))
      let now = device.engagements?.all ?? []
      #expect(
        Set(now.compactMap(\.tag)).count == now.compactMap(\.tag).count && now.compactMap(\.tag).starts(with: tags))
      // The country of an install is that of its re-engagements.
      if let country = device.profile.ad?.country { #expect(now.allSatisfy { $0.ad.country == country }) }
    case 2:
      var update = DirectUpdate(
        fine: Int64(drawing.number(through: 66)), coarse: drawing.pick([.low, .high, nil]),
        lock: drawing.pick([true, false, false]))
      update.types = drawing.pick([nil, [.install], [.reengagement]])
      update.tag = drawing.pick([nil, nil, "t1", "t2"])
      _ = device.updateAdAttributionKit(update, at: h(hours))
    default:
      _ = device.update(
        good(
          "\(drawing.number(through: 63))", coarse: drawing.pick(["1", nil]),
          lock: drawing.pick(["true", "false", nil, nil])), at: Int64(hours * 3600))
    }
  }
}
