import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import Testing

@testable import SKANTraffic

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

  @Test("One request does not tell it") func oneRequest() throws {
    let checked = try Checked(Array(requests().prefix(1)))
    #expect(checked.rules == [])
    for rule in [TrafficRule.windowTooEarly, .serverParameterMissing] {
      #expect(
        checked.summary.gap(of: rule)
          == .all("nothing says whether the snippet or a server asked conversion_value (--client)"))
    }
  }

  @Test("A previous value or a last call that moved tells of the snippet, whose first request is then judged")
  func previousValue()
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

  @Test("Who is named is judged by his own text") func whoNamed() throws {
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
