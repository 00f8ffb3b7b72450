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
