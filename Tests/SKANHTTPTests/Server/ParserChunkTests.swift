import Testing

@testable import SKANHTTP

@Suite("A request body in chunks") struct ParserChunkTests {
  /// Small, so that the cases stay readable.
  private static let limits: HTTPLimits = {
    var limits = HTTPLimits()
    limits.head = 100
    limits.fields = 4
    limits.body = 64
    return limits
  }()

  private static let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static func request(_ body: String) -> HTTPRequestParser.Step {
    ParserValidTests.request("POST", fields: [("Host", "a"), ("Transfer-Encoding", "chunked")], body: body)
  }

  /// What is behind the head, and the body that it is.
  private static let bodies: [(String, String)] = [
    ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", "hello!"),
    ("0005\r\nhello\r\n000\r\n\r\n", "hello"),
    ("a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"),
    // A chunk's data may look like its end, or like another request.
    ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"), ("5\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n"),
    ("1;a=b\r\nx\r\n0;c\r\n\r\n", "x"), ("1 \t; a=\"b;\té\"\r\nx\r\n0\r\n\r\n", "x"),
    ("1\r\nx\r\n0\r\nA: b\r\nContent-Length: 9\r\nTransfer-Encoding: x\r\n\r\n", "x"),
    ("40\r\n\(String(repeating: "x", count: 64))\r\n0\r\n\r\n", String(repeating: "x", count: 64)),
  ]

  @Test("Its data are joined, however it is cut, and the next request follows", arguments: bodies)
  func valid(chunks: String, body: String) {
    let bytes = Array((Self.head + chunks + Self.head + "0\r\n\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
    for pieces in [1, 2, 3, 7, 16, bytes.count] {
      #expect(
        ParserCase.steps(of: bytes, pieces: pieces, limits: Self.limits) == [
          Self.request(body), Self.request(""), ParserValidTests.request("GET", "/b"),
        ])
    }
  }

  /// What is behind the head, why it is refused, and the status.
  private static let malformed: [(String, HTTPFailure, Int)] = [
    ("\r\n", .malformedChunkSize, 400), ("x\r\n", .malformedChunkSize, 400), ("-1\r\n", .malformedChunkSize, 400),
    ("+1\r\n", .malformedChunkSize, 400), ("0x1\r\n", .malformedChunkSize, 400), (" 1\r\n", .malformedChunkSize, 400),
    ("1 \r\n", .malformedChunkSize, 400), ("1 2\r\n", .malformedChunkSize, 400), ("1,1\r\n", .malformedChunkSize, 400),
    (";a\r\n", .malformedChunkSize, 400), ("1_0\r\n", .malformedChunkSize, 400), ("１\r\n", .malformedChunkSize, 400),
    ("41\r\n", .bodyTooLong(limit: 64), 413), ("ffffffff\r\n", .bodyTooLong(limit: 64), 413),
    ("7fffffffffffffff\r\n", .bodyTooLong(limit: 64), 413), ("ffffffffffffffff\r\n", .bodyTooLong(limit: 64), 413),
    ("10000000000000000\r\n", .bodyTooLong(limit: 64), 413),
    ("100000000000000000000001\r\n", .bodyTooLong(limit: 64), 413),
    ("3f\r\n\(String(repeating: "x", count: 63))\r\n2\r\n", .bodyTooLong(limit: 64), 413),
    ("1\r\nxy", .malformedChunkEnd, 400), ("1\r\nx\n0\r\n\r\n", .malformedChunkEnd, 400),
    ("1\r\nx\r0\r\n\r\n", .malformedChunkEnd, 400), ("1\r\nx0\r\n\r\n", .malformedChunkEnd, 400),
    ("5\r\nhi\r\n0\r\n\r\n", .malformedChunkSize, 400), ("2\r\nx\r\n0\r\n\r\n", .malformedChunkEnd, 400),
    ("1\nx", .bareLineFeed, 400), ("1\rx", .bareCarriageReturn, 400), ("1;a\nx\r\n", .bareLineFeed, 400),
    ("1;a=\"\rb\"\r\n", .bareCarriageReturn, 400), ("1;\0\r\n", .illegalByte(0, .chunkLine), 400),
    ("1;\u{7F}\r\n", .illegalByte(0x7F, .chunkLine), 400),
    ("0\r\nA\r\n", .fieldWithoutColon, 400), ("0\r\n: a\r\n", .fieldWithoutName, 400),
    ("0\r\nA: b\r\n c\r\n", .foldedField, 400), ("0\r\n A: b\r\n", .foldedField, 400),
    ("0\r\nA : b\r\n", .illegalByte(0x20, .fieldName), 400), ("0\r\nA: \0\r\n", .illegalByte(0, .fieldLine), 400),
    ("0\r\nA: b\n\r\n", .bareLineFeed, 400), ("0\r\n\n", .bareLineFeed, 400),
    ("0\r\nGET / HTTP/1.1\r\n", .fieldWithoutColon, 400),
    ("0\r\nA:\r\nB:\r\nC:\r\nD:\r\nE:\r\n", .tooManyFields(limit: 4), 431),
    // 16 bytes of a line are free, and 100 in all.
    ("1;\(String(repeating: "a", count: 115))", .chunkFramingTooLong(limit: 100), 431),
    (String(repeating: "0", count: 116), .chunkFramingTooLong(limit: 100), 431),
    (
      String(repeating: "1;\(String(repeating: "a", count: 22))\r\nx\r\n", count: 11), .chunkFramingTooLong(limit: 100),
      431
    ),
    ("0\r\nA: \(String(repeating: "b", count: 99))", .chunkFramingTooLong(limit: 100), 431),
    (
      "0\r\n" + String(repeating: "A: \(String(repeating: "b", count: 50))\r\n", count: 2),
      .chunkFramingTooLong(limit: 100), 431
    ),
    (
      "1;\(String(repeating: "a", count: 62))\r\nx\r\n0\r\nA: \(String(repeating: "b", count: 50))\r\n",
      .chunkFramingTooLong(limit: 100), 431
    ),
  ]

  @Test("What is wrong with it is said at once, however it is cut", arguments: malformed)
  func isRefused(chunks: String, failure: HTTPFailure, status: Int) {
    #expect(failure.status == status)
    let bytes = Array((Self.head + chunks).utf8)
    for pieces in [1, 2, 3, 7, 16, bytes.count] {
      #expect(ParserCase.steps(of: bytes, pieces: pieces, limits: Self.limits) == [.failure(failure)])
    }
  }

  @Test(
    "The longest extensions and trailers that are taken",
    arguments: [
      "1;\(String(repeating: "a", count: 112))\r\nx\r\n0\r\n\r\n",
      "1;\(String(repeating: "a", count: 62))\r\nx\r\n0\r\nA: \(String(repeating: "b", count: 41))\r\n\r\n",
      // Chunks of a byte are slow, and right.
      String(repeating: "1\r\nx\r\n", count: 64) + "0\r\n\r\n",
      String(repeating: "1;0123456789ab\r\nx\r\n", count: 64) + "0\r\n\r\n",
    ])
  func longest(chunks: String) {
    let bytes = Array((Self.head + chunks).utf8)
    for pieces in [1, bytes.count] {
      let steps = ParserCase.steps(of: bytes, pieces: pieces, limits: Self.limits)
      guard case .request? = steps.first, steps.count == 1 else {
        Issue.record("\(steps)")
        return
      }
    }
  }

  @Test(
    "It is not mixed with a length or with anything else",
    arguments: [
      ("Transfer-Encoding: chunked\r\nContent-Length: 1", HTTPFailure.contradictoryLengths),
      ("Content-Length: 0\r\nTransfer-Encoding: chunked", .contradictoryLengths),
      ("Transfer-Encoding: gzip, chunked", .transferEncoding),
      ("Transfer-Encoding: chunked, chunked", .transferEncoding),
      ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .transferEncoding),
      ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", .transferEncoding),
      ("Transfer-Encoding: identity", .transferEncoding), ("Transfer-Encoding: xchunked", .transferEncoding),
      ("Transfer-Encoding: chunked;q=1", .transferEncoding), ("Transfer-Encoding: \"chunked\"", .transferEncoding),
      ("Transfer-Encoding: chunked,", .transferEncoding), ("Transfer-Encoding:", .transferEncoding),
      ("Transfer-Encoding:\r\n chunked", .foldedField), ("Transfer-Encoding : chunked", .illegalByte(0x20, .fieldName)),
      ("Transfer-Encoding: \u{B}chunked", .illegalByte(0xB, .fieldLine)),
    ])
  func otherCodings(headers: String, failure: HTTPFailure) {
    let bytes = Array("POST / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    for pieces in [1, bytes.count] {
      #expect(ParserCase.steps(of: bytes, pieces: pieces) == [.failure(failure)])
    }
  }

  @Test("HTTP 1.0 has no chunks") func http10() {
    let bytes = Array("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".utf8)
    #expect(ParserCase.steps(of: bytes, pieces: bytes.count) == [.failure(.transferEncodingInHTTP10)])
    #expect(HTTPFailure.transferEncodingInHTTP10.status == 400)
  }

  @Test("The coding's name is read in any case") func codingName() {
    let bytes = Array(Self.head.replacing("chunked", with: "\tChunked ").utf8) + Array("1\r\nx\r\n0\r\n\r\n".utf8)
    let expected = ParserValidTests.request(
      "POST", fields: [("Host", "a"), ("Transfer-Encoding", "Chunked")], body: "x")
    #expect(ParserCase.steps(of: bytes, pieces: 3) == [expected])
  }

  @Test("No more is kept than the data and the head", arguments: [1, 5, 16, 1000])
  func memory(size: Int) {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    parser.feed(Array(Self.head.utf8))
    #expect(parser.next() == .needMore)
    let chunk = Array("\(String(size, radix: 16));a=b\r\n\(String(repeating: "x", count: size))\r\n".utf8)
    for number in 1...200 {
      parser.feed(chunk)
      #expect(parser.next() == .needMore)
      #expect(parser.buffered == Self.head.utf8.count + number * size)
      #expect(parser.isInBody && !parser.isIdle)
    }
    parser.feed(Array("0\r\n\r\n".utf8))
    guard case .request(let request, _) = parser.next() else {
      Issue.record("no request")
      return
    }
    #expect(request.body.count == 200 * size && parser.buffered == 0 && parser.isIdle)
  }

  @Test("A client that waits to be told sends its chunks then, and is told once") func clientWaits() {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    parser.feed(Array(Self.head.replacing("\r\n\r\n", with: "\r\nExpect: 100-continue\r\n\r\n").utf8))
    #expect(parser.next() == .needMore)
    let answers = [parser.consumeExpectation(), parser.consumeExpectation()]
    #expect(answers == [true, false])
    var other = HTTPRequestParser(limits: HTTPLimits())
    other.feed(
      Array((Self.head.replacing("\r\n\r\n", with: "\r\nExpect: 100-continue\r\n\r\n") + "1\r\nx\r\n").utf8))
    #expect(other.next() == .needMore)
    let isTold = other.consumeExpectation()
    #expect(!isTold)
  }

  @Test("However it is changed, the cut makes no difference, and little is kept") func howeverChanged() {
    // The same numbers at every run.
    var state: UInt64 = 1
    func number(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let bytes = Array("0123456789abcdefF\r\n\r\n;: \tx\0".utf8)
    for _ in 0..<3000 {
      var text = Array((Self.head + Self.bodies[number(below: Self.bodies.count)].0 + Self.head + "0\r\n\r\n").utf8)
      for _ in 0...number(below: 3) {
        let position = Self.head.utf8.count + number(below: text.count - Self.head.utf8.count)
        switch number(below: 3) {
        case 0: text[position] = bytes[number(below: bytes.count)]
        case 1: text.remove(at: position)
        default: text.insert(bytes[number(below: bytes.count)], at: position)
        }
      }
      let whole = ParserCase.steps(of: text, pieces: text.count, limits: Self.limits)
      for pieces in [1, 3, 17] {
        #expect(
          ParserCase.steps(of: text, pieces: pieces, limits: Self.limits) == whole,
          "\(String(decoding: text, as: UTF8.self).debugDescription)")
      }
      for case .request(let request, _) in whole { #expect(request.body.count <= Self.limits.body) }
    }
  }

  @Test("Where a body stops short, no request is made of it", arguments: bodies)
  func cutShort(chunks: String, body: String) {
    let bytes = Array((Self.head + chunks).utf8)
    for count in Self.head.utf8.count..<bytes.count {
      #expect(ParserCase.steps(of: Array(bytes[..<count]), pieces: count, limits: Self.limits) == [])
    }
  }
}
