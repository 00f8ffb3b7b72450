import Foundation
import Testing

@testable import SKANHTTP
@testable import skan_http

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
    #expect(failure.message(address: Self.address) == expected)
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
    #expect(!failure.message(address: Self.address).contains("SECRET"))
  }

  @Test(
    "What is lost after the head of an answer broke off",
    arguments: [.networkConnectionLost, .badServerResponse] as [URLError.Code])
  func broken(code: URLError.Code) {
    #expect(TransportFailure.of(code, "", address: Self.address, hasAnswer: true, seconds: 0) == .truncated)
  }
}
