import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

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
