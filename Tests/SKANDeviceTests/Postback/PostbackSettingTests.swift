import Testing

@testable import SKANDevice

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
