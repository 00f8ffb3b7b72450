import SKANHTTP
import SKANJSON
import Testing

@testable import SKANServe

@Suite("The paths for postbacks")
struct PostbackRouteTests {
  /// What was posted, and what becomes of it.
  private final class Inbox {
    var posted: [String] = []
    var receipt = PostbackReceipt.kept(verdict: "invalid, first")
    func receive(_ body: [UInt8], _ address: String) -> PostbackReceipt {
      posted.append("\(address) \(String(decoding: body, as: UTF8.self))")
      return receipt
    }
  }

  private static let paths = [
    "/.well-known/skadnetwork/report-attribution/", "/.well-known/skadnetwork/report-attribution", "/postbacks",
  ]

  @Test(
    "The body arrives as it is, with its address, whatever its type; the sender does not learn the verdict",
    arguments: paths)
  func kept(path: String) throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.receive)
    for type in ["application/json", "text/plain", nil] {
      let reply = try service.ask(path, method: "POST", peer: "192.0.2.7", body: "{ \"a\": 1 }\n", type: type)
      #expect(reply.status == 200 && reply.text == #"{"status":"ok"}"# && reply.explanation.isEmpty && reply.isCounted)
    }
    #expect(inbox.posted == Array(repeating: "192.0.2.7 { \"a\": 1 }\n", count: 3))
    let line = try #require(try service.journal().last)
    #expect(line["explanation"] == "The postback is kept: invalid, first." && line["path"] == path)
    #expect(line["status"] == "200" && line["method"] == "POST")
  }

  @Test("What is not taken: the status, the reason for its sender, and the cause for the journal alone")
  func notKept() throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.receive)
    inbox.receipt = .refused(400, reason: "not JSON")
    let refused = try service.ask("/postbacks", method: "POST", body: "x")
    #expect(refused.status == 400 && refused.text == #"{"reason":"not JSON","status":"error"}"#)
    inbox.receipt = .notKept(cause: "the disk is full")
    let again = try service.ask("/postbacks", method: "POST", body: "{}")
    #expect(again.status == 503 && !again.text.contains("full") && again.explanation.isEmpty)
    #expect(try service.journal().last?["explanation"] == "The postback is not kept: the disk is full")
  }

  @Test("GET says that it is ready, and keeps nothing; other methods and pages of other sites are refused")
  func others() throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.receive)
    for path in Self.paths.dropLast() {
      let ready = try service.ask(path)
      #expect(ready.status == 200 && ready.text == #"{"status":"ready"}"#)
      #expect(try service.ask(path, method: "PUT", body: "{}").allow == "POST, GET")
    }
    #expect(try service.ask("/postbacks").status == 405)
    let page = RequestSite(host: "localhost", origin: "https://evil.example")
    #expect(try service.ask("/postbacks", method: "POST", site: page, body: "{}").status == 403)
    #expect(inbox.posted.isEmpty)
  }

  @Test("Without a file for them they do not exist", arguments: paths)
  func closed(path: String) throws {
    let reply = try TestService().ask(path, method: "POST", body: "{}")
    #expect(reply.status == 404 && !reply.text.contains("postbacks"))
  }
}
