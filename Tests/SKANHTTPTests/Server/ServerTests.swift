import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SKANHTTP

@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct ServerTests {
  static func answer(_ body: String, closes: Bool = false) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.utf8.count + 1)\r\n"
      + (closes ? "Connection: close\r\n" : "") + "\r\n\(body)\n"
  }

  static func get(_ target: String, _ fields: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
  }

  @Test func answersOneAfterTheOtherOnOneConnection() throws {
    let server = try RunningServer()
    let client = try server.connect()
    for number in 1...3 {
      try client.send(Self.get("/\(number)"))
      #expect(try client.receive(through: "/\(number)\n") == Self.answer("/\(number)"))
    }
    try client.send(Self.get("/4", "Connection: close\r\n"))
    #expect(try client.receiveRest() == Self.answer("/4", closes: true))
    #expect(server.stop() == 4)
  }

  @Test func answersAPipelineInOrder() throws {
    // The first is the last to be ready.
    let server = try RunningServer { request, _ in
      var reply = HTTPReply.text(200, request.target.text)
      if request.path == "/0" { reply.delay = 0.05 }
      return reply
    }
    let targets = (0..<200).map { "/\($0)" }
    let client = try server.connect()
    try client.send(targets.map { Self.get($0) }.joined())
    client.endOutput()
    #expect(try client.receiveRest() == targets.map { Self.answer($0) }.joined())
    server.stop()
  }

  /// Late replies that a handler gave, until they are settled.
  private final class Late: Sendable {
    let waiting = Mutex<[(HTTPLateReply, String)]>([])
    let rounds = Mutex(0)
    func reply(_ request: HTTPRequest) -> HTTPReply {
      if request.path.hasPrefix("/now") { return .text(200, request.target.text) }
      let late = HTTPLateReply()
      waiting.withLock { $0.append((late, request.target.text)) }
      var reply = HTTPReply(late)
      reply.delay = request.path == "/0" ? 0.05 : 0
      return reply
    }
    func settle() {
      let waiting = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      if !waiting.isEmpty { rounds.withLock { $0 += 1 } }
      for (late, text) in waiting { late.settle(.text(200, text)) }
    }
  }

  @Test func lateRepliesComeInTheirOrder() throws {
    let late = Late()
    let server = try RunningServer(handler: { request, _ in late.reply(request) }, beforeSending: late.settle)
    let targets = (0..<50).map { $0 % 3 == 1 ? "/now\($0)" : "/\($0)" }
    let client = try server.connect()
    try client.send(targets.map { Self.get($0) }.joined())
    client.endOutput()
    #expect(try client.receiveRest() == targets.map { Self.answer($0) }.joined())
    #expect(server.stop() == 50)
  }

  @Test func lateRepliesOfManyClientsAreSettledTogether() throws {
    let late = Late()
    let server = try RunningServer(
      stopAfter: 21,
      handler: { request, _ in
        // All have connected and asked before the first is answered.
        if request.path == "/first" { Thread.sleep(forTimeInterval: 0.3) }
        return late.reply(request)
      }, beforeSending: late.settle)
    let first = try server.connect()
    try first.send(Self.get("/first"))
    Thread.sleep(forTimeInterval: 0.1)
    let clients = try (0..<20).map { _ in try server.connect() }
    for (number, client) in clients.enumerated() { try client.send(Self.get("/a\(number)")) }
    for (number, client) in clients.enumerated() {
      #expect(try client.receive(through: "/a\(number)\n").contains("200 OK"))
    }
    #expect(server.waitUntilStopped() == 21)
    #expect(late.rounds.withLock { $0 } < 10)
  }

  @Test func oneThatIsNotSettledIsAnError() throws {
    let server = try RunningServer { _, _ in HTTPReply(HTTPLateReply()) }
    let client = try server.connect()
    try client.send(Self.get("/"))
    #expect(try client.receiveRest().hasPrefix("HTTP/1.1 500 "))
    server.stop()
  }

  @Test func aPipelineOfLargeAnswersComesWhole() throws {
    let body = [UInt8](repeating: 0x61, count: 300_000)
    let server = try RunningServer { _, _ in HTTPReply.bytes(body) }
    let client = try server.connect()
    try client.send((0..<20).map { Self.get("/\($0)") }.joined())
    client.endOutput()
    #expect(try client.receiveRest().utf8.count { $0 == 0x61 } == 20 * body.count)
    server.stop()
  }

  @Test func singleBytesAreARequestToo() throws {
    let server = try RunningServer { request, _ in HTTPReply.bytes(request.body) }
    let client = try server.connect()
    for byte in "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\n\r\nxyz".utf8 {
      try client.send([byte])
    }
    #expect(try client.receiveRest().hasSuffix("\r\n\r\nxyz"))
    server.stop()
  }

  @Test func headGetsNoBody() throws {
    let server = try RunningServer()
    let text = try server.exchange("HEAD /a HTTP/1.0\r\n\r\n")
    #expect(text.hasSuffix("\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"))
    server.stop()
  }

  @Test func tellsTheClientToSendItsBody() throws {
    let server = try RunningServer { request, _ in HTTPReply.bytes(request.body, closes: true) }
    let client = try server.connect()
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(try client.receive(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    try client.send("ok")
    #expect(try client.receiveRest().hasSuffix("\r\n\r\nok"))
    server.stop()
  }

  @Test func tellsTheHandlerWhoAsks() throws {
    let server = try RunningServer { request, peer in .text(200, "\(peer) \(request.headers["x-y"] ?? "-")") }
    #expect(try server.exchange(Self.get("/", "X-Y: z\r\nConnection: close\r\n")).hasSuffix("\r\n127.0.0.1 z\n"))
    server.stop()
  }

  @Test func aDelayedAnswerHoldsUpNobodyElse() throws {
    let server = try RunningServer { request, _ in
      var reply = HTTPReply.text(200, request.target.text)
      if request.path == "/slow" { reply.delay = 0.4 }
      return reply
    }
    let clock = ContinuousClock()
    let start = clock.now
    let slow = try server.connect()
    try slow.send(Self.get("/slow"))
    let quick = try server.connect()
    try quick.send(Self.get("/quick"))
    _ = try quick.receive(through: "/quick\n")
    let quickTime = clock.now - start
    _ = try slow.receive(through: "/slow\n")
    let slowTime = clock.now - start
    #expect(slowTime >= .seconds(0.4))
    #expect(quickTime < .seconds(0.4))
    server.stop()
  }

  @Test func whatIsNoHTTPGetsASentenceAndTheEnd() throws {
    let server = try RunningServer()
    let text = try server.exchange("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(text.hasSuffix("\r\nConnection: close\r\n\r\nAn HTTP/1.1 request must have a Host header.\n"))
    #expect(server.stop() == 0)
    #expect(server.failures == [.missingHost])
  }

  @Test func aBodyThatIsTooLongIsRefusedAndTheAnswerIsNotLost() throws {
    let server = try RunningServer()
    let client = try server.connect()
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
    try client.send([UInt8](repeating: 0, count: 3_000_000))
    client.endOutput()
    #expect(try client.receiveRest().hasPrefix("HTTP/1.1 413 "))
    server.stop()
  }
}
