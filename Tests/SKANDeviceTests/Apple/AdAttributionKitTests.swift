import SKANBase
import Testing

@testable import SKANDevice

@Suite("Installs by an ad of AdAttributionKit")
struct AdAttributionKitInstallTests {
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
