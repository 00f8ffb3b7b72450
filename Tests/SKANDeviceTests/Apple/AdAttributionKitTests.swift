import SKANBase
import Testing

@testable import SKANDevice

@Suite("Installs by an ad of AdAttributionKit")
struct AdAttributionKitInstallTests {
  /// The members that depend on something, of each postback.
  private static func shown(_ life: Life, tier: Int64? = nil) -> [String] {
    life.postbacks(at: 10_000, tier: tier).map { postback in
      guard let content = postback.content else { return postback.state.rawValue }
      let fields: [AdAttributionKitField] = [
        .sourceIdentifier, .publisherItemIdentifier, .marketplaceIdentifier, .conversionValue, .coarseConversionValue,
        .countryCode,
      ]
      return fields.compactMap { content.value(of: $0).map { $0.text ?? JSONWriter.text($0) } }.joined(separator: " ")
    }
  }

  /// Values in all windows, with a mirror that carries coarse values.
  private static func full(_ change: (inout DeviceProfile) -> Void = { _ in }) throws -> Life {
    var life = Life.adAttributionKit(change)
    try life.profile.settings.set("aak-mirror-coarse", to: "carried")
    life.update(20, .low, at: 0)
    life.update(21, .medium, at: 50)
    life.update(22, .high, at: 200)
    return life
  }

  @Test(
    "What a tier lets through",
    arguments: [
      (0, ["39", "not-sent", "not-sent"]),
      (
        1,
        ["39 com.apple.AppStore low", "39 com.apple.AppStore medium", "39 com.apple.AppStore high"]
      ),
      (2, ["5239 com.apple.AppStore 20", "39 com.apple.AppStore medium", "39 com.apple.AppStore high"]),
      (
        3,
        ["5239 1234567891 com.apple.AppStore 20", "39 com.apple.AppStore medium", "39 com.apple.AppStore high"]
      ),
    ] as [(Int64, [String])])
  func tiers(tier: Int64, expected: [String]) throws {
    #expect(Self.shown(try Self.full { $0.ad?.tier = tier }) == expected)
    #expect(Self.shown(try Self.full { $0.ad?.tier = 3 - tier }, tier: tier) == expected)
  }

  @Test("Without a coarse value in the mirror, later windows leave and say nothing")
  func literal() {
    var life = Life.adAttributionKit { $0.ad?.tier = 1 }
    life.update(20, .low, at: 0)
    life.update(21, .medium, at: 50)
    #expect(Self.shown(life) == ["39 com.apple.AppStore", "39 com.apple.AppStore", "not-sent"])
  }

  @Test(
    "An ad that did not win: one postback, without values",
    arguments: [(0, "39"), (1, "39 com.apple.AppStore"), (3, "5239 com.apple.AppStore")] as [(Int64, String)])
  func notWon(tier: Int64, expected: String) throws {
    let life = try Self.full {
      $0.ad?.won = false
      $0.ad?.tier = tier
    }
    #expect(Self.shown(life) == [expected, "not-sent", "not-sent"])
  }

  @Test("The claims and the members, exactly")
  func body() throws {
    var life = Life.adAttributionKit { profile in
      profile.ad?.appID = 9_007_199_254_740_993
      profile.ad?.fidelity = 0
      profile.ad?.redownload = true
      profile.ad?.country = "US"
    }
    try life.profile.settings.set("aak-country", to: "present")
    life.update(20, at: 0)
    let content = try #require(life.postbacks(at: 0)[0].content)
    let claims =
      #"{"ad-network-identifier":"com.example","advertised-item-identifier":9007199254740993,"#
      + #""conversion-type":"redownload","did-win":true,"impression-type":"app-impression","#
      + #""marketplace-identifier":"com.apple.AppStore","postback-identifier":"\#(content.transactionID)","#
      + #""postback-sequence-index":0,"publisher-item-identifier":1234567891,"source-identifier":"5239"}"#
    #expect(content.payload.map { JSONWriter.text($0) } == claims)
    let header = #"{"alg":"ES256","kid":"skan-simulated\/0"}"#
    let signed = [header, claims].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    #expect(content.signedText == signed)
    #expect(
      JSONWriter.text(content.json)
        == #"{"ad-interaction-type":"view","conversion-value":20,"country-code":"US","jws-string":"\#(signed)."}"#)
    #expect(content.transactionID == content.transactionID.uppercased())
  }

  @Test("Windows and delays are those of version 4; a first call can come until 60 days after the install")
  func windows() {
    var (life, skan) = (Life.adAttributionKit(), Life())
    for hours in [1.0, 50, 200] {
      life.update(1, at: hours)
      skan.update(1, at: hours)
    }
    #expect(life.postbacks(at: 0).map(\.sendsAt) == skan.postbacks(at: 0).map(\.sendsAt))
    var young = Life.adAttributionKit()
    young.update(1, at: 1)
    #expect(young.framework.window(at: h(48.999), on: young.install) == .p0)
    #expect(young.framework.window(at: h(49), on: young.install) == .p1)
    for (hours, isTaken) in [(1440.0, true), (1440.001, false)] {
      var life = Life.adAttributionKit()
      life.framework.installed(at: h(0))
      #expect(life.update(1, at: hours).fate.isTaken == isTaken)
    }
  }

  @Test(
    "How each call of SKAdNetwork is mirrored",
    arguments: [
      (FrameworkCall.register, "0 -", true), (.updateConversionValue(5), "5 -", true),
      (.updatePostback(fine: 5), "5 -", true),
      (.updatePostbackCoarse(fine: 5, coarse: .low, lock: false), "5 -", false),
      (.updatePostbackCoarse(fine: 5, coarse: nil, lock: true), "5 -", false),
    ])
  func mirror(call: FrameworkCall, values: String, hasOneArgument: Bool) throws {
    for setting in ["all_calls", "multi_argument", "off"] {
      var life = Life.adAttributionKit()
      try life.profile.settings.set("aak-mirror", to: setting)
      let answer = life.call(call, at: 0)
      let isMirrored = setting == "all_calls" || setting == "multi_argument" && !hasOneArgument
      #expect(life.values[0] == (isMirrored ? values : "- -"), "\(setting)")
      #expect(answer.fate == (isMirrored ? .taken(.p0) : .notMirrored) && answer.error == nil)
      #expect(answer.effects.contains(.mirrored) == isMirrored)
      let hasCoarse = if case .updatePostbackCoarse(_, .low, _) = call { true } else { false }
      #expect(answer.isFinding == (isMirrored && hasCoarse))
      let locks = if case .updatePostbackCoarse(_, _, true) = call { true } else { false }
      #expect((life.framework.held[.p0].lockedAt != nil) == (isMirrored && locks))
    }
  }

  @Test("A refused call is not mirrored: scripted, a development build, a value out of range")
  func refused() {
    var life = Life.adAttributionKit()
    #expect(life.call(.updatePostback(fine: 5), at: 0, failingWith: 3).error == 3)
    #expect(life.update(64, at: 0).error == 6)
    #expect(life.update(-1, at: 0).error == 6)
    life.profile.build = .development
    #expect(life.update(5, at: 0).error == 10)
    #expect(!life.framework.isRegistered)
  }

  @Test("One postback of each impression that lost, of its own framework, when the winner's first one leaves")
  func lost() {
    for isKit in [true, false] {
      var life = Life { profile in
        profile.ad?.framework = isKit ? .adattributionkit : .skadnetwork
        profile.ad?.lost = [
          AdAttribution.LostImpression(framework: .skadnetwork, network: "a", sourceIdentifier: "1234"),
          AdAttribution.LostImpression(framework: .adattributionkit, network: "b", sourceIdentifier: "5678"),
        ]
      }
      #expect(life.postbacks(at: 0).map(\.state) == [.open, .open, .open, .open, .open])
      life.update(20, .high, at: 0)
      let postbacks = life.postbacks(at: 10_000)
      #expect(postbacks.map(\.state) == [.sent, .notSent, .notSent, .sent, .sent])
      let lost = postbacks.suffix(2).compactMap(\.content)
      #expect(lost.map(\.adNetworkID) == ["a", "b"] && lost.map(\.didWin) == [false, false])
      #expect(lost.map(\.campaign) == [.sourceIdentifier("1234"), .sourceIdentifier("5678")])
      #expect(lost.map { $0.kit == nil } == [true, false])
      #expect(lost.allSatisfy { $0.conversionValue == nil && $0.coarseValue == nil && $0.source == nil })
      #expect(Set(postbacks.compactMap(\.content?.transactionID)).count == 3)
      #expect(postbacks.map(\.preparedAt).filter { $0 == h(48) }.count == 3)
      let own: AdAttribution.Framework = isKit ? .adattributionkit : .skadnetwork
      #expect(postbacks.map(\.framework) == [own, own, own, .skadnetwork, .adattributionkit])
    }
  }

  @Test("In a life of SKAdNetwork alone no postback names its framework")
  func skadnetwork() {
    var life = Life {
      $0.ad?.lost = [AdAttribution.LostImpression(framework: .skadnetwork, network: "a", sourceIdentifier: "1234")]
    }
    life.update(20, at: 0)
    #expect(life.postbacks(at: 10_000).map(\.framework) == [nil, nil, nil, nil])
  }

  @Test(
    "When a failed delivery is repeated",
    arguments: [
      ("500", [500: true, 501: false, 503: false, 404: false]),
      ("5xx", [500: true, 599: true, 499: false, 404: false]),
      ("non_200", [500: true, 404: true, 204: true]),
    ] as [(String, [Int64: Bool])])
  func retries(setting: String, statuses: [Int64: Bool]) throws {
    var life = Life.adAttributionKit()
    try life.profile.settings.set("aak-retry", to: setting)
    life.update(20, at: 0)
    let postback = life.postbacks(at: 10_000)[0]
    func attempt(_ result: Delivery.Result) -> Delivery {
      Delivery(
        at: h(0), transactionID: postback.content?.transactionID ?? "", window: .p0, recipient: .network, url: "u",
        result: result)
    }
    for (status, isRepeated) in statuses {
      let next = Delivery.nextAttempt(of: postback, to: .network, after: [attempt(.answered(status: status))])
      #expect((next != nil) == isRepeated, "\(setting) \(status)")
    }
    #expect(Delivery.nextAttempt(of: postback, to: .network, after: [attempt(.unknown)]) != nil)
    #expect(Delivery.nextAttempt(of: postback, to: .network, after: [attempt(.answered(status: 200))]) == nil)
    for (count, most) in [("9_more", 10), ("9_in_all", 9)] {
      try life.profile.settings.set("aak-retry-count", to: count)
      let postback = life.postbacks(at: 10_000)[0]
      let attempts = { Array(repeating: attempt(.answered(status: 500)), count: $0) }
      #expect(Delivery.nextAttempt(of: postback, to: .network, after: attempts(most - 1)) != nil)
      #expect(Delivery.nextAttempt(of: postback, to: .network, after: attempts(most)) == nil)
    }
    for (spacing, hours) in [("1d", 24.0), ("1h", 1)] {
      try life.profile.settings.set("aak-retry-spacing", to: spacing)
      let postback = life.postbacks(at: 10_000)[0]
      let next = Delivery.nextAttempt(
        of: postback, to: .network, after: Array(repeating: attempt(.answered(status: 500)), count: 3))
      #expect(next?.since(try #require(postback.sendsAt)).seconds == 3 * hours * 3600)
    }
  }

  @Test("The app's belief beside what AdAttributionKit holds")
  func comparison() throws {
    func live(_ setting: String, _ value: String) throws -> [String: Difference?] {
      var life = Belief(settings: ["\(setting)=\(value)"]).update(5, 1, at: 1).profile
      life.ad?.framework = .adattributionkit
      var device = Device(life)
      _ = device.register(at: h(0))
      _ = device.update(good("5", coarse: "1"), at: 3600)
      return Dictionary(device.comparisons.map { ($0.name, $0.difference) }) { $1 }
    }
    #expect(
      try live("aak-mirror-coarse", "none") == [
        "first call": nil, "fine value": nil, "P0 coarse value": .coarseNotMirrored,
      ])
    #expect(try live("aak-mirror-coarse", "carried") == ["first call": nil, "fine value": nil, "P0 coarse value": nil])
    #expect(
      try live("aak-mirror", "off") == [
        "first call": .notMirrored, "fine value": .notMirrored, "P0 coarse value": .notMirrored,
      ])
  }
}

@Suite("Re-engagements")
struct ReEngagementTests {
  private static func device(_ settings: [String] = [], _ change: (inout DeviceProfile) -> Void = { _ in }) throws
    -> Device
  {
    var profile = Belief(ios: IOSVersion(18, 4)).profile
    profile.ad?.framework = .adattributionkit
    change(&profile)
    for setting in settings {
      let parts = setting.split(separator: "=").map(String.init)
      try profile.settings.set(parts[0], to: parts[1])
    }
    return Device(profile)
  }

  private static func opened(_ tag: String? = nil) -> OpenedAd {
    var opened = OpenedAd(nil, url: "https://example.com/")
    opened.tag = tag
    return opened
  }

  @Test(
    "Copies go to the developer with the app's key only; there is no postback of a loser", arguments: ["off", "on"])
  func copies(setting: String) throws {
    var device = try Self.device(["aak-reengagement-copies=\(setting)"]) {
      $0.ad?.lost = [AdAttribution.LostImpression(framework: .skadnetwork, network: "a", sourceIdentifier: "1234")]
    }
    _ = device.register(at: h(0))
    _ = try device.open(by: Self.opened(), at: h(1))
    _ = device.updateAdAttributionKit(DirectUpdate(fine: 5), at: h(2))
    let postbacks = device.postbacks(phone: "", at: h(3000))
    #expect(postbacks.map(\.hasCopy) == [true, true, true, false] + Array(repeating: setting == "on", count: 3))
    #expect(postbacks.filter { $0.impression == .reEngagement(number: 1) }.count == 3)
    #expect(postbacks[4].content?.kit?.conversion == .reEngagement && postbacks[4].content?.didWin == true)
  }

  @Test("An iOS before 18.4 has no overlap, and one before 18.0 no re-engagement")
  func versions() throws {
    for (ios, opens, overlaps) in [
      (IOSVersion(17, 6), false, false), (IOSVersion(18, 0), true, false), (IOSVersion(18, 3), true, false),
      (IOSVersion(18, 4), true, true),
    ] {
      var device = try Self.device(["aak-overlap=on"]) { $0.ios = ios }
      _ = device.register(at: h(0))
      #expect((try device.open(by: Self.opened("t"), at: h(1)).outcome == .opened) == opens)
      #expect((device.framework.held[.p0].lockedAt == nil) == (overlaps || !opens))
      var update = DirectUpdate(fine: 5)
      update.tag = "t"
      let outcome = device.updateAdAttributionKit(update, at: h(2)).outcome
      #expect(outcome == (overlaps ? .updated : .iosTooOld))
    }
  }

  @Test("What clears a coarse value that the app set itself is a finding, and only that")
  func cleared() throws {
    for (coarse, settings, isFinding) in [
      (CoarseValue.high, [], true), (nil, [], false), (.high, ["aak-fine-only=keeps"], false),
      (.high, ["aak-mirror-coarse=carried"], false), (.high, ["aak-mirror=off"], false),
    ] as [(CoarseValue?, [String], Bool)] {
      var device = try Self.device(settings)
      _ = device.register(at: h(0))
      _ = device.updateAdAttributionKit(DirectUpdate(fine: 5, coarse: coarse), at: h(1))
      let report = device.update(good("6"), at: 7200)
      #expect(
        report.codes.contains("direct-coarse-cleared") == isFinding && report.hasFinding == isFinding, "\(settings)")
    }
  }

  @Test("A phone without re-engagements has none in memory, and one with them is another phone")
  func memory() throws {
    var device = try Self.device()
    #expect(device.engagements == nil)
    let before = device
    _ = try device.open(by: Self.opened(), at: h(0))
    #expect(device.engagements?.all.count == 1 && device != before)
  }

  @Test("A tag names one conversion: a second one with it is refused and changes nothing", arguments: ["off", "on"])
  func tags(overlap: String) throws {
    var device = try Self.device(["aak-overlap=\(overlap)", "re-engagement-cooldown-hours=2"])
    _ = device.register(at: h(0))
    _ = try device.open(by: Self.opened("t"), at: h(1))
    // Nothing begins in the cool-down, so nothing has the tag twice.
    #expect(try device.open(by: Self.opened("t"), at: h(2)).outcome == .ignored)
    let before = device
    #expect(throws: ReEngagementError.tagTaken("t")) { try device.open(by: Self.opened("t"), at: h(3)) }
    #expect(device == before && device.engagements?.all.count == 1)
    for (tag, hour) in [("T", 10.0), (nil, 15), (nil, 20)] as [(String?, Double)] {
      #expect(try device.open(by: Self.opened(tag), at: h(hour)).outcome == .opened)
    }
  }

  @Test("Without overlap and under aak-overlap-tag=overlap_only a link has no tag, so none is taken")
  func noTags() throws {
    var device = try Self.device(["aak-overlap-tag=overlap_only"])
    for hour in 1...2 { #expect(try device.open(by: Self.opened("t"), at: h(Double(hour))).outcome == .opened) }
  }

  @Test(
    "Cool-downs of install and re-engagement, each by its own hours; WWDC25's example has 6 and 1",
    arguments: [
      (6, 1, 6, 7), (1, 6, 1, 7), (0, 0, 0, 0), (720, 0, 720, 720), (0, 720, 0, 720),
    ] as [(Int, Int, first: Double, second: Double)])
  func cooldowns(install: Int, reEngagement: Int, first: Double, second: Double) throws {
    var device = try Self.device(["install-cooldown-hours=\(install)", "re-engagement-cooldown-hours=\(reEngagement)"])
    _ = device.register(at: h(0))
    device.framework.launched(at: h(0))
    for end in [first, second] {
      if end > 0 {
        let report = try device.open(by: Self.opened(), at: h(end - 0.001))
        let name = end == first ? "install-cooldown-hours" : "re-engagement-cooldown-hours"
        #expect(report.outcome == .ignored && String(describing: report.explanation).contains("(setting \(name))"))
      }
      #expect(try device.open(by: Self.opened(), at: h(end)).outcome == .opened)
    }
  }

  @Test("A clock set back is no cool-down of 0 hours, and iOS before 18.4 has none")
  func noCooldown() throws {
    var device = try Self.device()
    _ = try device.open(by: Self.opened(), at: h(5))
    #expect(try device.open(by: Self.opened(), at: h(1)).outcome == .opened)
    var old = try Self.device(["aak-cooldown=720h"]) { $0.ios = IOSVersion(18, 3) }
    for hour in [1.0, 2] { #expect(try old.open(by: Self.opened(), at: h(hour)).outcome == .opened) }
  }

  @Test(
    "A re-engagement has the country of its install; another one is a finding",
    arguments: [
      ("US", "MT", "US", true), ("US", nil, "US", false), ("US", "US", "US", false), (nil, "MT", "MT", false),
      (nil, nil, nil, false),
    ] as [(String?, String?, String?, Bool)])
  func country(install: String?, given: String?, held: String?, isFinding: Bool) throws {
    for framework in AdAttribution.Framework.allCases {
      var device = try Self.device(["aak-country=present"]) {
        $0.ad?.framework = framework
        $0.ad?.country = install
      }
      var opened = Self.opened()
      var ad = AdAttribution(ofReEngagementUnder: .production)
      ad.country = given
      opened.ad = ad
      let report = try device.open(by: opened, at: h(1))
      #expect(report.codes == (isFinding ? ["country-of-install"] : []))
      _ = device.updateAdAttributionKit(DirectUpdate(fine: 5), at: h(2))
      #expect(device.engagements?.all.first?.ad.country == held)
      let postback = device.postbacks(phone: "", at: h(3000)).first { $0.impression == .reEngagement(number: 1) }
      #expect(postback?.content?.countryCode == held)
    }
  }

  @Test(
    "What a link's parameters become, and what is said of them",
    arguments: [
      ("https://e.com/", "https://e.com/?#", "https://e.com/?#", []),
      ("https://e.com/?", "https://e.com/?&#", "https://e.com/?#", []),
      ("https://e.com/?a=1", "https://e.com/?a=1&#", "https://e.com/?#", ["tracking-parameters"]),
      ("https://e.com/p?a&b=c?", "https://e.com/p?a&b=c?&#", "https://e.com/p?#", ["tracking-parameters"]),
      ("https://e.com/?#", "https://e.com/?#&#", "https://e.com/?#", ["open-parameter-given"]),
      (
        "https://e.com/?#=t&a", "https://e.com/?#=t&a&#", "https://e.com/?#",
        ["tracking-parameters", "open-parameter-given"]
      ),
      ("https://e.com/#", "https://e.com/#?#", "https://e.com/#?#", []),
      ("https://e.com/?x#=1", "https://e.com/?x#=1&#", "https://e.com/?#", ["tracking-parameters"]),
      ("https://e.com/?a=#", "https://e.com/?a=#&#", "https://e.com/?#", ["tracking-parameters"]),
    ])
  func parameters(url: String, kept: String, removed: String, codes: [String]) throws {
    func named(_ text: String) -> String { text.replacing("#", with: OpenedAd.parameter) }
    for (value, link) in [("kept", kept), ("all_removed", removed)] {
      for isEligible in [true, false] {
        var device = try Self.device(["aak-tracking-parameters=\(value)"])
        var opened = OpenedAd(nil, url: named(url))
        opened.isEligible = isEligible
        let report = try device.open(by: opened, at: h(1))
        #expect(report.codes == codes && report.hasFinding == !codes.isEmpty)
        #expect(String(describing: report.explanation).contains("opened with \(named(link))\(isEligible ? ":" : ";") "))
      }
    }
  }

  @Test(
    "Developer Mode: a development impression opens windows of minutes without a limit, a production one does not",
    arguments: [(nil, true), (0, true), (7, false)] as [(Int64?, Bool)])
  func developerMode(publisher: Int64?, isShort: Bool) throws {
    var device = try Self.device(["aak-reengagement-limit=one_per_year"]) { $0.clock = .developer }
    var opened = Self.opened()
    if let publisher {
      opened.ad = AdAttribution(ofReEngagementUnder: .production)
      opened.ad?.source = .app(publisher)
    }
    #expect(try device.open(by: opened, at: h(0)).codes == (isShort ? [] : ["production-impression"]))
    #expect(try device.open(by: opened, at: h(0.001)).outcome == (isShort ? .opened : .ignored))
    _ = device.updateAdAttributionKit(DirectUpdate(fine: 5), at: h(0.01))
    let later = device.updateAdAttributionKit(DirectUpdate(fine: 6), at: h(0.01 + 0.06))
    #expect(later.outcome == .updated)
    #expect(device.engagements?.all.last?.framework.held[.p0].fine == (isShort ? 5 : 6))
    let first = device.postbacks(phone: "", at: h(1)).last { $0.window == .p0 }
    #expect(first?.state == (isShort ? .sent : .open))
  }
}
