import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import Testing

@testable import SKANTraffic

@Suite("The samples of the guides")
struct GuideSampleTests {
  /// A value for each placeholder, by the parameter that has it.
  private static let values = [
    "a": "k", "i": "com.example.app", "app_v": "1.0", "idfv": "21DB6612-09B3-4ECC-84AC-B353B0AF1334",
    "idfa": "DFC5A647-9043-4699-B2A5-76F03A97064B",
  ]

  /// Objective-C for SKAN 4 and for SKAN 3, curl, Python (with the text of its dictionaries), and Java.
  private func samples() throws -> [CapturedRequest] { try Captured(fixture: "guide-samples.txt").requests }

  private func placeholders(_ request: CapturedRequest) throws -> [String] {
    let sent = try #require(SentParameters(request.request.query ?? ""))
    return sent.items.filter { String.guidePlaceholders.contains($0.value ?? "") }.map(\.name)
  }

  @Test func `Every placeholder is named, and no other parameter`() throws {
    let samples = try samples()
    var names: Set<String> = []
    for sample in samples {
      let found = try Checked([sample]).findings
      #expect(found.allSatisfy { $0.rule == .guidePlaceholder }, "\(found)")
      #expect(Set(found.flatMap(\.parameters)) == Set(try placeholders(sample)), "\(found)")
      names.formUnion(found.flatMap(\.parameters))
    }
    #expect(samples.count == 5 && names == ["a", "i", "app_v", "idfv", "idfa"])
  }

  @Test("Without its placeholders each passes", arguments: [nil, ConversionClient.server, .snippet])
  func replaced(client: ConversionClient?) throws {
    for (index, sample) in try samples().enumerated() {
      var sample = sample
      for name in try placeholders(sample) {
        let value = try #require(Self.values[name])
        let items = (sample.request.query ?? "").split(separator: "&").map { item in
          item.hasPrefix("\(name)=") ? "\(name)=\(value)" : String(item)
        }
        sample.request.target.query = items.joined(separator: "&")
      }
      let rules = try Checked([sample], TrafficContext(client: client)).rules
      // The snippet has no coarse value of a later window on the first day, and a server always has one.
      switch (client, index) {
      case (.snippet, 2...): #expect(rules == ["window-too-early"])
      case (.server, 0): #expect(rules == ["server-parameter-missing"])
      default: #expect(rules == [], "\(index)")
      }
    }
  }
}

@Suite("The client of conversion_value")
struct ConversionClientTests {
  /// The first request of the clean life with a coarse value of the second window, and the next of the same phone.
  private func requests(_ change: (inout PlantedLife) -> Void = { _ in }) throws -> [CapturedRequest] {
    var life = try PlantedLife()
    life.requests = [life.requests[1], life.requests[3]]
    life.set("p1_coarse", [1], to: "1")
    change(&life)
    return life.requests
  }

  @Test func `One request does not tell it`() throws {
    let checked = try Checked(Array(requests().prefix(1)))
    #expect(checked.rules == [])
    for rule in [TrafficRule.windowTooEarly, .serverParameterMissing] {
      #expect(
        checked.summary.gap(of: rule)
          == .all("nothing says whether the snippet or a server asked conversion_value (--client)"))
    }
  }

  @Test func `A previous value or a last call that moved tells of the snippet, whose first request is then judged`()
    throws
  {
    let last = "skan_last_call_to_skadnetwork_timestamp"
    let still = "1767225600"
    for change: (inout PlantedLife) -> Void in [
      { _ in }, { $0.set(last, [2], to: still) },
      { life in for name in ["prev_fine_value", "p0_prev_coarse_value"] { life.set(name, [2], to: nil) } },
    ] {
      let checked = try Checked(requests(change))
      #expect(checked.findings.filter { $0.rule == .windowTooEarly }.map(\.location.entry) == [2])
      #expect(checked.summary.gap(of: .windowTooEarly) == nil)
    }
    let unknown = try Checked(
      requests { life in
        for name in ["prev_fine_value", "p0_prev_coarse_value"] { life.set(name, [2], to: nil) }
        life.set(last, [2], to: still)
      })
    #expect(!unknown.rules.contains("window-too-early") && unknown.summary.gap(of: .windowTooEarly) != nil)
  }

  @Test func `Who is named is judged by his own text`() throws {
    let first = Array(try requests().prefix(1))
    #expect(
      try Checked(first, TrafficContext(client: .snippet)).rules == ["value-never-answered", "window-too-early"])
    let server = try Checked(first, TrafficContext(client: .server))
    #expect(server.text.map { $0.split(separator: ":")[0] } == ["2 server-parameter-missing"])
    #expect(server.summary.gap(of: .serverParameterMissing) == nil)
    #expect(server.summary.gap(of: .totalMissing) == .all("no model of the app"))
  }

  @Test(
    "By the model, the totals that a server must send",
    arguments: [("iap-revenue", 1), ("mixed", 2), ("events", 0)])
  func totals(model: String, count: Int) throws {
    let endpoint = ReferenceEndpoint(defaultModel: try TrafficRule.model(model))
    let checked = try Checked(
      Array(requests().prefix(1)), TrafficContext(client: .server, endpoint: endpoint))
    #expect(checked.findings.count { $0.rule == .totalMissing } == count)
    #expect(try Checked(Array(requests().prefix(1)), TrafficContext(endpoint: endpoint)).rules == [])
  }
}

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
