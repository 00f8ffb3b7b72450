import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1 for tests, which answers as badly as a handler wants.
///
///     let server = try TestServer { request in
///       request.path == "/" ? .status(200, body: "{}") : .status(404)
///     }
///     defer { server.stop() }
///     // ask server.url("/")
///
/// Each connection has its own thread, so that a slow answer holds up no other. The handler runs on these threads:
/// it has to be `@Sendable`, and a closure made on the main actor must say so (`{ @Sendable request in … }`), or it
/// traps there. The threads keep the server alive until it is stopped.
package final class TestServer: Sendable {
  /// Answers one request.
  package typealias Handler = @Sendable (Request) -> Response

  private struct Log {
    var requests: [Request] = []
    var connections = 0
    var isStopped = false
  }

  /// Chosen by the system.
  package let port: Int
  private let handler: Handler
  private let listener: Int32
  /// Its writing end is closed to wake every thread at once.
  private let alarm: Pipe
  private let threads = DispatchGroup()
  private let log = Mutex(Log())

  /// Listens as soon as it is made.
  package init(handler: @escaping Handler) throws {
    self.handler = handler
    let alarm = try Pipe()
    do {
      (listener, port) = try TestSocket.listen()
    } catch {
      alarm.close()
      throw error
    }
    self.alarm = alarm
    threads.enter()
    Thread.detachNewThread { [self] in
      acceptConnections()
      threads.leave()
    }
  }

  /// `http://127.0.0.1:port` and the path.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// All requests so far, in their order.
  package var requests: [Request] { log.withLock { $0.requests } }

  /// How many connections were accepted so far.
  package var connections: Int { log.withLock { $0.connections } }

  /// Breaks all connections off, waits for the threads and closes every descriptor. A second call does nothing.
  package func stop() {
    let isFirst = log.withLock { log in
      defer { log.isStopped = true }
      return !log.isStopped
    }
    guard isFirst else { return }
    alarm.ring()
    threads.wait()
    close(listener)
    alarm.close()
  }

  private func acceptConnections() {
    while TestSocket.wait(for: listener, POLLIN, alarm: alarm.reading) {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { continue }
      TestSocket.prepare(descriptor)
      log.withLock { $0.connections += 1 }
      threads.enter()
      Thread.detachNewThread { [self] in
        var connection = Connection(descriptor: descriptor, alarm: alarm.reading)
        while let request = connection.nextRequest() {
          log.withLock { $0.requests.append(request) }
          guard connection.send(handler(request)) else { break }
        }
        close(descriptor)
        threads.leave()
      }
    }
  }

  /// What a client sent.
  package struct Request: Equatable, Sendable {
    /// The first word of the request line.
    package var method: String
    /// Path and query as they stood in the request line.
    package var target: String
    /// In their order.
    package var headers: [Header]
    /// Request line and headers, the empty line included.
    package var raw: [UInt8]
    /// What followed them, as long as `Content-Length` said.
    package var body: [UInt8] = []

    /// One header line.
    package struct Header: Equatable, Sendable {
      /// As it was sent.
      package var name: String
      /// Without the blanks before it.
      package var value: String
    }

    /// Of the bytes up to and with the empty line.
    init(raw: [UInt8]) {
      self.raw = raw
      let lines = String(decoding: raw, as: UTF8.self).split(separator: "\r\n")
      let words = (lines.first ?? "").split(separator: " ")
      method = words.first.map(String.init) ?? ""
      target = words.count > 1 ? String(words[1]) : ""
      headers = lines.dropFirst().map { line in
        let halves = line.split(separator: ":", maxSplits: 1)
        return Header(
          name: String(halves.first ?? ""), value: String((halves.count > 1 ? halves[1] : "").drop { $0 == " " }))
      }
    }

    /// The target without its query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// What follows the question mark; empty when there is none.
    package var query: String { String(target.drop { $0 != "?" }.dropFirst()) }

    /// The first header of that name, the case of its letters aside.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  /// An answer as a row of steps; the named ones below put the usual rows together.
  package struct Response: Sendable {
    /// What the server does at one time.
    package enum Step: Sendable {
      /// Sends these bytes.
      case send([UInt8])
      /// Sends these bytes again and again, as long as the client reads them.
      case forever([UInt8])
      /// Seconds.
      case pause(Double)
      /// Ends the connection in order.
      case close
      /// Ends the connection with an RST.
      case reset
    }

    /// Carried out in this order; after the last one the connection stays open.
    package var steps: [Step]

    /// An answer of any steps.
    package init(_ steps: [Step]) { self.steps = steps }

    /// A proper answer; the connection stays open.
    ///
    /// - Parameter headers: `Content-Length` is added, but for 204 and 304.
    package static func status(_ status: Int, headers: [(String, String)] = [], body: String = "") -> Response {
      self.status(status, headers: headers, bytes: Array(body.utf8))
    }

    /// The same with a body of any bytes.
    package static func status(_ status: Int, headers: [(String, String)] = [], bytes: [UInt8]) -> Response {
      let length = status == 204 || status == 304 ? [] : [("Content-Length", "\(bytes.count)")]
      return Response([.send(head(status, headers + length) + bytes)])
    }

    /// A body in chunks; empty ones are left out, since an empty chunk is the end.
    package static func chunked(_ chunks: [String]) -> Response {
      let pieces = chunks.filter { !$0.isEmpty }.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }
      return Response(
        [.send(head(200, [("Transfer-Encoding", "chunked")]))] + pieces.map { .send(Array($0.utf8)) }
          + [.send(Array("0\r\n\r\n".utf8))])
    }

    /// A body that is said to be packed; ``packedAnswer`` is one that is.
    package static func gzip(_ bytes: [UInt8] = packedAnswer) -> Response {
      .status(200, headers: [("Content-Encoding", "gzip")], bytes: bytes)
    }

    /// Nothing for that long, then the answer.
    package static func delayed(_ seconds: Double, _ response: Response) -> Response {
      Response([.pause(seconds)] + response.steps)
    }

    /// The head at once, then the body byte by byte.
    package static func drip(_ body: String, every seconds: Double) -> Response {
      let bytes = Array(body.utf8)
      return Response(
        [.send(head(200, [("Content-Length", "\(bytes.count)")]))]
          + bytes.flatMap { [.pause(seconds), .send([$0])] })
    }

    /// Closes without a byte.
    package static let closed = Response([.close])

    /// Resets without a byte.
    package static let reset = Response([.reset])

    /// Promises this many bytes more than it sends.
    package static func truncated(_ body: String, missing: Int) -> Response {
      let bytes = Array(body.utf8)
      return Response([.send(head(200, [("Content-Length", "\(bytes.count + missing)")]) + bytes), .close])
    }

    /// These bytes and no others.
    package static func raw(_ text: String) -> Response { Response([.send(Array(text.utf8)), .close]) }

    /// Points elsewhere.
    package static func redirect(_ status: Int = 302, to location: String) -> Response {
      .status(status, headers: [("Location", location)], body: "moved")
    }

    /// This many bytes of `x`, sent in pieces.
    package static func huge(_ count: Int) -> Response {
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 65536)
      let last = [UInt8](repeating: UInt8(ascii: "x"), count: count % 65536)
      return Response(
        [.send(head(200, [("Content-Length", "\(count)")]))]
          + [Step](repeating: .send(piece), count: count / 65536) + [.send(last)])
    }

    /// `{"conversion_value":7,"status":"ok"}` in gzip.
    package static let packedAnswer: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0x4A, 0xCE, 0xCF, 0x2B,
      0x4B, 0x2D, 0x2A, 0xCE, 0xCC, 0xCF, 0x8B, 0x2F, 0x4B, 0xCC, 0x29, 0x4D, 0x55, 0xB2, 0x32, 0xD7,
      0x51, 0x2A, 0x2E, 0x49, 0x2C, 0x29, 0x2D, 0x56, 0xB2, 0x52, 0xCA, 0xCF, 0x56, 0xAA, 0x05, 0x00,
      0xFE, 0xBD, 0x05, 0x61, 0x24, 0x00, 0x00, 0x00,
    ]

    /// A body in chunks that never ends.
    package static func endless(chunk: String) -> Response {
      Response([
        .send(head(200, [("Transfer-Encoding", "chunked")])),
        .forever(Array("\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n".utf8)),
      ])
    }

    /// A whole body in chunks, and behind it trailers: so many, or without end.
    package static func trailers(_ count: Int?) -> Response {
      let start = head(200, [("Transfer-Encoding", "chunked")]) + Array("2\r\nok\r\n0\r\n".utf8)
      let trailer = Array("X-Trailer: y\r\n".utf8)
      guard let count else { return Response([.send(start), .forever(trailer)]) }
      let all = [[UInt8]](repeating: trailer, count: count).joined()
      return Response([.send(start + all + Array("\r\n".utf8))])
    }

    /// A redirect whose own body never ends.
    package static func endlessRedirect(to location: String) -> Response {
      Response([
        .send(head(302, [("Location", location), ("Transfer-Encoding", "chunked")])),
        .forever(Array("1\r\nx\r\n".utf8)),
      ])
    }

    private static func head(_ status: Int, _ headers: [(String, String)]) -> [UInt8] {
      let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
      return Array("HTTP/1.1 \(status) Test\r\n\(lines)\r\n".utf8)
    }
  }
}

extension TestServer.Response: CustomStringConvertible {
  /// How it begins, for the lines of a test run: an answer can have megabytes.
  package var description: String {
    steps.prefix(3).map { step in
      switch step {
      case .send(let bytes), .forever(let bytes): String(decoding: bytes.prefix(60), as: UTF8.self).debugDescription
      case .pause, .close, .reset: "\(step)"
      }
    }.joined(separator: ", ") + (steps.count > 3 ? ", … (\(steps.count) steps)" : "")
  }
}

/// One client: reads its requests and carries answers out.
struct Connection {
  private let descriptor: Int32
  private let alarm: Int32
  /// Read, but not yet part of a request.
  private var buffer: [UInt8] = []

  init(descriptor: Int32, alarm: Int32) {
    self.descriptor = descriptor
    self.alarm = alarm
  }

  /// nil when the client has gone, the server stops or what comes can be no request.
  mutating func nextRequest() -> TestServer.Request? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = buffer.firstRange(of: end) {
        var request = TestServer.Request(raw: Array(buffer[..<range.upperBound]))
        let total = range.upperBound + (request.header("Content-Length").flatMap { Int($0) } ?? 0)
        if buffer.count >= total {
          request.body = Array(buffer[range.upperBound..<total])
          buffer.removeSubrange(..<total)
          return request
        }
      }
      // A TLS hello is answered at once, as a real server would: it waits for no empty line.
      if buffer.first == 0x16 {
        _ = send(.raw("HTTP/1.1 400 Test\r\n\r\n"))
        return nil
      }
      guard buffer.count < 1 << 20, TestSocket.wait(for: descriptor, POLLIN, alarm: alarm) else { return nil }
      var piece = [UInt8](repeating: 0, count: 16384)
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { return nil }
      buffer += piece[..<count]
    }
  }

  /// Whether the connection can go on.
  func send(_ response: TestServer.Response) -> Bool {
    for step in response.steps {
      switch step {
      case .send(let bytes): guard TestSocket.send(bytes, to: descriptor, alarm: alarm) else { return false }
      case .forever(let bytes):
        while TestSocket.send(bytes, to: descriptor, alarm: alarm) {}
        return false
      case .pause(let seconds): guard TestSocket.sleep(seconds, alarm: alarm) else { return false }
      case .close: return false
      case .reset:
        TestSocket.resetOnClose(descriptor)
        return false
      }
    }
    return true
  }
}
