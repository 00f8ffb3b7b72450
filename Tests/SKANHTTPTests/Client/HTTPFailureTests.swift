import Foundation
import TestSupport
import Testing

@testable import SKANHTTP
@testable import skan_http

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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

    @Test("Reset") func reset() throws {
      // Darwin has one error for both.
      let reset = try failure(.reset)
      #expect(reset == .connectionReset || reset == .closedWithoutAnswer)
    }

    @Test("Each way to break off, or to be no HTTP, has its failure, and a body within the limit has none")
    func named() throws {
      var reset = TestServer.Response.truncated("{\"a\"", missing: 9)
      reset.steps = [reset.steps[0], .pause(0.1), .reset]
      var spoilt = TestServer.Response.packedAnswer
      spoilt[20] ^= 0xFF
      // The limit counts the unpacked body.
      for (response, limit, expected) in [
        (.closed, 1 << 20, .closedWithoutAnswer), (.truncated("{\"a\"", missing: 9), 1 << 20, .truncated),
        (.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"), 1 << 20, .truncated),
        (reset, 1 << 20, .truncated), (.raw("SSH-2.0-OpenSSH_9.2\r\n"), 1 << 20, .notHTTP),
        (.raw("hello\n"), 1 << 20, .notHTTP), (.raw("\u{1}\u{2}"), 1 << 20, .notHTTP),
        (.status(200, headers: [("Content-Encoding", "odd")], body: "x"), 1 << 20, .badCompression),
        (.gzip(spoilt), 1 << 20, .badCompression), (.gzip(Array("no gzip".utf8)), 1 << 20, .badCompression),
        (.huge(100_000), 0, .bodyTooLarge(0)), (.huge(100_000), 1000, .bodyTooLarge(1000)),
        (.huge(100_000), 99_999, .bodyTooLarge(99_999)), (.huge(100_000), 100_000, nil),
        (.gzip(), 35, .bodyTooLarge(35)),
      ] as [(TestServer.Response, Int, TransportFailure?)] {
        #expect(try failure(response, limit: limit) == expected)
      }
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

    @Test("Refused") func refused() throws {
      let server = try TestServer { _ in .status(200) }
      server.stop()
      #expect(failed(HTTPTransport().get(server.url(), deadline: 60)) == .connectionRefused(proxy: nil))
    }

    @Test("Plain server asked for TLS") func plainServerAskedForTLS() throws {
      guard case .tls(let text) = try failure(.status(200), scheme: "https") else {
        Issue.record("no TLS failure")
        return
      }
      #expect(text == "wrong version number")
    }

    @Test("No such host") func noSuchHost() {
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

extension HTTPTests {
  @Suite("Deadlines and interrupts")
  struct Deadlines {
    private let transport = HTTPTransport()

    /// The failure, and after how many seconds it came.
    private func timed(
      _ response: TestServer.Response, deadline: Double, isInterrupted: () -> Bool = { false }
    ) throws -> (TransportFailure?, Double) {
      let server = try TestServer { _ in response }
      defer { server.stop() }
      let began = ContinuousClock.now
      let result = transport.get(server.url(), deadline: deadline, isInterrupted: isInterrupted)
      return (failed(result), began.duration(to: .now) / .seconds(1))
    }

    @Test("A slow answer is waited for no longer than allowed", arguments: [0.05, 0.25, 0.33])
    func slow(deadline: Double) throws {
      let (failure, seconds) = try timed(.delayed(60, .status(200)), deadline: deadline)
      #expect(failure == .timedOut(deadline))
      #expect((deadline..<30).contains(seconds))
    }

    @Test("Bytes that keep coming do not prolong it")
    func drip() throws {
      let (failure, seconds) = try timed(.drip(String(repeating: "0", count: 600), every: 0.1), deadline: 0.4)
      #expect(failure == .timedOut(0.4))
      #expect((0.4..<30).contains(seconds))
    }

    @Test("Slow but in time") func slowButInTime() throws {
      #expect(try timed(.delayed(0.2, .drip("abc", every: 0.05)), deadline: 60).0 == nil)
    }

    @Test("No time at all", arguments: [0, -1, -Double.infinity])
    func none(deadline: Double) throws {
      let (failure, seconds) = try timed(.delayed(60, .status(200)), deadline: deadline)
      #expect(failure == .timedOut(deadline))
      #expect(seconds < 30)
    }

    @Test("All the time there is", arguments: [Double.infinity, Double.greatestFiniteMagnitude, 1e10])
    func endless(deadline: Double) throws {
      #expect(try timed(.delayed(0.05, .status(200)), deadline: deadline).0 == nil)
    }

    @Test("Redirects share one") func redirectsShareOne() throws {
      let server = try TestServer { _ in .delayed(0.1, .redirect(to: "/again")) }
      defer { server.stop() }
      #expect(failed(transport.get(server.url(), deadline: 0.35)) == .timedOut(0.35))
    }

    @Test("An interrupt ends the wait within a slice or two")
    func interrupt() throws {
      let began = ContinuousClock.now
      let (failure, seconds) = try timed(.delayed(60, .status(200)), deadline: 60) {
        began.duration(to: .now) > .milliseconds(200)
      }
      #expect(failure == .interrupted)
      #expect((0.2..<30).contains(seconds))
    }

    @Test("Interrupted before") func interruptedBefore() throws {
      let (failure, seconds) = try timed(.status(200), deadline: 60) { true }
      #expect(failure == .interrupted)
      #expect(seconds < 30)
    }

    @Test("After a deadline the next request is a fresh one")
    func recovers() throws {
      let server = try TestServer { request in
        request.path == "/slow" ? .delayed(0.3, .status(200, body: "slow")) : .status(200, body: "fast")
      }
      defer { server.stop() }
      #expect(failed(transport.get(server.url("/slow"), deadline: 0.1)) == .timedOut(0.1))
      let exchange = try transport.get(server.url("/fast"), deadline: 60).get()
      #expect(String(decoding: exchange.response.body, as: UTF8.self) == "fast")
    }
  }
}

@Suite("Failures and their words")
struct TransportFailureTests {
  private static let address = HTTPAddress(scheme: .http, host: "h", port: 9, path: "/p")

  @Test(
    "Words",
    arguments: [
      (.badURL, "not a URL that can be asked: http://h:9/p"),
      (.badHeader("a\nb"), #"the header "a\nb" has a character that cannot be sent"#),
      (.noSuchHost, "no such host: h"),
      (.connectionRefused(proxy: nil), "could not connect to h:9: connection refused"),
      (.connectionRefused(proxy: "p:1"), "could not connect to h:9: connection refused by the proxy p:1"),
      (.unreachable("there is no network"), "could not connect to h:9: there is no network"),
      (.timedOut(0.25), "no answer within 0.25 s from http://h:9/p"),
      (.timedOut(2), "no answer within 2 s from http://h:9/p"),
      (.interrupted, "interrupted while waiting for http://h:9/p"),
      (.closedWithoutAnswer, "the server closed the connection without an answer: http://h:9/p"),
      (.connectionReset, "the server reset the connection without an answer: http://h:9/p"),
      (.truncated, "the answer broke off before its end: http://h:9/p"),
      (.notHTTP, "the answer is not HTTP: http://h:9/p"),
      (.malformedHTTP("odd"), "the answer is malformed HTTP (odd): http://h:9/p"),
      (.badCompression, "the answer's body cannot be unpacked: http://h:9/p"),
      (.tls("wrong version number"), "no secure connection to h:9: wrong version number"),
      (
        .redirectRefused(to: "https://other/"),
        "redirect to https://other/ refused: the query, with the SDK key, goes to no other address than http://h:9/p"
      ),
      (.tooManyRedirects(20), "more than 20 redirects from http://h:9/p"),
      (.bodyTooLarge(10), "the answer is larger than 10 bytes (--max-answer): http://h:9/p"),
      (.headTooLarge(10), "the answer's head is larger than 10 bytes: http://h:9/p"),
      (
        .tooMuchMemory(10),
        "the answer takes far more memory than one of 10 bytes (--max-answer) needs: http://h:9/p"
      ), (.crashed, "the answer broke off in its head, or is no HTTP that can be read: http://h:9/p"),
      (.noHelper("odd"), "cannot start skan-http, which sends requests: odd"),
      (.other(code: -1, text: "odd"), "the request to http://h:9/p failed: odd (URLSession error -1)"),
    ] as [(TransportFailure, String)])
  func words(failure: TransportFailure, expected: String) {
    #expect(failure.message(address: Self.address, carriesKey: true) == expected)
    // Only a redirect concerns the query.
    if case .redirectRefused = failure { return }
    #expect(failure.message(address: Self.address, carriesKey: false) == expected)
  }

  @Test("A redirect of a request without the SDK key")
  func withoutKey() {
    let failure = TransportFailure.redirectRefused(to: "https://other/")
    #expect(
      failure.message(url: "http://h:9/p?x=1")
        == "redirect to https://other/ refused: the request goes to no other address than http://h:9/p")
  }

  @Test(
    "URLSession's errors, of both platforms",
    arguments: [
      (
        .unknown, "SSL certificate problem: self-signed certificate",
        .tls("SSL certificate problem: self-signed certificate")
      ),
      (.unknown, "error:0A00010B:SSL routines::wrong version number", .tls("wrong version number")),
      (.secureConnectionFailed, "An SSL error has occurred.", .tls("An SSL error has occurred")),
      (
        .unknown, "Failed to connect to h port 9 after 3 ms: Couldn't connect to server",
        .unreachable("the host cannot be reached")
      ),
      (
        .cannotConnectToHost, "Failed to connect to h port 9 after 0 ms: Couldn't connect",
        .connectionRefused(proxy: nil)
      ),
      (
        .cannotConnectToHost, "Failed to connect to q port 9 after 0 ms: Couldn't connect",
        .connectionRefused(proxy: "q:9")
      ),
      (.cannotConnectToHost, "Could not connect to the server.", .connectionRefused(proxy: nil)),
      (.networkConnectionLost, "The network connection was lost.", .closedWithoutAnswer),
      (.cannotParseResponse, "cannot parse response", .notHTTP), (.cannotDecodeContentData, "", .badCompression),
      (.notConnectedToInternet, "", .unreachable("there is no network")), (.timedOut, "", .timedOut(4)),
      (.unknown, "Odd at http://h/p?key=SECRET\n today.", .other(code: -1, text: "Odd at http://h/p today")),
      (.unknown, "", .other(code: -1, text: "no reason given")), (.badURL, "bad URL", .badURL),
      (
        .unknown, String(repeating: "why ", count: 100),
        .other(code: -1, text: String(repeating: "why ", count: 50) + "…")
      ),
    ] as [(URLError.Code, String, TransportFailure)])
  func classified(code: URLError.Code, text: String, expected: TransportFailure) {
    let failure = TransportFailure.of(code, text, address: Self.address, hasAnswer: false, seconds: 4)
    #expect(failure == expected)
    #expect(!failure.message(address: Self.address, carriesKey: true).contains("SECRET"))
  }

  @Test(
    "What is lost after the head of an answer broke off",
    arguments: [.networkConnectionLost, .badServerResponse] as [URLError.Code])
  func broken(code: URLError.Code) {
    #expect(TransportFailure.of(code, "", address: Self.address, hasAnswer: true, seconds: 0) == .truncated)
  }
}
