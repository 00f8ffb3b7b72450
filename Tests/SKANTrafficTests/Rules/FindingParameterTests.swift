import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import TestSupport
import Testing

@testable import SKANTraffic

/// The page marks the row of a parameter by what its finding says, and never by the words of a message.
@Suite("The parameters of a finding")
struct FindingParameterTests {
  /// Rules about a request as a whole, or about its answer.
  private static let whole: Set<TrafficRule> = [
    .answerUnusable, .bodySent, .conversionError, .duplicateRequest, .errorTakenAsDelivered, .eventBeforeSession,
    .eventNotForwarded, .eventNotUpdated, .failureNotRetried, .jsonBody, .metadataMissing, .metadataNames,
    .methodNotTaken, .parametersUnreadable, .plainHTTP, .refusalRepeated, .reportedBeforeUpdated, .requestRefused,
    .retryOvertaken, .sessionNotUpdated,
  ]

  private static let documented = Set(QueryParameter.names + RequestParameter.all.map(\.name))

  /// The findings of the capture in which a rule fires, each with its request.
  private func findings(_ rule: TrafficRule) throws -> [(finding: TrafficFinding, sent: SentParameters?)] {
    let folder = Checkout.fixtures.appending(path: "traffic/rules")
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasPrefix("\(rule.id).") })
    let requests = try Captured(fixture: "rules/\(name)").requests
    return try Checked(requests, rule.context).findings.map { finding in
      (finding, requests.first { $0.location == finding.location }?.sent)
    }
  }

  @Test("Each rule names them, or is about the whole request", arguments: TrafficRule.allCases)
  func rule(rule: TrafficRule) throws {
    for (finding, sent) in try findings(rule) {
      #expect(finding.parameters.isEmpty == Self.whole.contains(rule), "\(finding.message)")
      // Other names are English words, and conversion_value is an endpoint, too.
      let words = finding.message.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      let named =
        Self.whole.contains(rule)
        ? [] : words.filter { $0.contains("_") && $0 != "conversion_value" && Self.documented.contains($0) }
      #expect(Set(named).isSubset(of: finding.parameters), "\(finding.message) \(finding.parameters)")
      for name in finding.parameters {
        let isSent = sent?.items.contains { $0.name == name } ?? false
        #expect(isSent || Self.documented.contains(name), "\(name)")
      }
      #expect(Set(finding.parameters).count == finding.parameters.count)
    }
  }

  /// A sentence about another parameter contains words such as "a", "n" or "e".
  @Test("A planted mistake is about its parameter alone", arguments: ["p", "n", "i", "v", "idfv", "app_v"])
  func planted(name: String) throws {
    var life = try PlantedLife()
    life.set(name, [12], to: nil)
    let request = try #require(CheckedRequest(life.requests[11], kind: .conversionValue(.v2), in: JSONDocument()))
    #expect(ParameterRules.findings(request, in: TrafficContext()).map(\.parameters) == [[name]])
  }
}
