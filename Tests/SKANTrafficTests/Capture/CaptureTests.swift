import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

@Suite("What a file is that is no capture")
struct CaptureFormatTests {
  @Test(
    "It is said",
    arguments: [
      ("", "the file is empty"), (" \n", "the file is empty"),
      (#"{"op":"register"}"#, "this is an event list; 'skan replay' runs it"),
      (
        #"{"a":1}"#,
        "this is neither a HAR, which has \"log\", nor a line of a journal of 'skan serve', nor a log whose members are "
          + "known; for another log, name its members, as in --fields time=ts,method=verb,url=uri,status=code"
      ),
      ("[{\"host\":\"x\"}]", "this is a JSON array, such as Charles's own format; export the session as HAR"),
      (
        "hello",
        "this is no capture: a HAR, a journal of 'skan serve', one URL per line, or an access log (combined, ALB, "
          + "CloudFront, W3C, or JSON on each line)"
      ),
    ])
  func texts(_ text: String, _ message: String) throws {
    #expect(try Captured(text).problems == ["0:1: \(message)"])
  }

  @Test(
    "Packed files are named", arguments: [[0x1F, 0x8B, 8], [0x50, 0x4B, 3, 4], [0x78, 0x9C], [0xFF, 0xFE, 0x7B]])
  func packed(_ bytes: [UInt8]) throws {
    #expect(try Captured(bytes).tally.problems.first?.message.hasPrefix("this is") == true)
    #expect(try Captured(bytes).tally.problems.first?.message.hasPrefix("this is no capture") == false)
  }

  @Test(
    "A dump of mitmproxy's flows is named",
    arguments: [
      ("2284:9:websocket;0:~8:response;724:6:reason;9:Not Found,", true), ("941:4:type;4:http;", true),
      ("12:30:52 started", false), ("2284:websocket;0:~", false), ("2284:9:=;", false), ("2284:9", false),
    ])
  func flows(_ text: String, _ isDump: Bool) throws {
    let message = try #require(try Captured(text).problems.first)
    #expect(
      message.contains("mitmdump -nr FILE --set hardump=FILE.har") == isDump
        && message.hasPrefix("0:1: this is no capture") != isDump, "\(message)")
  }

  @Test("A byte order mark and line ends of two characters change nothing")
  func marks() throws {
    let url = "https://s2s.singular.net/api/v1/launch?a=k"
    #expect(try Captured("\u{FEFF}\(url)\r\n\r\n\(url)\r\n").requests.map(\.request.target.text) == [url, url])
    #expect(try Captured("\u{FEFF}" + har()).requests.count == 1)
  }
}

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

@Suite("A line of the journal")
struct JournalEntryReaderTests {
  private func line(_ members: String) -> String {
    #"{"answer":"{}","at":1767225600.5,"explanation":"",\#(members),"status":200}"#
  }

  @Test("Parameters are escaped again, forms as well")
  func requests() throws {
    let captured = try Captured(
      line(#""body":{"n":"c+d","sdid":"x y"},"method":"POST","path":"/api/v2/evt","query":{}"#) + "\n"
        + line(#""method":"GET","path":"/api/v1/evt","query":{"a":"REDACTED","n":"a&b+c"}"#))
    #expect(captured.problems == [])
    #expect(String(decoding: captured.requests[0].request.body, as: UTF8.self) == "n=c%2Bd&sdid=x%20y")
    #expect(captured.requests[0].request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(captured.requests[1].request.target.text == "http://localhost/api/v1/evt?a=REDACTED&n=a%26b%2Bc")
    #expect(captured.requests[1].at == Instant(unixSeconds: 1_767_225_600.5))
    #expect(captured.requests[1].answer == .response(status: 200, body: Array("{}".utf8)))
  }

  @Test("Other paths, and what was not HTTP, are counted")
  func others() throws {
    let captured = try Captured(
      line(#""method":"GET","path":"/favicon.ico","query":{}"#) + "\n"
        + line(#""method":null,"path":null,"query":null"#) + "\n"
        + line(#""method":"HEAD","path":"/api/v1/evt","query":{}"#))
    #expect(captured.tally.others == ["other paths": 2, "not HTTP": 1])
  }

  @Test("Other lines are problems")
  func problems() throws {
    let captured = try Captured(line(#""method":"GET","path":"/api/v1/evt","query":{}"#) + "\n{}\nx\n")
    #expect(
      captured.problems == [
        "2:2: this is not a line of a journal",
        "3:3: the line is not JSON: expected a value: an object, array, string, number, true, false or null",
      ])
  }

  @Test(
    "What the server could not read is not taken for nothing",
    arguments: [
      (#""method":"GET","path":"/api/v1/evt","query":null"#, "%", ""),
      (#""method":"GET","path":"/api/v1/evt","query":5"#, "%", ""),
      (#""method":"GET","path":"/api/v1/evt","query":{}"#, nil, ""),
      (#""body":null,"method":"POST","path":"/api/v2/evt","query":{"n":"a"}"#, "n=a", "%"),
      (#""body":"{}","method":"POST","path":"/api/v2/evt","query":{"n":7,"p":null}"#, "n&p", "{}"),
    ] as [(String, String?, String)])
  func unreadable(members: String, query: String?, body: String) throws {
    let request = try #require(try Captured(line(members)).requests.first?.request)
    #expect(request.query == query)
    #expect(String(decoding: request.body, as: UTF8.self) == body)
  }

  @Test("A line without a time is a problem", arguments: ["", #""at":"now","#, #""at":null,"#])
  func withoutTime(at: String) throws {
    let text = #"{"answer":"{}",\#(at)"method":"GET","path":"/api/v1/evt","query":{},"status":200}"#
    #expect(try Captured(text).problems == ["1:1: \"at\" is not a time in Unix seconds"])
  }
}

struct CapturedRequestTests {
  @Test func `A captured target keeps what was sent`() {
    let captured = CapturedRequest(
      .get("https://s2s.singular.net/api/v1/evt?n=a+b%20c"), location: CaptureLocation(file: "-", entry: 1, line: 1))
    #expect(captured.request.query == "n=a+b%20c")
    #expect(captured.answer == .notCaptured)
  }

  @Test(
    "A form that may be shown has no secret, and what is no form is not shown",
    arguments: [
      ("a=k&n=x", "a=REDACTED&n=x"), ("n=x", "n=x"), ("", nil), ("{\"a\":\"k\"}", nil), ("[1]", nil),
      ("a=\u{0}", "a=REDACTED"),
    ] as [(String, String?)])
  func forms(body: String, expected: String?) {
    let captured = CapturedRequest(
      .post("https://me:pw@s2s.singular.net/api/v2/evt?a=k&n=y", body: Array(body.utf8)),
      location: CaptureLocation(file: "-", entry: 1, line: 1))
    #expect(captured.redactedForm == expected)
    #expect(captured.redactedURL == "https://REDACTED@s2s.singular.net/api/v2/evt?a=REDACTED&n=y")
    #expect(captured.secrets.contains("k"))
  }

  @Test func `A body that is not a text is not shown`() {
    let captured = CapturedRequest(
      .post("https://s2s.singular.net/api/v2/evt", body: [0x61, 0x3D, 0xFF]),
      location: CaptureLocation(file: "-", entry: 1, line: 1))
    #expect(captured.redactedForm == nil && captured.redactedURL == "https://s2s.singular.net/api/v2/evt")
  }
}

@Suite("A request that is set aside")
struct CapturedRequestBytesTests {
  private static let location = CaptureLocation(file: "a.har", entry: 3, line: 7)

  static let requests: [CapturedRequest] = [
    CapturedRequest(.get("https://s2s.singular.net/api/v1/launch?a=k&n=%C3%A9"), location: location),
    CapturedRequest(
      HTTPRequest(
        method: "POST", target: HTTPTarget(path: "*"),
        headers: [HTTPField("Accept", "*/*"), HTTPField("accept", ""), HTTPField("X", "é")], body: Array("a=1&é".utf8)),
      at: Instant(microseconds: -1), answer: .status(503), location: location),
    CapturedRequest(
      .get("http://localhost?"), at: Instant(microseconds: 1_767_225_600_000_001),
      answer: .response(status: 200, body: [0, 0xFF, 10]), location: location),
    CapturedRequest(.get("/"), answer: .failure("timed out"), location: location),
    CapturedRequest(.get(""), answer: .response(status: 204, body: []), location: location),
    CapturedRequest(.get(""), answer: .unreadable(200), location: location),
    unread,
  ]

  private static var unread: CapturedRequest {
    var request = CapturedRequest(.post("https://s2s.singular.net/api/v2/evt?a=k", body: []), location: location)
    request.hasUnreadForm = true
    return request
  }

  @Test("It comes back as it was", arguments: requests)
  func roundTrip(request: CapturedRequest) {
    let bytes = [UInt8](writing: request.write)
    #expect(bytes.reading { CapturedRequest(from: &$0, at: Self.location) } == request)
    for count in bytes.indices {
      #expect(Array(bytes[..<count]).reading { CapturedRequest(from: &$0, at: Self.location) } == nil)
    }
  }
}

@Suite("Times of captures")
struct UTCOffsetTests {
  @Test(
    "An offset in any of its spellings",
    arguments: [
      ("Z", "Z"), ("z", "Z"), ("UTC", "Z"), ("GMT", "Z"), ("+02:00", "+02:00"), ("+0200", "+02:00"),
      ("-0330", "-03:30"),
      ("+02", "+02:00"), ("02:00", nil), ("+2", nil), ("+2:00", nil), ("+02:0", nil), ("+0:200", nil),
      ("+02:00:00", nil),
      ("+99", nil), ("+", nil), ("", nil), ("CET", nil), ("+1a", nil),
    ] as [(String, String?)])
  func offsets(text: String, expected: String?) { #expect(UTCOffset(text)?.text == expected) }

  @Test(
    "A time as exporters write it",
    arguments: [
      ("2026-01-01 00:00:00Z", nil, "2026-01-01T00:00:00Z"), ("2026-01-01T02:00:00+0200", nil, "2026-01-01T00:00:00Z"),
      ("2026-01-01 02:00:00", "+02", "2026-01-01T00:00:00Z"), ("2026-01-01T00:00:00", nil, "noOffset"),
      ("0001-01-01T00:00:00", "+02", "malformed"), ("2026-01-01T00:00:00.5", "-03:30", "2026-01-01T03:30:00.5Z"),
      ("2026-13-01T00:00:00", nil, "malformed"), ("2026-13-01T00:00:00", "+02", "malformed"),
      ("2026-13-01T00:00:00+0200", nil, "malformed"), ("2026-01-01T00:00:00+99", nil, "malformed"),
      ("yesterday", nil, "malformed"), ("", nil, "malformed"),
    ] as [(String, String?, String)])
  func times(text: String, zone: String?, expected: String) {
    let read: String
    do throws(Instant.CaptureMistake) {
      read = "\(try Instant(captured: text, zone: zone.flatMap(UTCOffset.init)?.everywhere))"
    } catch { read = "\(error)" }
    #expect(read == expected)
  }
}

/// The same four requests of a phone's first minute, in the style of each exporter.
@Suite("Captures as programs write them")
struct CaptureFixtureTests {
  struct Fixture: CustomTestStringConvertible {
    let name: String
    var hasAnswers = true
    var hasTimes = true
    var testDescription: String { name }
  }

  static let fixtures =
    [
      Fixture(name: "charles.har"), Fixture(name: "proxyman.har"), Fixture(name: "mitmproxy.har"),
      Fixture(name: "chrome.har"), Fixture(name: "pairs.har"), Fixture(name: "journal.ndjson"),
      Fixture(name: "combined.log", hasAnswers: false), Fixture(name: "alb.log", hasAnswers: false),
      Fixture(name: "cloudfront.log", hasAnswers: false), Fixture(name: "urls.txt", hasAnswers: false, hasTimes: false),
    ] + logs.map { Fixture(name: $0, hasAnswers: false) }

  /// Access logs that begin with other lines, and logs in JSON and as tables.
  static let logs = [
    "combined-bots.log", "nginx.ndjson", "docker.ndjson", "google-cloud.ndjson", "cloudflare.ndjson",
    "cloudfront-realtime.tsv", "cloudfront.ndjson", "cloudfront-blanks.log", "iis.log",
  ]

  @Test("Each gives the same requests", arguments: fixtures, [Int.max, 7])
  func requests(_ fixture: Fixture, step: Int) throws {
    let captured = try Captured(fixture: fixture.name, step: step)
    #expect(captured.problems == [])
    #expect(captured.tally.remarks == [])
    let requests = captured.requests.filter { if case .failure = $0.answer { false } else { true } }
      .sorted { ($0.at ?? .listStart, $0.location.entry) < ($1.at ?? .listStart, $1.location.entry) }
    let kinds = requests.map { EndpointKind(path: $0.request.path) }
    #expect(kinds == [.conversionValue(.v2), .launch, .conversionValue(.v2), .event(.v1)])
    for request in requests {
      let parameters = (request.request.query ?? "") + String(decoding: request.request.body, as: UTF8.self)
      #expect(parameters.contains("21DB6612-09B3-4ECC-84AC-B353B0AF1334"))
      #expect(!parameters.contains("tutorial") || parameters.contains("n=tutorial%20done"))
      if case .response(200, let body) = request.answer { #expect(!body.isEmpty) }
      #expect(fixture.hasTimes == (request.at != nil))
    }
    #expect(requests.contains { if case .response = $0.answer { true } else { false } } == fixture.hasAnswers)
    if fixture.hasTimes { #expect(requests.map { $0.at?.wholeSeconds ?? 0 } == times(of: fixture)) }
  }

  private func times(of fixture: Fixture) -> [Int64] {
    let start: Int64 = 1_767_261_600
    return [start, start + 1, start + 60, start + (fixture.name == "mitmproxy.har" ? 63 : 61)]
  }

  @Test("What is not checked is counted by host")
  func others() throws {
    let charles = try Captured(fixture: "charles.har").tally
    #expect(charles.others == ["cdn.example.net": 1])
    #expect(charles.undecrypted == ["api.example.net": 1])
    let chrome = try Captured(fixture: "chrome.har").tally
    #expect(chrome.others == ["data:": 1])
    #expect(chrome.webSockets == 1)
    #expect(try Captured(fixture: "combined.log").tally.others == ["other paths": 1])
  }

  @Test("What the exporter knows of answers")
  func answers() throws {
    let mitmproxy = try Captured(fixture: "mitmproxy.har").requests
    #expect(mitmproxy.map(\.answer).contains(.failure("server disconnected")))
    #expect(mitmproxy[1].answer == .response(status: 200, body: Array(#"{"status":"ok"}"#.utf8)))
    #expect(try Captured(fixture: "chrome.har").requests.last?.answer == .status(200))
    #expect(try Captured(fixture: "urls.txt").requests.first?.answer == .notCaptured)
    #expect(try Captured(fixture: "alb.log").requests.first?.answer == .status(200))
  }
}
