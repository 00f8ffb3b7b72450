import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Settings, through a list")
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
  private static let postbacks = #"{"op":"postbacks","at":"+60d"}"#
  private static let value5 = [register, update("5\(coarse)", "+1h"), postbacks]

  private static func body(_ field: String, of index: Int = 0) -> String { "postbacks.\(index).body.\(field)" }

  private static func kit(_ more: String = "") -> String { #""ad":{"framework":"adattributionkit"\#(more)},"# }

  private static func payload(_ claim: String, of index: Int = 0) -> String { "postbacks.\(index).payload.\(claim)" }

  private static func open(_ at: String) -> String {
    #"{"op":"aak-reengage","at":"\#(at)","url":"https://example.com/","tag":"t1"}"#
  }

  private static let rules =
    #""ios":"26.2","attribution_windows":{"global":{"install":{"view":3}},"b":{"install":{"view":9}}},"#
  private static let download = #"{"op":"download","after":"2d"}"#

  private static func kitView(_ network: String) -> String {
    #""framework":"adattributionkit","interaction":"view","network":"\#(network)""#
  }

  private static func seen(_ ad: String, _ more: String = "") -> String {
    #"{"op":"impression","ad":{\#(ad)}\#(more)}"#
  }

  /// Those that a plain model of Apple's frameworks has no part in.
  static let cases: [Case] = [
    Case(
      setting: "completion", device: "",
      steps: [register, update("1", "+1s", #","took":3"#), update("4", "+2s", #","took":3"#)],
      paths: ["outcome", "request.query.skan_current_conversion_value", "requested_at"],
      found: [
        ("in-turn", [#""updated""#, #""1""#, "null"]), ("deferred", [#""updated""#, #""0""#, "1767225604"]),
        ("sync", [#""updated""#, #""1""#, "1767225604"]), ("never", [#""uncompleted""#, #""0""#, "1767225604"]),
      ]),
    Case(
      setting: "delay-distribution", device: "", steps: value5, paths: ["postbacks.0.sends_at"],
      found: [("uniform", ["1767546566"]), ("earliest", ["1767484800"]), ("latest", ["1767571200"])]),
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
    Case(
      setting: "aak-cooldown", device: #""ios":"18.4",\#(kit())"#, steps: [register, open("+25h")], paths: ["outcome"],
      found: [("none", [#""opened""#]), ("24h", [#""opened""#]), ("720h", [#""ignored""#])]),
    Case(
      setting: "aak-rules-for-skan", device: rules, steps: [seen(#""fidelity":0"#), download],
      paths: ["attribution.winner"],
      found: [("off", ["null"]), ("on", [#""com.example""#])]),
    Case(
      setting: "aak-rules-range", device: rules, steps: [seen(kitView("b")), download], paths: ["attribution.winner"],
      found: [("default_used", ["null"]), ("clamped", [#""b""#])]),
    Case(
      setting: "aak-view-minimum", device: rules, steps: [seen(kitView("c"), #","seconds":1"#), download],
      paths: ["attribution.winner"], found: [("2s", ["null"]), ("none", [#""c""#])]),
    Case(
      setting: "aak-view-room", device: rules,
      steps: (0..<16).map { seen($0 == 0 ? #""fidelity":0"# : kitView("n\($0)")) } + [download],
      paths: ["attribution.impressions.15.rule"],
      found: [("each_framework", [#""window-over""#]), ("shared", [#""view-dropped""#])]),
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

  @Test(arguments: cases)
  func results(_ example: Case) throws {
    for (value, texts) in example.found {
      let device =
        #"{"op":"device",\#(example.device)"settings":{"\#(example.setting)":"\#(value)"\#(example.others)}}"#
      let result = try #require(try runList([device] + example.steps).last).json
      let actual = example.paths.map { JSONWriter.text(result.value(at: $0) ?? .null) }
      #expect(actual == texts, "\(value)")
    }
  }

  @Test(
    "Each value of each setting is one of its own in a list, the default without a word",
    arguments: FrameworkSetting.allCases)
  func values(setting: FrameworkSetting) throws {
    let steps = try setting.values.map {
      try listStep(#"{"op":"device","settings":{"\#(setting.name)":"\#($0)"}}"#)
    }
    let lines = steps.map { StepWriter($0).line }
    #expect(Set(lines).count == lines.count && !lines[0].contains("settings"))
    for (step, line) in zip(steps, lines) { #expect(try listStep(line).facts == step.facts) }
    #expect(throws: SourceProblems.self) {
      try listStep(#"{"op":"device","settings":{"\#(setting.name)":"\#(setting.values[0])x"}}"#)
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
        == #"{"first_launch":1767225600,"says":"no ad brought this install, so Apple accepts the call and holds "#
        + #"nothing.","window":-1}"#
    )
  }
}
