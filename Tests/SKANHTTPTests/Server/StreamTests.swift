import Foundation
import SKANSystem
import TestSupport
import Testing

@testable import SKANHTTP

/// Answers that go on after their head, as Server-Sent Events do.
@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct StreamTests {
  /// A server whose path `/stream` streams the parts that a closure gives; others answer with their path.
  private static func server(_ part: @escaping (Int) -> [UInt8]) -> HTTPServer {
    var streams = 0
    var limits = RunningServer.quickLimits
    // A stop that waited for a stream would not end.
    limits.stopSeconds = 3600
    let server = HTTPServer(host: "127.0.0.1", port: 0, limits: limits) { request, _ in
      var reply = HTTPReply.text(200, request.path)
      if request.path == "/stream", request.method != "HEAD" {
        reply = HTTPReply(HTTPResponse(status: 200))
        streams += 1
        reply.stream = streams
        reply.isCounted = false
      }
      return reply
    }
    server.nextOfStream = part
    return server
  }

  /// Turns the server's loop until a client has received a text.
  private static func received(_ text: String, _ client: RawClient, _ server: HTTPServer) throws -> String {
    var all = ""
    for _ in 0..<2000 where !all.contains(text) {
      server.turn()
      all += try client.available()
    }
    return all
  }

  @Test("Its head has no length and its parts follow") func itsHeadHasNoLengthAndItsPartsFollow() throws {
    var parts = ["one,", "two,", "three."]
    let server = Self.server { _ in parts.isEmpty ? [] : Array(parts.removeFirst().utf8) }
    let client = try RawClient(port: try server.bind().port)
    try client.send(ServerTests.get("/stream"))
    let text = try Self.received("three.", client, server)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\none,two,three."))
    #expect(text.contains("\r\nConnection: close\r\n") && !text.contains("Content-Length"))
  }

  @Test("A stop closes it at once and it does not count") func aStopClosesItAtOnceAndItDoesNotCount() throws {
    var ended: [Int] = []
    let server = Self.server { _ in Array("x".utf8) }
    server.streamEnded = { ended.append($0) }
    let port = try server.bind().port
    let (stream, other) = (try RawClient(port: port), try RawClient(port: port))
    try stream.send(ServerTests.get("/stream"))
    _ = try Self.received("x", stream, server)
    try other.send(ServerTests.get("/other"))
    other.endOutput()
    #expect(try server.run(stopAfter: 1) == 1)
    #expect(ended == [1] && server.connections.isEmpty)
  }

  @Test("A client that is gone ends it") func aClientThatIsGoneEndsIt() throws {
    var ended: [Int] = []
    let server = Self.server { _ in [] }
    server.streamEnded = { ended.append($0) }
    let client = try RawClient(port: try server.bind().port)
    try client.send(ServerTests.get("/stream"))
    _ = try Self.received("\r\n\r\n", client, server)
    client.endOutput()
    for _ in 0..<200 where ended.isEmpty { server.turn() }
    #expect(ended == [1] && server.connections.isEmpty)
  }

  @Test("A client that does not read holds up nobody and holds one part")
  func aClientThatDoesNotReadHoldsUpNobodyAndHoldsOnePart() throws {
    let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    var count = 0
    let server = Self.server { _ in
      count += 1
      return part
    }
    let port = try server.bind().port
    let (stream, other) = (try RawClient(port: port), try RawClient(port: port))
    try stream.send(ServerTests.get("/stream"))
    // Until the system's buffers are full.
    while server.connections.first(where: { $0.stream != nil })?.wait != .output { server.turn() }
    let before = count
    for _ in 0..<20 {
      try other.send(ServerTests.get("/other"))
      #expect(try Self.received("/other", other, server).contains("200 OK"))
    }
    #expect(count == before && server.buffered <= 2 * part.count)
  }

  @Test("Head of it has the head alone") func headOfItHasTheHeadAlone() throws {
    let server = Self.server { _ in Array("part".utf8) }
    let client = try RawClient(port: try server.bind().port)
    try client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n" + ServerTests.get("/after"))
    #expect(!(try Self.received("/after", client, server)).contains("part"))
  }
}

extension RawClient {
  /// What has come so far.
  fileprivate func available() throws -> String {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 0) > 0 else { return "" }
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &piece, piece.count, 0)
    return count > 0 ? String(decoding: piece[..<count], as: UTF8.self) : ""
  }
}
