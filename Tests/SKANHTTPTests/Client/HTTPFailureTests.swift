import SKANHTTP
import skan_http
import TestSupport
import Testing

extension HTTPTests {
  @Suite("Answers that do not come through")
  struct Failures {
    /// Asks a server that answers so.
    private func failure(
      _ response: TestServer.Response, limit: Int = 1 << 20, scheme: String = "http"
    ) throws -> TransportFailure? {
      let server = try TestServer { _ in response }
      defer { server.stop() }
      let url = "\(scheme)://127.0.0.1:\(server.port)/a?key=SECRET"
      return failed(HTTPTransport().get(url, deadline: 5, limit: limit))
    }

    @Test func closed() throws { #expect(try failure(.closed) == .closedWithoutAnswer) }

    @Test func reset() throws {
      // Darwin has one error for both.
      let reset = try failure(.reset)
      #expect(reset == .connectionReset || reset == .closedWithoutAnswer)
    }

    @Test func truncated() throws { #expect(try failure(.truncated("{\"a\"", missing: 9)) == .truncated) }

    @Test func truncatedChunks() throws {
      #expect(try failure(.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")) == .truncated)
    }

    #if os(Linux)
      @Test(
        "HTTP that cannot be read",
        arguments: [
          "HTTP/1.1 200\r\n\r\n", "HTTP/1.1 200 OK\n\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nA\r\n\r\n",
          "HTTP/1.1 200 OK\r\n: x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nab",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab",
        ])
      func malformed(text: String) throws {
        guard case .malformedHTTP = try failure(.raw(text)) else {
          Issue.record("no malformed HTTP")
          return
        }
      }
    #endif

    @Test func resetWithinTheBody() throws {
      var response = TestServer.Response.truncated("{\"a\"", missing: 9)
      response.steps = [response.steps[0], .pause(0.1), .reset]
      #expect(try failure(response) == .truncated)
    }

    @Test("Not HTTP", arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "hello\n", "\u{1}\u{2}"])
    func notHTTP(text: String) throws { #expect(try failure(.raw(text)) == .notHTTP) }

    @Test func unknownEncoding() throws {
      #expect(try failure(.status(200, headers: [("Content-Encoding", "odd")], body: "x")) == .badCompression)
    }

    @Test func badGzip() throws {
      var bytes = TestServer.Response.packedAnswer
      bytes[20] ^= 0xFF
      #expect(try failure(.gzip(bytes)) == .badCompression)
      #expect(try failure(.gzip(Array("no gzip".utf8))) == .badCompression)
    }

    @Test("A body over the limit", arguments: [0, 1000, 99_999])
    func tooLarge(limit: Int) throws {
      #expect(try failure(.huge(100_000), limit: limit) == .bodyTooLarge(limit))
    }

    @Test func limitIsInclusive() throws { #expect(try failure(.huge(100_000), limit: 100_000) == nil) }

    @Test("The limit counts the unpacked body")
    func tooLargeUnpacked() throws { #expect(try failure(.gzip(), limit: 35) == .bodyTooLarge(35)) }

    @Test func refused() throws {
      let server = try TestServer { _ in .status(200) }
      server.stop()
      #expect(failed(HTTPTransport().get(server.url(), deadline: 60)) == .connectionRefused(proxy: nil))
    }

    @Test func plainServerAskedForTLS() throws {
      guard case .tls(let text) = try failure(.status(200), scheme: "https") else {
        Issue.record("no TLS failure")
        return
      }
      #expect(text == "wrong version number")
    }

    @Test func noSuchHost() {
      // Longer than a label may be, so that the answer needs no resolver within reach.
      let host = String(repeating: "a", count: 64)
      #expect(failed(HTTPTransport().get("http://\(host).invalid/?key=SECRET", deadline: 60)) == .noSuchHost)
    }

    @Test(
      "URLs that are not asked",
      arguments: [
        "", "nonsense", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http:///a", "http://user:pw@127.0.0.1/",
        "http://127.0.0.1:99999/", "http://127.0.0.1/a b", "http://127.0.0.1/?q={}",
      ])
    func badURL(url: String) { #expect(failed(HTTPTransport().get(url, deadline: 60)) == .badURL) }

    @Test(
      "Headers that are not sent", arguments: [("A", "b\r\nC: d"), ("A B", "c"), ("", "a"), ("A:", "b"), ("A\n", "b")])
    func badHeader(name: String, value: String) {
      let result = HTTPTransport().get("http://127.0.0.1:9/", headers: [(name, value)], deadline: 60)
      #expect(failed(result) == .badHeader(name))
    }
  }
}

/// The failure of a request; nil when it succeeded.
func failed(_ result: Result<HTTPExchange, TransportFailure>) -> TransportFailure? {
  if case .failure(let failure) = result { failure } else { nil }
}
