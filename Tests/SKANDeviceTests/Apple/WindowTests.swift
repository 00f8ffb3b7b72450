import SKANBase
import Testing

@testable import SKANDevice

@Suite("Developer Mode does not change production impressions")
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

/// An install whose framework is called directly; hours count from ``start``.
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
}

/// Hours after ``start`` of an instant.
func hours(_ instant: Instant?) -> Double? { instant.map { $0.since(moment(0)).seconds / 3600 } }

func h(_ hours: Double) -> Instant { moment(hours * 3600) }

extension Postback {
  var bodyText: String { content.map { JSONWriter.text($0.json) } ?? "-" }
}
