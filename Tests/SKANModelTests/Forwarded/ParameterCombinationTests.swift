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

@Suite("The form of a value, on both sides of its limits")
struct ParameterFormTests {
  private static func digits(_ count: Int) -> String { String(repeating: "7", count: count) }

  @Test(
    "Each form and each flaw",
    arguments: [
      (.seconds, nil, [digits(10)]), (.seconds, .milliseconds, [digits(13)]),
      (.seconds, .notATime, [digits(9), digits(11), digits(12), digits(14), digits(9) + "x", "-" + digits(9)]),
      (.milliseconds, nil, [digits(13)]), (.milliseconds, .seconds, [digits(10)]),
      (.milliseconds, .notATime, [digits(9), digits(11), digits(12), digits(14), digits(12) + "x"]),
      (.uuid, nil, ["21DB6612-09B3-4ECC-84AC-B353B0AF1334", "00000000-0000-0000-0000-000000000001"]),
      (.decimal, nil, ["0", "-1", "1.5", "007", "-0.50"]),
      (.decimal, .notADecimal, ["-", "--1", "1.", ".5", "1.2.3", "1e5", "+1", "1-"]),
      (.decimal, .decimalComma, ["1,5", "-1,5"]), (.decimal, .notADecimal, ["1,2,3", ","]),
      (.currency, nil, ["USD"]), (.currency, .notACurrency, ["usd", "US", "USDT", "U1D"]),
      (.truth, nil, ["true", "false"]), (.truth, .notATruthValue, ["True", "FALSE", "1", "0"]),
      (.whole(0...3), nil, ["0", "3"]), (.whole(0...3), .notWhole(0...3), ["-1", "4", "1.0", "x"]),
      (.choice(["a", "b"]), nil, ["a", "b"]), (.choice(["a", "b"]), .notAChoice(["a", "b"]), ["A", "ab", "c"]),
      (.country, nil, ["US", "AZ"]), (.country, .notACountry, ["U", "USA", "us", "uS", "Us", "U1"]),
      (.locale, nil, ["en_US", "fil_PH", "zh_Hans_CN"]),
      (
        .locale, .notALocale,
        [
          "e_US", "filx_PH", "en_U", "en_USA", "en_Us", "eN_US", "e1_US", "en_U1", "en", "en_US_", "_US", "en_",
          "zh_Han_CN",
          "zh_Hanss_CN", "zh_H4ns_CN", "zh_Hans_Hans_CN",
        ]
      ),
      (.eventName, nil, [String(repeating: "n", count: 32), " ~"]),
      (.eventName, .longName(33), [String(repeating: "n", count: 33), String(repeating: "ä", count: 33)]),
      (.eventName, .notASCII, ["\u{1F}", "\u{7F}", "ä", String(repeating: "ä", count: 32)]),
      (.address, nil, ["1.1.1.1", "223.255.255.255", "001.002.003.004"]),
      (.address, .ipv6, ["2001:db8::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "2001:DB8:FFFF:abcd::"]),
      (.address, .privateAddress, ["10.0.0.1", "::", "::1:2:3:4:5:6:7"]),
      (
        .address, .notAnAddress,
        [
          "1.1.1", "1.1.1.1.1", "1.1.1.256", "0001.1.1.1", "1.1.1.", "1.1.1.-1", "1.1.1.x", "1:2", "1:2:3:4:5:6:7",
          "1:2:3:4:5:6:7:8:9", "::1:2:3:4:5:6:7:8", "12345::1", "g::1",
        ]
      ),
      (.text, .placeholder, ["null", "NULL", "(null)", "nil", "None", "undefined", "Undefined"]),
      (.text, nil, ["nullx", "undefinedx", "(null", "n", "u"]), (.details, nil, ["x"]),
    ] as [(ParameterForm, ParameterFlaw?, [String])])
  func forms(form: ParameterForm, flaw: ParameterFlaw?, values: [String]) {
    for value in values { #expect(form.flaw(of: value) == flaw, "\(value)") }
    #expect(form.flaw(of: "") == .empty && form.flaw(of: "null") == .placeholder)
    if let flaw { #expect(form.flaws.contains(flaw)) }
  }

  @Test("A placeholder of the guides, with any separators up to 24 bytes", arguments: String.guidePlaceholders)
  func placeholders(text: String) {
    for spelling in [text, text.lowercased(), text.uppercased(), text.replacing(" ", with: "_")] {
      #expect(ParameterForm.text.flaw(of: spelling) == .guidePlaceholder, "\(spelling)")
    }
    #expect(ParameterForm.text.flaw(of: "x" + text) == nil && ParameterForm.text.flaw(of: text + "x") == nil)
    let fill = String(repeating: "-", count: 24 - text.utf8.count)
    #expect(ParameterForm.text.flaw(of: text + fill) == .guidePlaceholder)
    #expect(ParameterForm.text.flaw(of: text + fill + "-") == nil)
  }

  @Test("A long value is cut in a message")
  func cut() {
    func x(_ count: Int) -> String { String(repeating: "x", count: count) }
    #expect(ParameterFlaw.notATime.message(x(60)).contains("\"\(x(60))\""))
    #expect(ParameterFlaw.notATime.message(x(61)).contains("\"\(x(59))…\""))
    #expect(ParameterFlaw.currencyOfTotal(x(20)).message("").contains("\"\(x(20))\""))
    #expect(ParameterFlaw.currencyOfTotal(x(21)).message("").contains("\"\(x(20))…\""))
  }
}
