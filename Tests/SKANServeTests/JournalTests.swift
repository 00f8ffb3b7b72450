import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import SKANSigning
import TestSupport
import Testing

@testable import SKANServe

@Suite("The journal")
struct JournalTests {
  @Test("The last lines, oldest first, however often it goes round or is emptied", arguments: [1, 2, 5, 10_000])
  func ring(limit: Int) {
    var random = SplitMix64(seed: UInt64(limit))
    let journal = Journal(limit: limit, redactor: Redactor(key: nil)) { _ in }
    var (kept, next, copies): ([(number: Int, line: String)], Int, [(JournalLines, [String])]) = ([], 1, [])
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 0...limit * 3 / 2, using: &random) {
        let line = "\(next) \(String(repeating: "x", count: next % 7))\n"
        journal.append { $0.append(line) }
        kept.append((next, line))
        next += 1
      }
      kept.removeFirst(max(0, kept.count - limit))
      let isEmptied = Int.random(in: 0..<8, using: &random) == 0
      if isEmptied {
        journal.clear()
        kept = []
      }
      #expect(journal.text == Array(kept.map(\.line).joined().utf8))
      #expect(journal.firstNumber == kept.first?.number ?? next && journal.endNumber == next)
      #expect(kept.allSatisfy { journal.lines[$0.number] == Array($0.line.utf8) })
      #expect(journal.lines.size == kept.reduce(0) { $0 + $1.line.utf8.count })
      if limit < 10, copies.count < 20 { copies.append((journal.lines, kept.map(\.line))) }
      if limit > 10, next > 60_000 { break }
    }
    // A copy stays as it was.
    for (lines, texts) in copies { #expect(lines.numbers.map { lines[$0] } == texts.map { Array($0.utf8) }) }
  }

  @Test("Every line is given on once, in order, also beyond the limit")
  func keep() {
    nonisolated(unsafe) var kept: [String] = []
    let journal = Journal(redactor: Redactor(key: nil)) { kept.append(String(decoding: $0, as: UTF8.self)) }
    journal.flush()
    for number in 0..<10_005 {
      journal.append { $0.append("line \(number)\n") }
      if number % 3 == 2 { journal.flush() }
    }
    journal.flush()
    journal.flush()
    #expect(kept.count == 3335)
    #expect(kept.first == "line 0\nline 1\nline 2\n")
    #expect(kept.joined() == (0..<10_005).map { "line \($0)\n" }.joined())
  }

  @Test("However long the lines, this many bytes at most; the newest line always stays", arguments: [100_000, 9 << 20])
  func bytes(length: Int) {
    let journal = Journal(redactor: Redactor(key: nil)) { _ in }
    let count = Journal.byteLimit / length + 3
    for number in 0..<count { journal.append { $0.append(UInt8(number), times: length) } }
    #expect(journal.text.last == UInt8(count - 1))
    #expect(journal.text.count == max(length, Journal.byteLimit / length * length))
    for number in 0..<20_000 { journal.append { $0.append("\(number)\n") } }
    #expect(journal.text == Array((10_000..<20_000).map { "\($0)\n" }.joined().utf8))
  }
}

@Suite("Traffic that is inspected")
struct InspectionTests {
  @Test("An inspection sees each recorded request with its answer and time; what it finds goes on record")
  func findings() throws {
    var seen: [String] = []
    let service = try TestService { request, query, response, at in
      seen.append("\(request.method) \(request.path) \(response.status) \(at.wholeSeconds) \(query?["p"] ?? "-")")
      return request.path.hasSuffix("/launch")
        ? [InspectedFinding(rule: "some-rule", level: "note", message: "é is \"odd\".")] : []
    }
    _ = try service.askV2(time: "1767225700")
    let reply = try service.ask("/api/v1/launch", "p=iOS&utime=1767225800")
    _ = try service.ask("/healthz")
    #expect(
      seen == ["GET /api/v2/conversion_value 200 1767225700 iOS", "GET /api/v1/launch 200 1767225800 iOS"])
    #expect(reply.explanation.hasSuffix(#" [some-rule] \u{E9} is "odd"."#), "\(reply.explanation)")
    let lines = try service.journal()
    #expect(lines[0]["findings"] as String? == nil)
    #expect(lines[1]["findings"] == #"[{"level":"note","message":"é is \"odd\".","rule":"some-rule"}]"#)
  }

  @Test("What the explanation says already is not said again as a finding")
  func repeated() throws {
    let messages = ["i is missing.", "v is missing.", "n is missing."]
    let service = try TestService(
      inspection: { _, _, _, _ in messages.map { InspectedFinding(rule: "r", level: "error", message: $0) } })
    let reply = try service.ask("/api/v2/conversion_value", "a=k&p=iOS")
    #expect(reply.explanation == "[r] v is missing. [r] i is missing. [r] n is missing.")
    #expect(
      service.logged.hasSuffix("  -  [r] v is missing.  [r] i is missing.  [r] n is missing.\n"), "\(service.logged)")
    // Whoever reads the journal gets both in their own members.
    let line = try #require(service.journal().first)
    #expect(line["explanation"] == "v is missing." && line["findings"]?.contains("v is missing.") == true)
  }
}

@Suite("The SDK key, sent to the reference endpoint")
struct ServedKeyTests {
  private static let key = "Zq7kX9mPwV2tLsYd5"

  /// Ways to send it, right and wrong ones.
  private static let queries = [
    "a=\(key)", "p=iOS&a=\(key)&n=x", "a=\(key)&a=\(key)", "%61=\(key)", "A=\(key)", "a%5B%5D=\(key)", "sdk_key=\(key)",
    "a=\(key)%", "a=\(key)%2", "a=\(key)%ZZ", "a=%FF\(key)", "a=\(key)%0A\(key)", "a=\(key)=\(key)", "a=\(key);b",
    "a==\(key)",
    "a=+\(key)+", "a=\(key)&p=%ZZ", "p=%FF&a=\(key)", "&&a=\(key)&",
    "a=\(key.utf8.map { "%" + String($0, radix: 16) }.joined())",
    // Within another parameter.
    "e=%7B%22sdk_key%22%3A%22\(key)%22%7D", "e={\"sdk_key\":\(key)}", "n=%7B%22a%22%3A%22\(key)%22%7D", "x;a=\(key)",
    "i=%7B%22a%22%3A%22\(key)%22%7D&p=%7B%22a%22%3A%22\(key)%22%7D", "%7B%22a%22%3A%22\(key)%22%7D=1",
    "idfv=%7B%22a%22%3A%22\(key)%22%7D&v=a%3D\(key)", "u=http%3A%2F%2Fh%2F%3Fa%3D\(key)", "u=%2561%253D\(key)",
    "%7B%22a%22%3A%22\(key)%22%7D=%ZZ",
  ]

  /// Paths in which it may stand by mistake.
  private static let paths = [
    "/api/v2/conversion_value;a=\(key)", "/api/v2/conversion_value&a=\(key)", "/api/v1/evt;sdk_key=\(key)/x",
    "/api/v2/conversion_value%3Fa%3D\(key)", "/api/v2/conversion_value%253Fa%253D\(key)", "/;%61=\(key)",
  ]

  private func expectNone(in texts: [(name: String, text: String)], _ request: String) {
    let letters = Array(Self.key)
    let parts = (0...letters.count - 7).map { Array(String(letters[$0..<$0 + 7]).utf8) }
    for (name, text) in texts {
      let plain = text.removingPercentEncoding ?? text
      #expect(!parts.contains { text.holds($0) || plain.holds($0) }, "\(request), \(name): \(text)")
    }
  }

  @Test("In no answer, explanation, journal or log", arguments: queries)
  func everywhere(query: String) throws {
    let service = try TestService(
      inspection: { request, _, _, _ in [InspectedFinding(rule: "r", level: "note", message: request.method)] },
      showsQueries: true)
    var texts: [(name: String, text: String)] = []
    for path in [
      "/api/v1/conversion_value", "/api/v2/conversion_value", "/testing/api/v1/conversion_value", "/api/v1/launch",
      "/api/v1/evt", "/healthz", "/journal", "/nowhere",
    ] {
      for method in ["GET", "HEAD", "PUT", "DELETE"] {
        let reply = try service.ask(path, query, method: method)
        texts += [("\(method) \(path)", reply.text), ("why of \(method) \(path)", reply.explanation)]
        texts += [("journal", try service.ask("/journal").text)]
      }
      for (body, type) in [
        (query, nil), (query, "application/x-www-form-urlencoded"), (query, "text/plain"),
        (#"{"a":"\#(Self.key)","A":["\#(Self.key)"]}"#, "application/json"),
        (#"{"a":"\#(Self.key)"#, "application/json"),
        (#"{"x":{"a":"\#(Self.key)"},"y":[{"sdk_key":"\#(Self.key)"},"a=\#(Self.key)"]}"#, "application/json"),
        (#"[{"a":"\#(Self.key)"}]"#, "application/json"), (#""{\"a\":\"\#(Self.key)\"}""#, "application/json"),
      ] {
        let reply = try service.ask(path, "p=iOS", method: "POST", body: body, type: type)
        texts += [("POST \(path)", reply.text), ("why of POST \(path)", reply.explanation)]
      }
    }
    texts += [("journal", try service.ask("/journal").text), ("kept", service.kept.joined())]
    texts += [("log", service.logged), ("reported", service.reported.joined())]
    #expect(service.kept.count > 30 && service.logged.contains("REDACTED"))
    expectNone(in: texts, query)
  }

  @Test("Nor out of a path", arguments: paths)
  func path(path: String) throws {
    let service = try TestService(showsQueries: true)
    for method in ["GET", "POST", "DELETE"] { #expect(try service.ask(path, method: method).status == 404) }
    let journal = try service.ask("/journal").text
    #expect(journal.contains("REDACTED") && service.logged.contains("REDACTED"))
    expectNone(in: [("journal", journal), ("log", service.logged)], path)
  }

  @Test("What a server knows to be a key is taken out of a line as it stands, wherever it is")
  func known() throws {
    let service = try TestService(redactor: Redactor(key: Self.key))
    _ = try service.ask("/api/\(Self.key)/evt")
    expectNone(in: [("journal", try service.ask("/journal").text), ("kept", service.kept.joined())], "a bare key")
    #expect(try service.journal().first?["path"] == "/api/REDACTED/evt")
  }

  @Test(
    "Nor in the data of the live page: models, postbacks and phones", arguments: ["mixed", "events", "iap-revenue"])
  func page(model: String) throws {
    var text = try String(contentsOf: Checkout.fixtures.appending(path: "models/\(model).json"), encoding: .utf8)
    let names = try ConversionModel(Array(text.utf8)).fine.flatMap(\.mapping.events).map(\.name)
    for name in Set(names) where name != "__SESSION__" { text = text.replacing("\"\(name)\"", with: "\"\(Self.key)\"") }
    let planted = try ConversionModel(Array(text.utf8))
    let shelf = PagePostbacks(allowsDevelopment: false)
    let body = #"{"version":"4.0","ad-network-id":"\#(Self.key)","transaction-id":"\#(Self.key)","app-id":1}"#
    let record = ReceivedRecord(
      receivedAt: try #require(Instant(unixSeconds: TestService.start)), sourceAddress: nil,
      signature: ReceivedSignature(.notChecked, key: nil, why: Self.key), repetition: .first,
      findings: [ReceivedRecord.Finding(code: "x", message: Self.key)], body: body)
    shelf.add(record, try PostbackDocument(Array(body.utf8)))
    shelf.settle(isKept: true)
    let service = try TestService(
      models: [Self.key: planted, "com.example.app": planted],
      postbacks: PostbackKeeper(receive: { _, _ in { .notKept(cause: "") } }, commit: {}, page: shelf),
      redactor: Redactor(key: Self.key), hasPage: true)
    for query in [TestService.v2, TestService.v2.replacing("com.example.app", with: Self.key)] {
      _ = try service.ask("/api/v2/conversion_value", query.replacing("n=__SESSION__", with: "n=\(Self.key)"))
      _ = try service.ask("/api/v2/conversion_value", query.replacing("IDFV-1", with: Self.key))
    }
    for path in OpenAPI.pagePaths.map(\.key) where path != "/events" {
      for query in ["", "n=1", "app=com.example.app&kind=idfv&id=IDFV-1", "app=REDACTED&kind=idfv&id=REDACTED"] {
        expectNone(in: [("answer", try service.ask(path, query).text)], "\(path)?\(query)")
      }
    }
    let stream = try #require(try service.ask("/events").stream)
    expectNone(in: [("events", service.part(stream))], "/events")
    let shown = try service.ask("/page/postbacks").text
    #expect(shown.contains(#"\"transaction-id\\\":\\\"REDACTED"#) && shown.contains(#""count":1"#))
    #expect(try service.ask("/page/setup").text.contains("REDACTED"))
  }
}

@Suite("A line for each request")
struct RequestLogTests {
  @Test("Time, phone, method, path, outcome, value, why")
  func line() throws {
    let service = try TestService()
    _ = try service.askV2(time: "1767225600")
    #expect(
      service.logged == "00:00:00.005  IDFV-1  GET /api/v2/conversion_value  200 ok  1 low  "
        + "__SESSION__ for the 1st time in P0, 0s after the first call: fine value 0 → 1, coarse low.\n")
  }

  @Test(
    "Answers: status, the answer's own status, the value",
    arguments: [
      (#"{"conversion_value":12,"skan_updated_coarse_value":2,"status":"ok"}"#, "200 ok  12 high  "),
      (
        #"{"conversion_value":0,"skan_updated_coarse_value":0,"skan_updated_lock_window_value":true,"status":"ok"}"#,
        "200 ok  0 low lock  "
      ), (#"{"conversion_value":"12","skan_updated_coarse_value":7}"#, "200  \"12\" 7  "),
      (#"{"reason":"no","status":"error"}"#, "200 error  -  "), (#"{"conversion_value":null}"#, "200  null  "),
      ("[]", "200  -  "), ("", "200  -  "), ("<html>", "200  -  "),
      (#"{"status":"a\nb"}"#, "200 a\\nb  -  "), (#"{"status":5}"#, "200  -  "),
    ])
  func answers(body: String, part: String) throws {
    let service = try TestService(script: [.response(status: 200, body: Array(body.utf8))])
    _ = try service.askV2()
    #expect(service.logged.contains("conversion_value  \(part)From the script of answers.\n"), "\(service.logged)")
  }

  @Test(
    "Faults and refusals",
    arguments: [
      ("close", "closed  -  "), ("not-http", "not HTTP  -  "), ("truncated", "200 ok, cut  1 low  "),
      ("status-503", "503 ok  1 low  "), ("nothing", "400 error  -  no fault \"nothing\"; known: "),
    ])
  func faults(name: String, part: String) throws {
    let service = try TestService()
    _ = try service.askV2(fault: name)
    #expect(service.logged.contains("conversion_value  \(part)"), "\(service.logged)")
  }

  @Test("A request without its current value is a finding")
  func currentValue() throws {
    let service = try TestService()
    let query = TestService.v2.replacing("&skan_current_conversion_value=0", with: "")
    #expect(try service.ask("/api/v2/conversion_value", query).explanation.hasSuffix(" [current-value-missing]"))
    #expect(service.logged.contains("IDFV-1  GET /api/v2/conversion_value  200 error  -  "))
  }

  @Test("Every path, also those that the journal leaves out, and clients without an identifier by their address")
  func paths() throws {
    let service = try TestService()
    for (path, method) in [("/healthz", "GET"), ("/nowhere", "GET"), ("/journal", "PUT"), ("/a b\n", "GET")] {
      _ = try service.ask(path, method: method, peer: "192.0.2.7")
    }
    let lines = service.logged.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.hasPrefix("00:00:00.005  192.0.2.7  ") })
    #expect(lines[0].hasSuffix("GET /healthz  200 ok  -"))
    #expect(lines[1].contains("GET /nowhere  404 error  -  no such path; there are "))
    #expect(lines[2].contains("PUT /journal  405 error  -  /journal takes "))
    #expect(lines[3].contains("GET /a b\\n  404 error"))
  }

  @Test("Reports of an app's server by the phone's identifier")
  func report() throws {
    let service = try TestService()
    _ = try service.ask("/api/v1/launch", "a=SECRET&p=iOS&i=com.example.app&idfv=IDFV-9&sdid=S-1")
    #expect(service.logged.hasPrefix("00:00:00.005  S-1  GET /api/v1/launch  200 "), "\(service.logged)")
    #expect(!service.logged.contains("SECRET"))
  }

  @Test("What was not HTTP")
  func broken() throws {
    let service = try TestService()
    service.record(.bareLineFeed, from: "::1")
    #expect(
      service.logged == "00:00:00.005  ::1  not HTTP  400  -  "
        + "A line of the request ends with a line feed that has no carriage return before it.\n")
  }

  @Test("Findings of an inspection follow the reason")
  func findings() throws {
    let service = try TestService(inspection: { _, _, _, _ in
      [InspectedFinding(rule: "r.one", level: "error", message: "It is wrong.")]
    })
    _ = try service.askV2()
    #expect(service.logged.hasSuffix("  [r.one] It is wrong.\n"))
  }

  @Test("The query, without the key, only when it is asked for")
  func query() throws {
    let service = try TestService(showsQueries: true)
    _ = try service.askV2()
    #expect(
      service.logged.contains("/api/v2/conversion_value?a=REDACTED&v=17.4&i=com.example.app"), "\(service.logged)")
    #expect(!service.logged.contains("SECRET"))
    _ = try service.ask("/nowhere", "A=SECRET&%61=SECRET&sdk_key=SECRET&x=%0A")
    #expect(!service.logged.contains("SECRET"), "\(service.logged)")
    #expect(service.logged.contains("&x=%0A"))
  }

  @Test(
    "Parts that stand out: the time, and how it went",
    arguments: [
      (#"{"conversion_value":12,"status":"ok"}"#, RequestLogPart.Kind.success, "200 ok"), ("[]", .success, "200"),
      (#"{"reason":"no","status":"error"}"#, .failure, "200 error"), (#"{"status":5}"#, .success, "200"),
    ])
  func parts(body: String, kind: RequestLogPart.Kind, text: String) throws {
    let service = try TestService(script: [.response(status: 200, body: Array(body.utf8))], marksParts: true)
    _ = try service.askV2()
    #expect(service.marked.map(\.text) == ["00:00:00.005", text] && service.marked.map(\.kind) == [.time, kind])
  }

  @Test("Parts of several lines at once, of refusals, faults and findings; none where they are not wanted")
  func partsOfMany() throws {
    let service = try TestService(
      inspection: { _, _, _, _ in [InspectedFinding(rule: "r.one", level: "error", message: "It is wrong.")] },
      marksParts: true)
    _ = try service.ask("/nowhere", flushes: false)
    _ = try service.askV2(fault: "truncated", flushes: false)
    _ = try service.askV2(fault: "close", flushes: false)
    service.record(.bareLineFeed, from: "::1")
    let shown = service.marked.filter { $0.kind != .time }.map { "\($0.kind) \($0.text)" }
    #expect(
      shown.filter { !$0.hasPrefix("finding") } == [
        "failure 404 error", "failure 200 ok, cut", "failure closed", "failure not HTTP  400",
      ])
    #expect(Set(shown.filter { $0.hasPrefix("finding") }) == ["finding [r.one]"])
    #expect(service.marked.count { $0.kind == .time } == 4)
    let plain = try TestService()
    _ = try plain.askV2()
    #expect(plain.marked.isEmpty)
  }
}
