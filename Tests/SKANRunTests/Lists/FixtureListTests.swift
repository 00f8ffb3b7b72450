import Foundation
import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

/// The lists under `fixtures` meet all their expectations: those of `conformance` were produced by the published code.
@Suite("The lists under fixtures")
struct FixtureListTests {
  static let fixtures = Checkout.fixtures

  /// Every list, by its path under `fixtures`.
  static let lists: [String] = {
    let paths = FileManager.default.enumerator(atPath: fixtures.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".jsonl") }.sorted()
  }()

  @Test("There are more than 90, of all six kinds")
  func count() {
    #expect(Self.lists.count > 90)
    for (beginning, count) in [
      ("conformance/skan3/", 18), ("conformance/skan4/", 18), ("conformance/skan4-beta/", 18), ("hazards/", 20),
      ("conformance/overlap/", 90), ("overlap/", 5),
      ("belief-and-truth/", 14),
      ("adattributionkit/", 15), ("life-cycle/", 4), ("first-month", 1),
    ] {
      #expect(Self.lists.count { $0.hasPrefix(beginning) } >= count, "\(beginning)")
    }
  }

  @Test("The lists of AdAttributionKit show each of its settings with every value; what names none has the default")
  func settings() throws {
    let lists = Self.lists.filter { $0.hasPrefix("adattributionkit/") || $0.hasPrefix("impressions/") }
    let text = try lists.map { try String(contentsOf: Self.fixtures.appending(path: $0), encoding: .utf8) }.joined()
    for setting in FrameworkSetting.allCases where setting.name.hasPrefix("aak-") || setting.hours != nil {
      for value in setting.values.dropFirst() {
        let written = setting.hours == nil ? "\"\(value)\"" : value
        #expect(text.contains("\"\(setting.name)\":\(written)"), "\(setting.name) \(value)")
      }
    }
  }

  @Test("Nothing is wrong with any of them, and all their expectations are met", arguments: lists)
  func met(list: String) throws {
    let text = String(decoding: try Data(contentsOf: Self.fixtures.appending(path: list)), as: UTF8.self)
    #expect(try check(text).map { "\($0.line): \($0.problem.message)" } == [])
    let lines = try read(text).filter { $0.step != nil }
    let results = try runSteps(lines)
    #expect(results.count == lines.count)
    var expectations = 0
    for (line, result) in zip(lines, results) where !result.step.expectations.isEmpty {
      for verdict in result.step.expectations.verdicts(on: ShownResult(result), isInterrupted: { false }) ?? [] {
        expectations += 1
        #expect(verdict.isMet, "\(list):\(line.line) \(JSONWriter.text(verdict.json))")
      }
    }
    #expect(expectations > 0)
  }

  @Test(
    "A list runs twice alike",
    arguments: ["first-month.jsonl", "hazards/answer-in-next-window.jsonl", "conformance/skan4/11_revenue.jsonl"])
  func repeatable(list: String) throws {
    let text = String(decoding: try Data(contentsOf: Self.fixtures.appending(path: list)), as: UTF8.self)
    func once() throws -> [String] {
      try runList(text.split(separator: "\n").map(String.init)).map { JSONWriter.text($0.json) }
    }
    #expect(try once() == once())
  }
}

/// Every hazard of the behaviour reference has a list that shows it.
@Suite("Hazards and their lists")
struct HazardListTests {
  private static let repository = Checkout.root

  private static func article(_ name: String) throws -> String {
    try String(
      contentsOf: repository.appending(path: "Sources/SKANDevice/SKANDevice.docc/\(name).md"), encoding: .utf8)
  }

  private static let lists = FixtureListTests.lists.filter { $0.hasPrefix("hazards/") }
  private static let overlapping = FixtureListTests.lists.filter { $0.hasPrefix("overlap/") }

  private static func text(_ list: String) throws -> String {
    try String(contentsOf: FixtureListTests.fixtures.appending(path: list), encoding: .utf8)
  }

  @Test("Each row of the article's tables names a list that is there, and each list is named")
  func named() throws {
    let article = try Self.article("Hazards")
    let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
    #expect(rows.count > 35)
    for row in rows where !row.hasSuffix("| List |") {
      #expect(row.contains(".jsonl`") || row.contains("| as above |"), "\(row)")
    }
    let names = article.matches(of: /`([a-z0-9-]+\.jsonl)`/).map { "hazards/\($0.output.1)" }
    #expect(Set(names) == Set(Self.lists))
    let others = try Self.article("OverlappingCalls").matches(of: /`([a-z0-9-]+\.jsonl)`/)
    #expect(Set(others.map { "overlap/\($0.output.1)" }) == Set(Self.overlapping))
  }

  /// Every code of level finding that the results of all hazards have.
  @Test("Every finding is shown by a list and expected in it", arguments: Warning.findingCodes)
  func findings(code: String) throws {
    let isExpected = try (Self.lists + Self.overlapping).contains {
      try Self.text($0).contains(#""warnings":{"$contains":{"code":"\#(code)"}}"#)
    }
    #expect(isExpected)
  }

  @Test("A step with a finding expects it", arguments: lists + overlapping)
  func expected(list: String) throws {
    let lines = try read(try Self.text(list))
    for (line, result) in zip(lines, try runSteps(lines)) {
      guard result.report.warnings.contains(where: { $0.level == .finding }) else { continue }
      #expect(result.step.expectations.contains { $0.path == "warnings" }, "\(list):\(line.line)")
    }
  }
}

extension Warning {
  /// The codes of level finding, from the manual's own list.
  fileprivate static let findingCodes = [
    "handler-not-called", "lock-leaked", "blocked", "install-poisoned", "app-crashed", "dropped-unregistered",
    "index-mismatch", "odd-type", "name-too-long", "name-not-ascii", "plus-in-name", "empty-name", "empty-currency",
    "idfv-missing", "current-value-missing", "ignored-after-lock", "framework-error-kept",
    "revenue-again", "overlaps", "stale-request", "completed-out-of-order", "stored-in-later-window", "killed",
  ]
}

@Suite("The answer of a step")
struct AnswerFormTests {
  @Test(
    "Forms",
    arguments: [
      (#"{"json":{}}"#, 200, "{}"), (#"{"status":503,"json":[1]}"#, 503, "[1]"),
      (#"{"status":100,"text":""}"#, 100, ""),
      (#"{"status":999,"text":"<html>\n\u00e9"}"#, 999, "<html>\né"), (#"{"base64":""}"#, 200, ""),
      (#"{"base64":"e30="}"#, 200, "{}"),
      (#"{"json":null}"#, 200, "null"), (#"{"json":"x"}"#, 200, #""x""#), (#"{"json":5,"status":200}"#, 200, "5"),
    ])
  func forms(text: String, status: Int, body: String) throws {
    #expect(try AnswerForm.read(Array(text.utf8)) == .response(status: status, body: Array(body.utf8)))
    let line = "{\"op\":\"session\",\"label\":\"é\",\"answer\":\(text)}"
    guard case .session(let update) = try step(line).operation else {
      Issue.record("no session")
      return
    }
    #expect(update.answer == .response(status: status, body: Array(body.utf8)))
  }

  @Test("Bytes that are no text, and no answer at all")
  func others() throws {
    #expect(try AnswerForm.read(Array(#"{"base64":"/wA="}"#.utf8)) == .response(status: 200, body: [0xFF, 0x00]))
    #expect(try AnswerForm.read(Array(#"{"error":"timed out"}"#.utf8)) == .failure("timed out"))
    #expect(try AnswerForm.read(Array(#"{"error":""}"#.utf8)) == .failure(""))
  }

  @Test(
    "A json body goes out byte for byte",
    arguments: [
      #"{"conversion_value":64.0}"#, #"{ "b" : 1e1,"a":-0 }"#, "{\"a\":\t[ 1 ,\t2.50 ]}", #"{"\u0061":"\/\u00e9é😀"}"#,
      "1.000", "-0.0", #""\u0041""#,
      #"{"conversion_value":9223372036854775808}"#,
    ])
  func verbatim(body: String) throws {
    for text in ["{\"json\":\(body)}", "{\"status\":200, \"json\" : \(body) }"] {
      #expect(try AnswerForm.read(Array(text.utf8)) == .response(status: 200, body: Array(body.utf8)))
    }
    let results = try runList([
      #"{"op":"register"}"#, "{\"op\":\"session\",\"device\":\"\",\"label\":\"漢\",\"answer\":{\"json\":\(body)}}",
    ])
    #expect(results.last?.exchange?.answer == .response(status: 200, body: Array(body.utf8)))
  }

  @Test(
    "So the phone sees 64.0 and 1e1 as they are written",
    arguments: [("64.0", Outcome.illegalValues), ("1e1", .updated), ("63.9", .updated)])
  func seen(value: String, outcome: Outcome) throws {
    let results = try runList([
      #"{"op":"register"}"#, "{\"op\":\"session\",\"answer\":{\"json\":{\"conversion_value\":\(value)}}}",
    ])
    #expect(results.last?.report.outcome == outcome)
  }

  @Test(
    "What is wrong",
    arguments: [
      ("{}", "an answer has exactly one of \"json\", \"text\", \"base64\" and \"error\""),
      (#"{"status":200}"#, "an answer has exactly one of \"json\", \"text\", \"base64\" and \"error\""),
      (#"{"json":{},"text":""}"#, "an answer has exactly one of \"json\", \"text\", \"base64\" and \"error\""),
      (#"{"error":"x","status":200}"#, "an answer that is an \"error\" has no \"status\""),
      (#"{"status":99,"text":""}"#, "\"status\" must be a whole number from 100 to 999, this is 99"),
      (#"{"status":1000,"text":""}"#, "\"status\" must be a whole number from 100 to 999, this is 1000"),
      (#"{"status":"200","text":""}"#, "\"status\" must be a whole number from 100 to 999, this is \"200\""),
      (#"{"text":{}}"#, "\"text\" must be a string, this is an object"),
      (#"{"error":5}"#, "\"error\" must be a string, this is 5"),
      (#"{"base64":"/w"}"#, "\"base64\" must be base64 text, this is \"/w\""),
      (#"{"base64":"é"}"#, "\"base64\" must be base64 text, this is \"é\""),
      (#"{"base64":5}"#, "\"base64\" must be base64 text, this is 5"),
      (#"{"jsn":{}}"#, "an answer has no key \"jsn\"; did you mean \"json\"?"),
      ("[]", "an answer must be an object, this is an array"), ("null", "an answer must be an object, this is null"),
    ])
  func wrong(text: String, message: String) {
    let error = #expect(throws: SourceProblems.self) { try AnswerForm.read(Array(text.utf8)) }
    #expect(error?.problems.map(\.message) == [message])
    #expect(problems("{\"op\":\"session\",\"answer\":\(text)}") == [message])
  }

  @Test("Text that is no JSON, standing alone", arguments: ["", "{", #"{"json":{},}"#, #"{"text":"","text":""}"#])
  func noJSON(text: String) {
    let error = #expect(throws: SourceProblems.self) { try AnswerForm.read(Array(text.utf8)) }
    #expect(error?.problems.first?.message.hasPrefix("not JSON: ") == true)
  }
}

@Suite("The step postbacks")
struct PostbackStepTests {
  private static func life(_ device: String, _ at: String, _ expect: String) -> [String] {
    [
      #"{"op":"device"\#(device)}"#, #"{"op":"register"}"#,
      #"{"op":"session","at":"+1h","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":1}}}"#,
      #"{"op":"session","at":"+3d","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true}}}"#,
      #"{"op":"postbacks","at":"\#(at)","expect":{\#(expect)}}"#,
    ]
  }

  private static let old = #","ad":{"version":"3.0"}"#

  @Test(
    "Expectations",
    arguments: [
      ("", "+3d1m", #""postbacks.0.state":"scheduled","postbacks.1.state":"scheduled","postbacks.2.state":"open""#),
      ("", "+4d", #""postbacks.0.state":"sent","postbacks.1.prepared_at":1767484800"#),
      ("", "+60d", #""postbacks.1.state":"sent","postbacks.2.state":"not-sent","postbacks.3":null,"outcome":"read""#),
      ("", "+60d", #""postbacks.0.body.conversion-value":12,"postbacks.1.body.coarse-conversion-value":"high""#),
      ("", "+60d", #""postbacks.0.sequence_index":0,"postbacks.2.body":null,"window":-1,"apple.window":-1"#),
      (#","ad":{"tier":0}"#, "+60d", #""postbacks.0.body.source-identifier":"39","postbacks.1.state":"not-sent""#),
      (#","ad":{"won":false}"#, "+60d", #""postbacks.0.body.did-win":false,"postbacks.1.state":"not-sent""#),
      (#","ad":false"#, "+60d", #""postbacks":[]"#),
      (#","build":"development""#, "+60d", #""postbacks.0.state":"not-sent","postbacks.2.state":"not-sent""#),
      (
        #","ios":"18.0","clock":"developer""#, "+60d",
        #""postbacks.0.body.conversion-value":0,"postbacks.1.state":"not-sent""#
      ),
      (old, "+60d", #""postbacks.0.body.campaign-id":42,"postbacks.0.body.version":"3.0","postbacks.1":null"#),
      (old, "+60d", #""postbacks.0.body.conversion-value":12,"postbacks.0.body.source-app-id":1234567891"#),
      (#","snippet":"skan3""#, "+60d", #""postbacks.0.body.conversion-value":12,"postbacks.1.state":"not-sent""#),
    ])
  func expectations(device: String, at: String, expect: String) throws {
    let result = try #require(try runList(Self.life(device, at, expect)).last)
    #expect(!result.step.expectations.isEmpty)
    let json = result.json
    for expectation in result.step.expectations {
      let verdict = expectation.verdict(on: json)
      #expect(verdict.isMet, "\(JSONWriter.text(verdict.json))")
    }
  }

  @Test("An expectation that is not met says what was found")
  func failing() throws {
    let result = try #require(try runList(Self.life("", "+60d", #""postbacks.0.state":"open""#)).last)
    let verdict = try #require(result.step.expectations.first).verdict(on: result.json)
    #expect(!verdict.isMet && verdict.actual == .string("sent"))
  }

  @Test("Each has these keys, and only this operation tells of them")
  func keys() throws {
    let results = try runList(Self.life("", "+3d1m", ""))
    for result in results.dropLast() { #expect(result.json.value(at: "postbacks") == nil && result.postbacks == nil) }
    guard case .array(let items)? = results.last?.json.value(at: "postbacks") else {
      Issue.record("no array")
      return
    }
    #expect(items.count == 3)
    for item in items {
      guard case .object(let members) = item else { continue }
      #expect(
        members.map(\.key) == [
          "sequence_index", "state", "why", "prepared_at", "earliest", "latest", "sends_at", "body",
        ])
    }
  }

  @Test("It changes nothing but the time")
  func pure() throws {
    let results = try runList(Self.life("", "+3d1m", ""))
    #expect(results[4].device == results[3].device)
  }

  @Test("Phones in one list draw for themselves, and the same phone alike")
  func phones() throws {
    let lines = ["a", "b"].flatMap { name in
      [
        #"{"op":"device","device":"\#(name)","idfv":null}"#, #"{"op":"register","device":"\#(name)"}"#,
        #"{"op":"postbacks","device":"\#(name)","at":"+60d"}"#,
      ]
    }
    let bodies = try (runList(lines) + runList(lines)).compactMap(\.postbacks?.first)
    #expect(bodies.count == 4 && bodies[0] != bodies[1])
    #expect(bodies[0] == bodies[2] && bodies[1] == bodies[3])
  }
}
