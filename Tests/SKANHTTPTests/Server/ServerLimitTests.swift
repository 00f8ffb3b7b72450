import SKANSystem
import Foundation
import TestSupport
import Testing

@testable import SKANHTTP

@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct ServerLimitTests {
  static func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
    var limits = RunningServer.quickLimits
    change(&limits)
    return limits
  }

  /// Sends a byte each 20 ms for as long as the server takes it, and gives how many were taken.
  static func trickle(_ client: RawClient, _ text: String) -> Int {
    var count = 0
    for byte in text.utf8 {
      guard (try? client.send([byte])) != nil else { break }
      count += 1
      usleep(20_000)
    }
    return count
  }

  @Test func aHeadThatComesByteByByteIsDropped() throws {
    let server = try RunningServer(limits: Self.limits { ($0.headSeconds, $0.lingerSeconds) = (0.2, 0.1) })
    let client = try server.connect()
    #expect(Self.trickle(client, "GET /" + String(repeating: "a", count: 95)) < 60)
    #expect(server.failures == [.slowHead(seconds: 0.2)])
    server.stop()
  }

  @Test func aBodyThatComesByteByByteIsDropped() throws {
    let server = try RunningServer(limits: Self.limits { ($0.bodySeconds, $0.lingerSeconds) = (0.2, 0.1) })
    let client = try server.connect()
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
    #expect(Self.trickle(client, String(repeating: "a", count: 100)) < 60)
    #expect(server.failures == [.slowBody(seconds: 0.2)])
    server.stop()
  }

  @Test func whoSendsMuchDoesNotHoldUpOthers() throws {
    var paths: [String] = []
    let server = HTTPServer(host: "127.0.0.1", port: 0, limits: RunningServer.quickLimits) { request, _ in
      paths.append(request.path)
      return .text(200, "")
    }
    let port = try server.bind().port
    // The first to connect has its turn last.
    let clients = try (0..<9).map { _ in try RawClient(port: port) }
    while server.connections.count < clients.count { server.turn() }
    try clients[0].send(ServerTests.get("/one"))
    let many = String(repeating: ServerTests.get("/many"), count: 2000)
    for client in clients.dropFirst() { try client.send(many) }
    try server.run(stopAfter: 4000)
    // A ninth of 64 KiB of each of the eight comes before it, and not all 16,000.
    let before = try #require(paths.firstIndex(of: "/one"))
    #expect(before <= 8 * (64 * 1024 / 9 / ServerTests.get("/many").utf8.count + 1))
  }

  @Test func theSlowAreToldWhy() throws {
    let server = try RunningServer(limits: Self.limits { $0.headSeconds = 0.1 })
    let text = try server.exchange("GET")
    #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    server.stop()
  }

  @Test func theSilentAreDropped() throws {
    let server = try RunningServer(limits: Self.limits { ($0.headSeconds, $0.idleSeconds) = (0.1, 0.2) })
    let silent = try server.connect()
    #expect(try silent.receiveRest().isEmpty)
    let idle = try server.connect()
    try idle.send(ServerTests.get("/a"))
    #expect(try idle.receiveRest() == ServerTests.answer("/a"))
    #expect(server.failures.isEmpty)
    server.stop()
  }

  @Test func whoDoesNotReadIsDropped() throws {
    let body = [UInt8](repeating: 0x61, count: 1_000_000)
    let server = try RunningServer(limits: Self.limits { $0.writeSeconds = 0.2 }) { _, _ in
      HTTPReply.bytes(body)
    }
    let client = try RawClient(port: server.port, receiveBuffer: 4096)
    // More than the system keeps for a connection.
    try client.send((0..<30).map { ServerTests.get("/\($0)") }.joined())
    usleep(600_000)
    #expect(throws: RawClient.Failure(call: "recv", code: ECONNRESET)) { try client.receiveRest() }
    #expect((server.stop() ?? 30) < 30)
  }

  @Test func aFloodOfSlowHeadsHoldsUpNobody() throws {
    let server = try RunningServer(limits: Self.limits { $0.connections = 20 })
    var slow: [RawClient] = []
    for number in 0..<200 {
      slow.append(try server.connect())
      try slow[number].send("GET /slow HTTP/1.1\r\n")
      let text = try server.exchange(ServerTests.get("/\(number)", "Connection: close\r\n"))
      #expect(text == ServerTests.answer("/\(number)", closes: true))
    }
    server.stop()
  }

  @Test func tooMuchHeldForAllIsRefused() throws {
    let server = try RunningServer(limits: Self.limits { $0.buffered = 100_000 }) { request, _ in
      HTTPReply.bytes([UInt8](repeating: 0x61, count: 90_000), delay: request.path == "/hold" ? 0.5 : 0)
    }
    let holders = try (0..<2).map { _ in try server.connect() }
    for client in holders { try client.send(ServerTests.get("/hold")) }
    usleep(100_000)
    #expect(try server.exchange(ServerTests.get("/x")).hasPrefix("HTTP/1.1 503 "))
    for client in holders { #expect(try client.receive(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 ")) }
    server.stop()
  }

  @Test func whoHasGoneIsNotWaitedFor() throws {
    let server = try RunningServer(limits: Self.limits { ($0.connections, $0.writeSeconds) = (1, 0.1) }) { request, _ in
      HTTPReply.bytes(delay: request.path == "/never" ? 500 : 0, closes: true)
    }
    try server.connect().send(ServerTests.get("/never"))
    usleep(400_000)
    #expect(try server.exchange(ServerTests.get("/")).hasPrefix("HTTP/1.1 200 "))
    server.stop()
  }

  @Test func aFloodOfResetsIsNothing() throws {
    let server = try RunningServer()
    for number in 0..<200 {
      let client = try server.connect()
      try client.send(number.isMultiple(of: 2) ? "GET / HTT" : ServerTests.get("/"))
      Socket.resetOnClose(client.descriptor)
    }
    #expect(
      try server.exchange(ServerTests.get("/z", "Connection: close\r\n")) == ServerTests.answer("/z", closes: true))
    server.stop()
  }

  @Test func aConnectionGoesOnBehindALargeBody() throws {
    let server = try RunningServer { request, _ in .text(200, "\(request.method) \(request.body.count)") }
    let client = try server.connect()
    for _ in 1...2 {
      try client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n" + String(repeating: "x", count: 50_000))
      #expect(try client.receive(through: "POST 50000\n") == ServerTests.answer("POST 50000"))
      try client.send(ServerTests.get("/"))
      #expect(try client.receive(through: "GET 0\n") == ServerTests.answer("GET 0"))
    }
    server.stop()
  }
}
