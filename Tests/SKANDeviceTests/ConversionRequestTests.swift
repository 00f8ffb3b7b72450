import Testing

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
