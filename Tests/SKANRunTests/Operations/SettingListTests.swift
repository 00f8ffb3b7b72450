import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Every setting, through a list")
struct SettingListTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var setting: String
    /// Members of the `device` step, each with a comma behind it.
    var device: String
    /// Settings beside it, each with a comma before it.
    var others = ""
    var steps: [String]
    /// Where the last result differs, and what is there by value.
    var paths: [String]
    var found: [(value: String, texts: [String])]

    var testDescription: String { "\(setting) \(device)" }
  }

  /// An update at a time, which is answered with these members.
  private static func update(_ answer: String, _ at: String, _ more: String = "") -> String {
    #"{"op":"session","at":"\#(at)","answer":{"json":{"conversion_value":\#(answer)}}\#(more)}"#
  }

  private static let register = #"{"op":"register"}"#
  private static let coarse = #","skan_updated_coarse_value":2"#
  private static let lock = #","skan_updated_lock_window_value":true"#
  private static let postbacks = #"{"op":"postbacks","at":"+60d"}"#
  private static let value5 = [register, update("5\(coarse)", "+1h"), postbacks]

  private static func body(_ field: String, of index: Int = 0) -> String { "postbacks.\(index).body.\(field)" }

  static let framework: [Case] = [
    Case(
      setting: "clock-start", device: "",
      steps: [#"{"op":"details"}"#, #"{"op":"register","at":"+1d"}"#, update("5\(coarse)", "+49h")],
      paths: ["apple.window", "apple.p0.coarse"],
      found: [("first_update", ["0", #""high""#]), ("first_launch", ["1", "null"])]),
    Case(
      setting: "window-edges", device: "", steps: [register, update("5\(coarse)", "+2d")],
      paths: ["apple.p0.coarse", "apple.p1.coarse", "window"],
      found: [("half_open", ["null", #""high""#, "1"]), ("end_included", [#""high""#, "null", "1"])]),
    Case(
      setting: "coarse-without", device: "", steps: [register, update("5\(coarse)", "+1h"), update("6", "+2h")],
      paths: ["apple.p0.coarse", "details.p0_coarse"],
      found: [("clear", ["null", "null"]), ("keep", [#""high""#, "null"]), ("literal_none", [#""none""#, "null"])]),
    Case(
      setting: "after-lock", device: "", steps: [register, update("5\(lock)", "+1h"), update("6", "+2h")],
      paths: ["outcome", "handler.error", "apple.p0.fine", "details.skan_current_conversion_value"],
      found: [
        ("no_error", [#""updated""#, "null", "5", #""6""#]),
        ("error_10", [#""framework-error""#, #""SKANErrorDomain error 10""#, "5", #""6""#]),
      ]),
    Case(
      setting: "after-windows", device: "", steps: [register, update("6", "+839h", #","took":7200"#)],
      paths: ["outcome", "handler.error"],
      found: [
        ("no_error", [#""updated""#, "null"]),
        ("error_10", [#""framework-error""#, #""SKANErrorDomain error 10""#]),
      ]),
    Case(
      setting: "old-ios", device: #""ios":"16.0","#, steps: [register],
      paths: ["apple.version", "apple.timer_start", "warnings.0.code"],
      found: [
        ("as_3_0", [#""3.0""#, "1767225600", "null"]),
        ("as_4_0", [#""4.0""#, "null", "null"]),
        ("not_attributed", ["null", "null", #""ignored-by-apple""#]),
      ]),
    Case(
      setting: "fine-only-calls", device: #""snippet":"skan3","#,
      steps: [register, update("5", "+23h"), update("6", "+46h"), update("7", "+69h")],
      paths: ["apple.p1.updated", "outcome"],
      found: [("first_window", ["null", #""updated""#]), ("every_window", ["true", #""updated""#])]),
  ]

  static let departures: [Case] = [
    Case(
      setting: "delay-distribution", device: "", steps: value5, paths: ["postbacks.0.sends_at"],
      found: [("uniform", ["1767546566"]), ("earliest", ["1767484800"]), ("latest", ["1767571200"])]),
    Case(
      setting: "empty-window", device: "", steps: value5, paths: ["postbacks.1.state", body("version", of: 1)],
      found: [("not_sent", [#""not-sent""#, "null"]), ("send_without_value", [#""sent""#, #""4.0""#])]),
    Case(
      setting: "fine-only-delay", device: #""snippet":"skan3","#, steps: value5,
      paths: ["postbacks.0.earliest", "postbacks.0.latest"],
      found: [("24_48h", ["1767484800", "1767571200"]), ("0_24h", ["1767398400", "1767484800"])]),
    Case(
      setting: "developer-timer",
      device: #""ios":"18.0","clock":"developer","ad":{"version":"3.0","source_app_id":0},"#,
      steps: [register, postbacks],
      paths: ["postbacks.0.prepared_at", "postbacks.0.earliest", "postbacks.0.latest"],
      found: [
        ("5m_then_0_5m", ["1767225900", "1767225900", "1767226200"]),
        ("3m_then_5_10m", ["1767225780", "1767226080", "1767226380"]),
      ]),
  ]

  private static let id = body("source-identifier")
  private static let source = body("source-app-id")

  static let contents: [Case] = [
    Case(
      // What is carried shows where no call follows, or one that leaves it.
      setting: "carry-over", device: "", others: #","coarse-without":"keep","empty-window":"send_without_value""#,
      steps: [register, update("5\(coarse)", "+1h"), update("5", "+3d"), postbacks],
      paths: [body("coarse-conversion-value", of: 1), body("coarse-conversion-value", of: 2)],
      found: [("no", ["null", "null"]), ("yes", [#""high""#, #""high""#])]),
    Case(
      setting: "transaction-ids", device: "",
      steps: [register, update("5\(coarse)", "+3d"), postbacks],
      paths: [body("transaction-id"), body("transaction-id", of: 1)],
      found: [
        (
          "distinct",
          [#""52edafaf-74e6-4d8b-b44f-c447f6d49c36""#, #""e997af7e-1afa-4d08-8041-eb6e0b18b2d5""#]
        ),
        ("same", [#""52edafaf-74e6-4d8b-b44f-c447f6d49c36""#, #""52edafaf-74e6-4d8b-b44f-c447f6d49c36""#]),
      ]),
    Case(
      setting: "tier2-digits", device: #""ad":{"tier":2},"#, steps: value5, paths: [id],
      found: [("3", [#""239""#]), ("2", [#""39""#]), ("4", [#""5239""#])]),
    Case(
      setting: "tier3-digits", device: "", steps: value5, paths: [id],
      found: [("4", [#""5239""#]), ("3", [#""239""#]), ("2", [#""39""#])]),
    Case(
      setting: "identifier-digits", device: #""ad":{"tier":1},"#, steps: value5, paths: [id],
      found: [("last", [#""39""#]), ("first", [#""52""#])]),
    Case(
      setting: "non-winner", device: #""ad":{"won":false,"source_domain":"example.com"},"#, steps: value5,
      paths: [id, body("source-domain")],
      found: [
        ("digits_by_tier", [#""5239""#, "null"]), ("by_tier", [#""5239""#, #""example.com""#]),
        ("least", [#""39""#, "null"]),
      ]),
    Case(
      setting: "old-threshold", device: #""ad":{"version":"3.0","tier":2},"#, steps: value5,
      paths: [body("conversion-value"), source],
      found: [
        ("as_4_0", ["5", "null"]), ("tier_1", ["5", "1234567891"]), ("tier_2", ["5", "1234567891"]),
        ("tier_3", ["null", "null"]),
      ]),
    Case(
      setting: "old-threshold", device: #""ad":{"version":"2.0","tier":1},"#, steps: value5,
      paths: [body("conversion-value"), source],
      found: [
        ("as_4_0", ["null", "null"]), ("tier_1", ["5", "1234567891"]), ("tier_2", ["null", "null"]),
        ("tier_3", ["null", "null"]),
      ]),
    Case(
      setting: "register-value", device: #""snippet":"skan3","#, steps: [register, postbacks],
      paths: [body("conversion-value"), "postbacks.0.state"],
      found: [("zero", ["0", #""sent""#]), ("absent", ["null", #""sent""#])]),
    Case(
      setting: "country", device: #""ad":{"country":"US"},"#, steps: kitWindows,
      paths: [body("country-code"), body("country-code", of: 1)],
      found: [("absent", ["null", "null"]), ("present", [#""US""#, "null"])]),
    noCountry(#""tier":2"#), noCountry(#""won":false"#), noCountry(#""version":"3.0""#),
  ]

  private static func noCountry(_ member: String) -> Case {
    Case(
      setting: "country", device: #""ad":{"country":"US",\#(member)},"#, steps: value5, paths: [body("country-code")],
      found: [("absent", ["null"]), ("present", ["null"])])
  }

  private static func kit(_ more: String = "") -> String { #""ad":{"framework":"adattributionkit"\#(more)},"# }

  private static func payload(_ claim: String, of index: Int = 0) -> String { "postbacks.\(index).payload.\(claim)" }

  private static let kitWindows = [register, update("5\(coarse)", "+1h"), update("5\(coarse)", "+3d"), postbacks]

  static let adAttributionKit: [Case] = [
    Case(
      // The snippet of SKAN 3 registers with a call that has one value or none.
      setting: "aak-mirror", device: #""snippet":"skan3",\#(kit())"#, steps: [register, update("5", "+1h")],
      paths: ["apple.aak.p0.fine", "warnings.0.code"],
      found: [
        ("all_calls", ["5", #""details-stale""#]), ("multi_argument", ["null", #""ignored-by-apple""#]),
        ("off", ["null", #""ignored-by-apple""#]),
      ]),
    Case(
      setting: "aak-mirror", device: kit(), steps: [register, update("5\(coarse)", "+1h")],
      paths: ["apple.aak.p0.fine", "apple.aak.first_update"],
      found: [
        ("all_calls", ["5", "1767225600"]), ("multi_argument", ["5", "1767229200"]), ("off", ["null", "null"]),
      ]),
    Case(
      setting: "aak-mirror-coarse", device: kit(#","tier":1"#), steps: kitWindows,
      paths: [body("coarse-conversion-value"), body("coarse-conversion-value", of: 1), "postbacks.1.state"],
      found: [("none", ["null", "null", #""sent""#]), ("carried", [#""high""#, #""high""#, #""sent""#])]),
    Case(
      setting: "aak-window-start", device: kit(),
      steps: [#"{"op":"details"}"#, #"{"op":"register","at":"+1d"}"#, update("5", "+49h")],
      paths: ["apple.window", "apple.aak.p0.fine"],
      found: [("first_update", ["0", "5"]), ("first_launch", ["1", "0"])]),
    Case(
      setting: "aak-fine-only", device: kit(), others: #","aak-mirror-coarse":"carried""#,
      steps: [register, update("5\(coarse)", "+1h"), update("6", "+2h")], paths: ["apple.aak.p0.coarse"],
      found: [("as_coarse_without", ["null"]), ("clears", ["null"]), ("keeps", [#""high""#])]),
    Case(
      setting: "aak-fine-only", device: kit(), others: #","aak-mirror-coarse":"carried","coarse-without":"keep""#,
      steps: [register, update("5\(coarse)", "+1h"), update("6", "+2h")], paths: ["apple.aak.p0.coarse"],
      found: [("as_coarse_without", [#""high""#]), ("clears", ["null"]), ("keeps", [#""high""#])]),
    Case(
      setting: "aak-empty-window", device: kit(), steps: value5,
      paths: ["postbacks.1.state", payload("did-win", of: 1)],
      found: [("not_sent", [#""not-sent""#, "null"]), ("sent", [#""sent""#, "true"])]),
    Case(
      setting: "aak-digits", device: kit(), steps: value5, paths: [payload("source-identifier")],
      found: [("4", [#""5239""#]), ("3", [#""239""#]), ("2", [#""39""#])]),
    Case(
      setting: "aak-digits", device: kit(#","tier":1"#), steps: value5, paths: [payload("source-identifier")],
      found: [("4", [#""39""#]), ("3", [#""39""#]), ("2", [#""39""#])]),
    Case(
      setting: "aak-country", device: kit(#","country":"US""#), steps: kitWindows,
      paths: [body("country-code"), body("country-code", of: 1)],
      found: [("absent", ["null", "null"]), ("present", [#""US""#, "null"])]),
    Case(
      setting: "aak-country", device: kit(#","country":"US","tier":2"#), steps: value5, paths: [body("country-code")],
      found: [("absent", ["null"]), ("present", ["null"])]),
    Case(
      setting: "aak-later-fields", device: kit(), steps: kitWindows,
      paths: [payload("marketplace-identifier"), payload("marketplace-identifier", of: 1)],
      found: [
        ("present", [#""com.apple.AppStore""#, #""com.apple.AppStore""#]),
        ("absent", [#""com.apple.AppStore""#, "null"]),
      ]),
    Case(
      setting: "aak-nonwinner", device: kit(#","won":false"#), steps: value5,
      paths: [payload("source-identifier"), payload("marketplace-identifier"), payload("publisher-item-identifier")],
      found: [("tier_digits", [#""5239""#, #""com.apple.AppStore""#, "null"]), ("least", [#""39""#, "null", "null"])]),
    Case(
      setting: "aak-dev-delay", device: #""ios":"18.0","clock":"developer",\#(kit(#","publisher_id":0"#))"#,
      steps: [register, update("5", "+4m"), postbacks], paths: ["postbacks.0.latest", "postbacks.1.earliest"],
      found: [("all_windows", ["1767226380", "1767226260"]), ("first_window", ["1767226380", "1767312360"])]),
    Case(
      setting: "aak-uuid-case", device: kit(), steps: value5, paths: [payload("postback-identifier")],
      found: [
        ("upper", [#""52EDAFAF-74E6-4D8B-B44F-C447F6D49C36""#]),
        ("lower", [#""52edafaf-74e6-4d8b-b44f-c447f6d49c36""#]),
      ]),
    Case(
      setting: "aak-slash", device: kit(#","tier":0"#), others: #","delay-distribution":"earliest""#, steps: value5,
      paths: [body("jws-string")],
      found: [
        ("escaped", [jws(header: "eyJhbGciOiJFUzI1NiIsImtpZCI6InNrYW4tc2ltdWxhdGVkXC8wIn0")]),
        ("plain", [jws(header: "eyJhbGciOiJFUzI1NiIsImtpZCI6InNrYW4tc2ltdWxhdGVkLzAifQ")]),
      ]),
  ]

  private static func direct(_ fine: Int, _ at: String) -> String {
    #"{"op":"aak-update","at":"\#(at)","fine":\#(fine)}"#
  }

  private static func open(_ at: String, _ tag: String = "t1") -> String {
    #"{"op":"aak-reengage","at":"\#(at)","url":"https://example.com/","tag":"\#(tag)"}"#
  }

  private static func reEngaged(_ path: String, _ index: Int = 0) -> String {
    "apple.aak.reengagements.\(index).\(path)"
  }

  private static let overlapping = #","aak-overlap":"on""#
  private static let two = [register, open("+1h"), open("+2h", "t2"), direct(7, "+3h")]

  static let reEngagements: [Case] = [
    Case(
      setting: "aak-to-skan", device: "", steps: [register, direct(5, "+1h")], paths: ["apple.p0.fine", "outcome"],
      found: [("off", ["0", #""ignored""#]), ("on", ["5", #""updated""#])]),
    Case(
      setting: "aak-fine-range", device: kit(), steps: [register, direct(64, "+1h")],
      paths: ["apple.aak.p0.fine", "outcome"],
      found: [("error_unknown", ["0", #""aak-error""#]), ("ignored", ["0", #""ignored""#])]),
    Case(
      setting: "aak-untagged", device: #""ios":"18.4",\#(kit())"#, others: overlapping, steps: two,
      paths: ["apple.aak.p0.fine", reEngaged("p0.fine"), reEngaged("p0.fine", 1)],
      found: [("most_recent", ["0", "null", "7"]), ("each_type", ["7", "null", "7"]), ("all", ["7", "7", "7"])]),
    Case(
      setting: "aak-overlap", device: #""ios":"18.4",\#(kit())"#, steps: [register, open("+1h")],
      paths: ["apple.aak.p0.locked_at", "apple.aak.replaced_at"],
      found: [("off", ["1767229200", "1767229200"]), ("on", ["null", "null"])]),
    Case(
      setting: "aak-overlap-tag", device: #""ios":"18.4",\#(kit())"#, steps: [register, open("+1h")],
      paths: [reEngaged("tag")], found: [("always", [#""t1""#]), ("overlap_only", ["null"])]),
    Case(
      setting: "aak-unregistered", device: #""ios":"18.0",\#(kit())"#, others: #","aak-untagged":"all""#,
      steps: [open("2026-01-01T00:00:00Z"), direct(7, "+1h")], paths: ["apple.aak.p0.fine", reEngaged("p0.fine")],
      found: [("dropped", ["null", "7"]), ("kept", ["7", "7"])]),
    Case(
      setting: "aak-later-windows", device: #""ios":"18.0",\#(kit())"#, others: #","aak-untagged":"all""#,
      steps: [register, open("+1h"), direct(7, "+49h")], paths: ["apple.aak.p1.updated", reEngaged("p0.fine")],
      found: [("dropped", ["null", "7"]), ("kept", ["true", "7"])]),
    Case(
      setting: "aak-reengagement-limit", device: #""ios":"18.0","#,
      steps: [open("2026-01-01T00:00:00Z"), open("+30d", "t2")], paths: ["outcome", reEngaged("tag", 1)],
      found: [
        ("none", [#""opened""#, #""t2""#]), ("one_per_month", [#""opened""#, #""t2""#]),
        ("one_per_year", [#""ignored""#, "null"]),
      ]),
    Case(
      setting: "aak-tag-errors", device: #""ios":"18.4",\#(kit())"#,
      steps: [register, #"{"op":"aak-update","at":"+1h","fine":7,"tag":"t1"}"#],
      paths: ["outcome", "apple.aak.p0.fine"],
      found: [("by_cause", [#""aak-error""#, "0"]), ("ignored", [#""ignored""#, "0"])]),
    Case(
      setting: "aak-cooldown", device: #""ios":"18.4",\#(kit())"#, steps: [register, open("+25h")], paths: ["outcome"],
      found: [("none", [#""opened""#]), ("24h", [#""opened""#]), ("720h", [#""ignored""#])]),
    Case(
      setting: "install-cooldown-hours", device: #""ios":"18.4",\#(kit())"#, steps: [register, open("+25h")],
      paths: ["outcome"], found: [("0", [#""opened""#]), ("720", [#""ignored""#])]),
    Case(
      setting: "re-engagement-cooldown-hours", device: #""ios":"18.4",\#(kit())"#,
      steps: [register, open("+25h"), open("+50h", "t2")], paths: ["outcome"],
      found: [("0", [#""opened""#]), ("720", [#""ignored""#])]),
    Case(
      setting: "aak-tracking-parameters", device: #""ios":"18.0","#,
      steps: [#"{"op":"aak-reengage","at":"2026-01-01T00:00:00Z","url":"https://a.b/?c=d"}"#], paths: ["explanation"],
      found: [
        (
          "kept",
          [#""The app is opened with https://a.b/?c=d&AdAttributionKitReengagementOpen: re-engagement 1 begins.""#]
        ),
        (
          "all_removed",
          [#""The app is opened with https://a.b/?AdAttributionKitReengagementOpen: re-engagement 1 begins.""#]
        ),
      ]),
  ]

  /// A JWS without a signature whose payload has no slash.
  private static func jws(header: String) -> String {
    "\"\(header).eyJhZC1uZXR3b3JrLWlkZW50aWZpZXIiOiJleGFtcGxlLmFkYXR0cmlidXRpb25raXQiLCJhZHZlcnRpc2VkLWl0ZW0taWRlbnRp"
      + "ZmllciI6NTI1NDYzMDI5LCJjb252ZXJzaW9uLXR5cGUiOiJkb3dubG9hZCIsImRpZC13aW4iOnRydWUsImltcHJlc3Npb24tdHlwZSI6ImFwcC1p"
      + "bXByZXNzaW9uIiwicG9zdGJhY2staWRlbnRpZmllciI6IjUyRURBRkFGLTc0RTYtNEQ4Qi1CNDRGLUM0NDdGNkQ0OUMzNiIsInBvc3RiYWNrLXNl"
      + "cXVlbmNlLWluZGV4IjowLCJzb3VyY2UtaWRlbnRpZmllciI6IjM5In0.\""
  }

  /// The settings that only show in deliveries.
  private static let ofDeliveries = ["aak-retry", "aak-retry-count", "aak-retry-spacing", "aak-reengagement-copies"]

  @Test(arguments: framework + departures + contents + adAttributionKit + reEngagements)
  func results(_ example: Case) throws {
    for (value, texts) in example.found {
      let device =
        #"{"op":"device",\#(example.device)"settings":{"\#(example.setting)":"\#(value)"\#(example.others)}}"#
      let result = try #require(try runList([device] + example.steps).last).json
      let actual = example.paths.map { JSONWriter.text(result.value(at: $0) ?? .null) }
      #expect(actual == texts, "\(value)")
    }
  }

  @Test("Every value of every setting is tried, the default first")
  func complete() {
    let tried = Self.framework + Self.departures + Self.contents + Self.adAttributionKit + Self.reEngagements
    for setting in FrameworkSetting.allCases {
      // No version of the snippet makes this call a second time in an install's life.
      if setting.name == "register-again" || Self.ofDeliveries.contains(setting.name) { continue }
      let cases = tried.filter { $0.setting == setting.name }
      #expect(!cases.isEmpty, "\(setting.name)")
      for example in cases { #expect(example.found.map(\.value) == setting.values, "\(setting.name)") }
    }
  }
}

@Suite("The key apple")
struct AppleKeyTests {
  private static let list = [
    #"{"op":"device","label":"installed"}"#,
    #"{"op":"details","label":"launched"}"#,
    #"{"op":"register","after":"1h","label":"registered"}"#,
    #"{"op":"session","after":"1h","label":"updated","answer":{"json":{"conversion_value":5,"skan_updated_coarse_value":1,"skan_updated_lock_window_value":true}}}"#,
    #"{"op":"event","name":"n","after":"1h","label":"locked","answer":{"json":{"conversion_value":6}}}"#,
    #"{"op":"revenue","amount":1,"currency":"USD","label":"revenue"}"#, #"{"op":"relaunch","label":"relaunched"}"#,
    #"{"op":"update","ios":"17.5","label":"updated phone"}"#, #"{"op":"postbacks","after":"3d","label":"looked"}"#,
    #"{"op":"session","label":"refused","answer":{"json":{"conversion_value":7}},"framework_error":7}"#,
    #"{"op":"session","label":"unanswered","answer":{"error":"timed out"}}"#,
  ]
  private static let p0 = #""p0":{"coarse":"medium","fine":5,"locked_at":1767232800,"updated":true}"#
  private static let held = #""first_launch":1767225600,"first_update":1767229200,"latest_call""#

  @Test(
    "After each kind of step",
    arguments: [
      (0, #"{"says":null,"window":-1}"#), (1, #"{"first_launch":1767225600,"says":null,"window":-1}"#),
      (
        2,
        #"{\#(held):1767229200,"p0":{"fine":0,"fine_only":true,"updated":true},"says":"Apple holds the values for P0; the first call, which registers the install.","version":"4.0","window":0}"#
      ),
      (
        3,
        #"{\#(held):1767232800,\#(p0),"says":"Apple holds the values for P0; the window is locked now.","version":"4.0","window":0}"#
      ),
      (
        4,
        #"{\#(held):1767236400,\#(p0),"says":"P0 was locked at 2026-01-01T02:00:00Z, so Apple ignores the call and keeps the values of the lock.","version":"4.0","window":0}"#
      ),
      (5, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":0}"#),
      (6, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":0}"#),
      (7, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":0}"#),
      (8, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":1}"#),
      (
        9,
        #"{\#(held):1767236400,\#(p0),"says":"Apple refuses the call with SKANErrorDomain error 7 and holds what it held.","version":"4.0","window":1}"#
      ),
      (10, #"{\#(held):1767236400,\#(p0),"says":null,"version":"4.0","window":1}"#),
    ])
  func afterEachStep(index: Int, text: String) throws {
    let results = try runList(Self.list)
    #expect(results.count == Self.list.count)
    let apple = try #require(results[index].json.value(at: "apple"))
    #expect(JSONWriter.text(apple) == text)
  }

  @Test("Versions up to 3: one value and a timer, no window")
  func timer() throws {
    let results = try runList([
      #"{"op":"device","ad":{"version":"3.0"}}"#, #"{"op":"register"}"#,
      #"{"op":"session","after":"1h","answer":{"json":{"conversion_value":5,"skan_updated_coarse_value":1}}}"#,
    ])
    let apple = try #require(results.last?.json.value(at: "apple"))
    #expect(
      JSONWriter.text(apple)
        == #"{"first_launch":1767225600,"first_update":1767225600,"latest_call":1767229200,"p0":{"fine":5,"updated":true},"says":"Apple holds the values for P0; versions up to 3 ignore the coarse value.","timer_start":1767229200,"version":"3.0","window":-1}"#
    )
  }

  @Test("An organic install: Apple holds nothing and says so")
  func organic() throws {
    let results = try runList([#"{"op":"device","ad":false}"#, #"{"op":"register"}"#])
    let apple = try #require(results.last?.json.value(at: "apple"))
    #expect(
      JSONWriter.text(apple)
        == #"{"first_launch":1767225600,"says":"no ad brought this install, so Apple takes the call and holds nothing.","window":-1}"#
    )
  }
}
