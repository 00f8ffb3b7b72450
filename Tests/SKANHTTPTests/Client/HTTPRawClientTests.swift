import TestSupport
import Testing

@testable import SKANHTTP

@Suite("Raw requests", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct HTTPRawClientTests {
  private static func address(_ port: UInt16) -> HTTPAddress {
    HTTPAddress(scheme: .http, host: "127.0.0.1", port: Int(port), path: "/")
  }

  private static func request(
    _ body: String, promised: Int? = nil, at times: [Double] = [0], endsOutput: Bool = false, port: UInt16
  ) -> HTTPRawRequest {
    let head = HTTPRawRequest.head(
      of: address(port), target: "/a?b=1", length: promised ?? body.utf8.count, field: HTTPField("X-A", "b"))
    let bytes = Array(body.utf8)
    let size = bytes.count / times.count
    var pieces = times.enumerated().map { index, time in
      HTTPRawRequest.Piece(
        at: time,
        Array(bytes[index * size..<(index == times.count - 1 ? bytes.count : (index + 1) * size)]))
    }
    pieces[0] = HTTPRawRequest.Piece(at: times[0], head + pieces[0].bytes)
    return HTTPRawRequest(pieces: pieces, endsOutput: endsOutput)
  }

  private static func send(
    _ requests: [HTTPRawRequest], port: UInt16, within seconds: Double = 10, isInterrupted: () -> Bool = { false }
  ) -> [Result<HTTPRawAnswer, TransportFailure>] {
    HTTPRawClient.send(requests, to: address(port), within: seconds, isInterrupted: isInterrupted)
  }

  @Test("Many at the same time, each with its own answer")
  func parallel() throws {
    let server = try RunningServer { request, _ in
      .text(request.headers["X-A"] == "b" && request.target.text == "/a?b=1" ? request.body.count + 200 : 500, "")
    }
    defer { server.stop() }
    let requests = (0..<50).map { Self.request(String(repeating: "x", count: $0), port: server.port) }
    let statuses = Self.send(requests, port: server.port).map { try? $0.get().status }
    #expect(statuses == (0..<50).map { $0 + 200 })
  }

  @Test("A body larger than what the system keeps arrives whole")
  func large() throws {
    var limits = RunningServer.quickLimits
    limits.body = 8 << 20
    let server = try RunningServer(limits: limits) { request, _ in
      .text(request.body == [UInt8](repeating: 0x78, count: 8 << 20) ? 200 : 500, "")
    }
    defer { server.stop() }
    let request = Self.request(String(repeating: "x", count: 8 << 20), port: server.port)
    #expect(try Self.send([request], port: server.port, within: 60).map { try $0.get().status } == [200])
  }

  @Test("In pieces: answered when the last is there, while another does not wait")
  func pieces() throws {
    let server = try RunningServer { request, _ in .text(200, String(decoding: request.body, as: UTF8.self)) }
    defer { server.stop() }
    let answers = Self.send(
      [
        Self.request("abcdef", at: [0, 0.3, 0.6], port: server.port), Self.request("x", at: [0.1], port: server.port),
      ], port: server.port)
    let (slow, quick) = (try answers[0].get(), try answers[1].get())
    #expect(slow.status == 200 && slow.seconds >= 0.6)
    #expect(quick.status == 200 && quick.seconds >= 0.1 && quick.seconds < 0.6)
  }

  @Test("The header Retry-After of the answer, however its name is written")
  func retryAfter() throws {
    let server = try RunningServer { request, _ in
      let name = String(decoding: request.body, as: UTF8.self)
      return HTTPReply(HTTPResponse(status: 429, headers: name.isEmpty ? [] : [HTTPField(name, " 120 ")]))
    }
    defer { server.stop() }
    let answers = Self.send(
      ["Retry-After", "RETRY-AFTER", "X-Retry-After", ""].map { Self.request($0, port: server.port) }, port: server.port
    )
    #expect(try answers.map { try $0.get().retryAfter } == ["120", "120", nil, nil])
  }

  @Test("The head of a body without a length says that it comes in chunks")
  func chunks() {
    let head = HTTPRawRequest.head(of: Self.address(80), target: "/", length: nil, field: HTTPField("X-A", "b"))
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    #expect(lines.contains("Transfer-Encoding: chunked") && !lines.contains { $0.hasPrefix("Content-Length") })
  }

  @Test("An answer that comes before all is sent counts")
  func early() throws {
    var limits = RunningServer.quickLimits
    limits.body = 100
    let server = try RunningServer(limits: limits)
    defer { server.stop() }
    let answer = Self.send([Self.request("ab", promised: 1000, at: [0, 8], port: server.port)], port: server.port)
    let first = try #require(answer.first).get()
    #expect(first.status == 413 && first.seconds < 8)
  }

  @Test("No way to the address")
  func noWay() {
    // For all machines of a network: no connection goes there.
    let address = HTTPAddress(scheme: .http, host: "255.255.255.255", port: 9, path: "/")
    let request = HTTPRawRequest(pieces: [HTTPRawRequest.Piece(at: 0, [])], endsOutput: false)
    let answers = HTTPRawClient.send([request], to: address, within: 5) { false }
    guard case .failure(.unreachable(let reason))? = answers.first else {
      Issue.record("\(answers)")
      return
    }
    #expect(!reason.isEmpty && answers.count == 1)
  }

  @Test("An answer whose head does not end, and connections that are reset")
  func badAnswers() throws {
    let head = Array("HTTP/1.1 200 OK\r\nX-A: ".utf8)
    for (answer, failures) in [
      (
        TestServer.Response([.send(head + [UInt8](repeating: 0x61, count: 100_000)), .pause(5)]), [.headTooLarge(65536)]
      ),
      (.reset, [.connectionReset]),
      (TestServer.Response([.send(head), .pause(0.3), .reset]), [.truncated, .connectionReset]),
    ] as [(TestServer.Response, [TransportFailure])] {
      let server = try TestServer { _ in answer }
      defer { server.stop() }
      let port = UInt16(server.port)
      guard case .failure(let failure)? = Self.send([Self.request("ab", port: port)], port: port).first else {
        Issue.record("there is an answer")
        continue
      }
      #expect(failures.contains(failure), "\(failure)")
    }
  }

  @Test("A connection that ends in the middle, and one that waits forever")
  func brokenOff() throws {
    let server = try RunningServer()
    defer { server.stop() }
    let broken = Self.send([Self.request("ab", promised: 9, endsOutput: true, port: server.port)], port: server.port)
    #expect(broken == [.failure(.closedWithoutAnswer)] || broken.map { try? $0.get().status } == [400])
    let waiting = Self.send([Self.request("ab", promised: 9, port: server.port)], port: server.port, within: 0.3)
    #expect(waiting == [.failure(.timedOut(0.3))])
    let interrupted = Self.send(
      [Self.request("ab", promised: 9, port: server.port)], port: server.port, isInterrupted: { true })
    #expect(interrupted == [.failure(.interrupted)])
  }

  @Test(
    "Other answers",
    arguments: [
      ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n", 204, nil), ("HTTP/1.0 200 OK\r\n\r\n", 200, nil),
      ("HTTP/1.1 200 OK\r\nA: b", nil, TransportFailure.truncated), ("SSH-2.0\r\n\r\n", nil, .notHTTP),
      ("", nil, .closedWithoutAnswer),
    ] as [(String, Int?, TransportFailure?)])
  func answers(text: String, status: Int?, failure: TransportFailure?) throws {
    let server = try TestServer { _ in .raw(text) }
    defer { server.stop() }
    let port = UInt16(server.port)
    let answer = try #require(Self.send([Self.request("ab", port: port)], port: port).first)
    switch answer {
    case .success(let answer): #expect(answer.status == status)
    case .failure(let error): #expect(error == failure)
    }
  }

  @Test("No server, and no such host")
  func unreachable() throws {
    let server = try RunningServer()
    let port = server.port
    server.stop()
    #expect(Self.send([Self.request("ab", port: port)], port: port) == [.failure(.connectionRefused(proxy: nil))])
    // Longer than a label may be, so that the answer needs no resolver within reach.
    let host = String(repeating: "a", count: 64) + ".invalid"
    let nowhere = HTTPAddress(scheme: .http, host: host, port: 80, path: "/")
    let answers = HTTPRawClient.send(
      [Self.request("ab", port: 80)], to: nowhere, within: 5, isInterrupted: { false })
    #expect(answers == [.failure(.noSuchHost)])
  }
}
