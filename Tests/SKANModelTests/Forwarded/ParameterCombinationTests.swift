import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANModel

/// Rules about several parameters beside plain ones, for every combination of the values that they tell apart.
@Suite("Parameters together, in every combination")
struct ParameterCombinationTests {
  private func problems(
    _ sent: [String: String], _ endpoint: EndpointKind, by client: ConversionClient? = nil,
    modelCounts revenue: Set<RevenueKind>? = nil
  ) throws -> [ParameterProblem] {
    let text = sent.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    let parameters = try #require(SentParameters(text))
    return ParameterCheck.problems(of: parameters, at: endpoint, by: client, modelCounts: revenue)
  }

  /// All ways to give each name one of its values; nil leaves it out.
  private static func ways(_ values: [(String, [String?])]) -> [[String: String]] {
    values.reduce([[:]]) { ways, choice in
      ways.flatMap { way in
        choice.1.map { value in
          var way = way
          way[choice.0] = value
          return way
        }
      }
    }
  }

  @Test("The address", arguments: EndpointKind.reports)
  func address(endpoint: EndpointKind) throws {
    for sent in Self.ways([("ip", [nil, "1.1.1.1"]), ("use_ip", [nil, "true", "false"]), ("country", [nil, "US"])]) {
      var expected: [ParameterProblem] = []
      if sent["ip"] == nil, sent["use_ip"] == nil, endpoint != .event(.v2) { expected.append(.noAddress) }
      if sent["ip"] != nil, sent["use_ip"] != nil { expected.append(.twoAddresses) }
      if sent["use_ip"] == "true", sent["country"] == nil { expected.append(.noCountry) }
      let found = try problems(sent, endpoint).filter { [.noAddress, .twoAddresses, .noCountry].contains($0) }
      #expect(found == expected, "\(sent)")
    }
  }

  @Test("Pairs", arguments: EndpointKind.reports)
  func pairs(endpoint: EndpointKind) throws {
    let values = [("ma", [nil, "Apple"]), ("mo", [nil, "iPhone"]), ("amt", [nil, "1"]), ("cur", [nil, "USD"])]
    for sent in Self.ways(values) {
      let found = try problems(sent, endpoint)
      let alone = [("ma", "mo"), ("mo", "ma"), ("amt", "cur"), ("cur", "amt")]
        .filter { sent[$0.0] != nil && sent[$0.1] == nil }.map { ParameterProblem.alone($0.0, without: $0.1) }
      #expect(found.filter { if case .alone = $0 { true } else { false } } == alone, "\(sent)")
      // One without the other is told of once.
      let missing = endpoint == .launch && sent["ma"] == nil && sent["mo"] == nil ? ["ma", "mo"] : []
      #expect(["ma", "mo"].filter { found.contains(.missing($0)) } == missing, "\(sent)")
    }
  }

  @Test("Consent", arguments: EndpointKind.reports)
  func consent(endpoint: EndpointKind) throws {
    let (uuid, zeros) = ("21DB6612-09B3-4ECC-84AC-B353B0AF1334", "00000000-0000-0000-0000-000000000000")
    let values = [("idfa", [nil, "", uuid, zeros, "x"]), ("att_authorization_status", [nil, "0", "2", "3"])]
    for sent in Self.ways(values) {
      var expected: [ParameterProblem] = []
      let status = sent["att_authorization_status"]
      if let status, status != "3", [uuid, "x"].contains(sent["idfa"]) { expected.append(.idfaWithoutConsent(status)) }
      if sent["idfa"] == nil, status == "3", endpoint != .event(.v2) { expected.append(.consentWithoutIDFA) }
      let found = try problems(sent, endpoint).filter { $0.parameters == ["idfa", "att_authorization_status"] }
      #expect(found == expected, "\(sent)")
    }
  }

  @Test("Ad revenue", arguments: EndpointKind.reports)
  func adRevenue(endpoint: EndpointKind) throws {
    let values = [
      ("n", ["level", ParameterCheck.adRevenueName]), ("is_admon_revenue", [nil, "true", "false"]),
      ("is_revenue_event", [nil, "true", "false"]),
      ("e", [nil, "{}", #"{"ad_platform":"x"}"#, #"{"ad_platform":"#]),
    ]
    for sent in Self.ways(values) {
      let isAsked = endpoint.isEvent && sent["n"] == ParameterCheck.adRevenueName
      let lacking =
        ["is_admon_revenue", "is_revenue_event"].filter { sent[$0] != "true" }
        + (sent["e"] == #"{"ad_platform":"x"}"# ? [] : ["ad_platform"])
      let found = try problems(sent, endpoint).filter { if case .adRevenueWithout = $0 { true } else { false } }
      #expect(found == (isAsked ? lacking : []).map(ParameterProblem.adRevenueWithout), "\(sent)")
    }
  }

  @Test("What only a server must send to conversion_value", arguments: EndpointAPI.allCases)
  func servers(api: EndpointAPI) throws {
    let totals: [(String, RevenueKind)] = [
      ("skan_total_revenue_by_currency", .purchases), ("skan_total_admon_revenue_by_currency", .ads),
    ]
    let values =
      [("v", [nil, "x", "16.0", "16.1"])] + ["p1_coarse", "p2_coarse"].map { ($0, [nil, "1"]) }
      + totals.map { ($0.0, [nil, "{}"]) }
    for sent in Self.ways(values) {
      let isLate = sent["v"] != "16.0"
      for counted in [nil, [.purchases], [.ads]] as [Set<RevenueKind>?] {
        let missing =
          ["p1_coarse", "p2_coarse"].filter { sent[$0] == nil && isLate }.map(ParameterProblem.missingFromServer)
          + totals.filter { sent[$0.0] == nil && counted?.contains($0.1) == true }.map { .missingTotal($0.0) }
        for client in [nil, ConversionClient.snippet, .server] {
          let found = try problems(sent, .conversionValue(api), by: client, modelCounts: counted).filter {
            switch $0 {
            case .missingFromServer, .missingTotal: true
            default: false
            }
          }
          let expected = client == .server && api == .v2 ? missing : []
          #expect(found.count == expected.count && expected.allSatisfy(found.contains), "\(sent) \(found)")
        }
      }
    }
  }

  @Test("What is no parameter of conversion_value is misplaced there, and a wrong one is told of once")
  func conversions() throws {
    let query = TestRequest(.v2, ["utime": "1", "idfa": "NULL", "p0_coarse": "9"]).values
    #expect(
      try problems(query, .conversionValue(.v2)).map(\.parameters) == [["idfa"], ["p0_coarse"], ["idfv"], ["utime"]])
  }

  @Test(
    "Each documented name is found in one that is near, and beginnings of four letters",
    arguments: EndpointKind.allCases)
  func nearest(endpoint: EndpointKind) throws {
    let names = RequestParameter.names(of: endpoint)
    for name in names where name.utf8.count > 8 {
      let slip = String(name.dropLast(2)) + String(name.suffix(2).reversed())
      guard slip != name, !names.contains(slip) else { continue }
      #expect(try problems([slip: "1"], endpoint).contains(.unknown(slip, nearest: name)), "\(slip)")
    }
    guard endpoint.isReport else { return }
    #expect(try problems(["part": "1"], endpoint).contains(.unknown("part", nearest: "partner")))
    #expect(try problems(["par": "1"], endpoint).contains(.unknown("par", nearest: nil)))
    // A single slip goes before a beginning, and both before several slips.
    #expect(try problems(["coun": "1"], endpoint).contains(.unknown("coun", nearest: "country")))
    #expect(try problems(["contri": "1"], endpoint).contains(.unknown("contri", nearest: "country")))
  }
}
