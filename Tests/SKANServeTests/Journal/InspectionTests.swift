import SKANHTTP
import Testing

@testable import SKANServe

@Suite("Traffic that is inspected")
struct InspectionTests {
  @Test("An inspection sees each recorded request with its answer and time; what it finds goes on record")
  func findings() throws {
    var seen: [String] = []
    let service = try TestService { request, response, at in
      seen.append("\(request.method) \(request.path) \(response.status) \(at.wholeSeconds)")
      return request.path.hasSuffix("/launch")
        ? [InspectedFinding(rule: "some-rule", level: "note", message: "é is \"odd\".")] : []
    }
    _ = try service.askV2(time: "1767225700")
    let reply = try service.ask("/api/v1/launch", "p=iOS&utime=1767225800")
    _ = try service.ask("/healthz")
    #expect(
      seen == ["GET /api/v2/conversion_value 200 1767225700", "GET /api/v1/launch 200 1767225800"])
    #expect(reply.explanation.hasSuffix(#" [some-rule] \u{E9} is "odd"."#), "\(reply.explanation)")
    let lines = try service.journal()
    #expect(lines[0]["findings"] as String? == nil)
    #expect(lines[1]["findings"] == #"[{"level":"note","message":"é is \"odd\".","rule":"some-rule"}]"#)
  }
}
