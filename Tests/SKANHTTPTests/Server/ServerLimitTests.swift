import Foundation
import SKANSystem
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

  @Test("A head that comes byte by byte is dropped") func aHeadThatComesByteByByteIsDropped() throws {
    let server = try RunningServer(limits: Self.limits { ($0.headSeconds, $0.lingerSeconds) = (0.2, 0.1) })
    let client = try server.connect()
    #expect(Self.trickle(client, "GET /" + String(repeating: "a", count: 95)) < 60)
    #expect(server.failures == [.slowHead(seconds: 0.2)])
    server.stop()
  }

  @Test("A body that comes byte by byte is dropped") func aBodyThatComesByteByByteIsDropped() throws {
    let server = try RunningServer(limits: Self.limits { ($0.bodySeconds, $0.lingerSeconds) = (0.2, 0.1) })
    let client = try server.connect()
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
    #expect(Self.trickle(client, String(repeating: "a", count: 100)) < 60)
    #expect(server.failures == [.slowBody(seconds: 0.2)])
    server.stop()
  }

  @Test("Who sends much does not hold up others") func whoSendsMuchDoesNotHoldUpOthers() throws {
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

  @Test("The slow are told why") func theSlowAreToldWhy() throws {
    let server = try RunningServer(limits: Self.limits { $0.headSeconds = 0.1 })
    let text = try server.exchange("GET")
    #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    server.stop()
  }

  @Test("The silent are dropped") func theSilentAreDropped() throws {
    let server = try RunningServer(limits: Self.limits { ($0.headSeconds, $0.idleSeconds) = (0.1, 0.2) })
    let silent = try server.connect()
    #expect(try silent.receiveRest().isEmpty)
    let idle = try server.connect()
    try idle.send(ServerTests.get("/a"))
    #expect(try idle.receiveRest() == ServerTests.answer("/a"))
    #expect(server.failures.isEmpty)
    server.stop()
  }

  @Test("Who does not read is dropped") func whoDoesNotReadIsDropped() throws {
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

  @Test("A flood of slow heads holds up nobody") func aFloodOfSlowHeadsHoldsUpNobody() throws {
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

  @Test("Too much held for all is refused") func tooMuchHeldForAllIsRefused() throws {
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

  @Test("Who has gone is not waited for") func whoHasGoneIsNotWaitedFor() throws {
    let server = try RunningServer(limits: Self.limits { ($0.connections, $0.writeSeconds) = (1, 0.1) }) { request, _ in
      HTTPReply.bytes(delay: request.path == "/never" ? 500 : 0, closes: true)
    }
    try server.connect().send(ServerTests.get("/never"))
    usleep(400_000)
    #expect(try server.exchange(ServerTests.get("/")).hasPrefix("HTTP/1.1 200 "))
    server.stop()
  }

  @Test("A flood of resets is nothing") func aFloodOfResetsIsNothing() throws {
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

  @Test("A connection goes on behind a large body") func aConnectionGoesOnBehindALargeBody() throws {
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

/// How deadlines move. A real client cannot show it: the system takes bytes from the server in portions that are larger
/// than what must be read in time.
@Suite("Deadlines of the server's connections")
struct ServerDeadlineTests {
  private static func make() -> (HTTPServer, HTTPConnection) {
    var limits = HTTPLimits()
    limits.writeSeconds = 10
    limits.bodySeconds = 5
    limits.headSeconds = 3
    let server = HTTPServer(host: "127.0.0.1", port: 0, limits: limits) { _, _ in .text(200, "") }
    let connection = HTTPConnection(
      descriptor: -1, peer: "a", index: 0, isSurplus: false, limits: limits, deadline: 1e9)
    server.polled.append(-1, .input)
    return (server, connection)
  }

  @Test("A client that reads little by little does not move its own deadline; one that reads 64 KiB does")
  func slowReader() {
    let (server, connection) = Self.make()
    connection.output.append([UInt8](repeating: 0, count: 1 << 20))
    server.now = 100
    server.awaitOutput(connection)
    #expect(connection.wait == .output && connection.deadline == 110)
    for second in 1..<10 {
      server.now = 100 + Double(second)
      connection.sent += 7000
      server.awaitOutput(connection)
      #expect(connection.deadline == 110)
    }
    server.now = 109.5
    connection.sent = 64 * 1024
    server.awaitOutput(connection)
    #expect(connection.deadline == 119.5)
    server.now = 115
    connection.sent += 64 * 1024 - 1
    server.awaitOutput(connection)
    #expect(connection.deadline == 119.5)
  }

  @Test("Bytes of a head do not move its deadline; the body has one of its own")
  func slowSender() {
    let (server, connection) = Self.make()
    connection.wait = .none
    server.now = 100
    connection.parser.feed(Array("POST / HTTP/1.1\r\n".utf8))
    server.awaitInput(connection)
    #expect(connection.wait == .head && connection.deadline == 103)
    server.now = 102
    connection.parser.feed(Array("A: b\r\n".utf8))
    server.awaitInput(connection)
    #expect(connection.deadline == 103)
  }
}

@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct ServerFaultTests {
  static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test(
    "Comes and the connection ends",
    arguments: [
      (HTTPFault.close, ""), (.raw(Array("SSH-2.0-x\r\n".utf8)), "SSH-2.0-x\r\n"),
      (.truncated(2), "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nab"),
      (.declaredLength(99), "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\nabcdef"),
    ])
  func comesAndTheConnectionEnds(_ fault: HTTPFault, _ text: String) throws {
    let server = try RunningServer { _, _ in
      HTTPReply.bytes(Array("abcdef".utf8), delay: 0.01, fault: fault)
    }
    let client = try server.connect()
    // The second request is never answered.
    try client.send(Self.request + Self.request)
    #expect(try client.receiveRest() == text)
    #expect(server.stop() == 1)
  }
}

@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct BindTests {
  static func server(_ host: String, _ port: UInt16 = 0) -> HTTPServer {
    HTTPServer(host: host, port: port) { _, _ in HTTPReply.bytes() }
  }

  @Test("Gives the address that was chosen", arguments: ["127.0.0.1", "localhost"])
  func givesTheAddressThatWasChosen(_ host: String) throws {
    let server = Self.server(host)
    let address = try server.bind()
    #expect(address.host == "127.0.0.1" && address.port > 0 && address.isLoopback)
    #expect(address.authority == "127.0.0.1:\(address.port)")
  }

  @Test("A port that is taken is said") func aPortThatIsTakenIsSaid() throws {
    let first = Self.server("127.0.0.1")
    let port = try first.bind().port
    #expect(throws: BindFailure.addressInUse(host: "127.0.0.1", port: port)) {
      try Self.server("127.0.0.1", port).bind()
    }
    #expect(throws: BindFailure.addressInUse(host: "127.0.0.1", port: port)) {
      try Self.server("127.0.0.1", port).run()
    }
  }

  @Test("A foreign host is said") func aForeignHostIsSaid() {
    // For documentation (RFC 5737): no machine has it.
    #expect(throws: BindFailure.foreignHost("192.0.2.1")) { try Self.server("192.0.2.1").bind() }
  }

  @Test("A host that is none is said", arguments: ["", "no such host", "a\0b", "256.0.0.1.invalid"])
  func aHostThatIsNoneIsSaid(_ host: String) throws {
    let failure = try #require(throws: BindFailure.self) { try Self.server(host).bind() }
    guard case .unknownHost(host, _) = failure else {
      Issue.record("\(failure)")
      return
    }
  }

  @Test(
    "What is said of each",
    arguments: [
      (.addressInUse(host: "h", port: 80), "h:80 is in use already; --port 0 picks a free port"),
      (.noPermission(host: "h", port: 80), "no permission to listen on h:80"),
      (.unknownHost("h", reason: "no such name"), "--host h cannot be used: no such name"),
      (.foreignHost("h"), "--host h is not an address of this machine"),
      (.system(call: "listen", code: 24, reason: "Too many open files"), "cannot listen: listen: Too many open files"),
    ] as [(BindFailure, String)])
  func messages(failure: BindFailure, message: String) { #expect(failure.message == message) }
}
