import SKANHTTP
import skan_http
import TestSupport
import Testing

extension HTTPTests {
  @Suite("The trace of an exchange")
  struct Traces {
    @Test func lines() throws {
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
}
