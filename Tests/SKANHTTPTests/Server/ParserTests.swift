import Testing

@testable import SKANHTTP

@Suite struct ParserValidTests {
  static func request(
    _ method: String = "GET", _ path: String = "/", query: String? = nil, minor: Int = 1,
    fields: [(String, String)] = [("Host", "a")], body: String = "", keepsAlive: Bool = true
  ) -> HTTPRequestParser.Step {
    .request(
      HTTPRequest(
        method: method, target: HTTPTarget(path: path, query: query),
        headers: HTTPFields(fields.map { HTTPField($0.0, $0.1) }), body: Array(body.utf8)),
      HTTPPersistence(minorVersion: minor, keepsAlive: keepsAlive))
  }

  static let cases: [ParserCase] = [
    ParserCase("plain", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", [request()]),
    ParserCase(
      "query", "GET /a/b?x=%7B%22&y HTTP/1.1\r\nHost: a\r\n\r\n", [request("GET", "/a/b", query: "x=%7B%22&y")]),
    ParserCase("empty query", "GET /? HTTP/1.1\r\nHost: a\r\n\r\n", [request(query: "")]),
    ParserCase("two question marks", "GET /?a?b HTTP/1.1\r\nHost: a\r\n\r\n", [request(query: "a?b")]),
    ParserCase(
      "what a URL may not have", "GET /?a={\"USD\":[1]}|<> HTTP/1.1\r\nHost: a\r\n\r\n",
      [request(query: "a={\"USD\":[1]}|<>")]),
    ParserCase(
      "escapes that mean nothing", "GET /%61%50i/%7e%2D%2e%5F%30?%61 HTTP/1.1\r\nHost: a\r\n\r\n",
      [request("GET", "/aPi/~-._0", query: "%61")]),
    ParserCase(
      "escapes that mean something", "GET /a%2Fb%2f%3f%25%2561%3B%C3%A9%zz%6 HTTP/1.1\r\nHost: a\r\n\r\n",
      [request("GET", "/a%2Fb%2f%3f%25%2561%3B%C3%A9%zz%6")]),
    ParserCase(
      "escapes in an absolute form", "GET http://h/%61/%2e%2E HTTP/1.1\r\nHost: a\r\n\r\n", [request("GET", "/a/..")]),
    ParserCase("two slashes", "GET //a HTTP/1.1\r\nHost: a\r\n\r\n", [request("GET", "//a")]),
    ParserCase(
      "absolute form", "GET HTTP://h.example:80/p?q HTTP/1.1\r\nHost: a\r\n\r\n", [request("GET", "/p", query: "q")]),
    ParserCase("absolute form, no path", "GET http://h HTTP/1.1\r\nHost: a\r\n\r\n", [request()]),
    ParserCase("absolute form, query", "GET https://[::1]?q HTTP/1.1\r\nHost: a\r\n\r\n", [request(query: "q")]),
    ParserCase("asterisk", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", [request("OPTIONS", "*")]),
    ParserCase("any token is a method", "M-SEARCH!x / HTTP/1.1\r\nHost: a\r\n\r\n", [request("M-SEARCH!x")]),
    ParserCase("method in lower case", "get / HTTP/1.1\r\nHost: a\r\n\r\n", [request("get")]),
    ParserCase("1.0", "GET / HTTP/1.0\r\n\r\n", [request(minor: 0, fields: [], keepsAlive: false)]),
    ParserCase(
      "1.0 kept", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
      [request(minor: 0, fields: [("Connection", "Keep-Alive")])]),
    ParserCase("1.9", "GET / HTTP/1.9\r\nHost: a\r\n\r\n", [request()]),
    ParserCase(
      "close", "GET / HTTP/1.1\r\nHost: a\r\nConnection: x ,\tCLOSE\r\n\r\n",
      [request(fields: [("Host", "a"), ("Connection", "x ,\tCLOSE")], keepsAlive: false)]),
    ParserCase(
      "close wins", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n",
      [request(fields: [("Host", "a"), ("Connection", "close"), ("Connection", "keep-alive")], keepsAlive: false)]),
    ParserCase("no blank", "GET / HTTP/1.1\r\nHost:a\r\n\r\n", [request()]),
    ParserCase("blanks", "GET / HTTP/1.1\r\nHost: \t a \t \r\n\r\n", [request()]),
    ParserCase("empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", [request(fields: [("Host", "")])]),
    ParserCase(
      "host with port", "GET / HTTP/1.1\r\nhOST: [::1]:8787\r\n\r\n", [request(fields: [("hOST", "[::1]:8787")])]),
    ParserCase(
      "value beyond ASCII", "GET / HTTP/1.1\r\nHost: a\r\nX: a é\t,\r\n\r\n",
      [request(fields: [("Host", "a"), ("X", "a é\t,")])]),
    ParserCase(
      "empty value", "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n", [request(fields: [("Host", "a"), ("X", "")])]),
    ParserCase("empty line before", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", [request()]),
    ParserCase(
      "body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\na\r\n\0b",
      [request("POST", fields: [("Host", "a"), ("Content-Length", "005")], body: "a\r\n\0b")]),
    ParserCase(
      "body of a GET", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
      [request(fields: [("Host", "a"), ("Content-Length", "1")], body: "x")]),
    ParserCase(
      "1.0 expects nothing", "GET / HTTP/1.0\r\nExpect: x\r\n\r\n",
      [request(minor: 0, fields: [("Expect", "x")], keepsAlive: false)]),
    ParserCase(
      "pipeline",
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi\r\n"
        + "GET /3 HTTP/1.1\r\nHost: a\r\n\r\n",
      [
        request("GET", "/1"), request("POST", "/2", fields: [("Host", "a"), ("Content-Length", "2")], body: "hi"),
        request("GET", "/3"),
      ]),
    ParserCase(
      "good, then bad", "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET\r\n",
      [request("GET", "/1"), .failure(.requestLineParts)]),
    ParserCase("half a request", "GET / HTTP/1.1\r\nHost: a\r\n", []),
    ParserCase("nothing but an empty line", "\r\n", []),
  ]

  @Test("Is read however it is cut", arguments: cases)
  func isReadHoweverItIsCut(_ example: ParserCase) {
    for pieces in [1, 2, 3, 7, 16, example.bytes.count] {
      #expect(ParserCase.steps(of: example.bytes, pieces: pieces) == example.steps)
    }
  }

  @Test("Tells the client to send its body once") func tellsTheClientToSendItsBodyOnce() {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    parser.feed(Array("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n".utf8))
    #expect(parser.next() == .needMore)
    #expect(parser.isInBody)
    let answers = [parser.consumeExpectation(), parser.consumeExpectation()]
    #expect(answers == [true, false])
  }

  @Test(
    "Does not tell who does not wait",
    arguments: [
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nx",
      "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n",
    ])
  func doesNotTellWhoDoesNotWait(_ text: String) {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    parser.feed(Array(text.utf8))
    #expect(parser.next() == .needMore)
    let isToldToGoOn = parser.consumeExpectation()
    #expect(!isToldToGoOn)
  }
}

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

  @Test("Is told off however it is cut", arguments: cases)
  func isToldOffHoweverItIsCut(_ text: String, _ failure: HTTPFailure, _ status: Int) {
    #expect(failure.status == status)
    let bytes = Array(text.utf8)
    for pieces in [1, 2, 3, 7, 16, bytes.count] {
      #expect(ParserCase.steps(of: bytes, pieces: pieces, limits: Self.limits) == [.failure(failure)])
    }
  }

  @Test("The longest that is allowed is taken") func theLongestThatIsAllowedIsTaken() {
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

  @Test("Stops for good and keeps nothing") func stopsForGoodAndKeepsNothing() {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    parser.feed(Array("GET\r\n".utf8))
    #expect(parser.next() == .failure(.requestLineParts))
    parser.feed(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    #expect(parser.next() == .failure(.requestLineParts))
    #expect(parser.buffered == 0)
  }

  @Test("The answer is one sentence of visible ASCII", arguments: cases)
  func theAnswerIsOneSentenceOfVisibleASCII(_ text: String, _ failure: HTTPFailure, _ status: Int) {
    let sentence = failure.sentence
    #expect(sentence.hasSuffix(".") && sentence.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    #expect(failure.reply.response.status == status && failure.reply.closes)
  }
}

/// Bytes, and the steps that a parser must give for them.
struct ParserCase: CustomTestStringConvertible, Sendable {
  var name: String
  var bytes: [UInt8]
  var steps: [HTTPRequestParser.Step]

  init(_ name: String, _ text: String, _ steps: [HTTPRequestParser.Step]) {
    self.init(name, Array(text.utf8), steps)
  }

  init(_ name: String, _ bytes: [UInt8], _ steps: [HTTPRequestParser.Step]) {
    self.name = name
    self.bytes = bytes
    self.steps = steps
  }

  var testDescription: String { name }

  /// All steps of a parser that is fed pieces of this many bytes, but those that say that it needs more.
  static func steps(
    of bytes: [UInt8], pieces: Int, limits: HTTPLimits = HTTPLimits()
  ) -> [HTTPRequestParser.Step] {
    var parser = HTTPRequestParser(limits: limits)
    var steps: [HTTPRequestParser.Step] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      parser.feed(Array(rest.prefix(pieces)))
      rest = rest.dropFirst(pieces)
      var step = parser.next()
      while case .request = step {
        steps.append(step)
        step = parser.next()
      }
      if case .failure = step { return steps + [step] }
    }
    return steps
  }
}
