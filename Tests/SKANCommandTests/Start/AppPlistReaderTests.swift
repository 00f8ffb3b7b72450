import SKANBase
import SKANDevice
import Testing

@testable import SKANCommand

@Suite("The app's own Info.plist on a phone")
struct AppPlistReaderTests {
  private static func profile(_ members: String, _ change: (inout DeviceProfile) -> Void = { _ in }) throws
    -> DeviceProfile
  {
    var profile = DeviceProfile(idfv: nil)
    change(&profile)
    let text = #"<plist version="1.0"><dict>\#(members)</dict></plist>"#
    try AppPlistReader(Array(text.utf8)).apply(to: &profile)
    return profile
  }

  private static func configured(_ members: String) -> String {
    "<key>AdAttributionKitConfigurations</key><dict>\(members)</dict>"
  }

  private static func windows(_ network: String, _ members: String) -> String {
    configured(
      "<key>AttributionWindows</key><dict><key>\(network)</key><dict><key>install</key><dict>\(members)</dict></dict></dict>"
    )
  }

  private static func cooldown(_ value: String, _ key: String = "install-cooldown-hours") -> String {
    configured("<key>AttributionCooldown</key><dict><key>\(key)</key>\(value)</dict>")
  }

  @Test(
    "Copies go where the key has an https address",
    arguments: [
      ("", []), ("<key>AttributionCopyEndpoint</key><string>https://example.com</string>", [.adattributionkit]),
      ("<key>AttributionCopyEndpoint</key><string>https://example.com/path</string>", [.adattributionkit]),
      ("<key>AttributionCopyEndpoint</key><string>http://example.com</string>", []),
      ("<key>AttributionCopyEndpoint</key><string>example.com</string>", []),
      ("<key>AttributionCopyEndpoint</key><true/>", []),
      (
        "<key>AdAttributionKit</key><dict><key>AttributionCopyEndpoint</key><string>https://example.com</string></dict>",
        []
      ),
      ("<key>NSAdvertisingAttributionReportEndpoint</key><string>https://example.com</string>", [.skadnetwork]),
    ] as [(String, [AdAttribution.Framework])])
  func copies(members: String, frameworks: [AdAttribution.Framework]) throws {
    let profile = try Self.profile(members)
    #expect(AdAttribution.Framework.allCases.filter { profile.plist?.copies[$0] != nil } == frameworks)
    for framework in AdAttribution.Framework.allCases {
      var given = profile
      given.ad?.framework = framework
      var device = Device(given)
      _ = device.register(at: .listStart)
      let copied = device.postbacks(phone: "", at: .listStart).map(\.hasCopy)
      #expect(Set(copied) == [frameworks.contains(framework)])
    }
  }

  @Test("The findings of doctor that are wrong are those of the phone")
  func findings() throws {
    let nested =
      "<key>AdAttributionKit</key><dict><key>AttributionCopyEndpoint</key><string>https://example.com</string></dict>"
    let profile = try Self.profile(nested)
    #expect(
      profile.warnings.map(\.message) == [
        "Info.plist: AdAttributionKit: iOS ignores it silently: AttributionCopyEndpoint belongs at the top level of "
          + "Info.plist."
      ])
    #expect(profile.warnings.map(\.code) == ["info-plist"])
  }

  @Test(
    "Windows",
    arguments: [
      (windows("global", "<key>view</key><integer>3</integer>"), #"{"global":{"install":{"view":3}}}"#),
      (windows("n", "<key>click</key><integer>99</integer>"), #"{"n":{"install":{"click":99}}}"#),
      (
        windows("n", "<key>ignoreInteractionType</key><string>view</string>"),
        #"{"n":{"install":{"ignoreInteractionType":"view"}}}"#
      ),
      (windows("n", "<key>ignoreInteractionType</key><string>tap</string>"), #"{"n":{"install":{}}}"#),
      (windows("global", "<key>ignoreInteractionType</key><string>view</string>"), #"{"global":{"install":{}}}"#),
      (windows("n", "<key>click</key><real>1.5</real><key>view</key><string>3</string>"), #"{"n":{"install":{}}}"#),
      (configured("<key>AttributionWindows</key><array/>"), nil), (configured(""), nil),
      (
        configured("<key>AttributionWindows</key><dict><key>n</key><true/></dict>"), nil
      ), ("<key>AttributionWindows</key><dict/>", nil),
    ] as [(String, String?)])
  func attributionWindows(members: String, expected: String?) throws {
    let json = try Self.profile(members).json
    #expect(json["attribution_windows"].map { JSONWriter.text($0) } == expected)
  }

  @Test(
    "Cool-downs and flags, beside settings that are given",
    arguments: [
      (cooldown("<integer>24</integer>"), 24, 0), (cooldown("<integer>720</integer>"), 720, 0),
      (cooldown("<integer>721</integer>"), 0, 0), (cooldown("<integer>-1</integer>"), 0, 0),
      (cooldown("<string>24</string>"), 0, 0), (cooldown("<real>1.5</real>"), 0, 0),
      (cooldown("<integer>5</integer>", "re-engagement-cooldown-hours"), 0, 5),
      (cooldown("<integer>5</integer>", "reengagement-cooldown-hours"), 0, 0),
    ] as [(String, UInt16, UInt16)])
  func cooldowns(members: String, install: UInt16, reEngagement: UInt16) throws {
    let settings = try Self.profile(members).settings
    #expect(settings.kitInstallCooldown == install && settings.kitReEngagementCooldown == reEngagement)
    let given = try Self.profile(members) { $0.settings.kitInstallCooldown = 7 }
    #expect(given.settings.kitInstallCooldown == 7)
    let clamped = try Self.profile(members) { $0.settings.kitRulesRange = .clamped }
    #expect(clamped.settings.kitInstallCooldown == (members.contains("721") ? 720 : install))
  }

  @Test("The keys of overlap and of copies of re-engagements")
  func flags() throws {
    let both =
      "<key>EligibleForAdAttributionKitOverlappingConversions</key><true/>"
      + "<key>EligibleForAdAttributionKitReengagementPostbackCopies</key><true/>"
    let on = try Self.profile(both).settings
    #expect(on.kitOverlap == .on && on.kitCopies == .on)
    let off = try Self.profile(both.replacing("<true/>", with: "<string>YES</string>")).settings
    #expect(off == FrameworkSettings())
  }

  @Test("What is no Info.plist", arguments: ["", "<plist", #"<plist version="1.0"><array/></plist>"#, "5"])
  func refused(text: String) {
    #expect(throws: PlistValue.Failure.self) { try AppPlistReader(Array(text.utf8)) }
  }
}
