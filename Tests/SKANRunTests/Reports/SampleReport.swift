import SKANBase
import SKANSystem
import Testing

@testable import SKANDevice
@testable import SKANRun

/// A report of one list `lists/a.jsonl`, run at 2026-01-01T00:00:00.4Z in 1.5 s.
func report(
  of steps: StepRecord..., problems: [String] = [], stop: ReplayReport.Stop? = nil, isStrict: Bool = false,
  redact: @escaping @Sendable (String) -> String = { $0 }
) -> ReplayReport {
  report(of: [list("lists/a.jsonl", steps, problems: problems)], stop: stop, isStrict: isStrict, redact: redact)
}

/// The same of several lists.
func report(
  of lists: [ListRecord], stop: ReplayReport.Stop? = nil, isStrict: Bool = false,
  redact: @escaping @Sendable (String) -> String = { $0 }
) -> ReplayReport {
  ReplayReport(
    lists: lists, start: moment(0.4), time: TimeSpan(microseconds: 2_000_001), stop: stop, isStrict: isStrict,
    redact: redact)
}

func list(_ file: String, _ steps: [StepRecord] = [], problems: [String] = []) -> ListRecord {
  var list = ListRecord(file: file, start: moment(0.4))
  list.time = TimeSpan(microseconds: 1_500_000)
  do {
    for (index, step) in steps.enumerated() { try list.steps.append(step, at: index) }
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
      file: file, line: line, op: "details", name: "details",
      fate: .ran(.read, explanation: Explanation.detailsRead(0).description))
    step.time = TimeSpan(microseconds: 1_234)
    change(&step)
    return step
  }

  static func skipped(_ line: Int, _ reason: String) -> Self {
    StepRecord(file: "lists/a.jsonl", line: line, op: "session", name: "session", fate: .skipped(reason: reason))
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
    text: "<html>SECRET\n", size: 14)
}

extension StepRecord.Finding {
  static let emptyName = Self(.emptyName)
  static let plusInName = Self(.plusInName)

  static func oddType(field: String, value: String, expected: String) -> Self {
    Self(.oddType(field: field, value: value, expected: expected))
  }
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
