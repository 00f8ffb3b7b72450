import Foundation
import SKANHTTP
import TestSupport
import Testing
import skan_http

/// All tests that ask a server.
///
/// One after another, as the command line does it: on Linux the first requests that begin at the same time can stall
/// for a second, which would spoil measured times.
@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits, .serialized)
enum HTTPTests {}

extension HTTPTests {
  @Suite("Answers that come through")
  struct Answers {
    let transport = HTTPTransport()

    /// Ways to send a body.
    private enum Sent: CaseIterable {
      case whole, empty, chunked, untilTheEnd, packed

      func response(_ status: Int) -> TestServer.Response {
        let head = "HTTP/1.1 \(status) X\r\nX-Name: a\r\n"
        let fields = [("X-Name", "a"), ("WWW-Authenticate", "Basic realm=\"x\"")]
        return switch self {
        case .whole: .status(status, headers: fields, body: body)
        case .empty: .status(status, headers: fields)
        case .chunked:
          .raw(
            "\(head)Transfer-Encoding: chunked\r\n\r\n5\r\n\(body.prefix(5))\r\n1f\r\n\(body.dropFirst(5))\r\n0\r\n\r\n"
          )
        case .untilTheEnd: .raw("\(head)\r\n\(body)")
        case .packed:
          .status(
            status, headers: [("x-name", "a"), ("content-encoding", "gzip")], bytes: TestServer.Response.packedAnswer)
        }
      }

      var body: String { self == .empty ? "" : "{\"conversion_value\":7,\"status\":\"ok\"}" }
    }

    @Test(
      "Every status is an answer, with its body however it is sent",
      arguments: [200, 201, 202, 203, 226, 299, 400, 401, 403, 404, 409, 429, 499, 500, 503, 599])
    func statuses(status: Int) throws {
      let server = try TestServer { request in Sent.allCases[Int(request.query) ?? 0].response(status) }
      defer { server.stop() }
      for (number, sent) in Sent.allCases.enumerated() {
        let exchange = try transport.get(server.url("/a?\(number)"), deadline: 60).get()
        #expect(exchange.response.status == status, "\(sent)")
        #expect(String(decoding: exchange.response.body, as: UTF8.self) == sent.body, "\(sent)")
        #expect(exchange.response.headers["X-NAME"] == "a" && exchange.url == server.url("/a?\(number)"), "\(sent)")
      }
      #expect(server.requests.count == Sent.allCases.count)
      #expect(server.requests.first?.header("Accept-Encoding")?.contains("gzip") == true)
    }

    @Test(
      "A server that wants a password has answered",
      arguments: [
        "Basic realm=\"x\"", "Basic", "Digest realm=\"a\", nonce=\"b\"", "Negotiate",
        "Bearer realm=\"x\", Basic realm=\"y\"",
        "", "realm=", "Basic realm=",
      ])
    func unauthorized(challenge: String) throws {
      let server = try TestServer { _ in .status(401, headers: [("WWW-Authenticate", challenge)], body: "no") }
      defer { server.stop() }
      let exchange = try transport.get(server.url("/a"), deadline: 60).get()
      #expect(exchange.response.status == 401)
      #expect(String(decoding: exchange.response.body, as: UTF8.self) == "no")
      #expect(server.requests.count == 1)
    }

    @Test("No content") func noContent() throws {
      let server = try TestServer { _ in .status(204) }
      defer { server.stop() }
      let exchange = try transport.get(server.url(), deadline: 60).get()
      #expect(exchange.response.status == 204)
      #expect(exchange.response.body.isEmpty)
    }

    @Test("The query reaches the server byte by byte")
    func query() throws {
      let server = try TestServer { _ in .status(200) }
      defer { server.stop() }
      let query = "a=k%2By%20&b=%7B%22USD%22%3A9.99%7D&conversion_value&c=%C3%A9~-._&d=%00"
      _ = try transport.get(server.url("/api/v2/conversion_value?\(query)"), deadline: 60).get()
      let request = try #require(server.requests.first)
      #expect(request.method == "GET")
      #expect(request.path == "/api/v2/conversion_value")
      #expect(request.query == query)
      #expect(request.header("Host") == "127.0.0.1:\(server.port)")
    }

    @Test("Given headers are sent and replace URLSession's own")
    func headers() throws {
      let server = try TestServer { _ in .status(200) }
      defer { server.stop() }
      let headers = [("User-Agent", "skan/1"), ("X-One", "1"), ("Accept-Language", "de")]
      _ = try transport.get(server.url(), headers: headers, deadline: 60).get()
      let request = try #require(server.requests.first)
      for (name, value) in headers {
        #expect(request.headers.filter { $0.name == name }.map(\.value) == [value])
      }
    }

    @Test("A cookie is not kept")
    func cookies() throws {
      let server = try TestServer { _ in .status(200, headers: [("Set-Cookie", "a=b; Path=/")]) }
      defer { server.stop() }
      for _ in 0..<2 { _ = try transport.get(server.url(), deadline: 60).get() }
      #expect(server.requests.count == 2)
      #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test("A cacheable answer is asked for again")
    func cache() throws {
      let server = try TestServer { _ in .status(200, headers: [("Cache-Control", "max-age=600")], body: "x") }
      defer { server.stop() }
      for _ in 0..<2 { _ = try transport.get(server.url(), deadline: 60).get() }
      #expect(server.requests.count == 2)
    }

    @Test("Two requests, two transports: one connection")
    func keepAlive() throws {
      let server = try TestServer { _ in .status(200, body: "x") }
      defer { server.stop() }
      for _ in 0..<2 { _ = try HTTPTransport().get(server.url(), deadline: 60).get() }
      #expect(server.requests.count == 2)
      #expect(server.connections == 1)
    }

    @Test("A body of a mebibyte, the default limit, comes whole")
    func large() throws {
      let server = try TestServer { .huge(1 << 20 + ($0.path == "/more" ? 1 : 0)) }
      defer { server.stop() }
      let body = try transport.get(server.url(), deadline: 60).get().response.body
      #expect(body.count == 1 << 20)
      #expect(body.allSatisfy { $0 == UInt8(ascii: "x") })
      #expect(failed(transport.get(server.url("/more"), deadline: 60)) == .bodyTooLarge(1 << 20))
    }

    @Test("Several at a time")
    func concurrent() async throws {
      let server = try TestServer { request in .delayed(0.02, .status(200, body: request.query)) }
      defer { server.stop() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<20 {
          group.addTask { [transport, url = server.url("/?\(index)")] in
            let exchange = try transport.get(url, deadline: 60).get()
            #expect(String(decoding: exchange.response.body, as: UTF8.self) == "\(index)")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Suite("The trace of an exchange")
  struct Traces {
    @Test("Lines") func lines() throws {
      let server = try TestServer { request in
        request.path == "/a"
          ? .redirect(to: "/b?key=SECRET") : .status(200, headers: [("Content-Type", "text/plain")], body: "ok")
      }
      defer { server.stop() }
      var exchange = try HTTPTransport().get(server.url("/a?key=SECRET"), headers: [("X-A", "b")], deadline: 60).get()
      exchange.seconds = 0.01234
      #expect(
        exchange.traceLines { $0.replacing("SECRET", with: "…") }
          == [
            "> GET /a?key=…", "> Host: 127.0.0.1:\(server.port)", "> X-A: b", ">",
            "< HTTP 302", "< Content-Length: 5", "< Location: /b?key=…", "<",
            "> GET /b?key=…", "> Host: 127.0.0.1:\(server.port)", "> X-A: b", ">",
            "< HTTP 200", "< Content-Length: 2", "< Content-Type: text/plain", "<",
            "* 2 bytes of body after 12.3 ms",
          ])
    }

    @Test("A hop without an answer is its request")
    func requestOnly() {
      let hop = HTTPHop(.get("https://h?x"))
      #expect(hop.lines { $0 } == ["> GET /?x", "> Host: h:443", ">"])
    }
  }

  @Suite("The test server itself")
  struct Server {
    private var descriptors: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count) ?? 0
    }

    @Test("Starting and stopping leaves no descriptor behind")
    func descriptorsClosed() throws {
      let before = descriptors
      for _ in 0..<200 {
        let server = try TestServer { _ in .closed }
        #expect(OpenSockets.bound(to: server.port).count == 1)
        _ = HTTPTransport().get(server.url(), deadline: 60)
        server.stop()
        server.stop()
        #expect(OpenSockets.bound(to: server.port) == [])
      }
      // The ends of its pipes would be 400; other tests run at the same time and hold some of their own.
      #expect(descriptors < before + 100)
    }

    @Test("Stopping waits for no slow answer and no idle connection")
    func stopsAtOnce() throws {
      let server = try TestServer { request in request.path == "/slow" ? .delayed(30, .status(200)) : .status(200) }
      _ = try HTTPTransport().get(server.url(), deadline: 60).get()
      _ = HTTPTransport().get(server.url("/slow"), deadline: 0.1)
      let began = ContinuousClock.now
      server.stop()
      #expect(began.duration(to: .now) < .seconds(15))
      #expect(server.requests.first?.path == "/")
    }

    @Test("A client that has gone is no SIGPIPE")
    func noSignal() throws {
      let server = try TestServer { _ in .huge(32 << 20) }
      defer { server.stop() }
      #expect(failed(HTTPTransport().get(server.url(), deadline: 5, limit: 10)) == .bodyTooLarge(10))
    }

    @Test("Records requests") func recordsRequests() throws {
      let server = try TestServer { _ in .status(200) }
      defer { server.stop() }
      _ = try HTTPTransport().get(server.url("/p?q=1"), headers: [("X-A", "b")], deadline: 60).get()
      let request = try #require(server.requests.first)
      #expect(request.target == "/p?q=1")
      #expect(String(decoding: request.raw, as: UTF8.self).hasPrefix("GET /p?q=1 HTTP/1.1\r\n"))
      #expect(String(decoding: request.raw, as: UTF8.self).hasSuffix("\r\n\r\n"))
      #expect(request.header("x-a") == "b")
    }
  }
}

extension HTTPTransport {
  /// A GET, as the tests write it.
  func get(
    _ url: String, headers: [(String, String)] = [], deadline: Double, limit: Int = HTTPAnswerLimits.defaultBytes,
    isInterrupted: () -> Bool = { false }
  ) -> Result<HTTPExchange, TransportFailure> {
    send(
      .get(url, headers: HTTPFields(headers.map { HTTPField($0.0, $0.1) })),
      within: HTTPAnswerLimits(seconds: deadline, bytes: limit), isInterrupted: isInterrupted)
  }
}
