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

  @Test(arguments: cases)
  func isReadHoweverItIsCut(_ example: ParserCase) {
    for pieces in [1, 2, 3, 7, 16, example.bytes.count] {
      #expect(ParserCase.steps(of: example.bytes, pieces: pieces) == example.steps)
    }
  }

  @Test func tellsTheClientToSendItsBodyOnce() {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    parser.feed(Array("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n".utf8))
    #expect(parser.next() == .needMore)
    #expect(parser.isInBody)
    let answers = [parser.consumeExpectation(), parser.consumeExpectation()]
    #expect(answers == [true, false])
  }

  @Test(arguments: [
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
