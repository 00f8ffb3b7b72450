import Testing

@testable import SKANHTTP

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
