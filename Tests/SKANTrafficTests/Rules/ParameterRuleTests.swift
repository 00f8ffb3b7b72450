import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import TestSupport
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
    return ParameterRules.findings(request, in: TrafficContext()).map { "\($0.rule.id): \($0.message)" }
  }

  @Test("A plus sign in a name is shown as it was sent") func plusSign() throws {
    #expect(try findings(12) { $0.setRaw("n", 12, to: "le+vel") } == ["plus-in-name: n is sent as \"le+vel\"."])
  }
}
