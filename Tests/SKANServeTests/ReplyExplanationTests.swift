import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANServe

@Suite("What the reference service says beside its answers")
struct ReplyExplanationTests {
  @Test("HEAD is answered as GET would be, and counts nothing")
  func head() throws {
    let service = try TestService()
    let body = try service.askV2(method: "HEAD").body
    for _ in 0..<3 { #expect(try service.askV2(method: "HEAD").body == body) }
    #expect(try service.ask("/healthz").text == #"{"phones":0,"status":"ok"}"#)
    #expect(try service.askV2().body == body)
    #expect(try service.askV2(method: "HEAD").text.contains(#""conversion_value":2,"#))
    #expect(try service.askV2().text.contains(#""conversion_value":2,"#))
    #expect(try service.journal().first?["explanation"]?.hasSuffix(" A HEAD request counts nothing.") == true)
    #expect(try service.journal().map { $0["method"] }.prefix(5) == ["HEAD", "HEAD", "HEAD", "HEAD", "GET"])
    let testing = { try service.ask("/testing/api/v1/conversion_value", "idfv=A", method: $0).text }
    for method in ["HEAD", "HEAD", "GET"] { #expect(try testing(method).contains(#""conversion_value":0,"#)) }
    #expect(try testing("HEAD").contains(#""conversion_value":1,"#))
  }

  @Test("HEAD uses up no answer of the script, and is none of the requests that count")
  func scripted() throws {
    let service = try TestService(script: [.response(status: 500, body: Array("one".utf8))])
    for _ in 0..<2 { #expect(try service.askV2(method: "HEAD").status == 500) }
    #expect(try service.askV2(method: "HEAD").isCounted == false)
    let reply = try service.askV2()
    #expect(reply.status == 500 && reply.isCounted)
    #expect(try service.askV2().status == 200)
    for path in ["/healthz", "/journal"] { #expect(try service.ask(path).isCounted == false) }
    #expect(try service.ask("/nowhere").isCounted)
  }

  @Test("A request like the one before of the same phone gets a note")
  func retry() throws {
    let service = try TestService()
    let note = "The previous request was the same: a retry counts as another event."
    let other = TestService.v2.replacing("IDFV-1", with: "IDFV-2")
    let queries = [TestService.v2, TestService.v2, other, TestService.v2, TestService.v2 + "&x=1", TestService.v2]
    for query in queries { _ = try service.ask("/api/v2/conversion_value", query) }
    #expect(
      try service.journal().map { $0["explanation"]?.hasSuffix(note) } == [false, true, false, true, false, false])
  }

  @Test("A phone of another time learns of the header")
  func clock() throws {
    let service = try TestService()
    let query = TestService.v2.replacing("\(TestService.start)", with: "1510090877")
    let reply = try service.ask("/api/v2/conversion_value", query)
    #expect(reply.explanation.contains("The server's clock says 2026-01-01T00:00:00Z."))
    #expect(reply.explanation.hasSuffix("such as the request's own last call, X-SKAN-Device-Time: 1510090877."))
    #expect(try service.ask("/api/v2/conversion_value", query, time: "1510090877").text.contains(#""status":"ok""#))
    // A client that sends a time knows the header.
    let reported = try service.ask("/api/v2/conversion_value", query, time: "1610090877")
    #expect(reported.text.contains("window is closed") && !reported.explanation.contains("X-SKAN-Device-Time"))
  }

  @Test(
    "Names under which the key is likely to be sent by mistake",
    arguments: ["A", "a%5B%5D", "a[]", "sdk_key", "SDK-Key", "sdkKey", "api_key", "key"])
  func keys(name: String) throws {
    let service = try TestService()
    _ = try service.ask("/api/v2/conversion_value", "n=x&\(name)=SECRET&app=SHOWN")
    let text = try service.ask("/journal").text
    #expect(!text.contains("SECRET") && text.contains("REDACTED") && text.contains("SHOWN"))
  }

  @Test(
    "As a header: one line of ASCII",
    arguments: [
      ("value 1 → 2", "value 1 -> 2"), ("a\r\nb\u{7F}", #"a\u{D}\u{A}b\u{7F}"#), ("é😀", #"\u{E9}\u{1F600}"#), ("", ""),
    ])
  func headerText(text: String, expected: String) throws {
    var headers: HTTPFields = []
    headers.append("Short", ascii: Array(text.utf8))
    headers.append("Long", ascii: Array(String(repeating: text, count: 2000).utf8))
    #expect(headers["Short"] == expected)
    #expect(try #require(headers["Long"]).utf8.count <= 1020)
  }
}
