import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("Forms of logs")
struct LogFormTests {
  /// Every fixture that is a log.
  static let names = ["combined.log", "alb.log", "cloudfront.log"] + CaptureFixtureTests.logs

  private static func lines(_ name: String) throws -> [String] {
    let text = try String(contentsOf: Checkout.fixtures.appending(path: "traffic/\(name)"), encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  private static func form(_ lines: [String]) throws -> LogForm? {
    if case .log(let form) = try CaptureFormat(Array(lines.joined(separator: "\n").utf8)[...]) { form } else { nil }
  }

  /// The requests without their locations.
  private static func requests(_ captured: Captured) -> [String] {
    captured.requests.map { "\($0.request.method) \($0.request.target.text) \($0.at?.description ?? "") \($0.answer)" }
  }

  @Test("Each form has a fixture, and each format of members as well")
  func all() throws {
    let forms = try Self.names.map { try #require(try Self.form(Self.lines($0))) }
    for form in [LogForm.combined, .loadBalancer, .columns(.realTime), .docker(.combined)] {
      #expect(forms.contains(form), "\(form)")
    }
    for fields in LogFields.known { #expect(forms.contains(.json(fields)), "\(fields.row.name)") }
    #expect(forms.contains { if case .columns(let columns) = $0 { columns != .realTime } else { false } })
    #expect(Set(CaptureFormat.rows.map(\.name)).count == CaptureFormat.rows.count)
  }

  /// What else stands in logs.
  static let noRequests = [
    #"198.51.100.9 - - [01/Jan/2026:09:34:49 +0000] "" 400 0 "-" "-""#,
    #"198.51.100.9 - - [01/Jan/2026:09:34:49 +0000] "\x16\x03\x01" 400 150 "-" "-""#,
    "Starting nginx: /usr/sbin/nginx -g daemon", "server started", "{}", #"{"message":"GET /api","level":"info"}"#,
    #"2026/01/01 09:34:49 [error] 31#31: *1 open() "/usr/share/nginx/html/x" failed"#,
  ]

  @Test("A line that is no request refuses no log, wherever it stands", arguments: names, noRequests)
  func preceded(name: String, other: String) throws {
    let lines = try Self.lines(name)
    let clean = try Captured(lines.joined(separator: "\n"))
    // In front of an object the line decides what the file is, but not whether it is read.
    for position in [0, lines.count - 1, lines.count] {
      var changed = lines
      changed.insert(other, at: position)
      let captured = try Captured(changed.joined(separator: "\n"))
      #expect(Self.requests(captured) == Self.requests(clean), "at \(position)")
      let (entries, others) = (captured.tally.otherCount - clean.tally.otherCount, captured.problems)
      // It is counted or a problem, and never lost.
      #expect(entries + others.count == 1, "\(captured.tally.others) \(others)")
      #expect(others.allSatisfy { $0.contains(":\(position + 1): ") })
    }
  }

  @Test("Each line that breaks off is a problem or no request, and costs no other", arguments: names)
  func brokenLines(name: String) throws {
    let lines = try Self.lines(name)
    let clean = Self.requests(try Captured(lines.joined(separator: "\n")))
    for index in lines.indices where !lines[index].hasPrefix("#") {
      var changed = lines
      changed[index] = String(changed[index].prefix(changed[index].count / 3))
      let captured = try Captured(changed.joined(separator: "\n"))
      let rest = Self.requests(captured)
      #expect(clean.filter { !rest.contains($0) }.count <= 1 && rest.count >= clean.count - 1, "\(index)")
      #expect(captured.problems.allSatisfy { $0.contains(":\(index + 1): ") }, "\(captured.problems)")
    }
  }

  @Test("A HAR with the line of a log in it is a HAR")
  func har() throws {
    let line = #"1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET /api/v1/evt?n=a HTTP/1.1\" 200 5"#
    let text = "{\n\"log\": {\n\"comment\":\n\"\(line)\",\n\"entries\": [\n{\"x\": \"/\"}\n]\n}\n}\n"
    #expect(try CaptureFormat(Array(text.utf8)[...]) == .har)
    #expect(try CaptureFormat(Array(text.prefix(60).utf8)[...]) == .har)
  }

  @Test("A quote that is not escaped is the problem of its line", arguments: [0, 1, 2])
  func quote(position: Int) throws {
    let line = #"1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "GET /api/v1/evt?n=a HTTP/1.1" 200 5 "-" "x""#
    for url in [#"/api/v1/evt?e={"a":1}"#, #"/api/v1/evt?n=5""#, #"/api/v1/evt?n="200"#] {
      var lines = [line, line]
      lines.insert(line.replacing("/api/v1/evt?n=a", with: url), at: position)
      let captured = try Captured(lines.joined(separator: "\n"))
      #expect(captured.requests.count == 2)
      let place = position + 1
      #expect(
        captured.problems == [
          "\(place):\(place): the request has a quote that is not escaped, so its end is not known"
        ])
    }
  }

  @Test(
    "What is not read has the command that makes a capture of it",
    arguments: [
      (
        "[{\"httpRequest\":{\"requestMethod\":\"GET\",\"requestUrl\":\"/\"},\"timestamp\":1}]",
        "jq -c '.[]' FILE | skan check -"
      ),
      (
        "#Software: Microsoft Internet Information Services 10.0\n#Fields: time cs-uri-stem sc-status\n", "UriQuery"
      ),
      ("#Fields: date time cs-method sc-status\n", "cs-uri-stem, cs-uri-query"),
      (
        "{\"log\":\"hello\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00Z\"}\n",
        "no line of it is a request"
      ),
    ])
  func notRead(text: String, words: String) throws {
    let captured = try Captured(text)
    #expect(captured.problems.count == 1 && captured.problems[0].contains(words), "\(captured.problems)")
    #expect(throws: CaptureFormatProblem.self) { try CaptureFormat(Array(text.utf8)[...]) }
    do { _ = try CaptureFormat(Array(text.utf8)[...]) } catch { #expect(error.isLog) }
  }

  @Test("The command for a Classic Load Balancer makes a log that is read")
  func classic() throws {
    let lines = try Self.lines("elb-classic.log")
    let problem = try #require(try Captured(lines.joined(separator: "\n")).problems.first)
    #expect(problem.contains("sed 's/^/http /' FILE | skan check -"))
    let captured = try Captured(lines.map { "http \($0)" }.joined(separator: "\n"))
    #expect(captured.problems == [] && captured.requests.count == 4)
  }

  @Test("Docker's lines are not a HAR, whatever log they hold", arguments: names.filter { !$0.hasPrefix("docker") })
  func docker(name: String) throws {
    let lines = try Self.lines(name).filter { !$0.hasPrefix("#") }
    guard name != "iis.log" else { return }
    let wrapped = lines.map { line in
      #"{"log":\#(JSONWriter.quoted(line + "\n")),"stream":"stdout","time":"2026-01-01T00:00:00Z"}"#
    }
    let captured = try Captured(wrapped.joined(separator: "\n"))
    #expect(captured.problems == [])
    #expect(Self.requests(captured) == Self.requests(try Captured(lines.joined(separator: "\n"))))
  }

  @Test("A line of a container that may be a request is a problem if it cannot be read; others are counted")
  func container() throws {
    let captured = try Captured(
      [
        #"1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET /api/v1/evt?n=a HTTP/1.1\" 200 5"#, "worker started",
        #"GET /api/v1/launch?n=a"#,
      ].map { #"{"log":"\#($0)\n","stream":"stderr"}"# }.joined(separator: "\n"))
    #expect(captured.requests.count == 1 && captured.tally.others == ["not HTTP": 1])
    #expect(captured.problems == ["3:3: the line has another form than the log's first"])
  }

  @Test(
    "Times of logs",
    arguments: [
      ("1767225600", nil, "2026-01-01T00:00:00Z"), ("1767225600.25", nil, "2026-01-01T00:00:00.25Z"),
      ("1767225600250", nil, "2026-01-01T00:00:00.25Z"), ("1767225600250000", nil, "2026-01-01T00:00:00.25Z"),
      ("1767225600250000000", nil, "2026-01-01T00:00:00.25Z"),
      ("01/Jan/2026:02:00:00 +0200", nil, "2026-01-01T00:00:00Z"),
      ("2026-01-01T02:00:00+02:00", nil, "2026-01-01T00:00:00Z"),
      ("2026-01-01 02:00:00", "+02:00", "2026-01-01T00:00:00Z"),
      ("2026-01-01 02:00:00", nil, "noOffset"), ("yesterday", nil, "malformed"), ("1e99", nil, "malformed"),
      ("99999999999999999999999999", nil, "malformed"), ("", nil, "malformed"),
    ] as [(String, String?, String)])
  func times(text: String, zone: String?, expected: String) {
    let read: String
    do throws(Instant.CaptureMistake) {
      read = "\(try Instant(logged: text, zone: zone.flatMap(UTCOffset.init)?.everywhere))"
    } catch { read = "\(error)" }
    #expect(read == expected)
  }

  @Test("Names that a user gives: members, members of inner objects, and columns by number")
  func given() throws {
    var fields = LogFields()
    for (part, name) in [(LogPart.time, "ts"), (.method, "request.verb"), (.url, "request.uri"), (.host, "h.name")] {
      fields.add(name, for: part)
    }
    let line = #"{"ts":1767225600,"request":{"verb":"POST","uri":"/api/v1/launch?a=k"},"h.name":"s2s.singular.net"}"#
    let captured = try Captured(
      "hello\n\(line)\n{\"ts\":1}\n{\"ts\":\"now\",\"request\":{\"uri\":\"/a\"}}\n", fields: fields)
    #expect(
      Self.requests(captured) == [
        "POST https://s2s.singular.net/api/v1/launch?a=k 2026-01-01T00:00:00Z notCaptured"
      ])
    #expect(captured.tally.others == ["not HTTP": 1])
    #expect(captured.problems.count == 2 && captured.problems[1] == "4:4: the time is not a time: \"now\"")
    #expect(try Captured(line, fields: nil).problems.first?.contains("--fields time=ts") == true)

    var columns = LogFields()
    for (part, name) in [(LogPart.time, "1"), (.path, "3"), (.query, "4"), (.status, "2")] {
      columns.add(name, for: part)
    }
    let table = try Captured(
      "1767225600\t204\t/api/v1/launch\ta=k\n1767225601\t-\t/api/v1/launch\t-\n", fields: columns)
    #expect(
      Self.requests(table) == [
        "GET /api/v1/launch?a=k 2026-01-01T00:00:00Z status(204)",
        "GET /api/v1/launch 2026-01-01T00:00:01Z notCaptured",
      ])
    #expect(
      try Captured("a\tb\n", fields: columns).problems == [
        "0:1: no line has the members or columns that --fields names"
      ])
  }

  @Test("A log in JSON with local times needs their offset, as a HAR does")
  func localTimes() throws {
    let line = #"{"time":"2026-01-01T02:00:00","request":"GET /api/v1/launch?a=k HTTP/1.1","status":200}"#
    #expect(
      try Captured(line).problems == [
        "1:1: the time has no offset: \"2026-01-01T02:00:00\" is a local time; name its offset, as in --timezone +02:00"
      ])
    #expect(try Captured(line, zone: "+02:00").requests.first?.at == .listStart)
  }

  @Test("A log that lacks queries or methods is not taken for one that has them")
  func lacking() throws {
    for line in [
      #"{"time":"2026-01-01T02:00:00Z","uri":"/api/v1/launch","request_method":"GET","status":200}"#,
      #"{"time":"2026-01-01T02:00:00Z","request_uri":"/api/v1/launch?a=k","status":200}"#,
      #"{"request":"GET /api/v1/launch?a=k HTTP/1.1","status":200}"#,
    ] { #expect(try Captured(line).problems.first?.contains("--fields") == true, "\(line)") }
    var fields = LogFields()
    let lacks: [String?] = [
      "time=NAME", "url=NAME, or path=NAME and query=NAME", "query=NAME", nil,
    ]
    for (lack, part) in zip(lacks, [LogPart.time, .path, .query, .status]) {
      #expect(fields.lack == lack)
      fields.add("x", for: part)
    }
    #expect(fields.lack == nil && fields.has(.status) && !fields.has(.url))
  }

  @Test("Whether keys are those of a log")
  func keys() {
    #expect(LogForm.isLog(["log", "stream", "time"]))
    #expect(!LogForm.isLog(["log", "log.version"]) && !LogForm.isLog(["log", "log.version", "time"]))
    #expect(LogForm.isLog(["timestamp", "httpRequest", "httpRequest.requestMethod", "httpRequest.requestUrl"]))
    #expect(!LogForm.isLog(["timestamp", "httpRequest.requestUrl"]))
    #expect(!LogForm.isLog(["ts", "request", "request.uri", "time"]))
  }
}
