import SKANBase
import SKANDevice
import SKANHTTP
import SKANSystem
import Testing

@testable import SKANRun

@Suite("A result as JSON")
struct StepResultJSONTests {
  static let keys: Set<String> = [
    "apple", "device", "op", "label", "at", "ended_at", "outcome", "explanation", "window", "request", "answer",
    "answered_by",
    "forwarded", "framework",
    "handler", "details_before", "details_in_handler", "details", "lock_held", "crash", "warnings",
  ]
  /// One step of each kind, and one of each end.
  static let list = [
    #"{"op":"device","idfv":"21DB6612-09B3-4ECC-84AC-B353B0AF1334","label":"install"}"#, #"{"op":"session"}"#,
    #"{"op":"register"}"#, #"{"op":"details"}"#,
    #"{"op":"session","answer":{"json":{"conversion_value":5,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true}},"took":0.5}"#,
    #"{"op":"event","name":"a+b","answer":{"error":"timed out"}}"#,
    #"{"op":"event","name":"n","answer":{"base64":"/w=="}}"#,
    #"{"op":"revenue","amount":9.99,"currency":"EUR"}"#, #"{"op":"session","answer":{"json":[]}}"#,
    #"{"op":"session","answer":{"json":{"conversion_value":64}}}"#, #"{"op":"session"}"#, #"{"op":"relaunch"}"#,
    #"{"op":"update","snippet":"skan3"}"#, #"{"op":"session"}"#, #"{"op":"session"}"#,
    #"{"op":"update","snippet":"skan4"}"#, #"{"op":"session","answer":{"json":{"conversion_value":"5"}}}"#,
    #"{"op":"details"}"#,
  ]

  @Test("Every result has these keys and no others")
  func keySet() throws {
    for result in try runList(Self.list) {
      guard case .object(let members) = result.json else {
        Issue.record("no object")
        return
      }
      #expect(members.count == Self.keys.count)
      #expect(Set(members.map(\.key)) == Self.keys)
    }
    let more: Set = [
      "file", "line", "expectations", "postbacks", "endpoint_explanation", "requested_at", "attribution",
    ]
    #expect(Set(StepResult.keys) == Self.keys.union(more))
  }

  @Test("A result reads back as itself, on one line")
  func readable() throws {
    for result in try runList(Self.list) {
      let text = JSONWriter.text(result.json)
      #expect(!text.contains("\n"))
      #expect(try JSONReader.read(Array(text.utf8)).value == result.json)
    }
  }

  @Test(
    "Values",
    arguments: [
      (0, "op", #""device""#), (0, "label", #""install""#), (0, "device", #""""#), (0, "outcome", #""set""#),
      (0, "window", "-1"),
      (0, "details", "{}"), (0, "request", "null"), (0, "framework", "[]"), (0, "warnings", "[]"),
      (1, "outcome", #""not-registered""#), (1, "label", "null"), (1, "warnings.0.code", #""dropped-unregistered""#),
      (1, "warnings.0.level", #""finding""#),
      (2, "framework", #"[{"call":"updatePostbackConversionValue","fine":0}]"#), (2, "at", "1767225600"),
      (2, "window", "0"),
      (4, "framework", #"[{"call":"updatePostbackConversionValue","fine":5,"coarse":"high","lock":true}]"#),
      (4, "handler", #"{"fine":5,"coarse":2,"lock":true,"error":null}"#), (4, "at", "1767225600"),
      (4, "ended_at", "1767225600.5"),
      (
        4, "request.url",
        #""https://sdk-api-v1.singular.net/api/v2/conversion_value?a=REDACTED&v=17.4&i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&skan_current_conversion_value=0&skan_last_call_to_skadnetwork_timestamp=1767225600&skan_first_call_to_skadnetwork_timestamp=1767225600""#
      ),
      (4, "query.n", #""__SESSION__""#), (4, "query.a", #""REDACTED""#), (4, "details_before.p0_coarse", "null"),
      (4, "details.p0_coarse", #""2""#),
      (4, "details.p0_window_lock", #""1767225600""#), (4, "answer.status", "200"),
      (5, "answer", #"{"error":"timed out"}"#),
      (5, "handler", #"{"fine":null,"coarse":null,"lock":false,"error":"timed out"}"#),
      (5, "query.n", #""a+b""#), (5, "warnings.0.code", #""plus-in-name""#),
      (6, "answer", #"{"status":200,"base64":"/w=="}"#),
      (7, "details.skan_total_revenue_by_currency.EUR", "9.9899997711181641"),
      (
        8, "crash",
        #"{"reason":"-[__NSArrayM objectForKey:]: unrecognized selector sent to instance (the answer is a JSON array)"}"#
      ),
      (8, "handler", "null"), (8, "answer", #"{"status":200,"text":"[]"}"#), (9, "lock_held", "true"),
      (10, "outcome", #""blocked""#), (10, "request", "null"),
      (11, "lock_held", "false"), (12, "window", "0"), (13, "outcome", #""not-higher""#),
      (13, "query.conversion_value", "null"),
      (13, "answer", #"{"status":200,"text":"{\"conversion_value\":0,\"status\":\"ok\"}"}"#),
      (14, "framework", #"[{"call":"updateConversionValue","fine":1}]"#), (14, "handler", #"{"fine":1,"error":null}"#),
      (14, "details.skan_conversion_value", #""1""#), (16, "handler.fine", #""5""#), (16, "details", "null"),
      (17, "outcome", #""crashed""#),
      (17, "details_before", "null"),
    ] as [(Int, String, String)])
  func values(index: Int, path: String, expected: String) throws {
    let results = try runList(Self.list)
    let verdict = Expected(path: path, expected: try JSONReader.read(Array(expected.utf8)).value).verdict(
      on: results[index].json)
    #expect(verdict.isMet, "\(verdict.actual)")
  }

  @Test("SKAN 3's register, and its handler with an error")
  func skan3() throws {
    let results = try runList([
      #"{"op":"device","snippet":"skan3"}"#, #"{"op":"register"}"#, #"{"op":"session","answer":{"text":""}}"#,
      #"{"op":"session","at":"+1d"}"#,
    ])
    #expect(
      results[1].json["framework"] == .array([.object([("call", .string("registerAppForAdNetworkAttribution"))])]))
    #expect(
      results[2].json["handler"]
        == .object([("fine", .integer(-1)), ("error", .string("Failed parsing server response"))]))
    #expect(results[3].json["window"] == .integer(-1))
    #expect(results.map(\.report.hasFinding) == [false, false, false, false])
  }

  @Test(
    "The key is in no result, though it goes out",
    arguments: ["production", "http://a/x"])
  func key(name: String) throws {
    nonisolated(unsafe) var asked: [String] = []
    let endpoint =
      name == "production"
      ? Endpoint.production : .custom(v1: try EndpointURL(name, api: .v1), v2: try EndpointURL(name, api: .v2))
    let answerer = RemoteAnswerer(endpoint, sdkKey: "SECRET") { request, _ in
      asked.append(request.target.text)
      return (.failure("none"), nil)
    }
    let runner = StepRunner(answerer)
    let results = try runList([#"{"op":"register"}"#, #"{"op":"session"}"#], runner: runner)
    #expect(asked.count == 1 && asked.first?.contains("a=SECRET&v=17.4") == true)
    for result in results { #expect(!JSONWriter.text(result.json).contains("SECRET")) }
    #expect(results[1].exchange?.url.hasPrefix("\(endpoint.address(for: .skan4))?a=REDACTED&") == true)
  }

  @Test(
    "Moments: whole seconds are integers",
    arguments: [(0.0, "1767225600"), (0.5, "1767225600.5"), (0.000_001, "1767225600.000001")])
  func moments(seconds: Double, expected: String) {
    #expect(JSONWriter.text(moment(seconds).json) == expected)
  }
}

@Suite("Records of steps that are set aside")
struct StepRecordsTests {
  /// Records with everything that one can hold.
  static let samples: [StepRecord] = {
    var failed = StepRecord(
      index: 0, file: "lists/b.jsonl", line: .max, device: "phone \u{0} é", op: "event", name: "event x", label: "",
      outcome: .updated, reason: "Because.")
    failed.isStrict = true
    failed.findings = [.emptyName, .init(code: "", message: "")]
    (failed.expectations, failed.elsewhere) = (3, 2)
    failed.time = TimeSpan(microseconds: -1)
    let values: [JSON] = [
      .null, .bool(true), .bool(false), .integer(.min), .integer(0), .unsigned(.max), .double(-0.0), .double(5),
      .double(0.1), .string(""), .string("\u{2028}"), .array([]), .object([]),
    ]
    // As deep as a list may have it.
    let deep = (0..<510).reduce(JSON.null) { inner, _ in .array([inner]) }
    failed.failures = [
      .unmet("details.a", .array(values), .object(values.enumerated().map { ("\($0)", $1) })),
      .init(
        path: "", expected: .null, actual: .null, end: .init(path: "details", isNull: true), isMet: false),
      .init(path: "a.b", expected: deep, actual: .null, end: .init(path: "", isNull: false), isMet: false),
    ]
    failed.fault = EndpointFault(failure: .badAnswer, reason: "no \u{0} reason")
    failed.exchanges = [
      .page, .init(method: "POST", url: "", sent: "a=b", status: nil, contentType: nil, text: "refused", size: 0),
    ]
    return [.ran(1), failed, .skipped(3, "not yet"), .ran(70_000, in: "lists/c.jsonl") { $0.label = "l" }]
  }()

  private func records(_ steps: some Sequence<StepRecord>) throws -> StepRecords {
    var records = StepRecords(of: "lists/a.jsonl", in: RecordSpool())
    for step in steps { try records.append(step) }
    return records
  }

  private func all(_ records: StepRecords) throws -> [StepRecord] {
    var found: [StepRecord] = []
    try records.forEach({ $0 }) { (step) throws(FileError) in found.append(step) }
    return found
  }

  @Test("They come back as they were, in order, from memory and from a file", arguments: [1, 4_000])
  func roundTrip(repetitions: Int) throws {
    let steps = (0..<repetitions).flatMap { _ in Self.samples }.enumerated().map { $1.at($0) }
    var records = try records(steps)
    #expect(try all(records) == steps)
    try records.finish()
    #expect(try all(records) == steps)
    // A zero keeps its sign, and equality does not see it.
    let texts = try all(records).prefix(4).map { "\($0)" }
    #expect(texts == Self.samples.enumerated().map { "\($1.at($0))" })
  }

  @Test("No steps")
  func none() throws {
    #expect(try all(try records([])) == [])
  }

  @Test("Totals")
  func totals() throws {
    let counts = try records(Self.samples).counts
    #expect(counts.steps == 3 && counts.skipped == 1 && counts.expectations == 3 && counts.failures == 3)
    #expect(counts.allSteps == 4 && counts.findings == 1 && counts.failed == 1)
  }

  @Test("The records of several threads are in the order of the list", arguments: 1...20)
  func merge(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let spool = RecordSpool()
    var parts = (0..<3).map { _ in StepRecords(of: "lists/a.jsonl", in: spool) }
    let steps = (0..<3000).map { StepRecord.ran($0 + 1).at($0) }
    for step in steps { try parts[Int.random(in: 0..<3, using: &random)].append(step) }
    var merged = StepRecords(of: "lists/a.jsonl", in: spool)
    for part in parts.indices.shuffled(using: &random) {
      try parts[part].finish()
      merged.merge(parts[part])
    }
    #expect(try all(merged) == steps)
    #expect(merged.counts.steps == 3000 && merged.lastLine == 3000)
  }

  @Test("A directory that cannot be written is reported")
  func failure() throws {
    var records = StepRecords(of: "a", in: RecordSpool(directory: "/dev/null"))
    let error = #expect(throws: FileError.self) {
      for index in 0..<100_000 { try records.append(.ran(index)) }
    }
    #expect(error?.path == "/dev/null")
  }

  @Test(
    "A line that is not a record's is none",
    arguments: ["", "{}", "[]", #"{"index":0,"file":"a"}"#, "\0\0\0"])
  func broken(line: String) {
    #expect(StepRecord(Array(line.utf8)[...]) == nil)
  }

  @Test("Of a line, each part of it is none")
  func cut() {
    var line: [UInt8] = []
    StepRecord.failed(1, .unmet("a", .null, .bool(true))).appendLine(to: &line)
    for count in 0..<line.count - 1 { #expect(StepRecord(line.prefix(count)) == nil) }
    #expect(StepRecord(line.dropLast()) != nil)
  }
}
