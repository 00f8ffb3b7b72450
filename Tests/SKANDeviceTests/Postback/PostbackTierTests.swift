import SKANBase
import Testing

@testable import SKANDevice

@Suite("What a tier lets through")
struct PostbackTierTests {
  /// The fields whose presence depends on something, of each postback: `4 digits fine`.
  static func shown(_ life: Life, tier: Int64? = nil, at hours: Double = 10_000) -> [String] {
    life.postbacks(at: hours, tier: tier).map { postback in
      guard let content = postback.content else { return postback.state.rawValue }
      let digits: String =
        switch content.campaign {
        case .sourceIdentifier(let text): text
        case .campaignID(let id): "campaign \(id)"
        }
      let fields = content.version.optionalFields.filter { content.value(of: $0) != nil }.map { field in
        "\(field.rawValue)=\(content.value(of: field).map { JSONWriter.text($0) } ?? "")"
      }
      return ([digits] + fields).joined(separator: " ")
    }
  }

  static func full(_ change: (inout DeviceProfile) -> Void = { _ in }) -> Life {
    var life = Life(change)
    life.update(20, .low, at: 0)
    life.update(21, .medium, at: 50)
    life.update(22, .high, at: 200)
    return life
  }

  @Test(
    "Version 4, won",
    arguments: [
      (0, ["39", "not-sent", "not-sent"]),
      (
        1,
        [
          #"39 coarse-conversion-value="low""#, #"39 coarse-conversion-value="medium""#,
          #"39 coarse-conversion-value="high""#,
        ]
      ),
      (
        2,
        [
          "239 conversion-value=20", #"39 coarse-conversion-value="medium""#, #"39 coarse-conversion-value="high""#,
        ]
      ),
      (
        3,
        [
          "5239 source-app-id=1234567891 conversion-value=20", #"39 coarse-conversion-value="medium""#,
          #"39 coarse-conversion-value="high""#,
        ]
      ),
    ] as [(Int64, [String])])
  func version4(tier: Int64, expected: [String]) {
    #expect(Self.shown(Self.full { $0.ad?.tier = tier }) == expected)
    #expect(Self.shown(Self.full { $0.ad?.tier = 3 - tier }, tier: tier) == expected)
  }

  @Test("The first postback has the same id and time in every tier")
  func everyTier() throws {
    let life = Self.full()
    let first = life.postbacks(at: 10_000, tier: 0)
    for tier in Int64(1)...3 {
      let postbacks = life.postbacks(at: 10_000, tier: tier)
      #expect(postbacks != first)
      #expect(postbacks[0].sendsAt == first[0].sendsAt)
      #expect(postbacks[0].content?.transactionID == first[0].content?.transactionID)
    }
  }

  @Test("A web ad shows its domain at tier 3")
  func domain() {
    let life = Self.full { $0.ad?.source = .domain("example.com") }
    #expect(Self.shown(life)[0] == #"5239 source-domain="example.com" conversion-value=20"#)
    #expect(Self.shown(life, tier: 2)[0] == "239 conversion-value=20")
    #expect(!Self.shown(life)[1].contains("source"))
  }

  @Test("Without a coarse value there is none")
  func noCoarse() {
    var life = Life()
    for hours in [0.0, 50] { life.update(7, at: hours) }
    #expect(Self.shown(life, tier: 1) == ["39", "39", "not-sent"])
  }

  @Test(
    "An ad that did not win: one postback without values; the rest by the setting non-winner",
    arguments: [
      ("digits_by_tier", ["39", "39", "239", "5239"]),
      ("by_tier", ["39", "39", "239", "5239 source-domain=\"example.com\""]), ("least", ["39", "39", "39", "39"]),
    ])
  func nonWinner(value: String, expected: [String]) throws {
    var life = try Life(setting: "non-winner", value) {
      $0.ad?.won = false
      $0.ad?.source = .domain("example.com")
    }
    for hours in [0.0, 50, 200] { life.update(20, .low, at: hours) }
    for tier in 0...3 as ClosedRange<Int64> {
      #expect(Self.shown(life, tier: tier) == [expected[Int(tier)], "not-sent", "not-sent"])
      #expect(life.postbacks(at: 0, tier: tier)[0].content?.didWin == false)
    }
    #expect(life.postbacks(at: 0, tier: 0)[1].reason == .didNotWin)
    // A source app is only in the postbacks of those that won.
    life.profile.ad?.source = .app(5)
    #expect(life.postbacks(at: 0, tier: 3)[0].content?.source == nil)
  }

  @Test(
    "Digits, by the settings tier2-digits, tier3-digits and identifier-digits",
    arguments: [
      ("tier2-digits", "3", 2, "239"), ("tier2-digits", "2", 2, "39"), ("tier2-digits", "4", 2, "5239"),
      ("tier3-digits", "4", 3, "5239"), ("tier3-digits", "3", 3, "239"), ("tier3-digits", "2", 3, "39"),
      ("identifier-digits", "last", 2, "239"), ("identifier-digits", "first", 2, "523"),
      ("identifier-digits", "first", 0, "52"), ("identifier-digits", "first", 3, "5239"),
    ] as [(String, String, Int64, String)])
  func digits(setting: String, value: String, tier: Int64, expected: String) throws {
    var life = try Life(setting: setting, value)
    life.update(1, at: 0)
    #expect(Self.shown(life, tier: tier, at: 0)[0].split(separator: " ")[0] == expected)
  }

  @Test(
    "Versions up to 3, by the setting old-threshold",
    arguments: [
      ("as_4_0", ["", "", "v", "sv"]), ("tier_1", ["", "sv", "sv", "sv"]), ("tier_2", ["", "", "sv", "sv"]),
      ("tier_3", ["", "", "", "sv"]),
    ])
  func threshold(value: String, expected: [String]) throws {
    for version in ["3.0", "2.2", "2.1", "2.0"] {
      var life = Life.old(version)
      try life.profile.settings.set("old-threshold", to: value)
      life.update(20, .high, lock: true, at: 0)
      for tier in 0...3 as ClosedRange<Int64> {
        let text =
          "campaign 42"
          + expected[Int(tier)].map { $0 == "s" ? " source-app-id=1234567891" : " conversion-value=20" }
          .joined()
        #expect(Self.shown(life, tier: tier) == [text])
      }
      // Web ads came with version 4.
      life.profile.ad?.source = .domain("example.com")
      #expect(!Self.shown(life)[0].contains("source"))
    }
  }

  @Test("Versions up to 3, not won: 3.0 without values and source, before it none")
  func oldNonWinner() {
    for version in ["3.0", "2.2", "2.1", "2.0"] {
      var life = Life.old(version) { $0.ad?.won = false }
      life.update(20, at: 0)
      #expect(Self.shown(life) == [version == "3.0" ? "campaign 42" : "not-sent"])
      if version != "3.0" {
        #expect(life.postbacks(at: 0)[0].reason == .noNonWinners(AdVersion(rawValue: version) ?? .v4))
      }
    }
  }

  @Test(
    "An ad of 4.0 on an older iOS: a campaign id of the last two digits, 00 standing for 100",
    arguments: [("5239", 39), ("5200", 100), ("0001", 1), ("9999", 99)] as [(String, Int64)])
  func campaignOfVersion4(identifier: String, campaign: Int64) {
    var life = Life { profile in
      profile.ios = IOSVersion(16, 0)
      profile.ad?.campaign = .sourceIdentifier(identifier)
    }
    life.call(.updatePostback(fine: 1), at: 0)
    #expect(life.postbacks(at: 0)[0].content?.campaign == .campaignID(campaign))
    #expect(life.postbacks(at: 0)[0].content?.version == .v3)
  }
}

@Suite("Postbacks and what Apple leaves open")
struct PostbackSettingTests {
  @Test(
    "A window without an update call, by the setting empty-window",
    arguments: [("not_sent", ["sent", "not-sent", "not-sent"]), ("send_without_value", ["sent", "sent", "sent"])])
  func emptyWindow(value: String, states: [String]) throws {
    var life = try Life(setting: "empty-window", value)
    life.update(5, .high, at: 0)
    #expect(life.postbacks(at: 2000).map(\.state.rawValue) == states)
    let second = life.postbacks(at: 2000)[1].content
    #expect((second == nil) == (value == "not_sent"))
    #expect(second?.coarseValue == nil)
    // Nothing is sent at tier 0 or when never registered, whatever the setting.
    #expect(life.postbacks(at: 2000, tier: 0)[1].state == .notSent)
    let never = try Life(setting: "empty-window", value)
    #expect(never.postbacks(at: 2000).map(\.state) == [.open, .open, .open])
  }

  @Test("A second window that was only carried into: not sent, or sent with what was carried")
  func carriedAndEmpty() throws {
    for (carry, coarse) in [("no", nil), ("yes", "high")] as [(String, String?)] {
      var life = try Life(setting: "carry-over", carry)
      try life.profile.settings.set("empty-window", to: "send_without_value")
      life.update(5, .high, at: 0)
      #expect(life.postbacks(at: 2000).map { $0.content?.coarseValue } == [nil, coarse, coarse])
      try life.profile.settings.set("empty-window", to: "not_sent")
      #expect(life.postbacks(at: 2000).map(\.state) == [.sent, .notSent, .notSent])
    }
  }

  @Test("first_launch: a first window without any call, and a first call after all windows")
  func firstLaunch() throws {
    var life = try Life(setting: "clock-start", "first_launch")
    life.framework.launched(at: h(0))
    #expect(life.postbacks(at: 10).map(\.state) == [.open, .open, .open])
    #expect(life.postbacks(at: 60).map(\.state) == [.notSent, .open, .open])
    #expect(life.postbacks(at: 60)[0].reason == .noUpdate(in: .p0, ended: h(48)))
    #expect(life.postbacks(at: 840).map(\.reason) == Array(repeating: .neverRegistered(windowsOver: h(840)), count: 3))
    life.update(5, .high, at: 60)
    #expect(life.postbacks(at: 2000).map(\.state) == [.notSent, .sent, .notSent])
    // Sent all the same, a window is prepared at the earliest when Apple hears of the install.
    try life.profile.settings.set("empty-window", to: "send_without_value")
    #expect(life.postbacks(at: 2000).map(\.state) == [.sent, .sent, .sent])
    #expect(life.postbacks(at: 2000).map { hours($0.preparedAt) } == [60, 168, 840])
    #expect(life.postbacks(at: 2000)[0].content?.conversionValue == nil)
  }

  @Test("Transaction ids, by the setting transaction-ids", arguments: [("distinct", 3), ("same", 1)])
  func transactionIDs(value: String, count: Int) throws {
    var life = try Life(setting: "transaction-ids", value)
    for hours in [0.0, 50, 200] { life.update(5, .high, at: hours) }
    #expect(Set(life.postbacks(at: 0).map { $0.content?.transactionID }).count == count)
    #expect(Set(life.postbacks(at: 0).map(\.sendsAt)).count == 3)
  }

  @Test("The literal none, by the setting coarse-without")
  func literalNone() throws {
    var life = try Life(setting: "coarse-without", "literal_none")
    life.update(5, .high, at: 0)
    life.update(6, at: 1)
    #expect(life.postbacks(at: 2000, tier: 1)[0].content?.coarseValue == "none")
  }

  @Test(
    "Only registerAppForAdNetworkAttribution, by the setting register-value",
    arguments: [("zero", 0), ("absent", nil)] as [(String, Int64?)])
  func registerValue(value: String, expected: Int64?) throws {
    for version in ["4.0", "3.0", "2.0"] {
      var life = try Life(setting: "register-value", value) { $0.ad?.version = version }
      life.call(.register, at: 0)
      let first = try #require(life.postbacks(at: 2000).first)
      #expect(first.state == .sent)
      #expect(first.content?.conversionValue == expected, "\(version)")
    }
  }

  @Test("A development build has no postback, and neither has an organic install")
  func none() {
    var life = Life { $0.build = .development }
    life.update(5, .high, at: 0)
    #expect(life.postbacks(at: 0).map(\.reason) == [.developmentBuild, .developmentBuild, .developmentBuild])
    #expect(life.postbacks(at: 0).allSatisfy { $0.state == .notSent && $0.content == nil })
    var old = Life.old { $0.build = .development }
    old.update(5, at: 0)
    #expect(old.postbacks(at: 0).map(\.state) == [.notSent])
    #expect(Life { $0.ad = nil }.postbacks(at: 0).isEmpty)
  }
}
