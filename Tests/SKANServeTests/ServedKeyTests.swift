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
    let service = try TestService(redactor: Redactor(key: Self.key))
    _ = try service.ask("/api/\(Self.key)/evt")
    expectNone(in: [("journal", try service.ask("/journal").text), ("kept", service.kept.joined())], "a bare key")
    #expect(try service.journal().first?["path"] == "/api/REDACTED/evt")
  }

  @Test(
    "Nor in the data of the live page: models, postbacks and phones", arguments: ["mixed", "events", "iap-revenue"])
  func page(model: String) throws {
    var text = try String(contentsOf: Checkout.fixtures.appending(path: "models/\(model).json"), encoding: .utf8)
    let names = try ConversionModel(Array(text.utf8)).fine.flatMap(\.mapping.events).map(\.name)
    for name in Set(names) where name != "__SESSION__" { text = text.replacing("\"\(name)\"", with: "\"\(Self.key)\"") }
    let planted = try ConversionModel(Array(text.utf8))
    let shelf = PagePostbacks(allowsDevelopment: false)
    let body = #"{"version":"4.0","ad-network-id":"\#(Self.key)","transaction-id":"\#(Self.key)","app-id":1}"#
    let record = ReceivedRecord(
      receivedAt: try #require(Instant(unixSeconds: TestService.start)), sourceAddress: nil,
      signature: ReceivedSignature(.notChecked, key: nil, why: Self.key), repetition: .first,
      findings: [ReceivedRecord.Finding(code: "x", message: Self.key)], body: body)
    shelf.add(record, try PostbackDocument(Array(body.utf8)))
    shelf.settle(isKept: true)
    let service = try TestService(
      models: [Self.key: planted, "com.example.app": planted],
      postbacks: PostbackKeeper(receive: { _, _ in { .notKept(cause: "") } }, commit: {}, page: shelf),
      redactor: Redactor(key: Self.key), hasPage: true)
    for query in [TestService.v2, TestService.v2.replacing("com.example.app", with: Self.key)] {
      _ = try service.ask("/api/v2/conversion_value", query.replacing("n=__SESSION__", with: "n=\(Self.key)"))
      _ = try service.ask("/api/v2/conversion_value", query.replacing("IDFV-1", with: Self.key))
    }
    for path in OpenAPI.pagePaths.map(\.key) where path != "/events" {
      for query in ["", "n=1", "app=com.example.app&kind=idfv&id=IDFV-1", "app=REDACTED&kind=idfv&id=REDACTED"] {
        expectNone(in: [("answer", try service.ask(path, query).text)], "\(path)?\(query)")
      }
    }
    let stream = try #require(try service.ask("/events").stream)
    expectNone(in: [("events", service.part(stream))], "/events")
    let shown = try service.ask("/page/postbacks").text
    #expect(shown.contains(#"\"transaction-id\\\":\\\"REDACTED"#) && shown.contains(#""count":1"#))
    #expect(try service.ask("/page/setup").text.contains("REDACTED"))
  }
}
