import SKANDevice
import Testing

@testable import SKANHTTP
@testable import SKANTraffic

@Suite("An entry of a HAR")
struct HAREntryReaderTests {
  @Test(
    "Times",
    arguments: [
      ("2026-01-01T00:00:00Z", 1_767_225_600.0), ("2026-01-01T02:00:00.25+02:00", 1_767_225_600.25),
      ("2026-01-01T02:00:00.123456789+0200", 1_767_225_600.123456), ("2025-12-31T19:00:00-05:00", 1_767_225_600),
    ])
  func times(_ text: String, _ seconds: Double) throws {
    #expect(try Captured(har(time: text)).requests.first?.at == Instant(unixSeconds: seconds))
  }

  @Test("The phone's own time, where the request states it")
  func deviceTime() throws {
    func captured(_ value: String) throws -> Captured {
      try Captured(har(request: #""headers":[{"name":"x-skan-device-time","value":"\#(value)"}]"#))
    }
    let stated = try captured("1767232800.5")
    #expect(stated.requests.first?.at == Instant(unixSeconds: 1_767_232_800.5))
    #expect(stated.requests.first?.recordedAt == .listStart)
    #expect(stated.tally.remarks == [])
    for value in ["soon", "", "nan", "1e99"] {
      let odd = try captured(value)
      #expect(odd.requests.first?.at == .listStart && odd.requests.first?.recordedAt == nil)
      #expect(
        odd.tally.remarks.map(\.message) == [
          "X-SKAN-Device-Time is not Unix seconds: \"\(value)\"; the capture's time counts"
        ])
    }
  }

  @Test("A local time needs the offset of its place")
  func localTime() throws {
    let text = har(time: "2026-01-01T02:00:00.000")
    #expect(try Captured(text).requests.isEmpty)
    #expect(
      try Captured(text).problems == [
        "1:1: \"startedDateTime\" has no offset: \"2026-01-01T02:00:00.000\" is a local time; name its offset, as in "
          + "--timezone +02:00"
      ])
    #expect(try Captured(text, zone: "+02:00").requests.first?.at == .listStart)
    #expect(try Captured(har(time: "yesterday")).problems == ["1:1: \"startedDateTime\" is not a time: \"yesterday\""])
  }

  @Test(
    "Queries",
    arguments: [
      // The URL counts, as it was written.
      (
        "https://s2s.singular.net/api/v1/evt?n=a+b%20c#top", #""queryString":[{"name":"n","value":"a b c"}]"#,
        "n=a+b%20c"
      ),
      (
        "https://s2s.singular.net/api/v1/evt",
        #""queryString":[{"name":"n","value":"a+b c"},{"name":"n","value":"d"}]"#,
        "n=a%2Bb%20c&n=d"
      ),
      ("https://s2s.singular.net/api/v1/evt", #""queryString":[["n","x"]]"#, "n=x"),
      ("https://s2s.singular.net/api/v1/evt", #""queryString":[]"#, nil),
    ])
  func queries(_ url: String, _ list: String, _ query: String?) throws {
    let captured = try Captured(har(url: url, request: list))
    #expect(captured.requests.first?.request.query == query)
    #expect(captured.tally.remarks == [])
  }

  @Test("A list of parameters that differs from the URL is a remark")
  func mismatch() throws {
    let captured = try Captured(har(request: #""queryString":[{"name":"a","value":"k"},{"name":"p","value":"iOS"}]"#))
    #expect(captured.tally.remarks.map(\.message) == [#""queryString" differs from the URL at "p"; the URL counts"#])
    #expect(captured.requests.first?.request.query == "a=k")
  }

  @Test(
    "Spellings of the same names are no difference",
    arguments: [
      ("?a%5B%5D=1&n=2", #"[{"name":"a[]","value":"1"},{"name":"n","value":"2"}]"#),
      ("?a=1&a=2", #"[{"name":"a","value":"1"}]"#), ("?a=1", #"[["a","1"],["b",5],7]"#),
    ])
  func spellings(_ query: String, _ list: String) throws {
    let captured = try Captured(
      har(url: "https://s2s.singular.net/api/v1/evt\(query)", request: #""queryString":\#(list)"#))
    #expect(captured.tally.remarks == [])
    #expect(captured.requests.first?.request.query == String(query.dropFirst()))
  }

  @Test(
    "What is said of an entry that cannot be used",
    arguments: [
      (har().replacing("startedDateTime", with: "started"), "the entry has no \"startedDateTime\""),
      (har(url: ""), "the entry has no \"request\" with a \"url\""),
    ])
  func unusable(_ text: String, _ message: String) throws {
    let captured = try Captured(text)
    #expect(captured.requests.isEmpty)
    #expect(captured.problems == ["1:1: \(message)"])
  }

  @Test(
    "A part that cannot be read leaves the others, and what it says is unknown",
    arguments: [
      (#""%%%","encoding":"base64""#, "is not base64, as its \"encoding\" says"),
      (#""e30*","encoding":"base64""#, "is not base64, as its \"encoding\" says"),
      (#""eyJzdGF0dXMiOiJvayJ","encoding":"Base64""#, "is not base64, as its \"encoding\" says"),
      ("5", "is not a string"), ("true", "is not a string"),
    ])
  func unreadable(_ text: String, _ problem: String) throws {
    let isOfText = problem.hasSuffix("string")
    let answered = try Captured(har(response: #"{"status":200,"content":{"text":\#(text)}}"#))
    #expect(answered.requests.map(\.answer) == [.unreadable(200)])
    let subject = isOfText ? "the \"text\" of " : ""
    #expect(
      answered.problems == ["1:1: \(subject)the answer's \"content\" \(problem); what the answer says is not known"])
    let sent = try Captured(
      har(method: "POST", url: "https://s2s.singular.net/api/v1/evt?a=k", request: #""postData":{"text":\#(text)}"#))
    #expect(sent.requests.map(\.hasUnreadForm) == [true] && sent.requests.map(\.lacksItsForm) == [true])
    #expect(sent.problems == ["1:1: \(subject)\"postData\" \(problem); the parameters in it are not checked"])
    // Nothing is said of the parameters of a request whose form is not known.
    #expect(try Checked(sent.requests).text == [])
  }

  @Test(
    "A text that is plain where base64 should be, or no text, is used unchanged with a remark",
    arguments: [
      (#""{\"status\":\"ok\"}","encoding":"base64""#, #"{"status":"ok"}"#), (#"{"status":"ok"}"#, #"{"status":"ok"}"#),
      (#""n=a&p=iOS","encoding":"base64""#, "n=a&p=iOS"), (#""n=abc","encoding":"base64""#, "n=abc"),
      (#""<html>","encoding":"base64""#, "<html>"), (#""not found.","encoding":"base64""#, "not found."),
      (#"["a"]"#, #"["a"]"#),
    ])
  func plain(_ text: String, _ body: String) throws {
    let captured = try Captured(
      har(
        method: "POST", request: #""postData":{"text":\#(text)}"#,
        response: #"{"status":200,"content":{"text":\#(text)}}"#))
    let request = try #require(captured.requests.first)
    #expect(request.answer == .response(status: 200, body: Array(body.utf8)))
    #expect(String(decoding: request.request.body, as: UTF8.self) == body && !request.hasUnreadForm)
    #expect(captured.problems == [] && captured.tally.remarks.count == 2)
    #expect(captured.tally.remarks.allSatisfy { $0.message.hasSuffix("used unchanged") })
  }

  @Test(
    "Parameters without a text are decoded or as they were sent; nothing is escaped twice",
    arguments: [
      (#"[{"name":"n","value":"a%20b"},{"name":"e","value":"%7B%22x%22%3A1%7D"}]"#, "n=a%20b&e=%7B%22x%22%3A1%7D"),
      (#"[{"name":"n","value":"a%20b"},{"name":"e","value":"{\"x\":1}"}]"#, "n=a%2520b&e=%7B%22x%22:1%7D"),
      (#"[{"name":"n","value":"50% off"}]"#, "n=50%25%20off"), (#"[{"name":"n","value":"50%"}]"#, "n=50%25"),
      (#"[{"name":"n","value":"a%2Bb+c"},{"name":"x"}]"#, "n=a%2Bb+c&x"), (#"[["n","%C3%A9"]]"#, "n=%C3%A9"),
    ])
  func parameters(_ list: String, _ form: String) throws {
    let url = "https://s2s.singular.net/api/v2/evt"
    let posted = try Captured(har(method: "POST", url: url, request: #""postData":{"params":\#(list)}"#))
    #expect(posted.requests.map { String(decoding: $0.request.body, as: UTF8.self) } == [form])
    let asked = try Captured(har(url: url, request: #""queryString":\#(list)"#))
    #expect(asked.requests.map(\.request.query) == [form])
  }

  @Test("A WebSocket is none of the requests", arguments: ["wss://s2s.singular.net/api/v1/evt", "WS://a.example/"])
  func webSockets(_ url: String) throws {
    let tally = try Captured(har(url: url)).tally
    #expect(tally.webSockets == 1 && tally.others.isEmpty)
  }

  /// The ways to write a form that say nothing, and those that say `n=t`.
  private static let formTexts: [(member: String, form: String?)] = [
    ("", nil), (#""text":"""#, nil), (#""text":null"#, nil), (#""text":"","encoding":"base64""#, nil),
    (#""text":"n=t""#, "n=t"), (#""text":"bj10","encoding":"base64""#, "n=t"),
    (#""text":"n=t","encoding":"base64""#, "n=t"), (#""encoding":"BASE64","text":"bj10""#, "n=t"),
  ]
  private static let formLists: [(member: String, form: String)] = [
    ("", ""), (#""params":[]"#, ""), (#""params":null"#, ""), (#""params":[{"name":"n","value":"p"}]"#, "n=p"),
    (#""params":[["n","p"],["a","b c"]]"#, "n=p&a=b%20c"), (#""params":[{"name":"n"}]"#, "n"),
  ]

  @Test(
    "A form's text counts, and where it says nothing its parameters", arguments: formTexts.indices, formLists.indices)
  func alternatives(text: Int, list: Int) throws {
    let (text, list) = (Self.formTexts[text], Self.formLists[list])
    for members in [[text.member, list.member], [list.member, text.member]] {
      let data = members.filter { !$0.isEmpty }.joined(separator: ",")
      let captured = try Captured(
        har(method: "POST", url: "https://s2s.singular.net/api/v2/evt", request: #""postData":{\#(data)}"#))
      let request = try #require(captured.requests.first)
      let form = text.form ?? list.form
      #expect(String(decoding: request.request.body, as: UTF8.self) == form, "\(data)")
      #expect(!request.hasUnreadForm && request.lacksItsForm == form.isEmpty && captured.problems.isEmpty, "\(data)")
      let parts = try TrafficSummary(checking: request)
      #expect(parts.withoutForm == (form.isEmpty ? 1 : 0), "\(data)")
    }
  }

  @Test(
    "Forms",
    arguments: [
      (
        #""postData":{"mimeType":"application/x-www-form-urlencoded","text":"n=a+b","params":[{"name":"n","value":"x"}]}"#,
        "n=a+b"
      ),
      (
        #""postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"n","value":"a+b c"}]}"#,
        "n=a%2Bb%20c"
      ),
      (#""postData":{"mimeType":"application/json","text":"bj14","encoding":"base64"}"#, "n=x"),
      (#""postData":null"#, ""),
    ])
  func forms(_ data: String, _ body: String) throws {
    let request = try #require(
      try Captured(har(method: "POST", url: "https://s2s.singular.net/api/v2/evt", request: data)).requests.first)
    #expect(String(decoding: request.request.body, as: UTF8.self) == body)
    if data.contains("urlencoded") {
      #expect(request.request.headers["content-type"] == "application/x-www-form-urlencoded")
    }
  }

  @Test(
    "Answers",
    arguments: [
      (
        #"{"status":200,"content":{"size":2,"text":"{}"}}"#,
        CapturedAnswer.response(status: 200, body: Array("{}".utf8))
      ),
      (
        #"{"status":200,"content":{"size":2,"text":"e30=","encoding":"base64"}}"#,
        .response(status: 200, body: Array("{}".utf8))
      ),
      (#"{"status":200,"content":{"size":2}}"#, .status(200)), (#"{"status":200}"#, .status(200)),
      (#"{"status":"503","content":{"text":null}}"#, .status(503)),
      (#"{"status":200,"bodySize":0,"content":{"size":0}}"#, .response(status: 200, body: [])),
      (#"{"status":200,"bodySize":57,"content":{"size":0}}"#, .status(200)),
      (#"{"status":200,"headers":[{"name":"content-length","value":"9"}],"content":{"size":0}}"#, .status(200)),
      (#"{"status":0,"_error":"net::ERR_TIMED_OUT"}"#, .failure("net::ERR_TIMED_OUT")),
      (#"{"status":0}"#, .failure("")), (#"{}"#, .failure("")),
      ("null", .notCaptured),
    ])
  func answers(_ response: String, _ answer: CapturedAnswer) throws {
    #expect(try Captured(har(response: response)).requests.first?.answer == answer)
  }

  @Test("Headers as objects or pairs")
  func headers() throws {
    let captured = try Captured(har(request: #""headers":[{"name":"X-A","value":"1"},["X-B","2"],7,{"name":"X-C"}]"#))
    let request = try #require(captured.requests.first?.request)
    #expect(request.headers.map(\.name) == ["X-A", "X-B", "X-C"])
    #expect(request.headers["x-c"] == "")
    #expect(request.headers["x-b"] == "2")
  }

  @Test(
    "Where it goes",
    arguments: [
      ("GET", "https://sdk-api-v1.singular.net/api/v1/start", "sdk-api-v1.singular.net/api/v1/start"),
      ("GET", "https://sdk-api-v1.singular.net/api/v1/evt", "sdk-api-v1.singular.net/api/v1/evt"),
      ("GET", "https://example.net/api/v1/evt?a=k", "example.net"), ("GET", "blob:x", "blob:"),
    ])
  func others(_ method: String, _ url: String, _ host: String) throws {
    let captured = try Captured(har(method: method, url: url))
    #expect(captured.requests.isEmpty)
    #expect(captured.tally.others == [host: 1])
  }

  /// A URL of a HAR without its query, the header of the request, if any, and the host that is expected.
  struct Place: Sendable {
    let url: String
    let header: String
    let host: String

    init(_ url: String, _ header: String, _ host: String) {
      self.url = url
      self.header = header
      self.host = host
    }
  }

  /// A HAR with one request, which has this header, unless its name is empty.
  private func launch(_ url: String, header: String = "", _ value: String = "") -> String {
    let headers = header.isEmpty ? "" : "{\"name\":\"\(header)\",\"value\":\"\(value)\"}"
    return """
      {"log":{"entries":[{"startedDateTime":"2026-01-01T10:00:01Z","request":\
      {"method":"GET","url":"\(url)","headers":[\(headers)]}}]}}
      """
  }

  private static let secrets = ["a=SECRET-KEY-1&idfv=11111111-2222", "n=x&a=SECRET-KEY-1:8080/https://x.example/?a=1"]

  @Test(
    "A URL without a scheme is that of its host, or of the host in the headers",
    arguments: [
      Place("//s2s.singular.net/api/v1/launch", "", "s2s.singular.net"),
      Place("s2s.singular.net/api/v1/launch", "", "s2s.singular.net"),
      Place("s2s.singular.net:443/api/v1/launch", "", "s2s.singular.net:443"),
      Place("localhost/api/v1/launch", "", "localhost"), Place("localhost:8080/api/v1/launch", "", "localhost:8080"),
      Place("[::1]:8080/api/v1/launch", "", "[::1]:8080"),
      Place("/api/v1/launch", "Host", "s2s.singular.net"), Place("/api/v1/launch", "host", "s2s.singular.net:443"),
      Place("/api/v1/launch", ":authority", "s2s.singular.net"),
      Place("api/v1/launch", ":authority", "s2s.singular.net"),
    ], secrets)
  func withoutScheme(place: Place, query: String) throws {
    let captured = try Captured(launch("\(place.url)?\(query)", header: place.header, place.host))
    #expect(captured.problems.isEmpty)
    #expect(captured.tally.others.isEmpty)
    #expect(captured.requests.map(\.request.target.text) == ["https://\(place.host)/api/v1/launch?\(query)"])
  }

  @Test(
    "A name under which an entry is counted ends with its host, whatever form its URL has",
    arguments: [
      Place("//other.example", "", "other.example"), Place("other.example", "", "other.example"),
      Place("OTHER.example:8443", "", "other.example:8443"),
      Place("//user:SECRET-KEY-1@other.example", "", "other.example"),
      Place("https://other.example;a=SECRET-KEY-1", "", "other.example"), Place("/x", "Host", "other.example"),
      Place("/x/SECRET-KEY-1", ":authority", "other.example"), Place("data:text/plain,SECRET-KEY-1", "", "data:"),
      Place("//s2s.singular.net/other;a=SECRET-KEY-1", "", "s2s.singular.net/other;a=REDACTED"),
    ], secrets)
  func countedNames(place: Place, query: String) throws {
    let value = "other.example?a=SECRET-KEY-1"
    let captured = try Captured(launch("\(place.url)?\(query)", header: place.header, value))
    #expect(captured.problems.isEmpty)
    #expect(captured.tally.others == [place.host: 1])
  }

  @Test(
    "A URL of which no host is known is a problem, and shows nothing of the URL",
    arguments: ["/api/v1/launch", "api/v1/launch", "///api/v1/launch", "SECRET-KEY-1", "1SECRET:x", "?x"], secrets)
  func withoutHost(url: String, query: String) throws {
    let headers = [("", ""), ("Host", ""), ("Host", "?a=SECRET-KEY-1"), ("X-Host", "s2s.singular.net")]
    for (header, value) in headers {
      let captured = try Captured(launch("\(url)?\(query)", header: header, value))
      #expect(captured.tally.others.isEmpty)
      #expect(
        captured.problems == [
          "1:1: the \"url\" of the request has no host, and its headers have no valid \"Host\" or \":authority\""
        ])
    }
  }

  @Test(
    "A tunnel is not decrypted",
    arguments: ["https://s2s.singular.net:443", "s2s.singular.net:443", "s2s.singular.net:443/?x=//k"])
  func tunnels(_ url: String) throws {
    #expect(try Captured(har(method: "CONNECT", url: url)).tally.undecrypted == ["s2s.singular.net:443": 1])
  }

  @Test("Bodies of pages that are not quite JSON are mended")
  func mended() throws {
    let text = har(
      url: "https://example.net/", response: #"{"status":200,"content":{"text":"\ud83d # \#u{1} \ude00"}}"#)
    var bytes = Array(text.utf8)
    bytes[bytes.firstIndex(of: UInt8(ascii: "#")) ?? 0] = 0xFF
    #expect(try Captured(bytes).tally.others == ["example.net": 1])
  }

  @Test("What cannot be read is a problem with its line")
  func problems() throws {
    let text = """
      {"log": {"entries": [
        {"request": {"method": "GET"}},
        {"request": nonsense},
        {"startedDateTime":"2026-01-01T00:00:00Z","request":{"url":"https://s2s.singular.net/api/v1/launch"}}
      ]}}
      """
    let captured = try Captured(text)
    #expect(
      captured.problems == [
        "1:2: the entry has no \"request\" with a \"url\"",
        "2:3: the entry is not JSON: expected a value: an object, array, string, number, true, false or null",
      ])
    #expect(captured.requests.map(\.location.entry) == [3])
    #expect(captured.requests.map(\.location.line) == [4])
  }
}

extension TrafficSummary {
  /// What the check of one request sums up to.
  fileprivate init(checking request: CapturedRequest) throws { self = try Checked([request]).summary }
}
