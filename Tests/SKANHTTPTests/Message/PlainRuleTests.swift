import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANHTTP

@Suite("Messages of HTTP, beside plain rules")
struct PlainRuleTests {
  /// A text as a header, by characters.
  private func plain(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      if line.utf8.count > 1000 { return line + "..." }
      line += (0x20...0x7E).contains(scalar.value) ? String(scalar) : scalar == "→" ? "->" : scalar.swiftEscape
    }
    return line
  }

  @Test("Any text becomes a header of ASCII, cut behind its thousandth byte") func anyText() {
    var generator = SplitMix64(seed: 5)
    let pieces = ["a", "b c", "→", "é", "😀", "\r\n", "\u{7F}", "\t", String(repeating: "x", count: 60)]
    var texts = [999, 1000, 1001, 1002, 2000].map { String(repeating: "x", count: $0) }
    for _ in Rounds.of(100) {
      let count = Int.random(in: 0...80, using: &generator)
      texts.append((0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined())
    }
    // One of several bytes on each place around the end.
    texts += (994...1003).flatMap { count in
      ["→", "é", "\n"].map { String(repeating: "x", count: count) + $0 + "yz" }
    }
    for text in texts {
      for name in ["A", "A-Longer-Name"] {
        var fields: HTTPFields = [HTTPField("Before", "1")]
        fields.append(name, ascii: Array(text.utf8))
        #expect(fields[name] == plain(text), "\(text.count) \(text.suffix(20))")
      }
    }
  }

  @Test(
    "A date of a header",
    arguments: [
      (-1, "Thu, 01 Jan 1970 00:00:00 GMT"), (9, "Thu, 01 Jan 1970 00:00:09 GMT"),
      (610, "Thu, 01 Jan 1970 00:10:10 GMT"), (3_599, "Thu, 01 Jan 1970 00:59:59 GMT"),
      (3_600, "Thu, 01 Jan 1970 01:00:00 GMT"), (86_399, "Thu, 01 Jan 1970 23:59:59 GMT"),
      (86_400, "Fri, 02 Jan 1970 00:00:00 GMT"), (604_799, "Wed, 07 Jan 1970 23:59:59 GMT"),
      (604_800, "Thu, 08 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"),
      (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
      (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
      (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int.min, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ] as [(Int, String)])
  func dateHeader(time: Int, text: String) { #expect(HTTPDate.text(unixTime: time) == text) }

  @Test("A redirect stays at its address, or goes to TLS on the usual ports") func redirectStays() {
    let addresses = ["a", "b"].flatMap { host in
      [HTTPAddress.Scheme.http, .https].flatMap { scheme in
        [80, 443, 8080].map { HTTPAddress(scheme: scheme, host: host, port: $0, path: "/\($0)") }
      }
    }
    for from in addresses {
      for to in addresses {
        let isSame = from.scheme == to.scheme && from.port == to.port
        let isToTLS = from.scheme == .http && from.port == 80 && to.scheme == .https && to.port == 443
        #expect(from.allowsRedirect(to: to) == (from.host == to.host && (isSame || isToTLS)), "\(from.text) \(to.text)")
      }
    }
  }

  @Test("The lines of an answer, for each status, method, version and way to end") func linesAnswer() {
    for status in [200, 204, 304, 404, 999] {
      for (isHead, stream) in [(false, nil), (true, nil), (false, 1), (true, 1)] as [(Bool, Int?)] {
        for minor in [0, 1] {
          for (keepsAlive, closes) in [(true, false), (true, true), (false, false)] {
            var reply = HTTPReply(HTTPResponse(status: status, body: Array("ab".utf8)), closes: closes)
            reply.stream = stream
            let answer = HTTPAnswer(
              reply: reply, isHead: isHead, persistence: HTTPPersistence(minorVersion: minor, keepsAlive: keepsAlive))
            var expected = "HTTP/1.1 \(status) \(HTTPReason.phrase(of: status))\r\n"
            if status != 204, stream == nil { expected += "Content-Length: 2\r\n" }
            let isLast = !keepsAlive || closes || stream != nil
            if isLast {
              expected += "Connection: close\r\n"
            } else if minor == 0 {
              expected += "Connection: keep-alive\r\n"
            }
            expected += "\r\n" + (isHead || status == 204 || status == 304 ? "" : "ab")
            #expect(AnswerTests.text(answer) == expected)
            #expect(answer.isLast == isLast)
          }
        }
      }
    }
    for (status, shown) in [(199, 500), (200, 200), (999, 999), (1000, 500)] {
      let text = AnswerTests.text(HTTPAnswer(reply: HTTPReply(HTTPResponse(status: status))))
      #expect(text.hasPrefix("HTTP/1.1 \(shown) "))
    }
  }

  @Test("A late answer is that which was set, with the delay of the first") func lateAnswer() {
    let late = HTTPLateReply()
    var reply = HTTPReply(late)
    reply.delay = 3
    let answer = HTTPAnswer(reply: reply, isHead: true)
    #expect(answer.settled == nil && reply.response.status == 500 && reply.isCounted)
    late.settle(HTTPReply(HTTPResponse(status: 201), delay: 9))
    #expect(answer.settled?.reply.response.status == 201 && answer.settled?.reply.delay == 3)
    #expect(answer.settled?.isHead == true && HTTPAnswer(reply: .text(200, "")).settled != nil)
  }

  @Test("Whether a connection stays, for each version and each option") func whetherConnection() throws {
    for minor in [0, 1, 9] {
      for options in [
        [], ["close"], ["keep-alive"], ["close", "keep-alive"], ["Keep-Alive", "x"], ["x , close ,y"], ["closed"],
      ] {
        var parser = HTTPRequestParser(limits: HTTPLimits())
        let lines = ["GET / HTTP/1.\(minor)", "Host: a"] + options.map { "Connection: \($0)" }
        parser.feed(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        guard case .request(_, let persistence) = parser.next() else {
          Issue.record("\(lines)")
          continue
        }
        let words = options.flatMap { $0.lowercased().split { ", ".contains($0) } }
        #expect(persistence.keepsAlive == (!words.contains("close") && (minor > 0 || words.contains("keep-alive"))))
        #expect(persistence.minorVersion == (minor == 0 ? 0 : 1))
      }
    }
  }

  @Test(
    "A client that waits is told to send, if there is anything",
    arguments: [
      ("Content-Length: 0", false), ("Content-Length: 1", true), ("Transfer-Encoding: chunked", true), ("X: y", false),
    ])
  func clientWaits(line: String, isTold: Bool) {
    var parser = HTTPRequestParser(limits: HTTPLimits())
    parser.feed(Array("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\(line)\r\n\r\n".utf8))
    _ = parser.next()
    let told = parser.consumeExpectation()
    #expect(told == isTold)
  }

  @Test("A limit of the head is not passed, and just below it a request is taken") func limitHead() {
    /// What comes of a request whose target, and a field's value, have this length.
    func step(_ limits: HTTPLimits, target: Int = 1, value: Int = 1, fields: Int = 1, body: Int = 0) -> HTTPFailure? {
      var lines = [
        "GET /\(String(repeating: "a", count: target - 1)) HTTP/1.1", "Host: \(String(repeating: "a", count: value))",
      ]
      lines += (1..<max(1, fields)).map { "X\($0): y" } + (body > 0 ? ["Content-Length: \(body)"] : [])
      var parser = HTTPRequestParser(limits: limits)
      parser.feed(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + String(repeating: "b", count: body)).utf8))
      if case .failure(let failure) = parser.next() { return failure }
      return nil
    }
    var limits = HTTPLimits()
    // The line has 13 more characters, and its end.
    limits.requestLine = 40
    #expect(step(limits, target: 25) == nil && step(limits, target: 26) == .requestLineTooLong(limit: 40))
    limits = HTTPLimits()
    // A request line of 16 bytes, "Host: " with its end, and an empty line.
    limits.head = 60
    #expect(step(limits, value: 34) == nil && step(limits, value: 35) == .headTooLong(limit: 60))
    limits = HTTPLimits()
    limits.fields = 3
    #expect(step(limits, fields: 3) == nil && step(limits, fields: 4) == .tooManyFields(limit: 3))
    limits.body = 5
    #expect(step(limits, body: 5) == nil && step(limits, body: 6) == .bodyTooLong(limit: 5))
  }
}
