import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

@Suite("Lines of captures that are not checked, or cannot be read")
struct CaptureLineTests {
  @Test("URLs: other hosts, other paths, and what is none")
  func urls() throws {
    let captured = try Captured(
      """
      # GETs of one app
      https://s2s.singular.net/api/v1/launch?a=k
      https://user@S2S.singular.net/api/v1/resolve?x
      https://example.net/api/v1/launch
      https://s2s.singular.net/api/v1/evt n=a
      /api/v1/launch
      """)
    #expect(captured.requests.map(\.request.target.text) == ["https://s2s.singular.net/api/v1/launch?a=k"])
    #expect(captured.tally.others == ["s2s.singular.net/api/v1/resolve": 1, "example.net": 1])
    #expect(captured.problems == ["4:5: the line is not a URL", "5:6: the line is not a URL"])
    let bytes = Array("https://s2s.singular.net/api/v1/launch?a=k\n".utf8) + [0xFF]
    #expect(try Captured(bytes).problems == ["2:2: the line is not UTF-8"])
  }

  @Test("Logs: other hosts, other paths, and requests without a status")
  func logs() throws {
    let line = { (target: String, status: String) in
      #"h2 2026-01-01T00:00:00Z app/p 1.2.3.4:5 - 0 0 0 \#(status) 200 0 5 "GET \#(target) HTTP/2.0" "-""#
    }
    let captured = try Captured(
      [
        line("https://s2s.singular.net:443/api/v1/launch?a=k", "-"),
        line("https://example.net:443/api/v1/launch", "200"),
        line("https://s2s.singular.net:443/health", "200"), line("/health", "200"),
        line("https://s2s.singular.net:443/api/v1/launch?a=k", "502"), line("x", "ok"),
        #"h2 2026-01-01T00:00:00Z app/p 1.2.3.4:5 - 0 0 0 200 200 0 5 "GET""#,
        #"h2 2026-01-01T00:00:00Z app/p 1.2.3.4:5 - 0 0 0 200 200 0 5 "GET /a\"#,
        #"h2 yesterday app/p 1.2.3.4:5 - 0 0 0 200 200 0 5 "GET /a HTTP/1.1""#,
      ].joined(separator: "\n"))
    #expect(captured.requests.map(\.answer) == [.failure("no status"), .status(502)])
    #expect(
      captured.tally.others == [
        "example.net:443": 1, "s2s.singular.net:443/health": 1, "other paths": 1, "not HTTP": 1,
      ])
    #expect(captured.problems == [6, 8, 9].map { "\($0):\($0): the line has another form than the log's first" })
  }

  @Test("A combined log whose request line is short, or never ends")
  func combined() {
    let head = "::1 - - [01/Jan/2026:00:00:00 +0000] "
    for rest in [#""GET /a HTTP/1.1" - 5"#, #""GET /a"#, #""GET /a\"#, "GET", "", #""GET /a"5 HTTP/1.1" 200 5"#] {
      #expect(CombinedLogLine(head + rest) == nil, "\(rest)")
    }
    for rest in ["GET", "", "-", #"\x16\x03\x01"#, "t3 12.2.1", "SSH-2.0-Go", "- /a"] {
      #expect(CombinedLogLine("\(head)\"\(rest)\" 400 5")?.line == .notHTTP, "\(rest)")
    }
    #expect(CombinedLogLine("::1 - - [01/Jan/2026] \"GET /a HTTP/1.1\" 200 5") == nil)
    // What is not an escape stays as it is.
    #expect(CombinedLogLine(head + #""GET /a\xZZ\x2fb HTTP/1.1" 200 5"#)?.line.request?.target.text == "/axZZ%2Fb")
    // A blank in a URL that is not escaped does not end it.
    #expect(CombinedLogLine(head + #""GET /a?n=b c HTTP/1.1" 200 5"#)?.line.request?.target.query == "n=b c")
  }

  @Test("Comments before a journal, a HAR and an event list")
  func comments() throws {
    let line = #"{"answer":"{}","at":1767225600,"method":"GET","path":"/api/v1/evt","query":{"n":"a"},"status":200}"#
    #expect(try Captured("# urls\nhttps://s2s.singular.net/api/v1/launch\n").requests.count == 1)
    #expect(
      try Captured("# of a phone\n{\"op\":\"register\"}\n").problems == [
        "0:1: this is an event list; 'skan replay' runs it"
      ])
    #expect(try Captured("# only\n# comments\n").problems.first?.hasPrefix("0:1: this is no capture: ") == true)
    #expect(try Captured(line).requests.count == 1)
  }

  @Test("Of very many hosts the last are one, and of very many remarks the first are kept")
  func many() throws {
    var tally = CaptureTally()
    for number in 0..<1003 { tally.count(other: "host\(number)") }
    tally.count(other: "host7")
    #expect(tally.others.count == 1001 && tally.others["other hosts"] == 3 && tally.others["host7"] == 2)
    for number in 0..<CaptureTally.most + 5 {
      tally.remark(CaptureProblem("\(number)", at: CaptureLocation(file: "a", entry: number, line: 1)))
    }
    #expect(tally.remarks.count == CaptureTally.most && tally.moreRemarks == 5)
  }

  @Test("A line that is longer than any request is a problem")
  func longLine() throws {
    let url = "https://s2s.singular.net/api/v1/launch?a=k"
    let captured = try Captured("\(url)\n\(url)&n=\(String(repeating: "n", count: 17 << 20))\n\(url)\n")
    #expect(captured.requests.map(\.location.line) == [1, 3])
    #expect(captured.problems.count == 1 && captured.problems[0].hasPrefix("2:2: the line is longer than "))
  }
}
