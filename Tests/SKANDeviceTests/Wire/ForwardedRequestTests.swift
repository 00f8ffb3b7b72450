import Testing

@testable import SKANDevice

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
      subject, api: api, isPost: isPost, of: phone, metadata: try phone.device.kept.metadata(of: phone.device.snippet),
      at: .listStart,
      changes: changes)
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
