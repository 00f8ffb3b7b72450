import SKANDevice
import SKANBase
import Testing

@testable import SKANTraffic

@Suite("The rule that a parameter's problem falls under")
struct ParameterRuleTests {
  /// The findings at one entry of the clean life, by its parameters alone.
  private func findings(_ entry: Int, _ plant: (inout PlantedLife) -> Void) throws -> [String] {
    var life = try PlantedLife()
    plant(&life)
    let captured = life.requests[entry - 1]
    let kind = try #require(EndpointKind(path: captured.request.path))
    let request = try #require(CheckedRequest(captured, kind: kind, in: JSONDocument()))
    return ParameterRules.findings(request).map { "\($0.rule.id): \($0.message)" }
  }

  @Test(
    "Of a report",
    arguments: [
      ("a", "null", ["key-missing: a stands for nothing, it is \"null\": leave it out."]),
      ("a", "", ["key-missing: a is empty."]),
      ("idfv", "nil", ["idfv-missing: idfv stands for nothing, it is \"nil\": leave it out."]),
      (
        "idfv", "00000000-0000-0000-0000-000000000000",
        ["idfv-missing: idfv is all zeros: leave it out when there is none."]
      ), ("ve", "", ["parameter-form: ve is empty."]),
      ("idfv", "x", ["parameter-form: idfv must be a UUID, it is \"x\"."]),
      (
        "ip", "2001:db8::1",
        ["ipv6-address: ip is an IPv6 address; Singular's pages prefer IPv4, and one refuses IPv6."]
      ),
      ("utime", "yesterday", ["parameter-form: utime must be a Unix time, it is \"yesterday\"."]),
      ("p0_coarse", "7", ["parameter-form: p0_coarse must be a whole number from 0 to 2, it is \"7\"."]),
      (
        "ip", nil,
        ["address-choice: ip is missing: send the device's public address, or use_ip=true from the device itself."]
      ),
      ("idfv", nil, ["idfv-missing: idfv is missing."]), ("p", nil, ["parameter-missing: p is missing."]),
      (
        "idfa", "null", ["idfa-zeros: idfa stands for nothing, it is \"null\": leave it out."]
      ),
    ] as [(String, String?, [String])])
  func report(name: String, value: String?, expected: [String]) throws {
    let found = try findings(13) { $0.set(name, [13], to: value) }
    #expect(found == expected)
  }

  @Test(
    "Of a request for a value",
    arguments: [
      ("idfv", "", "idfv-missing"), ("idfv", nil, "idfv-missing"), ("a", nil, "key-missing"),
      ("idfa", "null", "idfa-zeros"), ("app_v", nil, "parameter-missing"),
      ("p0_coarse", "7", "parameter-form"), ("skan_total_revenue_by_currency", "USD", "json-damaged"),
      ("skan_current_conversion_value", nil, "current-value-missing"),
    ] as [(String, String?, String)])
  func ask(name: String, value: String?, expected: String) throws {
    let found = try findings(12) { $0.set(name, [12], to: value) }
    #expect(found.map { String($0.prefix { $0 != ":" }) } == [expected], "\(found)")
  }

  @Test func `A plus sign in a name is shown as it was sent`() throws {
    #expect(try findings(12) { $0.setRaw("n", 12, to: "le+vel") } == ["plus-in-name: n is sent as \"le+vel\"."])
  }
}
