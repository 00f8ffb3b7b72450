import SKANDevice
import Testing

@testable import SKANModel

@Suite("The check of a forwarded request, which finds every problem")
struct ParameterCheckTests {
  private static let common: [(String, String)] = [
    ("a", "key"), ("p", "iOS"), ("i", "com.example.app"), ("ip", "172.58.29.235"), ("ve", "17.4"),
    ("idfv", "21DB6612-09B3-4ECC-84AC-B353B0AF1334"), ("att_authorization_status", "0"), ("utime", "1767225600"),
  ]

  private static func request(_ endpoint: EndpointKind, _ changes: [String: String?]) -> String {
    let own: [(String, String)] =
      switch endpoint {
      case .launch:
        [("ma", "Apple"), ("mo", "iPhone14,5"), ("lc", "en_US"), ("bd", "21E236"), ("app_v", "1"), ("install", "true")]
      case .event(.v1): [("n", "level")]
      case .event(.v2): [("n", "level"), ("sdid", "21DB6612-09B3-4ECC-84AC-B353B0AF1334")]
      case .conversionValue: []
      }
    var items: [(String, String?)] = (common + own).map { ($0.0, changes[$0.0] ?? $0.1) }
    items += changes.filter { name, _ in !items.contains { $0.0 == name } }.sorted { $0.key < $1.key }
    return items.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "&")
  }

  private func problems(_ endpoint: EndpointKind, _ changes: [String: String?]) throws -> [ParameterProblem] {
    let sent = try #require(SentParameters(Array(Self.request(endpoint, changes).utf8)))
    return ParameterCheck.problems(of: sent, at: endpoint)
  }

  @Test("A request in order has none", arguments: EndpointKind.reports)
  func inOrder(endpoint: EndpointKind) throws { #expect(try problems(endpoint, [:]) == []) }

  @Test func `All that are missing`() throws {
    let empty = try #require(SentParameters(query: nil))
    let missing = EndpointKind.reports.map { ParameterCheck.problems(of: empty, at: $0).compactMap(\.parameters.first) }
    #expect(
      missing == [
        [
          "a", "p", "i", "ve", "idfv", "att_authorization_status", "ma", "mo", "lc", "bd", "app_v", "install", "ip",
        ], ["a", "p", "i", "ve", "idfv", "att_authorization_status", "n", "ip"], ["a", "p", "i", "sdid", "n"],
      ])
  }

  @Test(
    "A value of the wrong form",
    arguments: [
      ("utime", "1767225600000", .milliseconds), ("umilisec", "1767225600", .seconds), ("idfv", "x", .notAUUID),
      ("is_revenue_event", "True", .notATruthValue), ("att_authorization_status", "4", .notWhole(0...3)),
      ("p", "ios", .notAChoice(["iOS"])), ("c", "lte", .notAChoice(["wifi", "carrier"])),
      ("e", "[]", .json(.notAnObject)),
      ("ip", "10.0.0.1", .privateAddress), ("lc", "en", .notALocale), ("n", "ä", .notASCII), ("ve", "", .empty),
      ("skan_conversion_value", "64", .notWhole(0...63)),
    ] as [(String, String, ParameterFlaw)])
  func flaws(name: String, value: String, flaw: ParameterFlaw) throws {
    #expect(try problems(.event(.v1), [name: value]) == [.flawed(name, flaw, value: value)])
  }

  @Test(
    "What concerns several parameters",
    arguments: [
      (["install": "true"], [.misplaced("install")]), (["install_source": "x"], [.misplaced("install_source")]),
      (["utim": "1767225600"], [.unknown("utim", nearest: "utime")]),
      (["zzzzzzzz": "1"], [.unknown("zzzzzzzz", nearest: nil)]), (["ve": "1&ve=2"], [.repeated("ve")]),
      (
        ["p0_coarse": "3"],
        [.metadata(.badParameter("p0_coarse", why: "must be a whole number from 0 to 2, it is \"3\""))]
      ),
      (["p0_coarse": "2", "skan_total_revenue_by_currency": "{\"USD\":1}"], []),
    ] as [([String: String?], [ParameterProblem])])
  func together(changes: [String: String?], expected: [ParameterProblem]) throws {
    #expect(try problems(.event(.v1), changes) == expected)
  }

  @Test("Of many names the first are told, and the others counted", arguments: EndpointKind.reports)
  func manyNames(endpoint: EndpointKind) throws {
    let names = (0..<2000).map { "&q\($0)=1" }.joined() + (0..<1000).map { "&q\($0)=1" }.joined()
    let sent = try #require(SentParameters(Array((Self.request(endpoint, [:]) + names).utf8)))
    let found = ParameterCheck.problems(of: sent, at: endpoint)
    #expect(found.count == 42 && Array(found.suffix(2)) == [.moreUnknown(1980), .moreRepeated(980)])
    #expect(found.filter { $0.explanation.hasPrefix("q19 ") }.count == 2)
    #expect(!found.contains { $0.explanation.hasPrefix("q20 ") })
    #expect(
      found.suffix(2).map(\.explanation) == [
        "1980 more names are not documented parameters.", "980 more names are in the request more than once.",
      ])
  }

  @Test("Twenty names are told, and no count of others", arguments: [(20, 20), (21, 21)])
  func fewNames(count: Int, problems: Int) throws {
    let names = (0..<count).map { ("zzzzzzzz\($0)", "1" as String?) }
    let found = try self.problems(.event(.v1), Dictionary(uniqueKeysWithValues: names))
    #expect(found.count == problems && found.last?.parameters.isEmpty == (count > 20))
  }

  @Test func `At launch n is the name of the app`() throws {
    #expect(try problems(.launch, ["n": "Ein Spiel über Käse, das einen langen Namen hat"]) == [])
  }

  @Test func `Each problem is a sentence that begins with its parameter or names it`() throws {
    let changes: [String: String?] = ["ip": nil, "ve": nil, "utime": "1", "amt": "1", "zz": "1", "p0_coarse": "9"]
    for problem in try problems(.event(.v1), changes) {
      #expect(
        problem.explanation.hasSuffix(".") && problem.explanation.contains(problem.parameters.first ?? "?"),
        "\(problem)")
    }
  }
}

@Suite("What is said of a wrong parameter")
struct ParameterFlawTests {
  @Test(
    "A value of the wrong form",
    arguments: [
      (.text, "", "is empty"), (.text, "None", "means no value, it is \"None\": leave it out"),
      (.seconds, "1767225600000", "must be Unix seconds, ten digits, it is \"1767225600000\": these are milliseconds"),
      (
        .milliseconds, "1767225600",
        "must be Unix milliseconds, thirteen digits, it is \"1767225600\": these are seconds"
      ),
      (.seconds, "now", "must be a Unix time, it is \"now\""), (.uuid, "x", "must be a UUID, it is \"x\""),
      (.uuid, "00000000-0000-0000-0000-000000000000", "is all zeros: leave it out when there is none"),
      (.decimal, "9,99", "must have a decimal point, it is \"9,99\""),
      (.decimal, "-", "must be a decimal number, it is \"-\""),
      (.decimal, "1.", "must be a decimal number, it is \"1.\""),
      (.decimal, "1.2.3", "must be a decimal number, it is \"1.2.3\""), (.decimal, "-1.50", nil), (.decimal, "7", nil),
      (.currency, "usd", "must be an ISO 4217 code in capitals, it is \"usd\""),
      (.truth, "True", "must be true or false in lower case, it is \"True\""), (.truth, "false", nil),
      (.whole(0...3), "4", "must be a whole number from 0 to 3, it is \"4\""),
      (.choice(["wifi", "carrier"]), "lte", "must be wifi or carrier, it is \"lte\""),
      (.address, "localhost", "must be an IP address, it is \"localhost\""),
      (.address, "1:2:3", "must be an IP address, it is \"1:2:3\""),
      (.address, "12345::1", "must be an IP address, it is \"12345::1\""),
      (.address, "fe80::1", "must be the device's public address, it is \"fe80::1\""),
      (.address, "10.0.0.1", "must be the device's public address, it is \"10.0.0.1\""),
      (.address, "2001:db8::1", "is an IPv6 address; Singular's pages prefer IPv4, and one refuses IPv6"),
      (.country, "us", "must be an ISO 3166-1 code of two capitals, it is \"us\""),
      (.country, "USA", "must be an ISO 3166-1 code of two capitals, it is \"USA\""), (.country, "US", nil),
      (.locale, "en-US", "must be language and country with an underscore such as en_US, it is \"en-US\""),
      (.locale, "zh_Han_CN", "must be language and country with an underscore such as en_US, it is \"zh_Han_CN\""),
      (.locale, "zh_H4ns_CN", "must be language and country with an underscore such as en_US, it is \"zh_H4ns_CN\""),
      (.locale, "EN_US", "must be language and country with an underscore such as en_US, it is \"EN_US\""),
      (.locale, "zh_Hans_CN", nil), (.locale, "fil_PH", nil),
      (.eventName, String(repeating: "n", count: 33), "has 33 characters, at most 32 are allowed"),
      (.eventName, "ä", "must be printable ASCII, it is \"ä\""), (.details, "x", nil),
      (.text, "YOUR API KEY", "still has the placeholder of a guide's sample"),
      (.uuid, "your_idfv", "still has the placeholder of a guide's sample"), (.text, "YOUR API KEYS", nil),
      (.text, "IDFVs", nil),
      (
        .revenue, #"{"USD":1,"usd":2}"#,
        "has the currency \"usd\", which is not an ISO 4217 code in capitals"
      ), (.revenue, #"{"USD":1,"EUR":2}"#, nil), (.revenue, "x", nil),
      (
        .seconds, String(repeating: "x", count: 61),
        "must be a Unix time, it is \"\(String(repeating: "x", count: 59))…\""
      ),
    ] as [(ParameterForm, String, String?)])
  func form(form: ParameterForm, value: String, message: String?) {
    #expect(form.flaw(of: value)?.message(value) == message)
  }

  @Test(
    "The text of a JSON object, damaged",
    arguments: [
      ("[object Object]", "JavaScript's text of an object: pass JSON.stringify of it"),
      (#""{\"USD\":1}""#, "a JSON string that holds the object: it was encoded twice"),
      (#""text""#, "not the text of a JSON object"), (#""{""#, "not the text of a JSON object"),
      ("%7B%22USD%22%3A1%7D", "escaped twice: the percent escapes arrive as text"),
      ("{'USD': 1}", "Python's text of a dictionary: pass json.dumps of it"),
      ("USD", "the key of a dictionary: pass its JSON text"), ("7", "not the text of a JSON object"),
      ("{\"USD\":1}", nil),
    ])
  func json(text: String, damage: String?) {
    let given = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    #expect(
      ParameterForm.json.flaw(of: text)?.message(text)
        == damage.map { "must be the text of a JSON object, it is \"\(given)\", \($0)" })
  }

  @Test(
    "A table has plain values",
    arguments: [
      (#"{"USD":{"amount":1}}"#, "an object with another one or an array in it"),
      (#"{"EUR":2,"USD":[1]}"#, "an object with another one or an array in it"), (#"{"USD":1,"EUR":"2"}"#, nil),
      ("{}", nil),
    ])
  func flat(text: String, damage: String?) {
    #expect(JSONTextDamage(text, isFlat: true)?.message == damage)
    #expect(JSONTextDamage(text) == nil)
  }

  @Test(
    "What concerns several parameters",
    arguments: [
      (.noAddress, "ip", "ip is missing: send the device's public address, or use_ip=true from the device itself."),
      (.twoAddresses, "ip", "ip and use_ip are both present: send only one of them."),
      (.noCountry, "country", "country is missing: it is required with use_ip=true."),
      (.alone("ma", without: "mo"), "ma", "ma is present without mo; they belong together."),
      (
        .idfaWithoutConsent("2"), "idfa",
        "idfa is present although att_authorization_status is 2: only 3 means consent."
      ),
      (
        .consentWithoutIDFA, "idfa",
        "idfa is missing although att_authorization_status is 3, which means consent."
      ), (.adRevenueWithout("ad_platform"), "e", "the event reports ad revenue, and ad_platform is missing."),
      (.repeated("ve"), "ve", "ve is in the request more than once."),
      (.misplaced("install"), "install", "install is not a parameter of this endpoint for an iOS app."),
      (.unknown("utim", nearest: "utime"), "utim", "utim is not a documented parameter; did you mean utime?"),
      (.unknown("zzz", nearest: nil), "zzz", "zzz is not a documented parameter."),
      (.missing("p"), "p", "p is missing."), (.flawed("lc", .empty, value: ""), "lc", "lc is empty."),
      (.metadata(.badParameter("p0_coarse", why: "must be 0")), "p0_coarse", "p0_coarse must be 0."),
    ] as [(ParameterProblem, String, String)])
  func problem(problem: ParameterProblem, parameter: String, explanation: String) {
    #expect(problem.parameters.first ?? "" == parameter)
    #expect(problem.explanation == explanation)
  }
}

@Suite("What the reference endpoint answers to a report")
struct ForwardedAnswerTests {
  /// A report an hour after the first call, and the answer.
  private func answer(_ parameters: String, to endpoint: EndpointKind, _ model: String?) throws -> ForwardedAnswer {
    let reference = ReferenceEndpoint(
      defaultModel: try model.map { try Models.read($0) }, rates: try ExchangeRates(Array("{}".utf8)))
    var memory = InstallMemory.none
    let sent = try #require(SentParameters(Array(parameters.utf8)))
    let now = Instant(microseconds: (TestRequest.start + 3600) * 1_000_000)
    return reference.forwardedAnswer(to: sent, at: endpoint, now, memory: &memory)
  }

  private static let model = Part.model(
    fine: [Part.fine(9, Part.event("level"))], #""measurement_window_hours":24"#)
  private static let metadata =
    "&skan_first_call_to_skadnetwork_timestamp=\(TestRequest.start)&skan_last_call_to_skadnetwork_timestamp="
    + "\(TestRequest.start)&skan_current_conversion_value=0"
  private static let common = "a=k&p=iOS&i=com.example.app&ve=17.4"

  @Test(
    "A value comes from the metadata, whatever identifies the device",
    arguments: [
      (EndpointKind.event(.v1), "&idfv=v&n=level"), (.event(.v2), "&sdid=s&n=level"),
      (.event(.v2), "&sdid=s&idfa=f&n=level"),
    ])
  func value(endpoint: EndpointKind, own: String) throws {
    let answer = try answer(Self.common + own + Self.metadata, to: endpoint, Self.model)
    #expect(answer.value == 9 && answer.refusal == nil)
  }

  @Test(
    "What gives none, and why",
    arguments: [
      ("&idfv=v&n=level", "Accepted; without metadata there is no conversion_value."),
      (
        "&idfv=v&n=level\(metadata)".replacing(
          "timestamp=\(TestRequest.start)", with: "timestamp=\(TestRequest.start - 90_000)"),
        "Accepted, without a conversion_value: The model measures 24 hours (measurement_window_hours), and 26 have "
          + "passed."
      ),
      ("&n=level\(metadata)", "No device ID supplied; do not try again."),
    ])
  func none(own: String, explanation: String) throws {
    let answer = try answer(Self.common + own, to: .event(.v1), Self.model)
    #expect(answer.value == nil)
    #expect(answer.explanation == explanation)
  }

  @Test func `Without a model there is no value`() throws {
    let answer = try answer("\(Self.common)&idfv=v&n=level\(Self.metadata)", to: .event(.v1), nil)
    #expect(answer.value == nil && answer.explanation == "Accepted; without a model there is no conversion_value.")
  }

  @Test(
    "An app without a model, and those that have one",
    arguments: [
      ([], "No --model is given."),
      (["com.example.app"], "The model is for com.example.app, not for com.example.ap; did you mean com.example.app?"),
      (["x", "y"], "The models are for x, y, not for com.example.ap."),
      (
        (1...7).map { "app\($0)" },
        "The models are for app1, app2, app3, app4, app5 and 2 more, not for com.example.ap."
      ),
    ])
  func otherApp(known: [String], explanation: String) {
    #expect(EndpointError.noModel("com.example.ap", known: known).explanation == explanation)
  }

  @Test func `What a server must send of a phone's details, by iOS and by the model`() {
    let needs = RequestParameter.all.compactMap { row in row.serverNeed.map { (row.name, $0) } }
    let expected: [String: RequestParameter.ServerNeed] = [
      "p1_coarse": .since(IOSVersion(16, 1)), "p2_coarse": .since(IOSVersion(16, 1)),
      "skan_total_revenue_by_currency": .models(.purchases), "skan_total_admon_revenue_by_currency": .models(.ads),
    ]
    #expect(Dictionary(needs) { $1 } == expected && needs.count == 4)
  }

  @Test func `Metadata that cannot be read is left out`() throws {
    func metadata(_ text: String) throws -> ForwardedMetadata {
      ForwardedMetadata(try #require(SentParameters(Array(text.utf8))))
    }
    let skan3 = try metadata("skan_conversion_value=7&skan_first_call_timestamp=0&skan_last_call_timestamp=x")
    #expect(skan3.hasSKAN3Names && !skan3.hasSKAN4Names)
    #expect(skan3.kept.skan3Value == 7 && skan3.kept.firstCall == nil && skan3.kept.lastCall == nil)
    // A name of the other snippet does not replace what is there.
    let both = try metadata(
      "skan_first_call_to_skadnetwork_timestamp=5&skan_first_call_timestamp=6&skan_last_call_timestamp=7")
    #expect(both.hasSKAN3Names && both.hasSKAN4Names)
    #expect(both.kept.firstCall == 5 && both.kept.lastCall == 7)
    let bare = try metadata("p0_coarse")
    #expect(bare.hasSKAN4Names && bare.kept.coarseValue[.p0] == nil)
    // A bare name has no value that could replace another.
    #expect(try metadata("p0_coarse=1&p0_coarse").kept.coarseValue[.p0]?.int64 == 1)
  }
}

@Suite("What an answer means to the sender")
struct ForwardedReplyTests {
  @Test(
    "The body decides",
    arguments: [
      (200, #"{"status":"ok"}"#, .ok(conversionValue: nil)),
      (200, #"{"status":"ok","conversion_value":7}"#, .ok(conversionValue: 7)),
      (200, #"{"status":"ok","conversion_value":"7"}"#, .ok(conversionValue: nil)),
      (200, #"{"status":"ok","conversion_value":7.0}"#, .ok(conversionValue: 7)),
      (200, #"{"status":"ok","conversion_value":7.5}"#, .ok(conversionValue: nil)),
      (400, #"{"status":"ok"}"#, .ok(conversionValue: nil)),
      (200, #"{"status":"error","reason":"missing argument: a"}"#, .refused(.missingArgument("a"))),
      (200, #"{"status":"error","reason":"internal"}"#, .failed("internal")),
      (200, #"{"status":"error"}"#, .failed("an error without a reason")),
      (200, "", .failed("the body has no status")), (200, "<html>", .failed("the body has no status")),
      (404, "<html>", .failed("status 404, and the body has none")),
      (503, #"{"status":"ok"}"#, .failed("status 503")), (429, "", .failed("status 429")),
    ] as [(Int, String, ForwardedReply)])
  func reply(status: Int, body: String, expected: ForwardedReply) {
    let reply = ForwardedReply(status: status, body: Array(body.utf8))
    #expect(reply == expected)
    let isDelivered = if case .ok = reply { true } else { false }
    #expect(!(isDelivered && reply.isRetryable))
    #expect(isDelivered == (reply.reason == nil))
  }

  @Test(
    "What a request is refused with",
    arguments: [
      ("", .launch, "missing argument: a"), ("a=k", .launch, "missing argument: p"),
      ("a=&p=iOS&i=x", .launch, "missing argument: a"), ("a=k&p=iOS", .event(.v1), "missing argument: i"),
      ("a=k&p=iOS&i=x&idfv=v", .event(.v1), "missing argument: n"), ("a=k&p=iOS&i=x&idfv=v", .launch, nil),
      ("a=k&p=ios&i=x&idfv=v", .launch, "invalid platform: ios"), ("a=k&p=iOS&i=x", .launch, "no device ID supplied"),
      ("a=k&p=iOS&i=x&idfa=v", .launch, "platform: iOS should have an idfv param"),
      ("a=k&p=Android&i=x&idfa=v", .launch, nil), ("a=k&p=iOS&i=x&n=e&sdid=v", .event(.v2), nil),
      ("a=k&p=iOS&i=x&n=e&idfv=v", .event(.v2), "platform: iOS should have an sdid param"),
    ] as [(String, EndpointKind, String?)])
  func refusal(query: String, endpoint: EndpointKind, reason: String?) throws {
    let sent = try #require(SentParameters(Array(query.utf8)))
    #expect(ForwardedRefusal(of: sent, at: endpoint)?.reason == reason)
  }

  @Test(
    "A reason reads back",
    arguments: [
      .missingArgument("a"), .invalidPlatform("ios"), .noDeviceID,
      .platformParameter(platform: "iOS", parameter: "idfv"),
    ] as [ForwardedRefusal])
  func readsBack(refusal: ForwardedRefusal) { #expect(ForwardedRefusal(reason: refusal.reason) == refusal) }

  @Test("Another reason is none", arguments: ["", "missing argument", "internal error", "platform: iOS"])
  func other(reason: String) { #expect(ForwardedRefusal(reason: reason) == nil) }
}
