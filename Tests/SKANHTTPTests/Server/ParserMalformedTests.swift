import Testing

@testable import SKANHTTP

@Suite struct ParserMalformedTests {
  /// Small, so that the cases stay readable.
  static let limits: HTTPLimits = {
    var limits = HTTPLimits()
    limits.requestLine = 64
    limits.head = 160
    limits.fields = 4
    limits.body = 100
    return limits
  }()

  static let start = "GET / HTTP/1.1\r\n"

  static func headers(_ text: String) -> String { "\(start)Host: a\r\n\(text)\r\n\r\n" }

  static let cases: [(String, HTTPFailure, Int)] = [
    ("GET\r\n", .requestLineParts, 400),
    ("GET /\r\n", .requestLineParts, 400),
    ("GET / \r\n", .malformedVersion, 400),
    ("GET  HTTP/1.1\r\n", .requestLineParts, 400),
    ("GET  / HTTP/1.1\r\n", .requestLineParts, 400),
    ("GET / a HTTP/1.1\r\n", .requestLineParts, 400),
    (" GET / HTTP/1.1\r\n", .requestLineParts, 400),
    ("\r\n\r\n", .requestLineParts, 400),
    ("GET / HTTP/1.1 \r\n", .requestLineParts, 400),
    ("GET\t/\tHTTP/1.1\r\n", .illegalByte(9, .requestLine), 400),
    ("G@T / HTTP/1.1\r\n", .illegalByte(0x40, .method), 400),
    ("GET /\0 HTTP/1.1\r\n", .illegalByte(0, .requestLine), 400),
    ("GET /\u{7F} HTTP/1.1\r\n", .illegalByte(0x7F, .requestLine), 400),
    ("GET /é HTTP/1.1\r\n", .illegalByte(0xC3, .requestLine), 400),
    ("\u{16}\u{3}\u{1}\u{2}", .illegalByte(0x16, .requestLine), 400),
    ("GET / HTTP/1.1\n", .bareLineFeed, 400),
    ("\n", .bareLineFeed, 400),
    ("GET /\rHTTP/1.1\r\n", .bareCarriageReturn, 400),
    ("\(start)Host: a\n\n", .bareLineFeed, 400),
    ("\(start)Host: a\rb\r\n", .bareCarriageReturn, 400),
    ("GET / http/1.1\r\n", .malformedVersion, 400),
    ("GET / HTTP/1\r\n", .malformedVersion, 400),
    ("GET / HTTP/1.11\r\n", .malformedVersion, 400),
    ("GET / HTTP/x.1\r\n", .malformedVersion, 400),
    ("GET / HTTP/1,1\r\n", .malformedVersion, 400),
    ("GET / HTTPS/1.1\r\n", .malformedVersion, 400),
    ("GET / HTTP/0.9\r\n", .unsupportedVersion("HTTP/0.9"), 505),
    ("PRI * HTTP/2.0\r\n", .unsupportedVersion("HTTP/2.0"), 505),
    ("GET a HTTP/1.1\r\n", .malformedTarget, 400),
    ("GET * HTTP/1.1\r\n", .malformedTarget, 400),
    ("GET ?a HTTP/1.1\r\n", .malformedTarget, 400),
    ("GET /#a HTTP/1.1\r\n", .malformedTarget, 400),
    ("GET http:///a HTTP/1.1\r\n", .malformedTarget, 400),
    ("GET http://u@h/a HTTP/1.1\r\n", .malformedTarget, 400),
    ("GET ftp://h/a HTTP/1.1\r\n", .malformedTarget, 400),
    ("GET h:80 HTTP/1.1\r\n", .malformedTarget, 400),
    ("CONNECT h:80 HTTP/1.1\r\n", .connectMethod, 501),
    ("\(start)\r\n", .missingHost, 400),
    (headers("Host: b"), .severalHosts, 400),
    (headers("host: a"), .severalHosts, 400),
    ("\(start)Host: a b\r\n", .malformedHost, 400),
    ("\(start)Host: a/b\r\n", .malformedHost, 400),
    ("\(start)Host: u@b\r\n", .malformedHost, 400),
    ("\(start)Host : a\r\n", .illegalByte(0x20, .fieldName), 400),
    ("\(start)Host\t: a\r\n", .illegalByte(0x09, .fieldName), 400),
    ("\(start) Host: a\r\n", .foldedField, 400),
    (headers("X: a\r\n b"), .foldedField, 400),
    (headers("X: a\r\n\tb"), .foldedField, 400),
    (headers("X"), .fieldWithoutColon, 400),
    (headers("X Y"), .fieldWithoutColon, 400),
    (headers(": a"), .fieldWithoutName, 400),
    (headers("X@: a"), .illegalByte(0x40, .fieldName), 400),
    (headers("Xé: a"), .illegalByte(0xC3, .fieldName), 400),
    (headers("X: a\0b"), .illegalByte(0, .fieldLine), 400),
    (headers("X: a\u{1B}b"), .illegalByte(0x1B, .fieldLine), 400),
    (headers("X: a\u{7F}"), .illegalByte(0x7F, .fieldLine), 400),
    (headers("Content-Length: "), .malformedContentLength, 400),
    (headers("Content-Length: -1"), .malformedContentLength, 400),
    (headers("Content-Length: +1"), .malformedContentLength, 400),
    (headers("Content-Length: 1, 1"), .malformedContentLength, 400),
    (headers("Content-Length: 0x1"), .malformedContentLength, 400),
    (headers("Content-Length: 1\r\nContent-Length: 1"), .severalContentLengths, 400),
    (headers("Content-Length: 101"), .bodyTooLong(limit: 100), 413),
    (headers("Content-Length: 99999999999999999999999999"), .bodyTooLong(limit: 100), 413),
    (headers("transfer-encoding: identity"), .transferEncoding, 501),
    (headers("Transfer-Encoding: chunked\r\nContent-Length: 1"), .contradictoryLengths, 400),
    (headers("Content-Length: 1\r\nTransfer-Encoding: chunked"), .contradictoryLengths, 400),
    (headers("Expect: 200-ok"), .unknownExpectation, 417),
    (headers("Expect: 100-continue\r\nExpect: more"), .unknownExpectation, 417),
    ("GET /\(String(repeating: "a", count: 60))", .requestLineTooLong(limit: 64), 414),
    (String(repeating: "a", count: 64), .requestLineTooLong(limit: 64), 414),
    ("GET /\(String(repeating: "a", count: 49)) HTTP/1.1\r\n", .requestLineTooLong(limit: 64), 414),
    (headers("X: \(String(repeating: "a", count: 160))"), .headTooLong(limit: 160), 431),
    (headers("A:\r\nB:\r\nC:\r\nD:"), .tooManyFields(limit: 4), 431),
  ]

  @Test(arguments: cases)
  func isToldOffHoweverItIsCut(_ text: String, _ failure: HTTPFailure, _ status: Int) {
    #expect(failure.status == status)
    let bytes = Array(text.utf8)
    for pieces in [1, 2, 3, 7, 16, bytes.count] {
      #expect(ParserCase.steps(of: bytes, pieces: pieces, limits: Self.limits) == [.failure(failure)])
    }
  }

  @Test func theLongestThatIsAllowedIsTaken() {
    let line = "GET /\(String(repeating: "a", count: 48)) HTTP/1.1\r\n"
    #expect(line.utf8.count == 64)
    let head = "\(line)Host: a\r\nX: "
    let text = head + String(repeating: "b", count: 160 - head.utf8.count - 4) + "\r\n\r\n"
    let bytes = Array(text.utf8)
    #expect(bytes.count == 160)
    for pieces in [1, bytes.count] {
      #expect(ParserCase.steps(of: bytes, pieces: pieces, limits: Self.limits).count == 1)
    }
  }

  @Test func stopsForGoodAndKeepsNothing() {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    parser.feed(Array("GET\r\n".utf8))
    #expect(parser.next() == .failure(.requestLineParts))
    parser.feed(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    #expect(parser.next() == .failure(.requestLineParts))
    #expect(parser.buffered == 0)
  }

  @Test(arguments: cases)
  func theAnswerIsOneSentenceOfVisibleASCII(_ text: String, _ failure: HTTPFailure, _ status: Int) {
    let sentence = failure.sentence
    #expect(sentence.hasSuffix(".") && sentence.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    #expect(failure.reply.response.status == status && failure.reply.closes)
  }
}
