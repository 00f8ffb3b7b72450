import SKANBase
import TestSupport
import Testing

@testable import SKANDevice

/// The lists in `fixtures/impressions` have each rule on both sides of its border.
@Suite("Who wins an install")
struct ImpressionTests {
  /// An impression some seconds after the start: `a` to `f` are networks, a capital letter is a click.
  private static func impression(_ name: Character, _ second: Int64) -> Impression {
    var ad = AdAttribution()
    ad.framework = .adattributionkit
    ad.network = name.lowercased()
    ad.fidelity = name.isUppercase ? 1 : 0
    return Impression(ad, at: at(second))
  }

  private static func at(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }

  private static func profile(_ change: (inout DeviceProfile) -> Void = { _ in }) -> DeviceProfile {
    var profile = DeviceProfile(idfv: nil)
    profile.ios = IOSVersion(18, 4)
    change(&profile)
    return profile
  }

  @Test(
    "The order of the race, whatever the order of the steps",
    arguments: [
      ("", []), ("a", ["a won"]), ("A", ["a won"]), ("ab", ["b won", "a latest-first"]),
      ("Ab", ["a won", "b click-first"]), ("aB", ["b won", "a click-first"]), ("AB", ["b won", "a latest-first"]),
      ("aA", ["a won", "a same-network"]), ("abb", ["b won", "b same-network", "a latest-first"]),
      ("AbCa", ["c won", "a latest-first", "a same-network", "b click-first"]),
      (
        "aaaaaab",
        [
          "b won", "a latest-first", "a same-network", "a same-network", "a same-network", "a same-network",
          "a beyond-six",
        ]
      ),
    ] as [(String, [String])])
  func order(names: String, expected: [String]) {
    let impressions = names.enumerated().map { Self.impression($1, Int64($0)) }
    for steps in [impressions, impressions.reversed()] {
      let race = ImpressionRace(steps, at: Self.at(100), on: Self.profile())
      #expect(race.entries.map { "\($0.impression.ad.network) \($0.rule.rawValue)" } == expected)
      #expect(race.ad?.network == race.winner?.impression.ad.network)
      #expect(race.ad?.lost.count ?? 0 == expected.count { $0.contains("first") })
      #expect(race.warnings.count == max(0, expected.count - 1))
    }
  }

  @Test("The sentences name the rule and the winner")
  func sentences() {
    let profile = Self.profile {
      $0.attributionWindows = AttributionWindows([
        ("d", AttributionWindows.Rule(ignored: .view)), ("global", .init(view: 3)),
      ])
    }
    let race = ImpressionRace(
      [
        Self.impression("A", 0), Self.impression("b", 300_000), Self.impression("C", 300_001),
        Self.impression("d", 300_002),
      ],
      at: Self.at(300_003), on: profile)
    #expect(
      race.entries.map(\.sentence) == [
        "the click on an ad of c at 1970-01-04T11:20:01Z wins: it is the latest click, and a click goes before a view",
        "the click on an ad of a at 1970-01-01T00:00:00Z loses to the click on an ad of c at 1970-01-04T11:20:01Z: the later one "
          + "wins, and its network gets a postback that did not win",
        "the view of an ad of b at 1970-01-04T11:20:00Z loses to the click on an ad of c at 1970-01-04T11:20:01Z: a click goes "
          + "before a view, and its network gets a postback that did not win",
        "the view of an ad of d at 1970-01-04T11:20:02Z does not count: the app's Info.plist ignores the views of d",
      ])
    #expect(race.warnings.map(\.code) == ["impression-lost", "impression-lost", "impression-unused"])
    let old = ImpressionRace([Self.impression("b", 0)], at: Self.at(259_200), on: profile)
    #expect(old.sentence == "no impression counts, and the install is organic")
    #expect(old.entries.map(\.why) == ["is too old: a view counts for 3 days by the app's Info.plist (global)"])
    #expect(ImpressionRace([], at: Self.at(0), on: profile).sentence == "no ad was seen, and the install is organic")
  }

  @Test("A life with an ad is the life with the one impression that says the same")
  func one() throws {
    for (text, isRedownload) in [
      ("{}", false), (#"{"framework":"adattributionkit","tier":1,"country":"DE"}"#, false),
      (#"{"version":"3.0","campaign":7}"#, true), (#"{"fidelity":0,"source_domain":"a.b"}"#, true),
      (#"{"framework":"adattributionkit","interaction":"view","publisher_id":0}"#, true),
    ] {
      var given = Self.profile { _ in }
      given.ad = try AdAttribution(impression: Array(text.utf8))
      given.ad?.redownload = isRedownload
      var one = Device(given)
      one.framework.installed(at: Self.at(60))
      var phone = Phone(device: Device(Self.profile()), clock: PhoneClock(isVirtual: true))
      _ = try phone.device.see(try AdAttribution(impression: Array(text.utf8)), seconds: nil, at: Self.at(0))
      #expect(phone.device.profile.ad == nil)
      _ = phone.download(isRedownload: isRedownload, at: Self.at(60))
      var other = phone.device
      #expect(one.profile == other.profile)
      for device in [\Pair.one, \Pair.other] {
        var pair = Pair(one: one, other: other)
        let decides = pair[keyPath: device].launched(at: Self.at(120))
        #expect(!decides)
        _ = pair[keyPath: device].register(at: Self.at(120))
        (one, other) = (pair.one, pair.other)
      }
      let end = Self.at(90 * 86_400)
      #expect(one.framework == other.framework && one.kept == other.kept)
      #expect(one.postbacks(phone: "", at: end) == other.postbacks(phone: "", at: end))
    }
  }

  private struct Pair {
    var one: Device
    var other: Device
  }

  @Test("Random lives: one winner, none outside its window, no loser with a value, and a narrower plist adds no winner")
  func lives() {
    var wins = 0
    for seed in Rounds.of(5000) {
      var random = SplitMix64(seed: UInt64(seed))
      let (impressions, now) = random.life()
      let (wide, narrow) = random.windows()
      let profile = Self.profile {
        $0.attributionWindows = wide
        if random.next(through: 1) == 0 { $0.settings.kitRulesForSKAN = .on }
      }
      let race = ImpressionRace(impressions, at: now, on: profile)
      #expect(race.entries.count == impressions.count)
      #expect(race.entries.count { $0.rule == .won } == (race.ad == nil ? 0 : 1))
      #expect(race.entries.first.map { $0.rule == .won } ?? false == (race.ad != nil))
      let lost = race.ad?.lost ?? []
      #expect(lost.count <= 5 && Set(lost.map(\.network) + [race.ad?.network ?? ""]).count == lost.count + 1)
      for entry in race.entries where entry.rule.part != .unused {
        let most: Int64 = entry.impression.interaction == .click ? 30 : 7
        #expect(now.since(entry.impression.at) < .hours(most * 24))
      }
      // A later impression of a click always wins.
      var click = impressions
      click.append(Self.impression("Z", now.microseconds / 1_000_000))
      #expect(ImpressionRace(click, at: now, on: Self.profile()).ad?.network == "z")
      var narrower = profile
      narrower.attributionWindows = narrow
      let less = ImpressionRace(impressions, at: now, on: narrower)
      #expect(race.ad != nil || less.ad == nil)
      #expect(less.entries.count { $0.rule.part != .unused } <= impressions.count)
      guard let ad = race.ad else { continue }
      wins += 1
      var device = Device(profile)
      device.profile.ad = ad
      _ = device.launched(at: now)
      _ = device.register(at: now)
      for postback in device.postbacks(phone: "", at: now.later(by: .hours(24 * 90))) {
        guard case .lost = postback.impression, let content = postback.content else { continue }
        #expect(content.didWin == false && content.conversionValue == nil && content.coarseValue == nil)
      }
    }
    #expect(wins > 1000)
  }

  @Test("An impression of a phone whose ad is given is refused, and nothing changes")
  func conflict() throws {
    var given = AdAttribution()
    given.tier = 2
    for ad in [given, nil] {
      let device = Device(Self.profile { $0.ad = ad })
      var changed = device
      #expect(throws: ImpressionError.adGiven(ad)) { try changed.see(AdAttribution(), seconds: nil, at: Self.at(0)) }
      #expect(changed == device)
      var seen = Device(Self.profile())
      _ = try seen.see(AdAttribution(), seconds: nil, at: Self.at(0))
      var fresh = device
      #expect(throws: ImpressionError.adGiven(ad)) { try seen.passImpressions(to: &fresh) }
      #expect(fresh == device)
    }
    var phone = Device(Self.profile())
    _ = phone.launched(at: Self.at(0))
    // After the install the ad is that of the install, whatever it is.
    phone.profile.ad = given
    let later = try phone.see(AdAttribution(), seconds: nil, at: Self.at(1))
    #expect(later.outcome == .added)
    #expect(phone.profile.ad == given && phone.impressions?.pending.count == 1)
  }

  @Test(
    "What is wrong with the app's rules",
    arguments: [
      ("5", "\"attribution_windows\" must be an object of networks, this is 5"),
      ("[]", "\"attribution_windows\" must be an object of networks"),
      (#"{"global":5}"#, "the rules of a network must be an object"),
      (#"{"global":{}}"#, "the rules of a network need the key \"install\""),
      (#"{"global":{"instal":{}}}"#, "did you mean \"install\"?"),
      (#"{"global":{"install":[]}}"#, "the rules of installs must be an object"),
      (#"{"global":{"install":{"click":"5"}}}"#, "\"click\" must be a whole number"),
      (#"{"global":{"install":{"click":1.5}}}"#, "\"click\" must be a whole number"),
      (#"{"global":{"install":{"view":null}}}"#, "\"view\" must be a whole number"),
      (#"{"global":{"install":{"clicks":5}}}"#, "did you mean \"click\"?"),
      (#"{"global":{"install":{"ignoreInteractionType":"view"}}}"#, "stands in the rules of a network only"),
      (#"{"n":{"install":{"ignoreInteractionType":"tap"}}}"#, "must be one of \"click\", \"view\""),
      (#"{"n":{"install":{"ignoreInteractionType":true}}}"#, "must be one of \"click\", \"view\""),
    ])
  func wrongRules(text: String, problem: String) throws {
    var reader = JSONObjectReader(
      try JSONReader.readSource(Array(#"{"attribution_windows":\#(text)}"#.utf8)), what: "a profile",
      known: JSONKeys(DeviceProfile.keys))
    _ = DeviceProfile(from: &reader, phone: "")
    #expect(reader.problems.count == 1 && reader.problems[0].message.contains(problem), "\(reader.problems)")
  }
}

extension SplitMix64 {
  /// Impressions of the 40 days before a moment, and the moment.
  fileprivate mutating func life() -> ([Impression], Instant) {
    let day: UInt64 = 86_400_000_000
    let now = Instant(microseconds: Int64(50 * day))
    let impressions = (0..<next(through: 20)).map { _ in
      var ad = AdAttribution()
      ad.framework = next(through: 1) == 0 ? .skadnetwork : .adattributionkit
      ad.network = "n\(next(through: 6))"
      ad.fidelity = Int64(next(through: 1))
      ad.source = next(through: 5) == 0 ? .app(0) : .app(Int64(1 + next(through: 1)))
      // Most near a border.
      let span = next(through: 2) == 0 ? next(through: 40 * day) : (1 + next(through: 4)) * day + next(through: 2) - 1
      return Impression(ad, at: Instant(microseconds: now.microseconds - Int64(span)))
    }
    return (impressions, now)
  }

  /// Rules, and narrower ones.
  fileprivate mutating func windows() -> (AttributionWindows, AttributionWindows) {
    var wide: [(network: String, rule: AttributionWindows.Rule)] = []
    var narrow = wide
    for network in ["global", "n0", "n1", "n2"] where next(through: 2) > 0 {
      let (click, view) = (Int64(1 + next(through: 29)), Int64(1 + next(through: 6)))
      wide.append((network, AttributionWindows.Rule(click: click, view: view)))
      let ignored: AttributionWindows.Interaction? = network == "global" || next(through: 2) > 0 ? nil : .view
      narrow.append(
        (
          network,
          AttributionWindows.Rule(
            click: 1 + Int64(next(through: UInt64(click - 1))), view: 1 + Int64(next(through: UInt64(view - 1))),
            ignored: ignored)
        ))
    }
    return (AttributionWindows(wide), AttributionWindows(narrow))
  }
}
