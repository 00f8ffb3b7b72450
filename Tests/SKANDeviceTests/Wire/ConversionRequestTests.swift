import Testing

@testable import SKANBase
@testable import SKANDevice

@Suite("The request of an update")
struct ConversionRequestTests {
  @Test("SKAN 4: the phone, the event, then every entry of the details in its order")
  func skan4() throws {
    var device = Device.phone()
    device.profile.idfa = "DFC5A647-9043-4699-B2A5-76F03A97064B"
    _ = try device.addRevenue(9.99, currency: "EUR", isAdMonetization: false, at: moment(1))
    _ = try device.addRevenue(0.05, currency: "USD", isAdMonetization: true, at: moment(1))
    _ = device.update(good("5", coarse: "1", lock: "true"), at: 2)
    _ = device.update(good("1.7", coarse: "0"), at: 3)
    _ = device.update(good("6", coarse: "2", lock: "1"), at: 3 * day)
    let request = try #require(request(of: &device, at: 8 * day))
    #expect(
      request == [
        QueryItem("a", "KEY"), QueryItem("v", "17.4"), QueryItem("i", "com.example.app"), QueryItem("app_v", "1.0"),
        QueryItem("n", "buy it"), QueryItem("p", "iOS"), QueryItem("idfv", "21DB6612-09B3-4ECC-84AC-B353B0AF1334"),
        QueryItem("idfa", "DFC5A647-9043-4699-B2A5-76F03A97064B"),
        QueryItem("skan_current_conversion_value", "1.7"), QueryItem("prev_fine_value", "5"),
        QueryItem("p0_coarse", "0"),
        QueryItem("p1_coarse", "2"), QueryItem("p0_prev_coarse_value", "1"),
        QueryItem("p0_window_lock", String(start + 2)), QueryItem("p1_window_lock", String(start + 3 * day)),
        QueryItem("skan_total_revenue_by_currency", #"{"EUR":9.9899997711181641}"#),
        QueryItem("skan_total_admon_revenue_by_currency", #"{"USD":0.05000000074505806}"#),
        QueryItem("p0_total_iap_revenue", #"{"EUR":9.9899997711181641}"#),
        QueryItem("p0_total_admon_revenue", #"{"USD":0.05000000074505806}"#),
        QueryItem("skan_last_call_to_skadnetwork_timestamp", String(start + 3 * day)),
        QueryItem("skan_first_call_to_skadnetwork_timestamp", String(start)),
      ])
  }

  @Test("SKAN 3: its own names, the value bare while there is none")
  func skan3() throws {
    var device = Device.phone(.skan3, ios: IOSVersion(15, 0))
    let beginning = [
      QueryItem("a", "KEY"), QueryItem("i", "com.example.app"), QueryItem("app_v", "1.0"), QueryItem("n", "buy it"),
      QueryItem("p", "iOS"), QueryItem("idfv", "21DB6612-09B3-4ECC-84AC-B353B0AF1334"),
    ]
    #expect(
      try #require(request(of: &device, at: 1)) == beginning + [
        QueryItem("conversion_value", nil), QueryItem("total_revenue_by_currency", "{}"),
        QueryItem("first_call_to_skadnetwork_timestamp", String(start)),
        QueryItem("last_call_to_skadnetwork_timestamp", String(start)),
      ])
    _ = device.update(good("12"), at: 60)
    _ = try device.addRevenue(9.99, currency: "a/b", isAdMonetization: false, at: moment(61))
    device.profile.idfa = "IDFA"
    #expect(
      try #require(request(of: &device, at: 70)) == beginning + [
        QueryItem("idfa", "IDFA"), QueryItem("conversion_value", "12"),
        QueryItem("total_revenue_by_currency", #"{"a\/b":9.9900000000000002}"#),
        QueryItem("first_call_to_skadnetwork_timestamp", String(start)),
        QueryItem("last_call_to_skadnetwork_timestamp", String(start + 60)),
      ])
  }

  @Test(
    "Near 1970 an unregistered phone sends a request: unset times are left out, or 0",
    arguments: SnippetVersion.allCases)
  func unregistered(snippet: SnippetVersion) throws {
    var device = Device.phone(snippet, registered: false)
    guard case .request = device.beginUpdate(at: Instant(microseconds: 60_000_000)) else {
      Issue.record("no request")
      return
    }
    let items = device.request(event: "e").queryItems(sdkKey: "K").filter { $0.name.contains("timestamp") }
    #expect(
      items
        == (snippet != .skan3
          ? []
          : [
            QueryItem("first_call_to_skadnetwork_timestamp", "0"), QueryItem("last_call_to_skadnetwork_timestamp", "0"),
          ]))
  }

  @Test("What a phone has not is left out", arguments: SnippetVersion.allCases)
  func absent(snippet: SnippetVersion) throws {
    var device = Device.phone(snippet)
    device.profile.idfv = nil
    let names = try #require(request(of: &device, at: 1)).map(\.name)
    #expect(!names.contains("idfv") && !names.contains("idfa"))
    #expect(
      names.prefix(6)
        == (snippet != .skan3
          ? ["a", "v", "i", "app_v", "n", "p"] : ["a", "i", "app_v", "n", "p", "conversion_value"]))
  }

  @Test("The text of the iOS version goes out as it was given", arguments: ["16.1", "17", "17.04.1"])
  func version(text: String) throws {
    var device = Device.phone()
    device.profile.ios = try #require(IOSVersion(text))
    #expect(try #require(request(of: &device, at: 1)).first { $0.name == "v" }?.value == text)
  }

  @Test("The request holds the state before the answer")
  func before() {
    var device = Device.phone()
    let request = device.request(event: "e")
    _ = device.update(good("9", coarse: "2"))
    #expect(request.kept.fineValue == .integer(0) && request.eventName == "e")
    #expect(device.kept.fineValue == .integer(9))
  }

  @Test("The names of the key")
  func keys() {
    #expect(ConversionRequest.redactedKey == "REDACTED")
    #expect(ConversionRequest.placeholderKey == "YOUR_SDK_KEY")
    #expect(Device.sessionEventName == "__SESSION__")
  }

  @Test("Every parameter has its place in requests, once")
  func parameters() {
    #expect(QueryParameter.namesAsSent.count == QueryParameter.allCases.count)
    #expect(Set(QueryParameter.namesAsSent) == Set(QueryParameter.allCases.map(\.name)))
  }

  private func request(of device: inout Device, at seconds: Int64) -> [QueryItem]? {
    guard case .request = device.beginUpdate(at: moment(seconds)) else { return nil }
    return device.request(event: "buy it").queryItems(sdkKey: "KEY")
  }
}

@Suite("Percent-encoding of a query")
struct QueryItemTests {
  @Test(
    "Values",
    arguments: [
      ("abcXYZ019", "abcXYZ019"), ("-._~", "-._~"), ("+;/?:@,'()*!$", "+;/?:@,'()*!$"), ("&", "%26"), ("=", "%3D"),
      ("%", "%25"), ("#", "%23"), (" ", "%20"), ("\"", "%22"), ("<>", "%3C%3E"), ("{}", "%7B%7D"), ("[]", "%5B%5D"),
      ("\\^|`", "%5C%5E%7C%60"), ("\n\r\t\u{0}\u{7F}", "%0A%0D%09%00%7F"), ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"),
      ("漢", "%E6%BC%A2"), ("😀", "%F0%9F%98%80"), ("\u{A0}", "%C2%A0"), ("%20", "%2520"), ("gold+pack", "gold+pack"),
      (#"{"EUR":9.9899997711181641,"USD":1}"#, "%7B%22EUR%22:9.9899997711181641,%22USD%22:1%7D"), ("", ""),
      ("a=b&c", "a%3Db%26c"), ("https://a.b/c?d=e", "https://a.b/c?d%3De"),
    ])
  func values(text: String, expected: String) {
    #expect([QueryItem("n", text)].percentEncoded == "n=\(expected)")
    #expect([QueryItem(text, "v")].percentEncoded == "\(expected)=v")
  }

  @Test("Every ASCII character is bare or escaped as the table of the reference says")
  func everyCharacter() {
    let bare = "-._~+;/?:@,'()*!$"
    for byte in UInt8(0)..<0x80 {
      let character = Character(UnicodeScalar(byte))
      let isBare = character.isLetter || character.isNumber || bare.contains(character)
      let hex = String(byte, radix: 16, uppercase: true)
      let expected = isBare ? String(character) : "%" + (hex.count < 2 ? "0" : "") + hex
      #expect([QueryItem("n", String(character))].percentEncoded == "n=\(expected)")
    }
  }

  @Test(
    "A whole query",
    arguments: [
      ([], ""), ([QueryItem("a", "1")], "a=1"), ([QueryItem("a", nil)], "a"), ([QueryItem("a", "")], "a="),
      ([QueryItem("a", "1"), QueryItem("b", nil), QueryItem("c", "x y")], "a=1&b&c=x%20y"),
      ([QueryItem("a", "1"), QueryItem("a", "2")], "a=1&a=2"), ([QueryItem("a b", nil)], "a%20b"),
    ] as [([QueryItem], String)])
  func whole(items: [QueryItem], expected: String) {
    #expect(items.percentEncoded == expected)
  }
}

@Suite("What the app's server sends")
struct ForwardedRequestTests {
  /// A phone that has registered and has had one answer.
  private static func phone(_ snippet: SnippetVersion = .skan4, idfa: String? = nil) -> Phone {
    var profile = DeviceProfile(idfv: "V")
    profile.snippet = snippet
    profile.idfa = idfa
    var phone = Phone(device: Device(profile), clock: PhoneClock(isVirtual: true))
    phone.device.framework.launched(at: .listStart)
    _ = phone.device.register(at: .listStart, frameworkError: nil)
    _ = phone.device.beginUpdate(at: .listStart)
    var report = StepReport()
    phone.device.finishUpdate(
      AnswerMembers(fine: 5, coarse: .high, locks: false, index: 0), at: .listStart, &report)
    return phone
  }

  private static func request(
    _ subject: ForwardedRequest.Subject, _ phone: Phone = phone(), api: EndpointAPI = .v1, isPost: Bool = false,
    changes: [QueryItem] = []
  ) throws -> ForwardedRequest {
    ForwardedRequest(
      subject, api: api, isPost: isPost, of: phone,
      metadata: try phone.device.kept.metadata(in: phone.device.traits.api), at: .listStart, changes: changes)
  }

  private static let start = "1767225600"
  private static let metadata =
    "skan_current_conversion_value=5&prev_fine_value=0&p0_coarse=2&skan_last_call_to_skadnetwork_timestamp=\(start)"
    + "&skan_first_call_to_skadnetwork_timestamp=\(start)"
  private static let common =
    "p=iOS&i=com.example.app&ip=198.19.254.76&ve=17.4&idfv=V&att_authorization_status=0&ma=Apple&mo=iPhone10%2C1"
    + "&lc=en_US&bd=Build%2F13D15&utime=\(start)"

  @Test("A session: its parameters, then the metadata of getSkanDetails")
  func session() throws {
    let request = try Self.request(.session)
    #expect(request.kind.path == "/api/v1/launch" && !request.isPost)
    #expect(
      request.queryItems(sdkKey: "K").strictlyEncoded
        == "a=K&\(Self.common)&app_v=1.0&install=true&install_time=\(Self.start)&update_time=\(Self.start)"
        + "&\(Self.metadata)")
  }

  @Test("A later session is no install")
  func laterSession() throws {
    var phone = Self.phone()
    phone.forwarding.hasSession = true
    #expect(try Self.request(.session, phone).parameters.contains(QueryItem("install", "false")))
  }

  @Test(
    "An event: name and revenue",
    arguments: [
      (nil, "n=buy"), (false, "n=buy&is_revenue_event=true&amt=9.99&cur=USD"),
      (
        true,
        "n=buy&is_revenue_event=true&amt=9.99&cur=USD&is_admon_revenue=true&e=%7B%22ad_platform%22%3A%22AdMob%22%7D"
      ),
    ] as [(Bool?, String)])
  func event(isAd: Bool?, expected: String) throws {
    let revenue = isAd.map { ForwardedRevenue(amount: 9.99, currency: "USD", isAdMonetization: $0) }
    let request = try Self.request(.event(name: "buy", revenue))
    #expect(request.kind.path == "/api/v1/evt")
    #expect(request.parameters.strictlyEncoded == "\(Self.common)&\(expected)&\(Self.metadata)")
  }

  @Test("Version 2 of an event is a POST and knows the phone by sdid; a session has one version")
  func version2() throws {
    let event = try Self.request(.event(name: "buy", nil), Self.phone(idfa: "A"), api: .v2)
    #expect(event.kind.path == "/api/v2/evt" && event.isPost)
    let names = event.parameters.map(\.name)
    #expect(names.contains("sdid") && !names.contains("idfv") && !names.contains("idfa"))
    let sdid = event.parameters.first { $0.name == "sdid" }?.value ?? ""
    #expect(sdid.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    #expect(try Self.request(.session, api: .v2).kind.path == "/api/v1/launch")
  }

  @Test("SKAN 3 has three names of its own, and no revenue")
  func skan3() throws {
    let request = try Self.request(.session, Self.phone(.skan3))
    #expect(
      request.parameters.suffix(3).strictlyEncoded
        == "skan_conversion_value=5&skan_first_call_timestamp=\(Self.start)&skan_last_call_timestamp=\(Self.start)")
  }

  @Test("With an IDFA the user has consented")
  func consent() throws {
    let parameters = try Self.request(.session, Self.phone(idfa: "A")).parameters
    #expect(parameters.contains(QueryItem("idfa", "A")))
    #expect(parameters.contains(QueryItem("att_authorization_status", "3")))
  }

  @Test("A change replaces, adds or leaves out")
  func changes() throws {
    let changes = [QueryItem("ip", "203.0.113.7"), QueryItem("c", "wifi"), QueryItem("lc", nil)]
    let parameters = try Self.request(.session, changes: changes).parameters
    #expect(parameters.filter { $0.name == "ip" } == [changes[0]])
    #expect(parameters.last == changes[1])
    #expect(!parameters.contains { $0.name == "lc" })
  }

  @Test("Everything but letters, digits and -._~ is escaped: a server reads what was meant")
  func encoding() {
    #expect(
      [QueryItem("n", "a+b {\"é\"}/~"), QueryItem("x", nil)].strictlyEncoded == "n=a%2Bb%20%7B%22%C3%A9%22%7D%2F~&x")
  }
}

extension Sequence<QueryItem> {
  fileprivate var strictlyEncoded: String { Array(self).strictlyEncoded }
}

@Suite("Answers in UTF-16 and UTF-32")
struct JSONEncodingsTests {
  /// The bytes of a text whose units have a width, in one of the two orders.
  private static func bytes(_ text: String, width: Int, isBigEndian: Bool) -> [UInt8] {
    let units = width == 2 ? text.utf16.map(UInt32.init) : text.unicodeScalars.map(\.value)
    return units.flatMap { unit in
      let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  private static let forms = [(2, false), (2, true), (4, false), (4, true)]

  @Test("Both orders, with a byte order mark and without", arguments: forms)
  func read(width: Int, isBigEndian: Bool) {
    for text in ["{}", "{\"a\":\"é漢😀\"}", "[\"漢\"]", "12", "5"] {
      // A single character has no neighbour that would show the order.
      for mark in text.count == 1 && width == 2 ? ["\u{FEFF}"] : ["", "\u{FEFF}"] {
        let bytes = Self.bytes(mark + text, width: width, isBigEndian: isBigEndian)
        #expect(JSONEncodings.utf8(bytes) == Array(text.utf8), "\(bytes)")
      }
    }
  }

  @Test("What is cut within a unit, or has half a pair, stays as it is", arguments: forms)
  func broken(width: Int, isBigEndian: Bool) {
    let whole = Self.bytes("\u{FEFF}{\"a\":\"😀\"}", width: width, isBigEndian: isBigEndian)
    for count in 1..<width { #expect(JSONEncodings.utf8(whole.dropLast(count)) == whole.dropLast(count)) }
    let surrogate: [UInt8] = isBigEndian ? [0xD8, 0x00] : [0x00, 0xD8]
    let padding = [UInt8](repeating: 0, count: width - 2)
    let half = isBigEndian ? padding + surrogate : surrogate + padding
    #expect(JSONEncodings.utf8(whole + half) == whole + half)
  }

  @Test("UTF-8 stays as it is", arguments: ["", "5", "{}", "{\"a\":1}", "\u{FEFF}{}", "a\u{0}b\u{0}c", "漢字"])
  func utf8(text: String) { #expect(JSONEncodings.utf8(Array(text.utf8)) == Array(text.utf8)) }

  @Test("An update takes its value from each form", arguments: forms)
  func update(width: Int, isBigEndian: Bool) {
    for mark in ["", "\u{FEFF}"] {
      var device = Device.phone(.skan4)
      let text = mark + "{\"conversion_value\":41,\"updated_event\":\"é\"}"
      let answer = Self.bytes(text, width: width, isBigEndian: isBigEndian)
      let report = device.update(.response(status: 200, body: answer))
      #expect(report.framework == .updatePostbackCoarse(fine: 41, coarse: nil, lock: false))
    }
  }
}

@Suite("The kinds of requests that Singular's endpoints take")
struct EndpointKindTests {
  @Test(
    "A path, also behind a proxy's prefix",
    arguments: [
      ("/api/v1/conversion_value", .conversionValue(.v1)), ("/x/api/v2/conversion_value", .conversionValue(.v2)),
      ("/testing/api/v1/conversion_value", .conversionValue(.v1)), ("/api/v1/launch", .launch),
      ("/api/v1/evt", .event(.v1)), ("/api/v2/evt", .event(.v2)), ("/api/v2/launch", nil), ("/api/v1/evt/", nil),
      ("/conversion_value", nil), ("", nil),
    ] as [(String, EndpointKind?)])
  func path(path: String, kind: EndpointKind?) { #expect(EndpointKind(path: path) == kind) }

  @Test func `Each is known by its own path`() {
    #expect(EndpointKind.allCases.count == 5)
    for kind in EndpointKind.allCases { #expect(EndpointKind(path: kind.path) == kind) }
    #expect(EndpointKind.event(.v2).address == "https://s2s.singular.net/api/v2/evt")
    #expect(EndpointKind.conversionValue(.v1).address == "https://sdk-api-v1.singular.net/api/v1/conversion_value")
  }
}
