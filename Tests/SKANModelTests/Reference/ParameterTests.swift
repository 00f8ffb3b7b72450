import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Reading a query")
struct ConversionQueryTests {
  @Test(
    "Decoding",
    arguments: [
      ("", [:]), ("n=a", ["n": "a"]), ("n=a+b", ["n": "a b"]), ("n=a%2Bb", ["n": "a+b"]), ("n=a%20b", ["n": "a b"]),
      ("n=%7B%22USD%22%3a1%7d", ["n": #"{"USD":1}"#]), ("n=%C3%A4", ["n": "ä"]), ("n=ä", ["n": "ä"]),
      ("n=", ["n": ""]), ("n", [:]), ("n=1&n=2", ["n": "2"]), ("n=1&n", ["n": "1"]), ("n=1&n=", ["n": ""]),
      ("&&n=1&", ["n": "1"]), ("n=x=b", ["n": "x=b"]), ("n=a=b", ["n": "a=REDACTED"]), ("=x", ["": "x"]),
      ("%6E=1", ["n": "1"]),
      ("x=1&x=2&p0_coarse=1&b=3", ["x": "2", "p0_coarse": "1", "b": "3"]), ("a+b=1", ["a b": "1"]),
      ("n=1&N=2", ["n": "1", "N": "2"]), ("n=%00", ["n": "\0"]), ("n=?/;:@", ["n": "?/;:@"]),
    ] as [(String, [String: String])])
  func decoding(text: String, values: [String: String]) throws {
    let query = try #require(ConversionQuery(text, api: .v2))
    var line = JSONWriter()
    query.sent.writeRedacted(to: &line)
    let members = values.map { (key: $0.key, value: JSON.string($0.value)) }
    #expect(try JSONReader.read(line.bytes).value == .object(members))
    #expect(ConversionQuery(text, api: .v1)?.api == .v1)
  }

  @Test(
    "Broken escapes and bytes that are no UTF-8",
    arguments: ["n=%", "n=%4", "n=%4G", "n=%G4", "n=%%41", "%=1", "n=%FF", "n=%C3", "ok=1&n=%zz", "%ff", "n=%ED%A0%80"])
  func broken(text: String) { #expect(ConversionQuery(text, api: .v2) == nil) }

  @Test(
    "An install is its app, its idfv, else idfa, and its first call",
    arguments: [
      ("i=a&idfv=b", "i=a&idfv=b&n=x", true), ("i=a&idfv=b", "i=a&idfv=c", false), ("i=a&idfv=b", "i=A&idfv=b", false),
      ("i=a&idfv=b", "i=b&idfv=a", false), ("i=a", "i=a&idfv=", true),
      ("i=a&idfa=b", "i=a&idfa=c", false), ("i=a&idfv=b&idfa=c", "i=a&idfv=b&idfa=d", true),
      ("i=a&skan_first_call_to_skadnetwork_timestamp=5", "i=a&skan_first_call_to_skadnetwork_timestamp=6", false),
      ("i=a&skan_first_call_to_skadnetwork_timestamp=5", "i=a", false),
    ])
  func install(first: String, second: String, isSame: Bool) throws {
    let installs = try [first, second].map { try #require(ConversionQuery($0, api: .v2)).install }
    #expect((installs[0] == installs[1]) == isSame)
  }

  @Test("What is remembered of an identifier has an end")
  func longIdentifiers() throws {
    let long = String(repeating: "x", count: ConversionQuery.idLimit)
    func query(_ idfv: String) throws -> ConversionQuery {
      try #require(ConversionQuery("i=a&idfv=\(idfv)", api: .v2))
    }
    #expect(try query(long + "a").install == query(long + "b").install)
    #expect(try query(long).install != query(long.dropLast() + "y").install)
    #expect(try query(long + "a").idfv == long)
  }

  @Test(
    "The time that a request states is its last call, else its first",
    arguments: [
      ("skan_first_call_to_skadnetwork_timestamp=5&skan_last_call_to_skadnetwork_timestamp=7", EndpointAPI.v2, 7),
      ("skan_first_call_to_skadnetwork_timestamp=5&skan_last_call_to_skadnetwork_timestamp=0", .v2, 5),
      ("first_call_to_skadnetwork_timestamp=5&last_call_to_skadnetwork_timestamp=7", .v1, 7),
      ("first_call_to_skadnetwork_timestamp=5&last_call_to_skadnetwork_timestamp=x", .v1, 5),
      ("skan_first_call_to_skadnetwork_timestamp=5", .v1, nil), ("first_call_to_skadnetwork_timestamp=5", .v2, nil),
    ] as [(String, EndpointAPI, Int64?)])
  func statedTime(text: String, api: EndpointAPI, time: Int64?) {
    #expect(ConversionQuery(text, api: api)?.statedTime == time)
  }

  @Test("What a request says that the app kept, by either snippet's names")
  func reportedState() throws {
    let v1 = try #require(
      ConversionQuery(
        "conversion_value=7&total_revenue_by_currency=%7B%22USD%22:18446744073709551615%7D"
          + "&first_call_to_skadnetwork_timestamp=5&last_call_to_skadnetwork_timestamp=0&p0_coarse=2", api: .v1
      )?.reportedState)
    #expect(v1.skan3Value == 7 && v1.firstCall == 5 && v1.lastCall == nil && v1.coarseValue[.p0] == nil)
    #expect(v1.iapRevenue?["USD"] == Double(UInt64.max))
    let v2 = try #require(ConversionQuery("conversion_value=7&p0_coarse=2&p1_coarse=x", api: .v2)?.reportedState)
    #expect(v2.skan3Value == nil && v2.coarseValue[.p0]?.int64 == 2 && v2.coarseValue[.p1] == nil)
  }
}

/// What the model reads of a phone in this process is what a server reads out of the phone's request.
@Suite("A phone's parameters and those of its request")
struct PhoneParameterTests {
  private static let start: Int64 = 1_767_225_600

  private static func pick<Value>(_ values: [Value], _ generator: inout SplitMix64) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  /// A phone whose profile and store hold anything that a life can leave there, strings aside: those crash the app
  /// before there is a request.
  private static func device(_ snippet: SnippetVersion, _ generator: inout SplitMix64) -> Device {
    var profile = DeviceProfile(
      idfv: pick(["21DB6612", "", nil, "a+b", "ü&=", String(repeating: "i", count: 300)], &generator))
    profile.snippet = snippet
    profile.ios = pick([IOSVersion(16, 0), IOSVersion(17, 4)], &generator)
    profile.bundleID = pick(["com.example.app", "com.example.a+b", "", "com.example.größe"], &generator)
    profile.appVersion = pick(["1.0", "1.0+5", ""], &generator)
    profile.idfa = pick([nil, "", "NULL", "8D0-1", "a+b"], &generator)
    var device = Device(profile)
    let values: [KeptValue?] = [
      nil, .integer(0), .integer(63), .integer(64), .integer(-1), .double(1.7), .bool(true), .unsigned(.max),
      .double(1e300), .integer(4_294_967_297),
    ]
    let tables: [RevenueTable?] = [
      nil, RevenueTable([:]), RevenueTable(["USD": 9.9899997711181641]), RevenueTable(["": 1, "a+b": -3, "EUR": 0.1]),
      RevenueTable(["US\"D\\/": 1e30]),
    ]
    let moments: [Int64?] = [nil, 0, start, start + 60, start - 60]
    device.kept.fineValue = pick(values, &generator)
    device.kept.previousFineValue = pick(values, &generator)
    for window in ConversionWindow.allCases {
      device.kept.coarseValue[window] = pick(values, &generator)
      device.kept.previousCoarseValue[window] = pick(values, &generator)
      device.kept.windowLock[window] = pick(moments, &generator)
      device.kept.windowIAPRevenue[window] = pick(tables, &generator)
      device.kept.windowAdRevenue[window] = pick(tables, &generator)
    }
    device.kept.iapRevenue = pick(tables, &generator)
    device.kept.adRevenue = pick(tables, &generator)
    device.kept.firstCall = pick(moments, &generator)
    device.kept.lastCall = pick(moments, &generator)
    device.kept.skan3Value = pick([nil, 0, 5, 64, -2], &generator)
    return device
  }

  private static func query(of device: Device, event: String) throws -> ConversionQuery {
    let items = device.request(event: event).queryItems(sdkKey: ConversionRequest.placeholderKey)
    let api: EndpointAPI = device.snippet.rules.api
    return try #require(ConversionQuery(items.percentEncoded, api: api))
  }

  private static let v1: [QueryParameter] = [
    .sdkKey, .appVersion, .bundleID, .idfa, .idfv, .platform, .skan3Value, .skan3FirstCall, .skan3LastCall,
    .skan3Revenue,
  ]
  private static let v2 = QueryParameter.allCases.filter {
    ![.skan3Value, .skan3FirstCall, .skan3LastCall, .skan3Revenue, .eventName].contains($0)
  }

  private func sums(_ parameters: some ConversionParameters, _ parameter: QueryParameter) -> Result<
    RevenueTable, RequestProblem
  > {
    // SKAN 3 sends an empty table where it keeps none.
    do throws(RequestProblem) { return .success(try parameters.revenue(parameter) ?? RevenueTable()) } catch {
      return .failure(error)
    }
  }

  @Test("Each parameter", arguments: SnippetVersion.allCases)
  func each(snippet: SnippetVersion) throws {
    var generator = SplitMix64(seed: 7)
    for _ in Rounds.of(100) {
      let device = Self.device(snippet, &generator)
      let query = try Self.query(of: device, event: "e")
      for parameter in snippet != .skan3 ? Self.v2 : Self.v1 {
        if parameter.isRevenue {
          #expect(sums(device, parameter) == sums(query, parameter), "\(parameter.name)")
        } else {
          #expect(device.text(parameter) == query.text(parameter), "\(parameter.name)")
          guard let number = device.number(parameter) else { continue }
          #expect(number.value == query.number(parameter)?.value, "\(parameter.name)")
        }
      }
    }
  }

  @Test(
    "The answer, and what is counted for it", arguments: SnippetVersion.allCases, ["mixed", "all-revenue", "events"])
  func answers(snippet: SnippetVersion, model: String) throws {
    let endpoint = ReferenceEndpoint(
      defaultModel: try Models.example(model), rates: try ExchangeRates(Array(#"{"EUR":0.92}"#.utf8)))
    var generator = SplitMix64(seed: 11)
    var values = 0
    let rounds = Rounds.of(150)
    for round in rounds {
      var device = Self.device(snippet, &generator)
      // Else one odd entry would be all that most rounds come to.
      if round % 2 == 0 {
        let (profile, first) = (DeviceProfile(idfv: "IDFV"), device.kept.firstCall)
        let iap = device.kept.windowIAPRevenue
        var plain = profile
        plain.snippet = snippet
        device = Device(plain)
        device.kept.fineValue = .integer(Int64.random(in: 0...63, using: &generator))
        device.kept.windowIAPRevenue = iap
        device.kept.firstCall = first ?? Self.start
        device.kept.lastCall = device.kept.firstCall
      }
      let event = Self.pick(["__SESSION__", "purchase", "level_5", "a+b", "", "ä"], &generator)
      let days: Int64 = snippet != .skan3 ? 36 : 2
      let seconds = Self.start + Int64.random(in: 0...(days * 86_400), using: &generator)
      let now = Instant(microseconds: seconds * 1_000_000)
      var (inProcess, served) = (InstallMemory.none, InstallMemory.none)
      let reply = endpoint.reply(to: &device, event: event, at: now, memory: &inProcess)
      let query = try Self.query(of: device, event: event)
      #expect(reply == endpoint.reply(to: query, at: now, memory: &served))
      #expect(inProcess.counts == served.counts)
      if case .values = reply { values += 1 }
    }
    // Both kinds of answers were among them.
    #expect(values > rounds.count / 12 && values < rounds.count, "\(values)")
  }
}

extension QueryParameter {
  fileprivate var isRevenue: Bool { name.hasSuffix("_revenue") || name.hasSuffix("revenue_by_currency") }
}

@Suite("Parameters of the reference endpoint")
struct ReferenceParameterTests {
  /// The answer to a request with this one parameter changed.
  private func ask(_ api: EndpointAPI, _ name: String, _ value: String?) throws -> TestReply? {
    var phone = try TestPhone(try Models.example("sample"))
    return phone.ask(TestRequest(api, [name: value]))
  }

  private func refuses(_ api: EndpointAPI, _ name: String, _ value: String?) throws -> Bool {
    let reply = try ask(api, name, value)
    return reply?.reason == "Conversion Management: Invalid parameter \(name) given" && reply?.status == "error"
  }

  private static let common = ["a", "i", "app_v", "n", "idfv"]
  private static let v2 =
    common + [
      "v", "skan_current_conversion_value", "skan_first_call_to_skadnetwork_timestamp",
      "skan_last_call_to_skadnetwork_timestamp",
    ]
  private static let v1 = common + ["first_call_to_skadnetwork_timestamp", "last_call_to_skadnetwork_timestamp"]

  @Test(
    "Required: missing and empty",
    arguments: v2.map { (EndpointAPI.v2, $0) } + v1.map { (EndpointAPI.v1, $0) })
  func required(api: EndpointAPI, name: String) throws {
    #expect(try refuses(api, name, nil))
    #expect(try refuses(api, name, ""))
    #expect(try ask(api, name, nil)?.explanation.hasPrefix("\(name) is missing.") == true)
    #expect(try ask(api, name, "")?.explanation == "\(name) is empty.")
  }

  @Test(
    "Ill-formed or out of range",
    arguments: [
      ("v", ["x", "17.x", "-1"]), ("n", [String(repeating: "n", count: 33), "Käse", "🎲"]),
      ("idfa", ["", "NULL", "null", "(null)", "nil", "Nil", "None", "undefined"]),
      ("idfv", ["null", "NULL", "(null)", "nil", "none", "UNDEFINED"]),
      ("skan_current_conversion_value", ["64", "-1", "1.5", "abc", " 1"]), ("prev_fine_value", ["64", "-1", ""]),
      ("p0_coarse", ["3", "-1", "high"]), ("p1_coarse", ["3"]), ("p2_coarse", ["9"]),
      ("p0_prev_coarse_value", ["3"]), ("p1_prev_coarse_value", ["x"]), ("p2_prev_coarse_value", ["-1"]),
      ("p0_window_lock", ["x", "-1"]), ("p1_window_lock", [""]), ("p2_window_lock", ["1.5"]),
      ("skan_total_revenue_by_currency", ["USD", "", "5", "[]", "{", #"{"USD":"1"}"#, #"{"USD":null}"#]),
      ("skan_total_admon_revenue_by_currency", ["USD", "[1]"]), ("p0_total_iap_revenue", ["x"]),
      ("p1_total_iap_revenue", ["x"]), ("p2_total_iap_revenue", ["x"]), ("p0_total_admon_revenue", ["x"]),
      ("p1_total_admon_revenue", ["x"]), ("p2_total_admon_revenue", ["x"]),
      (
        "skan_first_call_to_skadnetwork_timestamp",
        ["0", "-1", "1.5", "x", "99999999999999999999", "9223372036854775807", "9300000000000", "1000000000000"]
      ),
      (
        "skan_last_call_to_skadnetwork_timestamp",
        ["0", "-1", "2026-01-01T00:00:00Z", "99999999999999999999", "9223372036854775807"]
      ),
    ])
  func illFormed(name: String, texts: [String]) throws {
    for text in texts { #expect(try refuses(.v2, name, text), "\(name)=\(text)") }
  }

  @Test(
    "Ill-formed on v1",
    arguments: [
      ("conversion_value", ["64", "-1", "x"]), ("total_revenue_by_currency", ["USD", "x", "[]"]),
      ("first_call_to_skadnetwork_timestamp", ["0", "x", "9223372036854775807"]),
      ("last_call_to_skadnetwork_timestamp", ["0", "-5", "9223372036854775807"]), ("idfa", ["NULL"]),
      ("idfv", ["nil"]),
    ])
  func illFormedV1(name: String, texts: [String]) throws {
    for text in texts { #expect(try refuses(.v1, name, text), "\(name)=\(text)") }
  }

  @Test(
    "In order",
    arguments: [
      ("idfa", "5C2B0A84-8B8C-4A5C-9B4B-1F6C3D0A8A11"), ("v", "15.4"), ("v", "17"), ("prev_fine_value", "63"),
      ("p1_coarse", "2"), ("p2_window_lock", "1767225600"), ("skan_total_revenue_by_currency", "{}"),
      ("p1_total_iap_revenue", #"{"USD":9.9899997711181641,"":-1}"#), ("n", String(repeating: "n", count: 32)),
      ("unknown", "x"), ("idfv", "none of these"), ("idfa", "nullable"), ("p0_window_lock", "0"),
      ("skan_current_conversion_value", "63"),
    ])
  func wellFormed(name: String, value: String) throws { #expect(try ask(.v2, name, value)?.status == "ok") }

  @Test("What v1 may leave out or leave empty")
  func v1Optional() throws {
    for (name, value) in [("conversion_value", nil), ("conversion_value", ""), ("v", nil)] as [(String, String?)] {
      #expect(try ask(.v1, name, value)?.status == "ok")
    }
    #expect(try ask(.v1, "conversion_value", "5")?.fine == 5)
    // Not v2's names.
    #expect(try ask(.v1, "skan_current_conversion_value", "99")?.status == "ok")
  }

  @Test("A dictionary that was flattened to its key is explained")
  func flattened() throws {
    let name = "skan_total_revenue_by_currency"
    #expect(
      try ask(.v2, name, "USD")?.explanation
        == "\(name) must be JSON text such as {\"USD\":9.99}, it is \"USD\": a dictionary was flattened to its key; "
        + "pass its JSON text (json.dumps).")
    #expect(
      try ask(.v2, name, "usd")?.explanation == "\(name) must be JSON text such as {\"USD\":9.99}, it is \"usd\".")
  }

  @Test("The platform comes before everything", arguments: [nil, "ios", "Android", "", "iOS "])
  func platform(text: String?) throws {
    for api in EndpointAPI.allCases {
      let reply = try ask(api, "p", text)
      #expect(reply?.reason == "Unknown platform error")
      #expect(reply?.explanation == "p must be iOS, it is \(text.map { "\"\($0)\"" } ?? "missing").")
    }
  }
}

@Suite("What a server remembers of an install")
struct InstallMemoryTests {
  private static let total = "skan_total_revenue_by_currency"

  /// Medium from 5 dollars, high from 10, in each later window.
  private func phone() throws -> TestPhone {
    try TestPhone(
      try Models.read(
        Part.model(
          windows: (0...2).map {
            Part.window(
              $0, low: Part.event("__SESSION__"), medium: Part.revenue(5, nil), high: Part.revenue(10, nil))
          })))
  }

  private func request(_ sums: [String: String]) -> TestRequest { TestRequest(.v2, sums.mapValues { $0 }) }

  @Test("The life-long total alone: less the last of an earlier window")
  func lessEarlier() throws {
    var phone = try phone()
    _ = phone.ask(request([Self.total: #"{"USD":1}"#]), hours: 1)
    _ = phone.ask(request([Self.total: #"{"USD":7}"#]), hours: 47)
    let first = phone.ask(request([Self.total: #"{"USD":13}"#]), hours: 50)
    #expect(first?.coarse == 1)
    #expect(
      first?.explanation.hasSuffix(" The revenue of P1 is the lifetime total minus that of the last request in P0.")
        == true)
    #expect(phone.ask(request([Self.total: #"{"USD":17}"#]), hours: 60)?.coarse == 2)
    #expect(phone.ask(request([Self.total: #"{"USD":18}"#]), hours: 200)?.coarse == 0)
    let last = phone.ask(request([Self.total: #"{"USD":27}"#]), hours: 300)
    #expect(last?.coarse == 2)
    #expect(last?.explanation.contains("in P1.") == true)
  }

  @Test("Ad revenue by itself, and a currency that is new")
  func kinds() throws {
    var phone = try phone()
    _ = phone.ask(request([Self.total: #"{"USD":100}"#]), hours: 1)
    let sums = [Self.total: #"{"USD":100}"#, "skan_total_admon_revenue_by_currency": #"{"USD":6}"#]
    #expect(phone.ask(request(sums), hours: 50)?.coarse == 1)
    #expect(phone.ask(request([Self.total: #"{"USD":110}"#]), hours: 50)?.coarse == 2)
  }

  @Test("None was seen: none of it counts, and that is said")
  func noneSeen() throws {
    for hours in [50.0, 200] {
      var phone = try phone()
      let reply = phone.ask(request([Self.total: #"{"USD":100}"#]), hours: hours)
      #expect(reply?.coarse == 0)
      #expect(
        reply?.explanation.contains("The request has only the lifetime revenue, and none of it counts") == true)
    }
  }

  @Test("Who sends any window's revenue means none by leaving one out")
  func stated() throws {
    var phone = try phone()
    _ = phone.ask(request([:]), hours: 1)
    let reply = phone.ask(request([Self.total: #"{"USD":100}"#, "p0_total_iap_revenue": #"{"USD":100}"#]), hours: 50)
    #expect(reply?.coarse == 0)
    #expect(reply?.explanation.hasSuffix("coarse low.") == true)
  }

  @Test("A refused request is not remembered")
  func refused() throws {
    var phone = try phone()
    _ = phone.ask(request([Self.total: #"{"GBP":5}"#]), hours: 1)
    #expect(phone.ask(request([Self.total: #"{"USD":100}"#]), hours: 50)?.coarse == 0)
  }

  private func sessions() throws -> TestPhone { try TestPhone(try Models.example("engagement")) }

  @Test("A test's next run has the first call of the one before: counted anew")
  func nextRun() throws {
    var phone = try sessions()
    for _ in 1...2 {
      let first = phone.ask(TestRequest(), hours: 1)
      #expect(first?.fine == 1)
      let answered = TestRequest(.v2, ["skan_current_conversion_value": "1", "prev_fine_value": "0"])
      #expect(phone.ask(answered, hours: 2)?.fine == 2)
      #expect(phone.counts[.p0] == ["__SESSION__": 2])
    }
    #expect(phone.ask(TestRequest(), hours: 1)?.explanation.hasSuffix(": counted anew.") == true)
  }

  @Test("The same request again is no new install; one that was never answered is, when its time is before")
  func again() throws {
    var phone = try sessions()
    #expect((1...3).map { _ in phone.ask(TestRequest())?.fine } == [1, 2, 3])
    #expect(phone.ask(TestRequest(), hours: 0.5)?.fine == 1)
  }

  @Test("SKAN 3: a phone forgets no value")
  func skan3() throws {
    var phone = try sessions()
    #expect(phone.ask(TestRequest(.v1))?.fine == 1)
    #expect(phone.ask(TestRequest(.v1, ["conversion_value": "1"]))?.fine == 2)
    #expect(phone.ask(TestRequest(.v1))?.fine == 1)
  }

  @Test("Memories of the same requests are equal, whenever they were checked")
  func equality() {
    func memory(_ hours: Int64 = 1, _ showsAnswers: Bool = false, _ sum: Double = 5) -> InstallMemory {
      var memory = InstallMemory.none
      memory.note(
        InstallMemory.Totals(iap: RevenueTable(["USD": sum])), showsAnswers: showsAnswers, in: .p0,
        at: Instant(microseconds: hours * 3_600_000_000))
      return memory
    }
    var checked = memory()
    checked.checkedRevision = 7
    #expect(memory() == checked && memory() != .none)
    #expect([memory(2), memory(1, true), memory(1, false, 6)].allSatisfy { $0 != memory() })
  }
}
