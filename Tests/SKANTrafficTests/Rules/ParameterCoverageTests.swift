import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import Testing

@testable import SKANTraffic

@Suite("What the check of parameters looks at")
struct ParameterCoverageTests {
  /// Values that break each form.
  private static let wrong = [
    "", "null", "YOUR API KEY", "abc", "00000000-0000-0000-0000-000000000000", "1767225600000", "1767225600", "9,99",
    "True", "10.0.0.1", "2001:db8::1", "usd", #"{"usd":1}"#, "USD", "ä", String(repeating: "n", count: 33), "99",
  ]

  /// A rule counts as evaluated at the endpoints where the table of parameters can break it: at those, and no others,
  /// some request does.
  @Test("The endpoints of a rule are those at which a request can break it", arguments: EndpointKind.allCases)
  func endpoints(endpoint: EndpointKind) throws {
    var life = try PlantedLife()
    let entry = endpoint.isReport ? (endpoint == .launch ? 1 : 13) : 2
    life.requests = [life.requests[entry - 1]]
    life.requests[0].request.target.path = endpoint.path
    let context = try TrafficRule.totalMissing.context
    var broken: Set<TrafficRule> = []
    for parameter in RequestParameter.all where parameter.endpoints.contains(endpoint) {
      for value in [nil] + Self.wrong.map(Optional.some) {
        var other = life
        other.set(parameter.name, [1], to: value)
        if parameter.name == "n", value != nil { other.setRaw("n", 1, to: "a+b") }
        broken.formUnion(try found(other, endpoint, context))
      }
    }
    for (name, value) in [("zz", "1"), ("install_source", "1")] {
      var other = life
      other.set(name, [1], to: value)
      broken.formUnion(try found(other, endpoint, context))
    }
    for pairs in [
      [("idfa", "21DB6612-09B3-4ECC-84AC-B353B0AF1334")], [("att_authorization_status", "3")],
      [("use_ip", "true")], [("n", ParameterCheck.adRevenueName)], [("p1_coarse", nil), ("p2_coarse", nil)],
    ] as [[(String, String?)]] {
      var other = life
      for (name, value) in pairs { other.set(name, [1], to: value) }
      broken.formUnion(try found(other, endpoint, context))
    }
    var repeated = life
    repeated.requests[0].request.target.query = (life.requests[0].request.query ?? "") + "&p=iOS"
    broken.formUnion(try found(repeated, endpoint, context))
    let known = Set(TrafficRule.allCases.filter { ParameterRules.endpoints(of: $0).contains(endpoint) })
    #expect(broken.subtracting(known) == [], "broken, and not said to be evaluated")
    #expect(known.subtracting(broken) == [], "said to be evaluated, and never broken")
  }

  private func found(
    _ life: PlantedLife, _ endpoint: EndpointKind, _ context: TrafficContext
  ) throws -> [TrafficRule] {
    let request = try #require(CheckedRequest(life.requests[0], kind: endpoint, in: JSONDocument()))
    return ParameterRules.findings(request, in: context).map(\.rule)
  }
}
