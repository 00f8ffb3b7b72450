import SKANBase
import SKANHTTP
import Testing

@testable import SKANServe

@Suite("The paths for postbacks")
struct PostbackRouteTests {
  /// What was posted, and what becomes of it.
  private final class Inbox {
    var posted: [String] = []
    var commits = 0
    var receipt = PostbackReceipt.kept(verdict: "invalid, first")
    var keeper: PostbackKeeper {
      PostbackKeeper(
        receive: { [self] body, address in
          posted.append("\(address) \(String(decoding: body, as: UTF8.self))")
          return { [self] in receipt }
        }, commit: { [self] in commits += 1 })
    }
  }

  private static let paths = [
    "/.well-known/skadnetwork/report-attribution/", "/.well-known/skadnetwork/report-attribution",
    "/.well-known/appattribution/report-attribution/", "/.well-known/appattribution/report-attribution", "/postbacks",
  ]

  @Test(
    "The body arrives as it is, with its address, whatever its type; the sender does not learn the verdict",
    arguments: paths)
  func kept(path: String) throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.keeper)
    for type in ["application/json", "text/plain", nil] {
      let reply = try service.ask(path, method: "POST", peer: "192.0.2.7", body: "{ \"a\": 1 }\n", type: type)
      #expect(reply.status == 200 && reply.text == #"{"status":"ok"}"# && reply.explanation.isEmpty)
    }
    #expect(inbox.posted == Array(repeating: "192.0.2.7 { \"a\": 1 }\n", count: 3))
    let line = try #require(try service.journal().last)
    #expect(line["explanation"] == "The postback is kept: invalid, first." && line["path"] == path)
    #expect(line["status"] == "200" && line["method"] == "POST")
  }

  @Test("What is not taken: the status, the reason for its sender, and the cause for the journal alone")
  func notKept() throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.keeper)
    inbox.receipt = .refused(400, reason: "not JSON")
    let refused = try service.ask("/postbacks", method: "POST", body: "x")
    #expect(refused.status == 400 && refused.text == #"{"reason":"not JSON","status":"error"}"#)
    inbox.receipt = .notKept(cause: "the disk is full")
    let again = try service.ask("/postbacks", method: "POST", body: "{}")
    #expect(again.status == 503 && !again.text.contains("full") && again.explanation.isEmpty)
    #expect(try service.journal().last?["explanation"] == "The postback is not kept: the disk is full")
  }

  @Test("What cannot be kept is to be sent again: 503, and on AdAttributionKit's path 500", arguments: paths)
  func sentAgain(path: String) throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.keeper)
    inbox.receipt = .notKept(cause: "the disk is full")
    let status = path.contains("appattribution") ? 500 : 503
    #expect(try service.ask(path, method: "POST", body: "{}").status == status)
    #expect(try service.ask(path, "k=1", method: "POST", body: "{}").status == status)
    #expect(try service.journal().last?["status"] == "\(status)")
    inbox.receipt = .refused(413, reason: "long")
    #expect(try service.ask(path, method: "POST", body: "{}").status == 413)
  }

  @Test("GET says that it is ready, and keeps nothing; other methods and pages of other sites are refused")
  func others() throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.keeper)
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

  @Test("What comes together is committed together, and answered by what the commit made of it")
  func together() throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.keeper)
    let replies = try (1...3).map { try service.ask("/postbacks", method: "POST", body: "\($0)", flushes: false) }
    let page = RequestSite(host: "localhost", origin: "https://evil.example")
    let refused = try service.ask("/postbacks", method: "POST", site: page, body: "4", flushes: false)
    #expect(replies.map(\.isCounted) == [true, true, true] && !refused.isCounted)
    #expect(inbox.posted.count == 3 && inbox.commits == 0 && service.kept.isEmpty)
    inbox.receipt = .notKept(cause: "the disk is full")
    service.flush()
    #expect(inbox.commits == 1 && replies.map { $0.late?.value?.status } == [503, 503, 503])
    #expect(refused.late?.value?.status == 403)
    #expect(try service.journal().map { $0["status"] } == ["503", "503", "503", "403"])
    service.flush()
    #expect(inbox.commits == 1)
  }

  @Test(
    "Faults on demand spoil the answer, and the postback is kept",
    arguments: [
      ("status-503", 503, #"{"status":"ok"}"#, nil), ("close", 200, #"{"status":"ok"}"#, .close),
      ("truncated", 200, #"{"status":"ok"}"#, .truncated(7)), ("empty", 200, "", nil),
      ("html", 200, "<html></html>", nil),
    ] as [(String, Int, String, HTTPFault?)])
  func faults(name: String, status: Int, text: String, fault: HTTPFault?) throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.keeper)
    let reply = try service.ask("/postbacks", method: "POST", fault: name, body: "{}")
    #expect(reply.status == status && reply.text == text && reply.fault == fault && inbox.posted.count == 1)
    #expect(
      try service.journal().last?["explanation"] == "The postback is kept: invalid, first. Fault on demand: \(name).")
  }

  @Test(
    "A fault that there is not, and one that alters a value: 400 with the names, and nothing is kept",
    arguments: ["statsu-503", "illegal-values", "lock-null", ""])
  func unknownFaults(name: String) throws {
    let inbox = Inbox()
    let service = try TestService(postbacks: inbox.keeper)
    let reply = try service.ask("/postbacks", method: "POST", fault: name, body: "{}")
    #expect(
      reply.status == 400 && reply.text.contains("close, truncated, not-http, status-NNN") && inbox.posted.isEmpty)
    // Under a foreign name nothing is on demand.
    let site = RequestSite(host: "foreign.example")
    #expect(try service.ask("/postbacks", method: "POST", fault: "close", site: site, body: "{}").status == 403)
    #expect(inbox.posted.isEmpty)
  }

  @Test("Without a file for them they do not exist", arguments: paths)
  func closed(path: String) throws {
    let reply = try TestService().ask(path, method: "POST", body: "{}")
    #expect(reply.status == 404 && !reply.text.contains("postbacks"))
  }
}
