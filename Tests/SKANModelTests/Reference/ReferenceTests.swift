import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("The check of a request, which finds every problem")
struct RequestCheckTests {
  /// The problems of a request with some parameters changed, as their explanations.
  private func problems(_ api: EndpointAPI, _ changes: [String: String?]) throws -> [String] {
    RequestCheck.problems(of: try #require(TestRequest(api, changes).query)).map(\.explanation)
  }

  @Test("A request in order has none", arguments: EndpointAPI.allCases)
  func inOrder(api: EndpointAPI) throws { #expect(try problems(api, [:]) == []) }

  @Test("All that are missing, in the documented order")
  func missing() throws {
    let skan4 = RequestCheck.problems(of: try #require(ConversionQuery("", api: .v2)))
    #expect(
      skan4.map(\.parameter) == [
        "p", "a", "v", "i", "app_v", "n", "idfv", "skan_current_conversion_value",
        "skan_first_call_to_skadnetwork_timestamp", "skan_last_call_to_skadnetwork_timestamp",
      ])
    #expect(skan4.first == .unknownPlatform(nil) && skan4[7] == .noCurrentValue)
    let skan3 = RequestCheck.problems(of: try #require(ConversionQuery("", api: .v1)))
    #expect(
      skan3.map(\.parameter) == [
        "p", "a", "i", "app_v", "n", "idfv", "first_call_to_skadnetwork_timestamp",
        "last_call_to_skadnetwork_timestamp",
      ])
  }

  @Test("Several at once: each with its own words, in the documented order")
  func several() throws {
    #expect(
      try problems(
        .v2,
        [
          "p": "Android", "v": "x", "i": String(repeating: "i", count: 256), "n": "ä", "idfv": "null", "idfa": "",
          "skan_current_conversion_value": "64", "p1_coarse": "3", "prev_fine_value": "-1", "p2_window_lock": "x",
          "p0_window_lock": "", "p0_total_iap_revenue": "[]", "skan_total_revenue_by_currency": "USD",
          "skan_last_call_to_skadnetwork_timestamp": "0", "skan_first_call_to_skadnetwork_timestamp": "1.5",
        ]) == [
          "p must be iOS, it is \"Android\".", "v is not a version of iOS.", "i is longer than 255 characters.",
          "n is not ASCII.", "idfv is always required, and \"null\" is not one.",
          "idfa must be left out when there is none, it is empty.",
          "skan_current_conversion_value must be a whole number from 0 to 63, it is \"64\".",
          "prev_fine_value must be a whole number from 0 to 63, it is \"-1\".",
          "p1_coarse must be a whole number from 0 to 2, it is \"3\".", "p0_window_lock is empty.",
          "p2_window_lock must be whole Unix seconds, it is \"x\".",
          "skan_total_revenue_by_currency must be JSON text such as {\"USD\":9.99}, it is \"USD\": a dictionary was "
            + "flattened to its key; pass its JSON text (json.dumps).",
          "p0_total_iap_revenue must be JSON text such as {\"USD\":9.99}, it is \"[]\".",
          "skan_first_call_to_skadnetwork_timestamp must be whole Unix seconds, it is \"1.5\".",
          "skan_last_call_to_skadnetwork_timestamp is missing: 0 stands for \"not set\".",
        ])
  }

  @Test("Limits count characters, not bytes")
  func characters() throws {
    for (name, limit) in [("i", 255), ("idfv", 255)] {
      let most = String(repeating: "ä", count: limit)
      #expect(try problems(.v2, [name: most]) == [])
      #expect(try problems(.v2, [name: most + "ä"]) == ["\(name) is longer than 255 characters."])
    }
    #expect(try problems(.v2, ["n": String(repeating: "n", count: 32)]) == [])
    #expect(try problems(.v2, ["n": String(repeating: "ä", count: 32)]) == ["n is not ASCII."])
    let long = ["n": String(repeating: "n", count: 33)]
    #expect(try problems(.v2, long) == ["n has 33 characters, at most 32 are allowed."])
  }

  @Test("v1 looks at its own parameters only")
  func skan3() throws {
    #expect(
      try problems(
        .v1,
        [
          "conversion_value": "x", "total_revenue_by_currency": "{\"USD\":null}", "skan_current_conversion_value": "99",
          "p0_coarse": "9", "v": "x", "last_call_to_skadnetwork_timestamp": nil,
        ]) == [
          "conversion_value must be a whole number from 0 to 63, it is \"x\".",
          "total_revenue_by_currency has null where a sum should be.", "last_call_to_skadnetwork_timestamp is missing.",
        ])
  }

  @Test("The platform comes first, and a parameter has one problem at most")
  func once() throws {
    let long = String(repeating: "ä", count: 40)
    #expect(try problems(.v2, ["p": "", "n": long]).map { String($0.prefix(9)) } == ["p must be", "n has 40 "])
  }

  @Test("The first is the endpoint's refusal, whatever is wrong", arguments: EndpointAPI.allCases)
  func refusal(api: EndpointAPI) throws {
    let endpoint = ReferenceEndpoint(defaultModel: try Models.example("mixed"))
    var generator = SplitMix64(seed: 42)
    let names = QueryParameter.allCases.filter { api == .v2 || $0.entry == nil || $0.isSent(in: .v1) }.map(\.name)
    let texts: [String?] = [
      nil, "", "0", "1", "63", "64", "-1", "1.5", "x", "iOS", "null", "{}", "{\"USD\":1}", "{\"USD\":\"1\"}", "USD",
      "[1]", "17.4", "ä", String(repeating: "l", count: 256), "99999999999999999999", String(TestRequest.start),
    ]
    var counts = [Int: Int]()
    let rounds = Rounds.of(250).count
    for _ in 0..<rounds {
      var changes: [String: String?] = [:]
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        changes.updateValue(
          texts.randomElement(using: &generator) ?? nil, forKey: names[Int.random(in: names.indices, using: &generator)]
        )
      }
      let query = try #require(TestRequest(api, changes).query)
      let problems = RequestCheck.problems(of: query)
      var memory = InstallMemory.none
      let now = Instant(microseconds: (TestRequest.start + 3600) * 1_000_000)
      let refused: RequestProblem? =
        if case .error(.request(let problem)) = endpoint.reply(to: query, at: now, memory: &memory) { problem } else {
          nil
        }
      #expect(problems.first == refused, "\(changes)")
      #expect(Set(problems.map(\.parameter)).count == problems.count, "\(problems)")
      counts[min(problems.count, 3), default: 0] += 1
    }
    // Of all kinds there were some.
    #expect(counts.count == 4 && counts.values.allSatisfy { $0 > rounds / 50 }, "\(counts)")
  }

  @Test("Bytes at random: the check and the endpoint agree")
  func mutated() throws {
    let endpoint = ReferenceEndpoint(defaultModel: try Models.example("mixed"))
    var generator = SplitMix64(seed: 9)
    let whole =
      "a=k&v=17.4&i=com.example.app&app_v=1.0&n=x&p=iOS&idfv=I&skan_current_conversion_value=5&p0_coarse=1"
      + "&skan_total_revenue_by_currency=%7B%22USD%22:9.99%7D&skan_last_call_to_skadnetwork_timestamp=1767225600"
      + "&skan_first_call_to_skadnetwork_timestamp=1767225600"
    let bytes = Array("=&%_019az{}\"A+".utf8)
    var agreed = 0
    let rounds = Rounds.of(1_000).count
    for _ in 0..<rounds {
      var text = Array(whole.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        text[Int.random(in: text.indices, using: &generator)] = bytes[Int.random(in: bytes.indices, using: &generator)]
      }
      guard let query = ConversionQuery(String(decoding: text, as: UTF8.self), api: .v2) else { continue }
      var memory = InstallMemory.none
      let now = Instant(microseconds: (TestRequest.start + 60) * 1_000_000)
      let reply = endpoint.reply(to: query, at: now, memory: &memory)
      let refused: RequestProblem? = if case .error(.request(let problem)) = reply { problem } else { nil }
      #expect(RequestCheck.problems(of: query).first == refused, "\(String(decoding: text, as: UTF8.self))")
      if refused != nil { agreed += 1 }
    }
    #expect(agreed > rounds / 8, "\(agreed)")
  }
}

@Suite("Errors of the reference endpoint")
struct ReferenceErrorTests {
  /// A way to go wrong, in the documented order.
  enum Mistake: Int, CaseIterable, Comparable {
    case platform, parameter, model, closed, period, rate

    static func < (left: Mistake, right: Mistake) -> Bool { left.rawValue < right.rawValue }

    func reason(_ api: EndpointAPI) -> String {
      switch self {
      case .platform: "Unknown platform error"
      case .parameter: "Conversion Management: Invalid parameter idfv given"
      case .model: "Conversion Management: Conversion model not found for app: com.example.app"
      case .closed where api == .v1:
        "More than 24 hours since the last conversion update (25 hours), update window is closed"
      case .closed: "More than 24 hours since the last conversion update (0 hours), update window is closed"
      case .period: "Invalid measurement period: "
      case .rate: "Conversion Management: Can't find owner currency: GBP"
      }
    }
  }

  /// Makes all these mistakes in one request.
  private func reply(_ mistakes: [Mistake], _ api: EndpointAPI) throws -> TestReply {
    var model = try Models.example("iap-revenue")
    model.measurementHours = nil
    var hours = 30.0
    var request = TestRequest(api)
    if api == .v1 { request.values["last_call_to_skadnetwork_timestamp"] = String(TestRequest.start + 29 * 3600) }
    for mistake in mistakes {
      switch mistake {
      case .platform: request.values["p"] = "Android"
      case .parameter: request.values["idfv"] = nil
      case .model: break
      case .closed:
        hours = 840
        if api == .v1 { request.values["last_call_to_skadnetwork_timestamp"] = String(TestRequest.start + 815 * 3600) }
      case .period: model.measurementHours = 24
      case .rate:
        let key = api == .v2 ? "skan_total_revenue_by_currency" : "total_revenue_by_currency"
        request.values[key] = #"{"GBP":5}"#
      }
    }
    var phone = try TestPhone(mistakes.contains(.model) ? nil : model)
    let reply = phone.ask(request, hours: hours)
    return try #require(reply)
  }

  @Test("Each, and of two the earlier", arguments: EndpointAPI.allCases, Mistake.allCases)
  func order(api: EndpointAPI, first: Mistake) throws {
    for second in Mistake.allCases where second >= first {
      let reply = try self.reply([first, second], api)
      #expect(reply.status == "error")
      #expect(reply.reason?.hasPrefix(first.reason(api)) == true, "\(first), \(second): \(reply)")
      #expect(reply.fine == nil)
      #expect(!reply.explanation.isEmpty)
    }
  }

  @Test("None of them", arguments: EndpointAPI.allCases)
  func fine(api: EndpointAPI) throws { #expect(try reply([], api).status == "ok") }

  @Test("What the reason's hours leave out is reported")
  func age() throws {
    var phone = try TestPhone(try Models.example("sample"))
    #expect(
      phone.ask(TestRequest(), hours: 900)?.explanation
        == "The first call was 900 hours ago: the third window closes after 840.")
    #expect(
      phone.ask(TestRequest(.v1), hours: 30)?.explanation == "The last call was 30 hours ago: v1 closes after 24.")
  }

  @Test("A last call before the first is reported as such, also within the hour", arguments: [-1, -7200] as [Int64])
  func lastCallBeforeFirst(seconds: Int64) throws {
    var phone = try TestPhone(try Models.example("sample"))
    let request = TestRequest(
      .v2, ["skan_last_call_to_skadnetwork_timestamp": String(TestRequest.start + seconds)])
    #expect(phone.ask(request, hours: 1)?.explanation == "The last call is before the first.")
  }

  @Test("A model for the app goes before the one for all; its identifier is case-sensitive")
  func models() throws {
    let one = try Models.read(Part.model(fine: [Part.fine(1)]))
    let two = try Models.read(Part.model(fine: [Part.fine(2)]))
    var phone = try TestPhone(one)
    phone.endpoint = ReferenceEndpoint(models: ["com.example.other": two], defaultModel: one)
    #expect(phone.ask(TestRequest())?.fine == 1)
    #expect(phone.ask(TestRequest(.v2, ["i": "com.example.other"]))?.fine == 2)
    phone.endpoint = ReferenceEndpoint(models: ["com.example.other": two])
    #expect(
      phone.ask(TestRequest(.v2, ["i": "com.example.Other"]))?.reason
        == "Conversion Management: Conversion model not found for app: com.example.Other")
  }

  @Test("Rates are used", arguments: [(#"{"GBP":0.5}"#, 7), (#"{"GBP":0.1}"#, 12)] as [(String, Int64)])
  func rates(rates: String, fine: Int64) throws {
    var phone = try TestPhone(try Models.example("sample"), rates: rates)
    #expect(phone.ask(TestRequest(.v2, ["skan_total_revenue_by_currency": #"{"GBP":2}"#]))?.fine == fine)
    #expect(phone.ask(TestRequest(.v1, ["total_revenue_by_currency": #"{"GBP":2}"#]))?.fine == fine)
  }
}

@Suite("What the reference endpoint counts and answers")
struct ReferenceCountTests {
  @Test("Sessions are counted for each window")
  func windows() throws {
    var phone = try TestPhone(try Models.example("engagement"))
    #expect((1...5).map { _ in phone.ask(TestRequest())?.fine } == [1, 2, 3, 3, 4])
    #expect(phone.counts[.p0] == ["__SESSION__": 5])
    #expect(phone.counts[.p1] == [:])
    let later = TestRequest(.v2, ["skan_current_conversion_value": "4"])
    #expect((1...3).map { _ in phone.ask(later, hours: 48)?.coarse } == [0, 0, 1])
    #expect(phone.counts[.p1] == ["__SESSION__": 3])
    #expect(phone.ask(later, hours: 168)?.coarse == 0)
    #expect(phone.counts[.p0] == ["__SESSION__": 5])
  }

  @Test("A refused request is not counted, whatever the reason")
  func refused() throws {
    var phone = try TestPhone(try Models.example("sample"))
    let refused = [
      TestRequest(.v2, ["p": nil]), TestRequest(.v2, ["idfv": nil]),
      TestRequest(.v2, ["skan_total_revenue_by_currency": #"{"GBP":5}"#]),
      TestRequest(.v2, ["skan_last_call_to_skadnetwork_timestamp": "5"]),
    ]
    for request in refused { #expect(phone.ask(request)?.status == "error") }
    #expect(phone.ask(TestRequest(), hours: 840)?.status == "error")
    #expect(phone.counts == .none)
  }

  @Test("Events by their exact names")
  func names() throws {
    var phone = try TestPhone(try Models.example("events"))
    #expect(phone.ask(TestRequest(.v2, ["n": "Subscribe"]))?.fine == 0)
    #expect(phone.ask(TestRequest(.v2, ["n": "subscribe"]))?.fine == 6)
    #expect(phone.counts[.p0] == ["subscribe": 1])
  }

  @Test("The body of v2: index, coarse value and lock when there are any")
  func v2() throws {
    var phone = try TestPhone(try Models.example("events"))
    #expect(
      phone.ask(TestRequest())?.body
        == #"{"conversion_value":1,"postback_sequence_index":0,"skan_updated_coarse_value":0,"status":"ok"}"#)
    #expect(
      phone.ask(TestRequest(.v2, ["n": "other"]), hours: 50)?.body
        == #"{"conversion_value":0,"postback_sequence_index":1,"status":"ok"}"#)
    let locking = phone.ask(TestRequest(.v2, ["n": "subscribe", "skan_current_conversion_value": "3"]), hours: 50)
    #expect(
      locking?.body
        == #"{"conversion_value":3,"postback_sequence_index":1,"skan_updated_coarse_value":2,"#
        + #""skan_updated_lock_window_value":true,"status":"ok"}"#)
    #expect(
      locking?.explanation
        == "subscribe for the 1st time in P1, 2d2h after the first call: fine value 3 as before, coarse high, locks the "
        + "window.")
  }

  @Test("An event that no mapping asks for is not counted, and that is reported")
  func notAsked() throws {
    var phone = try TestPhone(try Models.example("engagement"))
    for _ in 1...2 {
      #expect(
        phone.ask(TestRequest(.v2, ["n": "other"]))?.explanation
          == "other, for which no mapping asks, in P0, 1h after the first call: fine value 0 as before, no coarse value."
      )
    }
    #expect(phone.counts == .none)
  }

  @Test("The body of v1: the value alone, all the time one window")
  func v1() throws {
    var phone = try TestPhone(try Models.example("events"))
    #expect(phone.ask(TestRequest(.v1))?.body == #"{"conversion_value":1,"status":"ok"}"#)
    let changes = [
      "n": "subscribe", "conversion_value": "1",
      "last_call_to_skadnetwork_timestamp": String(TestRequest.start + 90 * 3600),
    ]
    #expect(phone.ask(TestRequest(.v1, changes), hours: 100)?.body == #"{"conversion_value":6,"status":"ok"}"#)
    #expect(phone.counts[.p0] == ["__SESSION__": 1, "subscribe": 1])
  }

  @Test(
    "Revenue: the window's own sums; the life-long total stands in for them in the first window alone",
    arguments: [
      (1, ["skan_total_revenue_by_currency": 5], 9, 1), (1, ["p0_total_iap_revenue": 5], 9, 1),
      (1, ["p0_total_iap_revenue": 1, "skan_total_revenue_by_currency": 5], 7, 0),
      (1, ["skan_total_admon_revenue_by_currency": 5], 9, 1), (1, ["p0_total_admon_revenue": 10], 12, 2),
      (1, ["p1_total_iap_revenue": 10], 1, 0), (50, ["skan_total_revenue_by_currency": 10], 0, 0),
      (50, ["p1_total_iap_revenue": 10], 0, 2), (50, ["p0_total_iap_revenue": 10], 0, 0),
      (200, ["p2_total_admon_revenue": 5], 0, 1),
    ] as [(Double, [String: Int], Int64, Int64)])
  func revenue(hours: Double, sums: [String: Int], fine: Int64, coarse: Int64) throws {
    var phone = try TestPhone(try Models.example("sample"))
    let reply = phone.ask(TestRequest(.v2, sums.mapValues { #"{"USD":\#($0)}"# }), hours: hours)
    #expect(reply?.fine == fine)
    #expect(reply?.coarse == coarse)
  }
}

/// What the snippet finds in an answer that was never written is what it would find in the answer's body.
@Suite("A reply and its body")
struct ReplyMemberTests {
  private func check(_ reply: ReferenceReply) {
    guard case .members(let read) = SnippetAnswer(.response(status: 200, body: reply.body)) else {
      Issue.record("\(String(decoding: reply.body, as: UTF8.self))")
      return
    }
    #expect("\(read)" == "\(reply.members)", "\(String(decoding: reply.body, as: UTF8.self))")
  }

  @Test("Values", arguments: EndpointAPI.allCases, ConversionWindow.allCases)
  func values(api: EndpointAPI, window: ConversionWindow) {
    for fine: Int64 in [0, 1, 63] {
      for coarse in [CoarseValue?.none] + CoarseValue.allCases.map(Optional.some) {
        for locks in [false, true] {
          check(
            .values(
              ReferenceReply.Values(
                verdict: ModelVerdict(fine: fine, coarse: coarse, locks: locks), api: api, window: window, count: 1,
                elapsed: .zero, previousFine: 0)))
        }
      }
    }
  }

  @Test(
    "Errors",
    arguments: [
      .request(.unknownPlatform(nil)), .request(.unknownPlatform("Android")),
      .request(.badParameter("n", why: "is empty")), .request(.noCurrentValue),
      .noModel("com.\"a\"\n", known: []),
      .noModel("", known: ["com.a"]), .closed(hours: 3, age: 900, .v2), .closed(hours: 25, age: 25, .v1),
      .badPeriod(30, measured: 24),
      .lastCallBeforeFirst(hours: -3),
      .noRate("E\\UR/"),
    ] as [EndpointError])
  func errors(error: EndpointError) { check(.error(error)) }
}
