import SKANBase
import Testing

@testable import SKANDevice

@Suite("Apple's windows, version 4")
struct WindowRuleTests {
  /// A microsecond, in hours.
  static let tick = 1.0 / 3.6e9

  @Test(
    "Half-open by default, the end included by the setting window-edges",
    arguments: [
      (0, 0, 0), (48 - tick, 0, 0), (48, 1, 0), (48 + tick, 1, 1), (168 - tick, 1, 1), (168, 2, 1), (168 + tick, 2, 2),
      (840 - tick, 2, 2), (840, nil, 2), (840 + tick, nil, nil), (9000, nil, nil),
    ] as [(Double, Int?, Int?)])
  func edges(hours: Double, halfOpen: Int?, endIncluded: Int?) throws {
    for (value, expected) in [("half_open", halfOpen), ("end_included", endIncluded)] {
      var life = try Life(setting: "window-edges", value)
      life.update(1, .low, at: 0)
      #expect(life.framework.window(at: h(hours), on: life.install)?.rawValue == expected, "\(value)")
      let answer = life.update(2, .high, at: hours)
      if let expected, let window = ConversionWindow(rawValue: expected) {
        #expect(answer.fate == .taken(window), "\(value)")
        #expect(life.framework.held[window].coarse == .high, "\(value)")
      } else {
        #expect(answer.fate == .windowsOver(since: h(840)), "\(value)")
      }
    }
  }

  @Test("The clock starts at the first update call, or at the first launch by the setting clock-start")
  func clockStart() throws {
    for (value, start, window) in [("first_update", 10.0, 0), ("first_launch", 0, 1)] {
      var life = try Life(setting: "clock-start", value)
      #expect(life.framework.clockStart(on: life.install) == nil)
      life.framework.launched(at: h(0))
      life.framework.launched(at: h(5))
      let first = life.update(1, .low, at: 10)
      #expect(first == FrameworkAnswer(.taken(.p0), of: .register, effects: .registered))
      #expect(life.framework.clockStart(on: life.install) == h(start), "\(value)")
      #expect(life.framework.window(at: h(50), on: life.install)?.rawValue == window, "\(value)")
      #expect(life.framework.end(of: .p2, on: life.install) == h(start + 840))
    }
  }

  @Test("Without a launch that was told, the first update call is the first launch")
  func unknownLaunch() throws {
    var life = try Life(setting: "clock-start", "first_launch")
    life.update(1, at: 10)
    #expect(life.framework.clockStart(on: life.install) == h(10))
  }

  @Test("first_launch: a first call in a later window, and after all")
  func lateFirstCall() throws {
    var life = try Life(setting: "clock-start", "first_launch")
    life.framework.launched(at: h(0))
    var late = life
    #expect(
      life.update(1, .medium, at: 60)
        == FrameworkAnswer(.taken(.p1), of: .register, effects: [.registered, .fineIgnored]))
    #expect(life.values == ["- -", "- medium", "- -"])
    #expect(late.update(1, .medium, at: 840).fate == .windowsOver(since: h(840)))
    #expect(!late.framework.isRegistered)
  }

  @Test(
    "Developer Mode: three minutes each",
    arguments: [(0, 0), (179, 0), (180, 1), (359, 1), (360, 2), (539, 2), (540, nil)] as [(Double, Int?)])
  func developer(seconds: Double, window: Int?) {
    var life = Life { profile in
      profile.clock = .developer
      profile.ad = AdAttribution(under: .developer)
    }
    life.update(1, at: 0)
    #expect(life.framework.window(at: moment(seconds), on: life.install)?.rawValue == window)
  }

  @Test("A clock that is set back reopens nothing: an earlier moment counts as that of the latest call")
  func clockSetBack() {
    var life = Life()
    life.update(10, .low, at: 0)
    life.update(20, .medium, at: 60)
    #expect(life.update(30, .high, at: 1).fate == .taken(.p1))
    #expect(life.values == ["10 low", "- high", "- -"])
    #expect(life.update(1, .low, at: 900).fate == .windowsOver(since: h(840)))
    #expect(life.update(1, .low, at: 1).fate == .windowsOver(since: h(840)))
    // Before the beginning of all.
    var other = Life()
    other.update(1, at: 0)
    #expect(other.update(2, at: -1000).fate == .taken(.p0))
    #expect(other.framework.clockStart(on: other.install) == h(0))
  }

  @Test("An install that never called has no window")
  func noCall() {
    let life = Life()
    #expect(life.framework.window(at: h(0), on: life.install) == nil)
    #expect(life.framework.end(of: .p0, on: life.install) == nil)
  }
}

@Suite("Values of version 4")
struct WindowValueTests {
  @Test("Fine value in the first window only, and it may go down; coarse in all; the last call wins")
  func values() {
    var life = Life()
    for (fine, coarse, hours) in [(5, .low, 0), (63, .high, 1), (2, .medium, 47)] as [(Int64, CoarseValue, Double)] {
      life.update(fine, coarse, at: hours)
    }
    #expect(life.values == ["2 medium", "- -", "- -"])
    #expect(life.update(40, .high, at: 48).effects == .fineIgnored)
    #expect(life.update(41, .low, at: 100).fate == .taken(.p1))
    #expect(life.update(42, .high, at: 800).effects == .fineIgnored)
    #expect(life.values == ["2 medium", "- low", "- high"])
  }

  @Test(
    "A call without a coarse value, by the setting coarse-without",
    arguments: [
      ("clear", ["1 -", "- -", "- -"], .coarseCleared), ("keep", ["1 high", "- low", "- -"], []),
      ("literal_none", ["1 none", "- none", "- -"], .coarseCleared),
    ] as [(String, [String], CallEffects)])
  func coarseWithout(value: String, values: [String], effect: CallEffects) throws {
    var life = try Life(setting: "coarse-without", value)
    life.update(3, .high, at: 0)
    #expect(life.update(1, at: 1).effects == effect)
    life.update(9, .low, at: 50)
    #expect(life.update(8, at: 51).effects == effect.union(.fineIgnored))
    #expect(life.values == values)
  }

  @Test(
    "The fine-only calls have no coarse value either",
    arguments: [FrameworkCall.updatePostback(fine: 7), .updateConversionValue(7)])
  func fineOnlyClears(call: FrameworkCall) {
    var life = Life()
    life.update(3, .high, at: 0)
    #expect(life.call(call, at: 1) == FrameworkAnswer(.taken(.p0), of: call, effects: .coarseCleared))
    #expect(life.values == ["7 -", "- -", "- -"])
    // With nothing to clear there is nothing to tell.
    #expect(life.call(call, at: 2).effects == [])
  }

  @Test(
    "The fine-only calls count in the first window only",
    arguments: [FrameworkCall.updatePostback(fine: 7), .updateConversionValue(7), .register])
  func fineOnlyLater(call: FrameworkCall) {
    var life = Life()
    life.update(3, .high, at: 0)
    life.update(4, .low, at: 50)
    #expect(life.call(call, at: 60) == FrameworkAnswer(.fineOnly(.p1), of: call))
    #expect(life.call(call, at: 200) == FrameworkAnswer(.fineOnly(.p2), of: call))
    #expect(life.values == ["3 high", "- low", "- -"])
    #expect(!life.framework.held[.p2].isUpdated)
  }

  @Test("Unless by the setting fine-only-calls: then they count in every window, and clear its coarse value")
  func fineOnlyEverywhere() throws {
    for call in [FrameworkCall.updatePostback(fine: 7), .updateConversionValue(7), .register] {
      var life = try Life(setting: "fine-only-calls", "every_window")
      life.update(3, .high, at: 0)
      life.update(4, .low, at: 50)
      let again: CallEffects = call == .register ? .reset : .fineIgnored
      #expect(life.call(call, at: 60) == FrameworkAnswer(.taken(.p1), of: call, effects: again.union(.coarseCleared)))
      let isEmpty = call == .register
      #expect(life.call(call, at: 200).fate == (isEmpty ? .alreadyRegistered : .taken(.p2)))
      #expect(life.framework.held[.p2].isUpdated == !isEmpty)
      #expect(life.values == ["3 high", "- -", "- -"])
    }
  }

  @Test(
    "Nothing carries over into the next window, unless by the setting carry-over",
    arguments: [("no", ["3 high", "- -", "- -"]), ("yes", ["3 high", "- high", "- high"])])
  func carryOver(value: String, values: [String]) throws {
    var life = try Life(setting: "carry-over", value)
    try life.profile.settings.set("coarse-without", to: "keep")
    life.update(3, .high, at: 0)
    // The third window, with none in the second: it goes on through it.
    var skipping = life
    life.update(4, at: 50)
    life.update(5, at: 200)
    #expect(life.values == values)
    skipping.update(5, at: 200)
    #expect(skipping.values[2] == values[2])
    // A call without a coarse value clears what was carried, too.
    try skipping.profile.settings.set("coarse-without", to: "clear")
    skipping.update(6, at: 201)
    #expect(skipping.values[2] == "- -")
  }

  @Test("What carries over is that of the window before, not of the first")
  func carryOverFromTheWindowBefore() throws {
    var life = try Life(setting: "carry-over", "yes")
    try life.profile.settings.set("coarse-without", to: "keep")
    life.update(3, .high, at: 0)
    life.update(4, .low, at: 50)
    life.update(5, at: 200)
    #expect(life.values == ["3 high", "- low", "- low"])
  }

  @Test("A lock ends a window: later calls change nothing, the next window starts at its normal time")
  func lock() {
    var life = Life()
    #expect(life.update(5, .low, lock: true, at: 10).effects == [.registered, .locked])
    #expect(life.update(9, .high, lock: true, at: 20) == FrameworkAnswer(.locked(.p0, since: h(10)), of: .register))
    #expect(life.values == ["5 low", "- -", "- -"])
    #expect(life.framework.held[.p0].lockedAt == h(10))
    #expect(life.update(9, .high, at: 47.9).fate == .locked(.p0, since: h(10)))
    #expect(life.update(9, .high, at: 58).fate == .taken(.p1))
    #expect(life.framework.window(at: h(57), on: life.install) == .p1)
    life.update(9, .medium, lock: true, at: 60)
    #expect(life.update(9, .high, at: 177.9).fate == .locked(.p1, since: h(60)))
    #expect(life.update(9, .low, lock: true, at: 178).effects == [.fineIgnored, .locked])
    #expect(life.update(9, .high, at: 179).fate == .locked(.p2, since: h(178)))
    #expect(life.values == ["5 low", "- medium", "- low"])
  }

  @Test("A lock without a coarse value locks what is left")
  func lockWithoutCoarse() {
    var life = Life()
    life.update(5, .low, at: 0)
    #expect(life.update(6, lock: true, at: 1).effects == [.locked, .coarseCleared])
    #expect(life.values[0] == "6 -")
  }
}

/// An install whose framework is called directly; hours count from ``start``.
@Suite("Developer Mode leaves production impressions alone")
struct DeveloperModeTests {
  /// The impressions of both frameworks, and whether Developer Mode shortens their windows.
  private static let sources: [(framework: AdAttribution.Framework, source: AdAttribution.Source, isShort: Bool)] = [
    (.skadnetwork, .app(0), true), (.skadnetwork, .app(1), false), (.skadnetwork, .app(.max), false),
    (.skadnetwork, .domain("example.com"), true), (.adattributionkit, .app(0), true),
    (.adattributionkit, .app(1), false),
  ]

  @Test("Windows, timers and delays of every kind of impression", arguments: sources, AdAttribution.versions)
  func clocks(
    _ impression: (framework: AdAttribution.Framework, source: AdAttribution.Source, isShort: Bool), version: String
  ) {
    var profile = DeviceProfile(idfv: nil)
    profile.ios = IOSVersion(18, 0)
    profile.ad?.framework = impression.framework
    profile.ad?.source = impression.source
    profile.ad?.version = version
    if version != "4.0", impression.framework == .skadnetwork { profile.ad?.campaign = .campaignID(42) }
    var normal = profile
    profile.clock = .developer
    #expect(profile.warnings.map(\.code) == (impression.isShort ? [] : ["production-impression"]))
    #expect(normal.warnings.isEmpty)
    // The delay is drawn by the same seed; production has the same phone without Developer Mode.
    var device = Device(profile)
    var plain = Device(normal)
    for hours in [0.0, 0.03, 0.06, 0.2, 23, 47, 49] {
      _ = device.call(.updatePostbackCoarse(fine: Int64(hours), coarse: .high, lock: false), at: h(hours))
      _ = plain.call(.updatePostbackCoarse(fine: Int64(hours), coarse: .high, lock: false), at: h(hours))
    }
    let (shown, full) = (device.postbacks(phone: "", at: h(300)), plain.postbacks(phone: "", at: h(300)))
    #expect((device.framework == plain.framework) == !impression.isShort)
    #expect((shown == full) == !impression.isShort)
    #expect((shown.first?.sendsAt ?? h(300) < h(1)) == impression.isShort)
    normal.ad = nil
    normal.clock = .developer
    #expect(normal.warnings.isEmpty)
  }

  @Test("Without an ad, the impression is one for development; an ad that is given is as it says")
  func defaults() throws {
    for (members, source) in [
      ("", AdAttribution.Source.app(0)), (#","ad":{}"#, .app(1_234_567_891)), (#","ad":{"source_app_id":0}"#, .app(0)),
      (#","ad":{"framework":"adattributionkit"}"#, .app(1_234_567_891)),
      (#","ad":{"framework":"adattributionkit","publisher_id":0}"#, .app(0)),
    ] {
      let text = #"{"ios":"18.0","clock":"developer"\#(members)}"#
      var reader = JSONObjectReader(
        try JSONReader.readSource(Array(text.utf8)), what: "a profile", known: JSONKeys(DeviceProfile.keys))
      let profile = DeviceProfile(from: &reader, phone: "")
      #expect(profile.ad?.source == source && profile.warnings.isEmpty == (source == .app(0)), "\(members)")
    }
  }
}

extension Device {
  fileprivate mutating func call(_ call: FrameworkCall, at now: Instant) -> FrameworkAnswer {
    var report = StepReport()
    return self.call(call, at: now, failingWith: nil, &report)
  }
}

struct Life {
  var profile: DeviceProfile
  var framework = AppleFramework()

  /// An install by the default ad: version 4.0, won, tier 3.
  init(_ change: (inout DeviceProfile) -> Void = { _ in }) {
    profile = DeviceProfile(idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")
    change(&profile)
  }

  /// The same with an ad of a version up to 3.
  static func old(_ version: String = "3.0", _ change: (inout DeviceProfile) -> Void = { _ in }) -> Life {
    Life { profile in
      profile.ad?.version = version
      profile.ad?.campaign = .campaignID(42)
      change(&profile)
    }
  }

  /// The same with an ad of AdAttributionKit.
  static func adAttributionKit(_ change: (inout DeviceProfile) -> Void = { _ in }) -> Life {
    Life { profile in
      profile.ad?.framework = .adattributionkit
      change(&profile)
    }
  }

  /// The same with one setting changed.
  init(setting name: String, _ value: String, _ change: (inout DeviceProfile) -> Void = { _ in }) throws {
    self.init(change)
    try profile.settings.set(name, to: value)
  }

  var install: InstallTraits { InstallTraits(profile) }

  @discardableResult
  mutating func call(_ call: FrameworkCall, at hours: Double, failingWith error: Int64? = nil) -> FrameworkAnswer {
    framework.apply(call, at: moment(hours * 3600), on: install, failingWith: error)
  }

  /// The call with coarse value and lock.
  @discardableResult
  mutating func update(
    _ fine: Int64, _ coarse: CoarseValue? = nil, lock: Bool = false, at hours: Double
  ) -> FrameworkAnswer {
    call(.updatePostbackCoarse(fine: fine, coarse: coarse, lock: lock), at: hours)
  }

  func postbacks(at hours: Double, tier: Int64? = nil) -> [Postback] {
    framework.postbacks(on: profile, phone: "", at: moment(hours * 3600), tier: tier)
  }

  /// Fine and coarse value of each window, as Apple holds them.
  var values: [String] {
    ConversionWindow.allCases.map { window in
      let held = framework.held[window]
      return "\(held.fine.map(String.init) ?? "-") \(held.coarse?.rawValue ?? "-")"
    }
  }
}

/// Hours after ``start`` of an instant.
func hours(_ instant: Instant?) -> Double? { instant.map { $0.since(moment(0)).seconds / 3600 } }

func h(_ hours: Double) -> Instant { moment(hours * 3600) }

extension Postback {
  var bodyText: String { content.map { JSONWriter.text($0.json) } ?? "-" }
}
