import Testing

@testable import SKANDevice

@Suite("Versions up to 3")
struct TimerRuleTests {
  static let versions = ["3.0", "2.2", "2.1", "2.0"]

  @Test("One value, only upwards; each higher one restarts the 24 h timer", arguments: versions)
  func upwards(version: String) {
    var life = Life.old(version)
    #expect(life.call(.updateConversionValue(5), at: 0).fate == .taken(.p0))
    #expect(life.call(.updateConversionValue(5), at: 1).fate == .notHigher(than: 5))
    #expect(life.call(.updateConversionValue(4), at: 20).fate == .notHigher(than: 5))
    #expect(life.framework.end(of: .p0, on: life.install) == h(24))
    #expect(life.call(.updateConversionValue(6), at: 23).fate == .taken(.p0))
    #expect(life.framework.end(of: .p0, on: life.install) == h(47))
    #expect(life.call(.updateConversionValue(7), at: 46.9).fate == .taken(.p0))
    #expect(life.framework.end(of: .p0, on: life.install) == h(70.9))
    #expect(life.call(.updateConversionValue(8), at: 70.9).fate == .final(since: h(70.9)))
    #expect(life.call(.updateConversionValue(63), at: 500).fate == .final(since: h(70.9)))
    #expect(life.values == ["7 -", "- -", "- -"])
  }

  @Test("The timer's very end, by the setting window-edges", arguments: [("half_open", 5), ("end_included", 6)])
  func edge(value: String, held: UInt8) throws {
    var life = try Life(setting: "window-edges", value) { $0.ad?.version = "3.0" }
    life.call(.updateConversionValue(5), at: 0)
    life.call(.updateConversionValue(6), at: 24)
    #expect(life.framework.held[.p0].fine == held)
    life.call(.updateConversionValue(7), at: 24 + 1.0 / 3600)
    #expect(life.framework.held[.p0].fine == (value == "half_open" ? 5 : 7))
  }

  @Test("Whatever call is used; coarse value and lock are ignored")
  func anyCall() {
    var life = Life.old()
    #expect(
      life.update(1, .high, lock: true, at: 0).effects == [.registered, .coarseIgnored, .lockIgnored])
    #expect(life.call(.updatePostback(fine: 2), at: 1).effects == [])
    #expect(life.update(3, .low, at: 2).effects == .coarseIgnored)
    #expect(life.values == ["3 -", "- -", "- -"])
    #expect(life.framework.held[.p0].lockedAt == nil)
  }

  @Test("The first value counts whatever it is: 0 after registerAppForAdNetworkAttribution restarts the timer")
  func firstValue() {
    var life = Life.old()
    #expect(life.call(.register, at: 0).fate == .registered)
    #expect(life.framework.end(of: .p0, on: life.install) == h(24))
    #expect(life.call(.register, at: 1).fate == .alreadyRegistered)
    #expect(life.call(.updateConversionValue(0), at: 10).fate == .taken(.p0))
    #expect(life.framework.end(of: .p0, on: life.install) == h(34))
    #expect(life.call(.updateConversionValue(0), at: 11).fate == .notHigher(than: 0))
  }

  @Test(
    "registerAppForAdNetworkAttribution again sets the value to 0 and leaves the timer alone, by register-again",
    arguments: [("reset", UInt8(0)), ("ignored", 9)])
  func registerAgain(value: String, held: UInt8) throws {
    for version in ["3.0", "4.0"] {
      var life = try Life(setting: "register-again", value) { $0.ad?.version = version }
      life.update(9, .high, at: 0)
      let answer = life.call(.register, at: 10)
      #expect(answer.fate == (value == "reset" ? .taken(.p0) : .alreadyRegistered))
      #expect(answer.effects.contains(.reset) == (value == "reset"))
      #expect(answer.effects.contains(.coarseCleared) == (value == "reset" && version == "4.0"))
      #expect(life.framework.held[.p0].fine == held)
      #expect(life.framework.timerStart == (version == "3.0" ? h(0) : nil))
      // From there a value above 0 is higher again.
      #expect(life.update(1, at: 11).fate.isTaken == (value == "reset" || version == "4.0"))
    }
  }

  @Test("registerAppForAdNetworkAttribution without a value has nothing to set back")
  func nothingToReset() {
    var life = Life()
    #expect(life.call(.register, at: 0).fate == .registered)
    #expect(life.call(.register, at: 1).fate == .alreadyRegistered)
    #expect(life.values == ["- -", "- -", "- -"])
    #expect(life.framework.clockStart(on: life.install) == h(0))
  }

  @Test("A clock that is set back does not lengthen the timer")
  func clockSetBack() {
    var life = Life.old()
    life.call(.updateConversionValue(1), at: 10)
    #expect(life.call(.updateConversionValue(2), at: 0).fate == .taken(.p0))
    #expect(life.framework.end(of: .p0, on: life.install) == h(34))
    #expect(life.call(.updateConversionValue(3), at: 40).fate == .final(since: h(34)))
    #expect(life.call(.updateConversionValue(3), at: 0).fate == .final(since: h(34)))
  }

  @Test(
    "Developer Mode, by the setting developer-timer", arguments: [("5m_then_0_5m", 300), ("3m_then_5_10m", 180)])
  func developer(value: String, seconds: Double) throws {
    var life = try Life(setting: "developer-timer", value) { profile in
      profile.ad?.version = "3.0"
      profile.ad?.source = .app(0)
      profile.clock = .developer
    }
    life.update(1, at: 0)
    #expect(life.framework.end(of: .p0, on: life.install) == moment(seconds))
  }

  @Test(
    "An iOS before 16.1 and an ad of 4.0, by the setting old-ios",
    arguments: [("as_3_0", AdVersion.v3), ("as_4_0", .v4), ("not_attributed", nil)] as [(String, AdVersion?)])
  func oldIOS(value: String, version: AdVersion?) throws {
    for ios in [IOSVersion(15, 4), IOSVersion(16, 0)] {
      var life = try Life(setting: "old-ios", value) { $0.ios = ios }
      #expect(life.profile.adVersion == version)
      let answer = life.call(.updatePostback(fine: 5), at: 0)
      #expect(answer.fate == (version == nil ? .unknownVersion : .taken(.p0)))
      #expect(life.framework.version == version)
      let again = life.call(.updatePostback(fine: 4), at: 1)
      #expect(again.fate == (version == nil ? .unknownVersion : version == .v4 ? .taken(.p0) : .notHigher(than: 5)))
      // A later iOS does not change what the install counts as.
      life.profile.ios = IOSVersion(17, 0)
      #expect(life.framework.version == version)
      #expect(life.postbacks(at: 2000).count == (version == nil ? 3 : version == .v4 ? 3 : 1))
    }
    var new = try Life(setting: "old-ios", value) { $0.ios = IOSVersion(16, 1) }
    new.update(1, at: 0)
    #expect(new.framework.version == .v4)
    // Older ads that it knows are what they are.
    let older = try Life(setting: "old-ios", value) { profile in
      profile.ios = IOSVersion(15, 0)
      profile.ad?.version = "2.2"
    }
    #expect(older.profile.adVersion == .v2_2)
  }

  @Test(
    "The newest version that the phone's iOS knows",
    arguments: [
      ("16.1", ["4.0", "3.0", "2.2", "2.1", "2.0"]), ("16.0", ["3.0", "3.0", "2.2", "2.1", "2.0"]),
      ("14.6", ["3.0", "3.0", "2.2", "2.1", "2.0"]), ("14.5.1", ["2.2", "2.2", "2.2", "2.1", "2.0"]),
      ("14.4", ["2.1", "2.1", "2.1", "2.1", "2.0"]), ("14.0", ["2.1", "2.1", "2.1", "2.1", "2.0"]),
      ("13.7", [nil, nil, nil, nil, nil]),
    ] as [(String, [String?])])
  func versionsOfIOS(ios: String, versions: [String?]) throws {
    let ios = try #require(IOSVersion(ios))
    for (stated, expected) in zip(AdVersion.allCases, versions) {
      var life = Life { profile in
        profile.ios = ios
        profile.ad?.version = stated.rawValue
        if stated != .v4 { profile.ad?.campaign = .campaignID(42) }
      }
      #expect(life.profile.adVersion?.rawValue == expected)
      let answer = life.call(.updateConversionValue(5), at: 0)
      #expect(answer.fate == (expected == nil ? .unknownVersion : .taken(.p0)))
      let postbacks = life.postbacks(at: 2000)
      #expect(
        postbacks.map { $0.content?.version.rawValue }
          == (expected == nil ? [] : expected == "4.0" ? [expected, nil, nil] : [expected]))
    }
    // What iOS before 14.0 makes of an ad is no setting.
    let old = try Life(setting: "old-ios", "as_4_0") { $0.ios = ios }
    #expect((old.profile.adVersion == nil) == (ios < IOSVersion(14, 0)))
  }

  @Test("A first call later than 60 days after the install starts nothing", arguments: ["4.0", "3.0"])
  func tooLate(version: String) {
    func life() -> Life {
      Life { profile in
        profile.ad?.version = version
        if version == "3.0" { profile.ad?.campaign = .campaignID(42) }
      }
    }
    for installs in [true, false] {
      var life = life()
      if installs { life.framework.installed(at: h(0)) } else { life.framework.launched(at: h(0)) }
      #expect(life.postbacks(at: 1440).allSatisfy { $0.state == .open })
      var late = life
      #expect(late.update(5, .high, at: 1440.001).fate == .tooLate(since: h(1440)))
      #expect(late.framework == life.framework)
      #expect(late.postbacks(at: 1441).allSatisfy { $0.reason == .tooLate(since: h(1440)) && $0.state == .notSent })
      #expect(life.update(5, .high, at: 1440).fate == .taken(.p0))
      // Only the first one has a deadline.
      #expect(life.update(6, .high, at: 1441).fate == .taken(.p0))
      #expect(life.postbacks(at: 3000)[0].state == .sent)
    }
    // Installed before it is first launched: the install counts.
    var life = life()
    life.framework.installed(at: h(0))
    life.framework.launched(at: h(1000))
    #expect(life.update(5, at: 1500).fate == .tooLate(since: h(1440)))
  }
}

@Suite("Conversion windows")
struct ConversionWindowTests {
  @Test(
    "By whole seconds since the first call",
    arguments: [
      (Int64.min, .p0), (-3_024_000, .p0), (-1, .p0), (0, .p0), (1, .p0), (172_799, .p0),
      (172_800, .p1), (172_801, .p1), (604_799, .p1),
      (604_800, .p2), (604_801, .p2), (3_023_999, .p2),
      (3_024_000, nil), (3_024_001, nil), (1_767_225_600, nil), (Int64.max, nil),
    ] as [(Int64, ConversionWindow?)])
  func borders(seconds: Int64, expected: ConversionWindow?) {
    #expect(ConversionWindow.at(secondsSinceFirstCall: seconds) == expected)
  }

  @Test("Ends in days", arguments: [(.p0, 2), (.p1, 7), (.p2, 35)] as [(ConversionWindow, Int64)])
  func ends(window: ConversionWindow, days: Int64) {
    #expect(window.end == days * day)
  }

  @Test("A phone's window, fractions cut off before the subtraction", arguments: [SnippetVersion.skan4, .skan4Beta])
  func ofPhone(snippet: SnippetVersion) {
    var device = Device.phone(snippet, registered: false)
    _ = device.register(at: moment(0.9))
    let expected: [(Double, ConversionWindow?)] = [
      (-1e9, .p0), (0, .p0), (172_799.999_999, .p0), (172_800, .p1), (172_800.5, .p1), (604_799.5, .p1), (604_800, .p2),
      (3_023_999.999_999, .p2), (3_024_000, nil), (1e9, nil),
    ]
    for (seconds, window) in expected {
      #expect(device.window(at: moment(seconds)) == window, "\(seconds)")
    }
  }

  @Test("SKAN 3: 24 hours from the last call")
  func skan3() {
    var device = Device.phone(.skan3)
    let expected: [(Double, ConversionWindow?)] = [
      (-1e9, .p0), (0, .p0), (86_399, .p0), (86_399.999_999, .p0), (86_400, nil), (1e9, nil),
    ]
    for (seconds, window) in expected {
      #expect(device.window(at: moment(seconds)) == window, "\(seconds)")
    }
    _ = device.update(good("1"), at: 86_399)
    #expect(device.window(at: moment(172_798)) == .p0)
    #expect(device.window(at: moment(172_799)) == nil)
    // An answer that is ignored does not move the window.
    _ = device.update(good("1"), at: 172_798)
    #expect(device.window(at: moment(172_799)) == nil)
  }

  @Test("Never registered counts as over, but at the beginning of 1970", arguments: SnippetVersion.allCases)
  func unregistered(snippet: SnippetVersion) {
    let device = Device.phone(snippet, registered: false)
    #expect(device.window(at: moment(0)) == nil)
    #expect(device.window(at: Instant(microseconds: 60_000_000)) == .p0)
    #expect(device.window(at: Instant(microseconds: -60_000_000)) == .p0)
    #expect(device.window(at: Instant(microseconds: 40 * day * 1_000_000)) == nil)
    #expect(!device.isRegistered)
  }

  @Test("One value for each window")
  func perWindow() {
    var values = PerWindow(repeating: 0)
    values[.p1] = 1
    #expect(ConversionWindow.allCases.map { values[$0] } == [0, 1, 0])
    values[.p0] = 5
    values[.p2] = 7
    #expect(ConversionWindow.allCases.map { values[$0] } == [5, 1, 7])
    #expect(values != PerWindow(repeating: 0))
  }
}
