import SKANBase
import SKANSystem
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Reports")
struct ReplayReportTests {
  /// Settings of a run with a key.
  private static func settings(key: String, isStrict: Bool = false) -> RunSettings {
    var settings = RunSettings(includes: IncludePermission(folders: [], target: { $0 }))
    settings.redactor = Redactor(key: key)
    settings.isStrict = isStrict
    return settings
  }

  /// The records of a step with the secret in every text that can hold one: it failed, was skipped, has findings alone.
  private static func revealing(_ settings: RunSettings) throws -> [StepRecord] {
    let line = #"{"op":"session","device":"secret","label":"the secret","answer":{"status":500,"text":"a secret"}}"#
    let result = try #require(try runList([#"{"op":"register","device":"secret"}"#, line]).last)
    result.report = StepReport(
      .transportError, .noAnswer("secret"), [.oddType(field: "secret", value: "secret", expected: "secret")])
    result.exchange?.contentType = "text/secret"
    let verdict = Expected.Verdict.unmet(
      "details.secret", .array([.string("secret")]), .object([("secret", .object([("a", .string("secret"))]))]))
    let fault = EndpointFault(failure: .badAnswer, reason: "no secret")
    let location = (file: "lists/secret.jsonl", line: 1)
    return [
      StepRecord(result, [verdict], fault, expectations: 1, at: location, index: 0, settings),
      StepRecord(result.step, nil, "secret", at: location, index: 1, settings.redactor),
      StepRecord(result, [], fault, expectations: 1, at: location, index: 2, settings),
      StepRecord(result, [], nil, expectations: 1, at: location, index: 3, settings),
    ]
  }

  @Test("The key is in none", arguments: ReportForm.allCases, [false, true])
  func redacted(form: ReportForm, isStrict: Bool) throws {
    let settings = Self.settings(key: "secret", isStrict: isStrict)
    let report = report(
      of: [list("lists/secret.jsonl", try Self.revealing(settings), problems: ["secret"])], stop: .error("secret"),
      redactor: settings.redactor)
    let text = form.text(of: report)
    #expect(!text.contains("secret"))
    #expect(text.split(separator: "REDACTED").count > 10)
    #expect(!GitHubAnnotations.lines(of: report).joined().contains("secret"))
  }

  @Test("It is in no record, and in no line of one that is set aside")
  func redactedRecords() throws {
    for record in try Self.revealing(Self.settings(key: "secret")) {
      var line: [UInt8] = []
      record.appendLine(to: &line)
      #expect(!String(decoding: line, as: UTF8.self).contains("secret") && !"\(record)".contains("secret"))
    }
  }

  /// The record of a step with this verdict.
  private static func record(_ verdict: Expected.Verdict, key: String) throws -> StepRecord {
    let result = try #require(try runList([#"{"op":"details"}"#]).last)
    return StepRecord(result, [verdict], nil, expectations: 1, at: ("l", 1), index: 0, settings(key: key))
  }

  @Test("A number that is the key becomes a text")
  func redactedNumber() throws {
    let report = report(of: try Self.record(.unmet("at", .integer(12345), .double(0.5)), key: "12345"))
    let steps = try JSONReader.read(ReportForm.json.bytes(of: report)).value["files"]
    #expect(JSONWriter.text(steps ?? .null).contains(#""failures":[{"actual":0.5,"expected":"REDACTED","path":"at"}]"#))
  }

  @Test("A key that a summary would cut is taken out before it is cut")
  func redactedBeforeCut() throws {
    let value = String(repeating: "x", count: 75) + "secret"
    let report = report(of: try Self.record(.unmet("label", .null, .string(value)), key: "secret"))
    for form in ReportForm.allCases { #expect(!form.text(of: report).contains("xsec")) }
  }

  @Test("Long values are cut in a summary, and whole in the account")
  func summary() {
    let value = String(repeating: "x", count: 200)
    let step = StepRecord.failed(1, .unmet("label", .null, .string(value)))
    #expect(step.summary == "label: expected null, got \"\(String(repeating: "x", count: 79))…")
    #expect(step.account.contains("  actual    \"\(value)\""))
  }

  @Test("A step takes little memory, as there may be a million")
  func size() {
    #expect(MemoryLayout<StepRecord>.stride <= 256)
  }
}

@Suite("Equal failures of a list")
struct EqualFailuresTests {
  private static func finding(_ number: Int) -> StepRecord.Finding {
    StepRecord.Finding(code: "c", message: "m\(number)")
  }

  @Test("Three are printed, the others counted", arguments: [1, 3, 4, 5, 9])
  func counted(count: Int) {
    var equal = EqualFailures()
    let isMore = (1...count).map { equal.shouldSuppress(.finding(Self.finding(0)), at: "a:\($0)") }
    #expect(isMore == (1...count).map { $0 > 3 })
    let lines =
      switch count {
      case ...3: [String]()
      case 4: ["a: the same once more, at a:4: finding: m0 [c]"]
      default: ["a: the same \(count - 3) times more, from a:4 to a:\(count): finding: m0 [c]"]
      }
    #expect(equal.lines(of: "a") == lines)
  }

  @Test("Of more than a thousand kinds each is printed, and none is kept")
  func kinds() {
    var equal = EqualFailures()
    let kinds = (0..<1000).map { equal.shouldSuppress(.finding(Self.finding($0)), at: "a:1") }
    let beyond = (0..<9).map { _ in equal.shouldSuppress(.finding(Self.finding(1000)), at: "a:2") }
    #expect(!kinds.contains(true) && !beyond.contains(true))
    for _ in 0..<3 { _ = equal.shouldSuppress(.finding(Self.finding(999)), at: "a:3") }
    #expect(equal.lines(of: "a") == ["a: the same once more, at a:3: finding: m999 [c]"])
  }
}

@Suite("A step that fails for its endpoint, in reports")
struct FailedEndpointReportTests {
  private static let failing = report(
    of: .ran(1),
    .ran(4) {
      $0.op = "session"
      $0.name = "session"
      ($0.outcome, $0.reason) = (.unparsable, "REDACTED is no JSON.")
      $0.fault = EndpointFault(failure: .badAnswer, reason: "unparsable: REDACTED is no JSON.")
      $0.exchanges = [.page]
    })

  @Test("It has failed, and shows what was asked and what came", arguments: ReportForm.allCases)
  func shown(form: ReportForm) {
    let text = form.text(of: Self.failing)
    #expect(!text.contains("replay: passed"), "\(text)")
    let plain = text.replacing("&amp;", with: "&").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
    let words = "unparsable: REDACTED is no JSON."
    let reason = form == .json ? "\"endpoint_failure\":\"\(words)\"" : "the endpoint failed: \(words)"
    #expect(plain.contains(reason), "\(plain)")
    #expect(plain.contains("https://h/api?a=REDACTED&n=x"), "\(plain)")
    let answer =
      form == .json ? #""body":"<html>REDACTED\n","content_type":"text/html","size":14,"status":500"# : Self.answer
    #expect(plain.contains(form == .tap ? answer.replacing(#"\n"#, with: #"\\n"#) : answer), "\(plain)")
  }

  private static let answer = #"HTTP 500, text/html: <html>REDACTED\n"#

  @Test("It counts among the failures of a run")
  func counted() {
    let junit = ReportForm.junit.text(of: Self.failing)
    #expect(junit.contains(#"failures="1""#) && junit.contains(#"type="endpoint""#))
    #expect(ReportForm.tap.text(of: Self.failing).contains("not ok 2 - lists/a.jsonl:4 session"))
    let json = ReportForm.json.text(of: Self.failing)
    #expect(json.contains(#""summary":{"endpoint_failures":1,"#) && json.contains(#""passed":false"#))
    #expect(ReportForm.markdown.text(of: Self.failing).contains("0 failed, 1 failed by the endpoint"))
  }

  @Test("A step that passes has no exchange; one that fails has, the key taken out")
  func exchanges() throws {
    let line = #"{"op":"session","answer":{"status":500,"text":"<html>SECRET\n"}}"#
    let result = try #require(try runList([#"{"op":"register"}"#, line]).last)
    result.exchange?.contentType = "text/SECRET"
    var settings = RunSettings(includes: IncludePermission(folders: [], target: { $0 }))
    settings.redactor = Redactor(key: "SECRET")
    for (fault, count) in [(EndpointFault(failure: .badAnswer, reason: "bad"), 1), (nil, 0)] {
      let record = StepRecord(result, [], fault, expectations: 0, at: ("l", 2), index: 1, settings)
      #expect(record.exchanges.count == count)
      for exchange in record.exchanges {
        #expect(exchange.answerText == #"HTTP 500, text/REDACTED: <html>REDACTED\n"#)
      }
    }
  }

  @Test("An answer in the words of reports")
  func answers() {
    var exchange = StepRecord.Exchange.page
    exchange.size = 301
    #expect(exchange.answerText == #"HTTP 500, text/html: <html>REDACTED\n… (301 bytes)"#)
    exchange.contentType = nil
    exchange.size = 0
    #expect(exchange.answerText == "HTTP 500, empty body")
    exchange.status = nil
    #expect(exchange.answerText == #"none: <html>REDACTED\n"#)
    exchange.sent = "a=b"
    #expect(exchange.requestText == "GET https://h/api?a=REDACTED&n=x with a=b")
  }
}

/// A report of one list `lists/a.jsonl`, run at 2026-01-01T00:00:00.4Z in 1.5 s.
func report(
  of steps: StepRecord..., problems: [String] = [], stop: ReplayReport.Stop? = nil, isStrict: Bool = false
) -> ReplayReport {
  let steps = steps.map { step in
    var step = step
    step.isStrict = isStrict
    return step
  }
  return report(of: [list("lists/a.jsonl", steps, problems: problems)], stop: stop)
}

/// The same of several lists.
func report(
  of lists: [ListRecord], stop: ReplayReport.Stop? = nil, redactor: Redactor = Redactor(key: nil)
) -> ReplayReport {
  ReplayReport(
    lists: lists, start: moment(0.4), time: TimeSpan(microseconds: 2_000_001), stop: stop, redactor: redactor)
}

func list(_ file: String, _ steps: [StepRecord] = [], problems: [String] = []) -> ListRecord {
  var list = ListRecord(file: file, start: moment(0.4))
  list.time = TimeSpan(microseconds: 1_500_000)
  do {
    for (index, step) in steps.enumerated() { try list.steps.append(step.at(index)) }
  } catch {
    Issue.record(error)
  }
  list.problems = problems.map { ListRecord.Problem($0) }
  return list
}

extension StepRecord {
  /// A `details` step that found nothing.
  static func ran(_ line: Int, in file: String = "lists/a.jsonl", _ change: (inout Self) -> Void = { _ in }) -> Self {
    var step = StepRecord(
      index: 0, file: file, line: line, op: "details", name: "details", outcome: .read,
      reason: Explanation.detailsRead(0).description)
    step.time = TimeSpan(microseconds: 1_234)
    change(&step)
    return step
  }

  static func skipped(_ line: Int, _ reason: String) -> Self {
    StepRecord(index: 0, file: "lists/a.jsonl", line: line, op: "session", name: "session", reason: reason)
  }

  /// The record with this index in its list.
  func at(_ index: Int) -> Self {
    var step = self
    step.index = index
    return step
  }

  /// One with expectations that are not met.
  static func failed(_ line: Int, _ failures: SKANRun.Expectation.Verdict...) -> Self {
    ran(line) {
      $0.expectations = failures.count + 1
      $0.failures = failures
    }
  }
}

extension SKANRun.Expectation.Verdict {
  static func unmet(_ path: String, _ expected: JSON, _ actual: JSON) -> Self {
    Self(path: path, expected: expected, actual: actual, isMet: false)
  }
}

extension StepRecord.Exchange {
  /// An answer of 500 with a page of HTML.
  static let page = Self(
    method: "GET", url: "https://h/api?a=REDACTED&n=x", status: 500, contentType: "text/html",
    text: "<html>REDACTED\n", size: 14)
}

extension StepRecord.Finding {
  static let emptyName = of(.emptyName)
  static let plusInName = of(.plusInName)

  static func of(_ warning: Warning) -> Self { Self(code: warning.code, message: warning.message) }
}

extension ReportForm {
  func bytes(of report: ReplayReport) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try write(report, failure: { $0 }) { (piece: [UInt8]) throws(FileError) in bytes += piece }
    return bytes
  }

  func text(of report: ReplayReport) -> String {
    do { return String(decoding: try bytes(of: report), as: UTF8.self) } catch {
      Issue.record(error)
      return ""
    }
  }
}
