import SKANDevice
import Testing

@testable import SKANModel

@Suite("The check of a forwarded request, which finds every problem")
struct ParameterCheckTests {
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

  private func problems(_ endpoint: EndpointKind, _ changes: [String: String?]) throws -> [ParameterProblem] {
    let sent = try #require(SentParameters(Array(Self.request(endpoint, changes).utf8)))
    return ParameterCheck.problems(of: sent, at: endpoint)
  }

  @Test("A request in order has none", arguments: EndpointKind.reports)
  func inOrder(endpoint: EndpointKind) throws { #expect(try problems(endpoint, [:]) == []) }

  @Test("All that are missing") func allMissing() throws {
    let empty = try #require(SentParameters(query: nil))
    let missing = EndpointKind.reports.map { ParameterCheck.problems(of: empty, at: $0).compactMap(\.parameters.first) }
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
      ("utime", "1767225600000", .milliseconds), ("umilisec", "1767225600", .seconds), ("idfv", "x", .notAUUID),
      ("is_revenue_event", "True", .notATruthValue), ("att_authorization_status", "4", .notWhole(0...3)),
      ("p", "ios", .notAChoice(["iOS"])), ("c", "lte", .notAChoice(["wifi", "carrier"])),
      ("e", "[]", .json(.notAnObject)),
      ("ip", "10.0.0.1", .privateAddress), ("lc", "en", .notALocale), ("n", "ä", .notASCII), ("ve", "", .empty),
      ("skan_conversion_value", "64", .notWhole(0...63)),
    ] as [(String, String, ParameterFlaw)])
  func flaws(name: String, value: String, flaw: ParameterFlaw) throws {
    #expect(try problems(.event(.v1), [name: value]) == [.flawed(name, flaw, value: value)])
  }

  @Test(
    "What concerns several parameters",
    arguments: [
      (["install": "true"], [.misplaced("install")]), (["install_source": "x"], [.misplaced("install_source")]),
      (["utim": "1767225600"], [.unknown("utim", nearest: "utime")]),
      (["zzzzzzzz": "1"], [.unknown("zzzzzzzz", nearest: nil)]), (["ve": "1&ve=2"], [.repeated("ve")]),
      (
        ["p0_coarse": "3"],
        [.metadata(.badParameter("p0_coarse", why: "must be a whole number from 0 to 2, it is \"3\""))]
      ),
      (["p0_coarse": "2", "skan_total_revenue_by_currency": "{\"USD\":1}"], []),
    ] as [([String: String?], [ParameterProblem])])
  func together(changes: [String: String?], expected: [ParameterProblem]) throws {
    #expect(try problems(.event(.v1), changes) == expected)
  }

  @Test("Of many names the first are told, and the others counted", arguments: EndpointKind.reports)
  func manyNames(endpoint: EndpointKind) throws {
    let names = (0..<2000).map { "&q\($0)=1" }.joined() + (0..<1000).map { "&q\($0)=1" }.joined()
    let sent = try #require(SentParameters(Array((Self.request(endpoint, [:]) + names).utf8)))
    let found = ParameterCheck.problems(of: sent, at: endpoint)
    #expect(found.count == 42 && Array(found.suffix(2)) == [.moreUnknown(1980), .moreRepeated(980)])
    #expect(found.filter { $0.explanation.hasPrefix("q19 ") }.count == 2)
    #expect(!found.contains { $0.explanation.hasPrefix("q20 ") })
    #expect(
      found.suffix(2).map(\.explanation) == [
        "1980 more names are not documented parameters.", "980 more names are in the request more than once.",
      ])
  }

  @Test("Twenty names are told, and no count of others", arguments: [(20, 20), (21, 21)])
  func fewNames(count: Int, problems: Int) throws {
    let names = (0..<count).map { ("zzzzzzzz\($0)", "1" as String?) }
    let found = try self.problems(.event(.v1), Dictionary(uniqueKeysWithValues: names))
    #expect(found.count == problems && found.last?.parameters.isEmpty == (count > 20))
  }

  @Test("At launch n is the name of the app") func atLaunch() throws {
    #expect(try problems(.launch, ["n": "Ein Spiel über Käse, das einen langen Namen hat"]) == [])
  }

  @Test("Each problem is a sentence that begins with its parameter or names it") func eachProblem() throws {
    let changes: [String: String?] = ["ip": nil, "ve": nil, "utime": "1", "amt": "1", "zz": "1", "p0_coarse": "9"]
    for problem in try problems(.event(.v1), changes) {
      #expect(
        problem.explanation.hasSuffix(".") && problem.explanation.contains(problem.parameters.first ?? "?"),
        "\(problem)")
    }
  }
}
