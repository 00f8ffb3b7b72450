import SKANHTTP
import skan_http
import TestSupport
import Testing

extension HTTPTests {
  @Suite("Answers that come through")
  struct Answers {
    let transport = HTTPTransport()

    @Test("Every status is an answer, with its body", arguments: [200, 400, 401, 404, 500, 503])
    func statuses(status: Int) throws {
      let server = try TestServer { _ in
        .status(
          status, headers: [("X-Name", "a"), ("WWW-Authenticate", "Basic realm=\"x\"")], body: "{\"status\":\"ok\"}")
      }
      defer { server.stop() }
      let exchange = try transport.get(server.url("/a"), deadline: 60).get()
      #expect(exchange.response.status == status)
      #expect(String(decoding: exchange.response.body, as: UTF8.self) == "{\"status\":\"ok\"}")
      #expect(exchange.response.headers["x-name"] == "a")
      #expect(exchange.url == server.url("/a"))
      #expect(server.requests.count == 1)
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

    @Test func noContent() throws {
      let server = try TestServer { _ in .status(204) }
      defer { server.stop() }
      let exchange = try transport.get(server.url(), deadline: 60).get()
      #expect(exchange.response.status == 204)
      #expect(exchange.response.body.isEmpty)
    }

    @Test func chunked() throws {
      let server = try TestServer { _ in .chunked(["{\"a\":", "1", "", "}"]) }
      defer { server.stop() }
      let exchange = try transport.get(server.url(), deadline: 60).get()
      #expect(String(decoding: exchange.response.body, as: UTF8.self) == "{\"a\":1}")
    }

    @Test func gzip() throws {
      let server = try TestServer { _ in .gzip() }
      defer { server.stop() }
      let exchange = try transport.get(server.url(), deadline: 60).get()
      #expect(String(decoding: exchange.response.body, as: UTF8.self) == "{\"conversion_value\":7,\"status\":\"ok\"}")
      #expect(server.requests.first?.header("Accept-Encoding")?.contains("gzip") == true)
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
}
