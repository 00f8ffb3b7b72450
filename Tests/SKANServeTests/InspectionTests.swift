import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import SKANSigning
import TestSupport
import Testing

@testable import SKANServe

@Suite("Traffic that is inspected")
struct InspectionTests {
  @Test("An inspection sees each recorded request with its answer and time; what it finds goes on record")
  func findings() throws {
    var seen: [String] = []
    let service = try TestService { request, query, response, at in
      seen.append("\(request.method) \(request.path) \(response.status) \(at.wholeSeconds) \(query?["p"] ?? "-")")
      return request.path.hasSuffix("/launch")
        ? [InspectedFinding(rule: "some-rule", level: "note", message: "é is \"odd\".")] : []
    }
    _ = try service.askV2(time: "1767225700")
    let reply = try service.ask("/api/v1/launch", "p=iOS&utime=1767225800")
    _ = try service.ask("/healthz")
    #expect(
      seen == ["GET /api/v2/conversion_value 200 1767225700 iOS", "GET /api/v1/launch 200 1767225800 iOS"])
    #expect(reply.explanation.hasSuffix(#" [some-rule] \u{E9} is "odd"."#), "\(reply.explanation)")
    let lines = try service.journal()
    #expect(lines[0]["findings"] as String? == nil)
    #expect(lines[1]["findings"] == #"[{"level":"note","message":"é is \"odd\".","rule":"some-rule"}]"#)
  }

  @Test("What the explanation says already is not said again as a finding")
  func repeated() throws {
    let messages = ["i is missing.", "v is missing.", "n is missing."]
    let service = try TestService(
      inspection: { _, _, _, _ in messages.map { InspectedFinding(rule: "r", level: "error", message: $0) } })
    let reply = try service.ask("/api/v2/conversion_value", "a=k&p=iOS")
    #expect(reply.explanation == "[r] v is missing. [r] i is missing. [r] n is missing.")
    #expect(
      service.logged.hasSuffix("  -  [r] v is missing.  [r] i is missing.  [r] n is missing.\n"), "\(service.logged)")
    // Whoever reads the journal gets both in their own members.
    let line = try #require(service.journal().first)
    #expect(line["explanation"] == "v is missing." && line["findings"]?.contains("v is missing.") == true)
  }
}
