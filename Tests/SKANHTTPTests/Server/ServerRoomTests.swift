import Foundation
import SKANSystem
import TestSupport
import Testing

@testable import SKANHTTP

/// Slow clients hold all connections. The tests take the turns of the server's loop themselves.
@Suite("All connections are taken", .timeLimit(.minutes(TestTime.minutes)), .waits) struct ServerRoomTests {
  /// A server that runs only when it is told to.
  private final class Driven {
    let server: HTTPServer
    private(set) var paths: [String] = []
    private(set) var failures: [HTTPFailure] = []

    init(connections: Int, buffered: Int = HTTPLimits().buffered) throws {
      var limits = HTTPLimits()
      limits.buffered = buffered
      limits.connections = connections
      var note: (String) -> Void = { _ in }
      server = HTTPServer(host: "127.0.0.1", port: 0, limits: limits) { request, _ in
        note(request.path)
        if request.path == "/large" { return .bytes([UInt8](repeating: 0x61, count: 20_000_000)) }
        var reply = HTTPReply.text(200, request.path)
        reply.delay = request.path == "/late" ? 100 : 0
        return reply
      }
      try server.bind()
      note = { [unowned self] in paths.append($0) }
      server.onFailure = { [unowned self] failure, _ in failures.append(failure) }
    }

    /// A client that has connected, sent this, and was not heard.
    func unheard(_ text: String, receiveBuffer: Int32? = nil) throws -> RawClient {
      let client = try RawClient(port: try server.bind().port, receiveBuffer: receiveBuffer)
      try client.send(text)
      // What was sent to this machine's own address is there by then.
      usleep(10_000)
      return client
    }

    /// A client that has connected and sent this, and the server has taken it in.
    func client(_ text: String = "", receiveBuffer: Int32? = nil) throws -> RawClient {
      let known = server.waits
      let client = try unheard(text, receiveBuffer: receiveBuffer)
      #expect(TestTime.wait { turn { server.waits > known } })
      return client
    }

    /// Takes turns until this is so.
    func turn(until condition: () -> Bool) -> Bool {
      for _ in 0..<20 where !condition() { server.turn() }
      return condition()
    }
  }

  private static let get = ServerTests.get("/good", "Connection: close\r\n")
  private static let answer = ServerTests.answer("/good", closes: true)
  private static let slow = "GET /slow HTTP/1.1\r\n"

  private func expectRefusal(of client: RawClient) throws {
    #expect(try client.receiveRest().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
  }

  @Test("The head that has been unfinished longest goes, and its client is told why") func headHas() throws {
    let driven = try Driven(connections: 4)
    let slow = try (0..<4).map { _ in try driven.client(Self.slow) }
    // More of it makes a head no younger.
    try slow[0].send("X: y\r\n")
    driven.server.turn()
    let good = try driven.client(Self.get)
    #expect(try good.receiveRest() == Self.answer)
    try expectRefusal(of: slow[0])
    #expect(driven.failures == [.tooManyConnections(limit: 4)])
    for client in slow.dropFirst() { try client.send("Host: a\r\n\r\n") }
    #expect(driven.turn { driven.paths == ["/good", "/slow", "/slow", "/slow"] })
  }

  @Test("The head of a first request is as old as its connection") func headFirst() throws {
    let driven = try Driven(connections: 2)
    let first = try driven.client()
    let second = try driven.client(Self.slow)
    try first.send(Self.slow)
    #expect(TestTime.wait { driven.turn { driven.server.connections.allSatisfy { $0.wait == .head } } })
    let good = try driven.client(Self.get)
    #expect(try good.receiveRest() == Self.answer)
    try expectRefusal(of: first)
    try second.send("Host: a\r\n\r\n")
    #expect(driven.turn { driven.paths == ["/good", "/slow"] })
  }

  @Test("A client that has sent nothing is closed without a word") func clientHas() throws {
    let driven = try Driven(connections: 2)
    let silent = try (0..<2).map { _ in try driven.client() }
    let good = try driven.client(Self.get)
    #expect(try good.receiveRest() == Self.answer)
    #expect(try silent[0].receiveRest() == "")
    #expect(driven.failures == [] && driven.server.connections.count == 1)
  }

  @Test("A client whose request comes late is not the next to go, however many connect") func clientWhose() throws {
    let driven = try Driven(connections: 8)
    var slow = try (0..<8).map { _ in try driven.client(Self.slow) }
    let good = try driven.client()
    for _ in 0..<7 { slow.append(try driven.client(Self.slow)) }
    try good.send(Self.get)
    #expect(driven.turn { driven.paths == ["/good"] })
    #expect(try good.receiveRest() == Self.answer)
    for client in slow.prefix(8) { try expectRefusal(of: client) }
  }

  @Test("A request that came with the connection is answered in the same turn") func requestCame() throws {
    let driven = try Driven(connections: 1)
    let slow = try driven.client(Self.slow)
    let good = try driven.unheard(Self.get)
    driven.server.turn()
    #expect(driven.paths == ["/good"])
    #expect(try good.receiveRest() == Self.answer)
    try expectRefusal(of: slow)
  }

  @Test("Nobody goes whose request has come by then") func nobodyGoes() throws {
    let driven = try Driven(connections: 2)
    let early = try driven.client("GET /early HTTP/1.1\r\n")
    let slow = try driven.client(Self.slow)
    let good = try driven.unheard(Self.get)
    // After the loop has looked who is ready, and before it accepts.
    var rest = "Host: a\r\nConnection: close\r\n\r\n"
    driven.server.beforeSending = {
      try? early.send(rest)
      rest = ""
      usleep(10_000)
    }
    driven.server.turn()
    #expect(driven.paths == ["/early", "/good"])
    #expect(try early.receiveRest() == ServerTests.answer("/early", closes: true))
    #expect(try good.receiveRest() == Self.answer)
    try expectRefusal(of: slow)
  }

  /// What all that are connected send after the loop has looked who is ready, and before it accepts.
  @Test(
    "A good client gets in although everybody sends something at the same time",
    arguments: ["\r\n", "Host: a\r\n\r\n", "Host: a\r\nContent-Length: 1\r\n\r\n", "X: y\r\n", "\0"])
  func sameTime(text: String) throws {
    let driven = try Driven(connections: 4)
    let slow = try (0..<4).map { _ in try driven.client(Self.slow) }
    let good = try driven.unheard(Self.get)
    var rest = text
    driven.server.beforeSending = {
      for client in slow { try? client.send(rest) }
      rest = ""
      usleep(10_000)
    }
    driven.server.turn()
    #expect(driven.paths.last == "/good")
    // One place is needed, so one of them loses its own.
    #expect(driven.failures.count <= 1)
    #expect(try good.receiveRest() == Self.answer)
    driven.server.beforeSending = nil
    // Nor does it go on to have more connections than it may.
    let next = try driven.client(Self.get)
    #expect(try next.receiveRest() == Self.answer)
    #expect(driven.server.connections.count <= 4)
  }

  @Test("A connection between two requests outlasts unfinished heads") func connectionBetween() throws {
    let driven = try Driven(connections: 8)
    let good = try driven.client(ServerTests.get("/first"))
    #expect(driven.turn { driven.paths == ["/first"] })
    let slow = try (0..<20).map { _ in try driven.client(Self.slow) }
    #expect(try good.receive(through: "/first\n") == ServerTests.answer("/first"))
    try good.send(Self.get)
    #expect(driven.turn { driven.paths == ["/first", "/good"] })
    #expect(try good.receiveRest() == Self.answer)
    for client in slow.prefix(13) { try expectRefusal(of: client) }
  }

  @Test(
    "Bodies that do not come, answers that are not read and requests that do not come make room",
    arguments: [
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx", ServerTests.get("/large"), ServerTests.get("/"),
    ])
  func others(text: String) throws {
    let driven = try Driven(connections: 3)
    let slow = try (0..<3).map { _ in try driven.client(text, receiveBuffer: 4096) }
    for _ in 0..<10 { driven.server.turn() }
    let good = try driven.client(Self.get)
    #expect(try good.receiveRest() == Self.answer)
    #expect(driven.server.connections.count == 2)
    if text.hasPrefix("POST") { try expectRefusal(of: slow[0]) }
  }

  @Test(
    "Who does not read or send makes room for the bytes of others",
    arguments: [
      ServerTests.get("/large"),
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 60_000),
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n"
        + String(repeating: "x", count: 60_000),
    ])
  func bytes(text: String) throws {
    let driven = try Driven(connections: 10, buffered: 50_000)
    let slow = try driven.client(text, receiveBuffer: 4096)
    for _ in 0..<10 { driven.server.turn() }
    #expect(driven.server.buffered > 50_000 || driven.server.connections.isEmpty)
    let good = try driven.client(Self.get)
    #expect(try good.receiveRest() == Self.answer)
    #expect(driven.server.buffered == 0)
    _ = slow.descriptor
  }

  @Test("A connection without a request is not refused for the bytes of others") func connectionWithout() throws {
    let driven = try Driven(connections: 10, buffered: 50_000)
    let slow = try driven.client(ServerTests.get("/large"), receiveBuffer: 4096)
    for _ in 0..<10 { driven.server.turn() }
    #expect(driven.server.buffered > 50_000)
    let idle = try driven.client()
    #expect(driven.failures == [])
    try idle.send(Self.get)
    #expect(driven.turn { driven.paths == ["/large", "/good"] })
    #expect(try idle.receiveRest() == Self.answer)
    _ = slow.descriptor
  }

  @Test(
    "Who resets a connection is dropped, whatever it waits for",
    arguments: [
      "", slow, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx", ServerTests.get("/"),
      ServerTests.get("/late"), ServerTests.get("/large"),
    ])
  func reset(text: String) throws {
    let driven = try Driven(connections: 3)
    do {
      let client = try driven.client(text, receiveBuffer: 4096)
      for _ in 0..<10 { driven.server.turn() }
      Socket.resetOnClose(client.descriptor)
    }
    #expect(TestTime.wait { driven.turn { driven.server.connections.isEmpty } })
  }

  @Test("A client that waits for its answer keeps its place") func clientWaits() throws {
    let driven = try Driven(connections: 2)
    let waiting = try (0..<2).map { _ in try driven.client(ServerTests.get("/late")) }
    for _ in 0..<100 {
      let surplus = try driven.client(Self.get)
      try expectRefusal(of: surplus)
    }
    #expect(driven.paths == ["/late", "/late"] && driven.server.connections.count >= waiting.count)
    let places = driven.server.connections.filter { !$0.isSurplus }
    #expect(places.allSatisfy { $0.wait == .answer } && places.count == waiting.count)
  }
}

@Suite("Who goes when there is no room") struct HTTPRoomTests {
  typealias Wait = HTTPConnection.Wait

  private static func connection(_ wait: Wait, number: Int, isSurplus: Bool = false) -> HTTPConnection {
    let connection = HTTPConnection(
      descriptor: -1, peer: "", index: 0, isSurplus: isSurplus, limits: HTTPLimits(), deadline: 0)
    connection.wait = wait
    connection.waitNumber = number
    return connection
  }

  /// The limit, what connections wait for in the order in which they began to, and the order in which they go.
  private static let cases: [(limit: Int, waits: [Wait], order: [Int])] = [
    (4, [], []), (4, [.none, .answer], []),
    (4, [.head, .first, .head, .first], [0, 1, 2, 3]),
    (4, [.idle, .body, .output, .idle], [0, 1, 2, 3]),
    // Those that have their last answer go first, however short they wait.
    (4, [.head, .idle, .answer, .linger], [3, 1, 0]),
    // An unfinished head goes before all others, as long as there are more of them than a quarter.
    (8, [.idle, .body, .head, .idle, .first, .head, .head], [2, 4, 0, 1, 3, 5, 6]),
    (8, [.idle, .idle, .idle, .idle, .idle, .idle, .head, .first], [0, 1, 2, 3, 4, 5, 6, 7]),
    (8, [.output, .idle, .idle, .idle, .idle, .head, .head, .first], [5, 0, 1, 2, 3, 4, 6, 7]),
    (1, [.head], [0]), (1, [.idle], [0]),
  ]

  @Test("Order", arguments: cases.indices)
  func order(index: Int) {
    let (limit, waits, order) = Self.cases[index]
    let connections = waits.enumerated().map { Self.connection($1, number: $0) }
    var room = HTTPRoom(limit: limit)
    var gone: [Int] = []
    // The order in which the server has them says nothing.
    while let next = room.next(of: connections.reversed()) { gone.append(next.waitNumber) }
    #expect(gone == order)
  }

  @Test("Surplus connections take nobody's place") func surplusConnections() {
    var room = HTTPRoom(limit: 1)
    #expect(room.next(of: [Self.connection(.linger, number: 1, isSurplus: true)]) == nil)
  }
}
