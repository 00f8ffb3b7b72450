import SKANDevice
import Testing

@testable import SKANModel

@Suite("The check of a forwarded request, which finds every problem")
struct ForwardedCheckTests {
  private static let common: [(String, String)] = [
    ("a", "key"), ("p", "iOS"), ("i", "com.example.app"), ("ip", "172.58.29.235"), ("ve", "17.4"),
    ("idfv", "21DB6612-09B3-4ECC-84AC-B353B0AF1334"), ("att_authorization_status", "0"), ("utime", "1767225600"),
  ]

  private static func request(_ endpoint: EndpointKind, _ changes: [String: String?]) -> String {
    let own: [(String, String)] =
      switch endpoint {
      case .launch:
        [("ma", "Apple"), ("mo", "iPhone14,5"), ("lc", "en_US"), ("bd", "21E236"), ("app_v", "1"), ("install", "true")]
      case .event(.v1): [("n", "level")]
      case .event(.v2): [("n", "level"), ("sdid", "21DB6612-09B3-4ECC-84AC-B353B0AF1334")]
      case .conversionValue: []
      }
    var items: [(String, String?)] = (common + own).map { ($0.0, changes[$0.0] ?? $0.1) }
    items += changes.filter { name, _ in !items.contains { $0.0 == name } }.sorted { $0.key < $1.key }
    return items.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "&")
  }

  private func problems(_ endpoint: EndpointKind, _ changes: [String: String?]) throws -> [ForwardedProblem] {
    let sent = try #require(SentParameters(Array(Self.request(endpoint, changes).utf8)))
    return ForwardedCheck.problems(of: sent, at: endpoint)
  }

  @Test("A request in order has none", arguments: EndpointKind.reports)
  func inOrder(endpoint: EndpointKind) throws { #expect(try problems(endpoint, [:]) == []) }

  @Test func `All that are missing`() throws {
    let empty = try #require(SentParameters(query: nil))
    let missing = EndpointKind.reports.map { ForwardedCheck.problems(of: empty, at: $0).map(\.parameter) }
    #expect(
      missing == [
        [
          "a", "p", "i", "ve", "idfv", "att_authorization_status", "ma", "mo", "lc", "bd", "app_v", "install", "ip",
        ], ["a", "p", "i", "ve", "idfv", "att_authorization_status", "n", "ip"], ["a", "p", "i", "sdid", "n"],
      ])
  }

  @Test(
    "A value of the wrong form",
    arguments: [
      ("utime", "1767225600000", .milliseconds), ("umilisec", "1767225600", .seconds), ("utime", "now", .notATime),
      ("utime", "17672256", .notATime), ("idfv", "x", .notAUUID),
      ("idfv", "00000000-0000-0000-0000-000000000000", .zeroUUID), ("amt", "9,99", .decimalComma),
      ("amt", "$9", .notADecimal), ("cur", "usd", .notACurrency), ("is_revenue_event", "True", .notATruthValue),
      ("att_authorization_status", "4", .notWhole(0...3)), ("p", "ios", .notAChoice(["iOS"])),
      ("c", "lte", .notAChoice(["wifi", "carrier"])), ("e", "[object Object]", .json(.objectText)),
      ("e", "{'a': 1}", .json(.singleQuotes)), ("e", "\"{}\"", .json(.quotedTwice)),
      ("e", "%257B%257D", .json(.escapedTwice)), ("e", "[]", .json(.notAnObject)), ("e", "USD", .json(.flattened)),
      ("ip", "10.0.0.1", .privateAddress), ("ip", "::1", .privateAddress), ("ip", "2001:db8::1", .ipv6),
      ("ip", "localhost", .notAnAddress), ("ip", "1.2.3.256", .notAnAddress), ("lc", "en-US", .notALocale),
      ("lc", "en", .notALocale), ("n", String(repeating: "n", count: 33), .longName(33)), ("n", "ä", .notASCII),
      ("ve", "", .empty), ("ve", "null", .placeholder), ("skan_conversion_value", "64", .notWhole(0...63)),
    ] as [(String, String, ForwardedFlaw)])
  func flaws(name: String, value: String, flaw: ForwardedFlaw) throws {
    var changes: [String: String?] = [name: value]
    if name == "amt" { changes["cur"] = "USD" }
    if name == "cur" { changes["amt"] = "1" }
    let found = try problems(.event(.v1), changes)
    #expect(found.count == 1)
    guard case .flawed(name, let other, _)? = found.first else {
      Issue.record("\(found)")
      return
    }
    #expect(other == flaw)
  }

  @Test(
    "What concerns several parameters",
    arguments: [
      (["ip": nil], [.noAddress]), (["use_ip": "true", "country": "US"], [.twoAddresses]),
      (["ip": nil, "use_ip": "true"], [.noCountry]), (["ip": nil, "use_ip": "true", "country": "US"], []),
      (["ma": "Apple"], [.alone("ma", without: "mo")]), (["cur": "USD"], [.alone("cur", without: "amt")]),
      (["amt": "1"], [.alone("amt", without: "cur")]),
      (["idfa": "21DB6612-09B3-4ECC-84AC-B353B0AF1334"], [.idfaWithoutConsent("0")]),
      (["att_authorization_status": "3"], [.consentWithoutIDFA]),
      (
        ["n": ForwardedCheck.adRevenueName],
        ["is_admon_revenue", "is_revenue_event", "ad_platform"].map(ForwardedProblem.adRevenueWithout)
      ),
      (
        [
          "n": ForwardedCheck.adRevenueName, "is_admon_revenue": "true", "is_revenue_event": "true",
          "e": "{\"ad_platform\":\"x\"}",
        ], []
      ),
      (["install": "true"], [.misplaced("install")]), (["install_source": "x"], [.misplaced("install_source")]),
      (["utim": "1767225600"], [.unknown("utim", nearest: "utime")]),
      (["zzzzzzzz": "1"], [.unknown("zzzzzzzz", nearest: nil)]), (["ve": "1&ve=2"], [.repeated("ve")]),
      (
        ["p0_coarse": "3"],
        [.metadata(.badParameter("p0_coarse", why: "must be a whole number from 0 to 2, it is \"3\""))]
      ),
      (["p0_coarse": "2", "skan_total_revenue_by_currency": "{\"USD\":1}"], []),
    ] as [([String: String?], [ForwardedProblem])])
  func together(changes: [String: String?], expected: [ForwardedProblem]) throws {
    #expect(try problems(.event(.v1), changes) == expected)
  }

  @Test("Of many names the first are told, and the others counted", arguments: EndpointKind.reports)
  func manyNames(endpoint: EndpointKind) throws {
    let names = (0..<2000).map { "&q\($0)=1" }.joined() + (0..<1000).map { "&q\($0)=1" }.joined()
    let sent = try #require(SentParameters(Array((Self.request(endpoint, [:]) + names).utf8)))
    let found = ForwardedCheck.problems(of: sent, at: endpoint)
    #expect(found.count == 42 && Array(found.suffix(2)) == [.moreUnknown(1980), .moreRepeated(980)])
    #expect(found.filter { $0.explanation.hasPrefix("q19 ") }.count == 2)
    #expect(!found.contains { $0.explanation.hasPrefix("q20 ") })
    #expect(
      found.suffix(2).map(\.explanation) == [
        "1980 more names are no documented parameters.", "980 more names stand in the request more than once.",
      ])
  }

  @Test("Twenty names are told, and no count of others", arguments: [(20, 20), (21, 21)])
  func fewNames(count: Int, problems: Int) throws {
    let names = (0..<count).map { ("zzzzzzzz\($0)", "1" as String?) }
    let found = try self.problems(.event(.v1), Dictionary(uniqueKeysWithValues: names))
    #expect(found.count == problems && found.last?.parameter.isEmpty == (count > 20))
  }

  @Test func `At launch n is the name of the app`() throws {
    #expect(try problems(.launch, ["n": "Ein Spiel über Käse, das einen langen Namen hat"]) == [])
  }

  @Test func `Each problem is a sentence that begins with its parameter or names it`() throws {
    let changes: [String: String?] = ["ip": nil, "ve": nil, "utime": "1", "amt": "1", "zz": "1", "p0_coarse": "9"]
    for problem in try problems(.event(.v1), changes) {
      #expect(problem.explanation.hasSuffix(".") && problem.explanation.contains(problem.parameter), "\(problem)")
    }
  }
}
