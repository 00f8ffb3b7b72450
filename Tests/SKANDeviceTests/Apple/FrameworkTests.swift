import SKANBase
import Testing

@testable import SKANDevice

@Suite("What Apple's framework remembers")
struct FrameworkStateTests {
  @Test("It is bytes only and small: a long list holds one for each of its phones")
  func size() {
    #expect(_isPOD(AppleFramework.self))
    #expect(_isPOD(FrameworkAnswer.self))
    #expect(_isPOD(FrameworkSettings.self))
    #expect(MemoryLayout<AppleFramework>.stride < 200)
  }

  @Test("There and back through a device file")
  func roundTrip() throws {
    var lives = [Life(), Life.old(), Life { $0.ad = nil }, Life.adAttributionKit()]
    lives.append(try Life(setting: "coarse-without", "literal_none"))
    for index in lives.indices {
      lives[index].framework.launched(at: h(-1))
      #expect(try Self.read(Self.json(lives[index])) == lives[index].framework)
      lives[index].call(.updatePostback(fine: 3), at: 0.000_1)
      lives[index].update(7, .high, at: 1)
      lives[index].update(7, at: 2)
      lives[index].update(8, .low, lock: true, at: 60)
      #expect(try Self.read(Self.json(lives[index])) == lives[index].framework)
    }
    #expect(JSONWriter.text(Self.json(Life())) == "{}")
    #expect(
      JSONWriter.text(Self.json(lives[0]))
        == #"{"first_launch":1767222000,"first_update":1767225600.36,"latest_call":1767441600,"#
        + #""p0":{"fine":7,"updated":true},"p1":{"coarse":"low","locked_at":1767441600,"updated":true},"#
        + #""version":"4.0"}"#)
    #expect(
      JSONWriter.text(Self.json(lives[3]))
        == #"{"aak":{"first_update":1767225600.36,"latest_call":1767441600,"p0":{"fine":7,"updated":true},"#
        + #""p1":{"locked_at":1767441600,"updated":true}},"first_launch":1767222000}"#)
  }

  @Test(
    "What is wrong",
    arguments: [
      (#"{"p0":{"fine":64}}"#, ["\"fine\" must be a whole number from 0 to 63, this is 64"]),
      (
        #"{"p1":{"fine":1}}"#, ["a window of Apple's has no key \"fine\"; known: updated, coarse, locked_at, fine_only"]
      ),
      (#"{"version":"4.0"}"#, ["values without the key \"first_update\""]),
      (#"{"first_update":1}"#, ["what Apple holds needs the key \"version\""]),
      (#"{"first_update":1,"version":"3.0"}"#, ["\"timer_start\" is missing"]),
      (#"{"aak":1}"#, ["what AdAttributionKit holds must be an object, this is a number"]),
      (#"{"aak":{"p0":{"fine":3}}}"#, ["values without the key \"first_update\""]),
      (
        #"{"aak":{"version":"4.0"}}"#,
        [
          "what AdAttributionKit holds has no key \"version\"; known: first_update, latest_call, p0, p1, p2, replaced_at, reengagements"
        ]
      ),
      (
        #"{"aak":{"first_update":1},"first_update":1,"version":"4.0"}"#,
        ["an install belongs to SKAdNetwork or to AdAttributionKit, not to both"]
      ),
      (
        #"{"aak":{"latest_call":1},"latest_call":1}"#,
        ["an install belongs to SKAdNetwork or to AdAttributionKit, not to both"]
      ),
      (#"{"aak":{"reengagements":[]},"p0":{"fine":3}}"#, ["values without the key \"first_update\""]),
      (#"{"aak":{},"version":"4.0"}"#, ["values without the key \"first_update\""]),
      (
        #"{"aak":{"first_update":"x"}}"#,
        ["\"first_update\" must be Unix seconds of the years 1 to 9999, this is \"x\""]
      ),
      (#"{"aak":{"reengagements":{}}}"#, ["\"reengagements\" must be an array, this is an object"]),
      (#"{"aak":{"reengagements":[5]}}"#, ["a re-engagement must be an object, this is a number"]),
      (
        #"{"aak":{"reengagements":[{}]}}"#,
        ["a re-engagement needs the key \"opened_at\"", "a re-engagement needs the key \"ad\""]
      ),
      (
        #"{"aak":{"reengagements":[{"opened_at":1,"ad":{"version":"4.0"}}]}}"#,
        [
          "the ad of a re-engagement has no key \"version\"; known: network, source_identifier, app_id, publisher_id, marketplace, tier, country"
        ]
      ),
      (
        #"{"aak":{"reengagements":[{"opened_at":1,"ad":{"tier":5}}]}}"#,
        ["\"tier\" must be a whole number from 0 to 3, this is 5"]
      ),
      (
        #"{"aak":{"reengagements":[{"opened_at":"x","ad":{}}]}}"#,
        ["\"opened_at\" must be Unix seconds of the years 1 to 9999, this is \"x\""]
      ),
      (
        #"{"aak":{"reengagements":[{"opened_at":1,"ad":{},"p1":{"fine":1}}]}}"#,
        ["a window of Apple's has no key \"fine\"; known: updated, coarse, locked_at, fine_only"]
      ),
      (
        #"{"aak":{"reengagements":[{"opened_at":1,"ad":{},"p0":{"fine":1}}]}}"#,
        ["values without the key \"first_update\""]
      ),
      (#"{"aak":{"replaced_at":1}}"#, ["\"replaced_at\" goes with \"reengagements\""]),
      (#"{"first_update":1,"version":"4.0","timer_start":1}"#, ["\"timer_start\" belongs to versions up to 3"]),
      (
        #"{"first_update":1,"version":"4.0","p2":{"coarse":"hi","locked_at":"x"}}"#,
        [
          "\"coarse\" must be one of \"low\", \"medium\", \"high\", \"none\", this is \"hi\"",
          "\"locked_at\" must be Unix seconds of the years 1 to 9999, this is \"x\"",
        ]
      ),
    ])
  func problems(text: String, messages: [String]) throws {
    var found: [String] = []
    do throws(SourceProblems) { _ = try Self.read(text) } catch { found = error.problems.map(\.message) }
    #expect(found.filter { messages.contains($0) } == messages, "\(found)")
  }

  private static func json(_ life: Life) -> JSON {
    var device = Device(life.profile)
    device.framework = life.framework
    var writer = JSONWriter(.line)
    ShownApple(device).writeMemory(to: &writer)
    return (try? JSONReader.read(writer.bytes).value) ?? .null
  }

  private static func read(_ json: JSON) throws(SourceProblems) -> AppleFramework { try read(JSONWriter.text(json)) }

  private static func read(_ text: String) throws(SourceProblems) -> AppleFramework {
    let node = try JSONReader.readSource(Array(text.utf8))
    var reader = JSONObjectReader(node, what: "what Apple holds", known: AppleFramework.keys)
    var engagements: ReEngagements?
    let framework = AppleFramework(from: &reader, &engagements)
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    return framework
  }
}

@Suite("Settings of what Apple leaves open")
struct FrameworkSettingTests {
  @Test("The table is whole: names once, the default first, every value can be set and read back")
  func table() throws {
    #expect(Set(FrameworkSetting.allCases.map(\.name)).count == FrameworkSetting.allCases.count)
    for setting in FrameworkSetting.allCases {
      #expect(setting.defaultValue == setting.values.first, "\(setting.name)")
      #expect(setting.values.count > 1)
      for value in setting.values {
        var settings = FrameworkSettings()
        try settings.set(setting.name, to: value)
        #expect(setting.value(in: settings) == value)
        let changed = value == setting.defaultValue ? [] : [value]
        if !setting.isShorthand { #expect(settings.changed.map(\.value) == changed) }
      }
    }
    // One byte each: a setting that is in no row would be missed here. Hours have two, and a shorthand has none.
    let bytes = FrameworkSetting.allCases.map { $0.isShorthand ? 0 : $0.hours == nil ? 1 : 2 }
    #expect(MemoryLayout<FrameworkSettings>.size == bytes.reduce(0, +))
    #expect(FrameworkSetting.allCases.filter(\.isShorthand).map(\.name) == ["aak-cooldown"])
  }

  @Test("aak-cooldown sets both cool-downs, by which it is written; each of them has the last word")
  func shorthand() throws {
    for (members, hours) in [
      (#""aak-cooldown":"24h""#, [24, 24]), (#""aak-cooldown":"none""#, [0, 0]),
      (#""install-cooldown-hours":6,"aak-cooldown":"720h""#, [6, 720]),
      (#""install-cooldown-hours":"6","re-engagement-cooldown-hours":1"#, [6, 1]),
      (#""re-engagement-cooldown-hours":720"#, [0, 720]),
    ] {
      let settings = try Self.settings("{\(members)}")
      #expect([settings.kitInstallCooldown, settings.kitReEngagementCooldown].map(Int.init) == hours, "\(members)")
      let written = JSONWriter.text(settings.json)
      #expect(try Self.settings(written) == settings && !written.contains("aak-cooldown") && !written.contains("\":\""))
    }
  }

  @Test(
    "Hours are a whole number from 0 to 720",
    arguments: ["721", "-1", #""06""#, #""+6""#, #""6h""#, #""""#, "1.5", "true", "null", "65542", #""65542""#])
  func badHours(value: String) {
    for name in ["install-cooldown-hours", "re-engagement-cooldown-hours"] {
      var messages: [String] = []
      do throws(SourceProblems) { _ = try Self.settings(#"{"\#(name)":\#(value)}"#) } catch {
        messages = error.problems.map(\.message)
      }
      #expect(messages.count == 1 && messages[0].hasPrefix("\"\(name)\" must be a whole number of hours from 0 to 720"))
    }
  }

  private static func settings(_ text: String) throws(SourceProblems) -> FrameworkSettings {
    var reader = JSONObjectReader(
      try JSONReader.readSource(Array(text.utf8)), what: "settings",
      known: JSONKeys(FrameworkSettings.fields.names))
    var settings = FrameworkSettings()
    FrameworkSettings.fields.read(into: &settings, from: &reader)
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    return settings
  }

  @Test(
    "A setting that is not, or has no such value",
    arguments: [
      ("clock-strat", "x", "there is no setting \"clock-strat\"; did you mean \"clock-start\"?"),
      (
        "clock-start", "launch", "\"clock-start\" must be one of \"first_update\", \"first_launch\", this is \"launch\""
      ),
      ("tier2-digits", "5", "\"tier2-digits\" must be one of \"3\", \"2\", \"4\", this is \"5\""),
    ])
  func wrong(name: String, value: String, words: String) {
    var settings = FrameworkSettings()
    var message: String?
    do throws(FrameworkSettingProblem) { try settings.set(name, to: value) } catch { message = error.message }
    #expect(message == words)
    #expect(settings == FrameworkSettings())
  }

  @Test("An unknown name far from all lists them all")
  func farOff() {
    let words = FrameworkSettingProblem.unknown("zzzzzzzzzzzzz").message
    for setting in FrameworkSetting.allCases { #expect(words.contains(setting.name)) }
  }

  @Test("In a profile: by name, only what is not the default is written")
  func profile() throws {
    #expect(DeviceProfile(idfv: nil).json["settings"] == nil)
    let text = #"{"settings":{"clock-start":"first_launch","tier2-digits":2,"tier3-digits":"3","carry-over":"no"}}"#
    let profile = try Self.read(text)
    #expect(profile.settings.calls.clockStart == .firstLaunch && profile.settings.tier2Digits == .two)
    #expect(profile.settings.changed.map(\.name) == ["clock-start", "tier2-digits", "tier3-digits"])
    let written = JSONWriter.text(profile.json["settings"] ?? .null)
    #expect(written == #"{"clock-start":"first_launch","tier2-digits":"2","tier3-digits":"3"}"#)
    #expect(try Self.read(JSONWriter.text(profile.json)).settings == profile.settings)
  }

  @Test(
    "In a profile: what is wrong",
    arguments: [
      (#"{"settings":[]}"#, "settings must be an object, this is an array"),
      (#"{"settings":{"afterlock":1}}"#, "settings has no key \"afterlock\"; did you mean \"after-lock\"?"),
      (
        #"{"settings":{"after-lock":true}}"#,
        "\"after-lock\" must be one of \"no_error\", \"error_10\", this is true"
      ),
    ])
  func profileProblems(text: String, message: String) {
    var problems: [String] = []
    do throws(SourceProblems) { _ = try Self.read(text) } catch { problems = error.problems.map(\.message) }
    #expect(problems == [message])
  }

  private static func read(_ text: String) throws(SourceProblems) -> DeviceProfile {
    let node = try JSONReader.readSource(Array(text.utf8))
    var reader = JSONObjectReader(node, what: "a profile", known: JSONKeys(DeviceProfile.keys))
    let profile = DeviceProfile(from: &reader, phone: "")
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    return profile
  }
}

@Suite("What Apple answers, in words")
struct FrameworkAnswerTests {
  @Test("Each effect has a bit of its own")
  func bits() {
    let effects: [CallEffects] = [
      .registered, .locked, .fineIgnored, .coarseIgnored, .lockIgnored, .coarseCleared, .reset, .mirrored,
      .coarseNotMirrored, .directCoarseCleared,
    ]
    #expect(effects.map(\.rawValue) == effects.indices.map { 1 << UInt16($0) })
  }

  @Test("Each fate says itself in one sentence")
  func words() {
    var life = Life()
    #expect(
      "\(life.call(.register, at: 0))"
        == "Apple has registered the install, without a value; the first call, which registers the install.")
    #expect(
      "\(life.update(1, .low, lock: true, at: 1))" == "Apple holds the values for P0; the window is locked now.")
    #expect(
      "\(life.update(2, at: 2))"
        == "P0 was locked at 2026-01-01T01:00:00Z, so Apple ignores the call and keeps the values of the lock.")
    #expect(
      "\(life.update(64, at: 2))" == "Apple refuses the call with SKANErrorDomain error 6 and holds what it held.")
  }
}

/// What Apple is taken to hold for a phone of which only the app's store is known.
@Suite("Apple's side of a known store")
struct AssumedFrameworkTests {
  private static let start: Int64 = 1_767_225_600

  private func framework(_ snippet: SnippetVersion, _ change: (inout KeptState) -> Void) -> AppleFramework {
    var kept = KeptState()
    change(&kept)
    var profile = DeviceProfile(idfv: nil)
    profile.snippet = snippet
    return .assumed(from: kept, of: snippet, on: Device(profile).traits.install)
  }

  @Test func `Without a first call nothing`() {
    #expect(framework(.skan4) { $0.fineValue = .integer(5) } == AppleFramework())
    #expect(framework(.skan4) { $0.firstCall = 0 } == AppleFramework())
  }

  @Test func `A first call alone registers`() {
    let framework = framework(.skan4) { $0.firstCall = Self.start }
    #expect(framework.firstUpdate == Instant(unixSeconds: Self.start))
    #expect(framework.held[.p0].fine == 0 && framework.held[.p0].coarse == nil && framework.held[.p1] == HeldValues())
  }

  @Test func `Values of SKAN 3 count at the last call, else at the first`() {
    for lastCall in [nil, Self.start + 3600] {
      let framework = framework(.skan3) {
        $0.firstCall = Self.start
        $0.lastCall = lastCall
        $0.skan3Value = 9
      }
      #expect(framework.held[.p0].fine == 9 && framework.firstUpdate == Instant(unixSeconds: Self.start))
      #expect(framework.latestCall == Instant(unixSeconds: lastCall ?? Self.start))
    }
    #expect(framework(.skan3) { $0.firstCall = Self.start }.held[.p0].fine == nil)
  }

  @Test func `Values of later windows count at their beginning where the last call is not theirs`() {
    let framework = framework(.skan4) {
      $0.firstCall = Self.start
      $0.lastCall = Self.start + 30 * 86_400
      $0.coarseValue[.p0] = .integer(2)
      $0.coarseValue[.p1] = .integer(0)
      $0.coarseValue[.p2] = .integer(1)
      $0.windowLock[.p1] = Self.start + 3 * 86_400
    }
    #expect(framework.held[.p0].coarse == .high && framework.held[.p0].fine == 0 && framework.held[.p0].lockedAt == nil)
    #expect(framework.held[.p1].coarse == .low)
    #expect(framework.held[.p1].lockedAt == Instant(unixSeconds: Self.start + 3 * 86_400))
    #expect(framework.held[.p2].coarse == .medium)
    #expect(framework.latestCall == Instant(unixSeconds: Self.start + 30 * 86_400))
    let early = self.framework(.skan4) {
      $0.firstCall = Self.start
      $0.lastCall = Self.start + 60
      $0.coarseValue[.p1] = .integer(0)
      $0.coarseValue[.p2] = .integer(1)
    }
    #expect(early.held[.p1].coarse == .low && early.held[.p2].coarse == .medium)
    #expect(early.latestCall == Instant(unixSeconds: Self.start + ConversionWindow.p1.end))
  }
}
