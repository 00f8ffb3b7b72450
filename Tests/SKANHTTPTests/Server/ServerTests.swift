import Testing

@testable import SKANHTTP

@Suite struct ServerTests {
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
