import Foundation
import TestSupport
import Testing

@testable import SKANServe

@Suite("The SDK key, sent to the reference endpoint")
struct ServedKeyTests {
  private static let key = "Zq7kX9mPwV2tLsYd5"

  /// Ways to send it, right and wrong ones.
  private static let queries = [
    "a=\(key)", "p=iOS&a=\(key)&n=x", "a=\(key)&a=\(key)", "%61=\(key)", "A=\(key)", "a%5B%5D=\(key)", "sdk_key=\(key)",
    "a=\(key)%", "a=\(key)%2", "a=\(key)%ZZ", "a=%FF\(key)", "a=\(key)%0A\(key)", "a=\(key)=\(key)", "a=\(key);b",
    "a==\(key)",
    "a=+\(key)+", "a=\(key)&p=%ZZ", "p=%FF&a=\(key)", "&&a=\(key)&",
    "a=\(key.utf8.map { "%" + String($0, radix: 16) }.joined())",
    // Within another parameter.
    "e=%7B%22sdk_key%22%3A%22\(key)%22%7D", "e={\"sdk_key\":\(key)}", "n=%7B%22a%22%3A%22\(key)%22%7D", "x;a=\(key)",
    "i=%7B%22a%22%3A%22\(key)%22%7D&p=%7B%22a%22%3A%22\(key)%22%7D", "%7B%22a%22%3A%22\(key)%22%7D=1",
    "idfv=%7B%22a%22%3A%22\(key)%22%7D&v=a%3D\(key)", "u=http%3A%2F%2Fh%2F%3Fa%3D\(key)", "u=%2561%253D\(key)",
    "%7B%22a%22%3A%22\(key)%22%7D=%ZZ",
  ]

  /// Paths in which it may stand by mistake.
  private static let paths = [
    "/api/v2/conversion_value;a=\(key)", "/api/v2/conversion_value&a=\(key)", "/api/v1/evt;sdk_key=\(key)/x",
    "/api/v2/conversion_value%3Fa%3D\(key)", "/api/v2/conversion_value%253Fa%253D\(key)", "/;%61=\(key)",
  ]

  private func expectNone(in texts: [(name: String, text: String)], _ request: String) {
    let letters = Array(Self.key)
    let parts = (0...letters.count - 7).map { Array(String(letters[$0..<$0 + 7]).utf8) }
    for (name, text) in texts {
      let plain = text.removingPercentEncoding ?? text
      #expect(!parts.contains { text.holds($0) || plain.holds($0) }, "\(request), \(name): \(text)")
    }
  }

  @Test("In no answer, explanation, journal or log", arguments: queries)
  func everywhere(query: String) throws {
    let service = try TestService(
      inspection: { request, _, _, _ in [InspectedFinding(rule: "r", level: "note", message: request.method)] },
      showsQueries: true)
    var texts: [(name: String, text: String)] = []
    for path in [
      "/api/v1/conversion_value", "/api/v2/conversion_value", "/testing/api/v1/conversion_value", "/api/v1/launch",
      "/api/v1/evt", "/healthz", "/journal", "/nowhere",
    ] {
      for method in ["GET", "HEAD", "PUT", "DELETE"] {
        let reply = try service.ask(path, query, method: method)
        texts += [("\(method) \(path)", reply.text), ("why of \(method) \(path)", reply.explanation)]
        texts += [("journal", try service.ask("/journal").text)]
      }
      for (body, type) in [
        (query, nil), (query, "application/x-www-form-urlencoded"), (query, "text/plain"),
        (#"{"a":"\#(Self.key)","A":["\#(Self.key)"]}"#, "application/json"),
        (#"{"a":"\#(Self.key)"#, "application/json"),
        (#"{"x":{"a":"\#(Self.key)"},"y":[{"sdk_key":"\#(Self.key)"},"a=\#(Self.key)"]}"#, "application/json"),
        (#"[{"a":"\#(Self.key)"}]"#, "application/json"), (#""{\"a\":\"\#(Self.key)\"}""#, "application/json"),
      ] {
        let reply = try service.ask(path, "p=iOS", method: "POST", body: body, type: type)
        texts += [("POST \(path)", reply.text), ("why of POST \(path)", reply.explanation)]
      }
    }
    texts += [("journal", try service.ask("/journal").text), ("kept", service.kept.joined())]
    texts += [("log", service.logged), ("reported", service.reported.joined())]
    #expect(service.kept.count > 30 && service.logged.contains("REDACTED"))
    expectNone(in: texts, query)
  }

  @Test("Nor out of a path", arguments: paths)
  func path(path: String) throws {
    let service = try TestService(showsQueries: true)
    for method in ["GET", "POST", "DELETE"] { #expect(try service.ask(path, method: method).status == 404) }
    let journal = try service.ask("/journal").text
    #expect(journal.contains("REDACTED") && service.logged.contains("REDACTED"))
    expectNone(in: [("journal", journal), ("log", service.logged)], path)
  }

  @Test("What a server knows to be a key is taken out of a line as it stands, wherever it is")
  func known() throws {
    let service = try TestService(redact: {
      Array(String(decoding: $0, as: UTF8.self).replacing(Self.key, with: "X").utf8)
    })
    _ = try service.ask("/api/\(Self.key)/evt")
    expectNone(in: [("journal", try service.ask("/journal").text), ("kept", service.kept.joined())], "a bare key")
    #expect(try service.journal().first?["path"] == "/api/X/evt")
  }
}
