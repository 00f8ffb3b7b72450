import SKANDevice
import SKANBase

/// A step as reports show it.
struct ReportedStep {
  let record: StepRecord
  let isStrict: Bool

  /// The characters after which values in ``summary`` are truncated.
  private static let longestShown = 80

  var hasFailed: Bool { record.hasFailed(isStrict: isStrict) }

  var location: String { "\(record.file):\(record.line)" }

  /// The phone, a description of the step, and its label: `alice event purchase: first of the day`.
  var title: String {
    let device = record.device.isEmpty ? "" : "\(record.device.oneLine) "
    return device + record.name + (record.label.map { ": \($0.oneLine)" } ?? "")
  }

  /// Why it was skipped; nil when it ran.
  var skip: String? {
    guard case .skipped(let reason) = record.fate else { return nil }
    return reason
  }

  /// The name of its outcome in results.
  var outcome: String {
    switch record.fate {
    case .ran(let outcome, _): outcome.name
    case .skipped: "skipped"
    }
  }

  /// One sentence that explains the outcome.
  var explanation: String {
    switch record.fate {
    case .ran(_, let explanation): explanation
    case .skipped(let reason): "Skipped: \(reason.oneLine)"
    }
  }

  var findings: [(code: String, message: String)] { record.findings.map { ($0.code, $0.message) } }

  var failures: [Expectation.Verdict] { record.failures }

  /// How a remote endpoint failed, where no failed expectation covers it.
  var faultLine: String? { record.failures.isEmpty ? fault.map { "the endpoint failed: \($0)" } : nil }

  /// The failure of a remote endpoint that fails the step.
  var fault: String? { record.fault?.reason }

  /// The requests and the answers, a line each; empty for a step that passes.
  var exchangeLines: [String] { hasFailed ? record.exchangeLines : [] }

  /// The requests and the answers; empty for a step that passes.
  var exchanges: [StepRecord.Exchange] { hasFailed ? record.exchanges : [] }

  /// The first problem, in short.
  var summary: String {
    let more = FailureKind.all(of: record, isStrict: isStrict).count - 1
    return first + (more > 0 ? " (and \(more) more)" : "")
  }

  private var first: String {
    guard let failure = record.failures.first else { return faultLine ?? findingLines.first ?? "" }
    let found = failure.end == nil ? Self.short(failure.actual) : failure.actualText
    return "\(failure.path): expected \(Self.short(failure.expected)), got \(found)"
  }

  var findingLines: [String] { findings.map { "finding: \($0.message) [\($0.code)]" } }

  /// All problems, as a terminal shows them, and the outcome.
  var account: [String] {
    failures.flatMap { ["\(location): expectation failed: \($0.path)"] + $0.difference }
      + (faultLine.map { ["\(location): \($0)"] } ?? []) + findingLines
      + record.sentence.map { "step: \($0)" } + exchangeLines
  }

  private static func short(_ value: JSON) -> String {
    JSONWriter.text(value).truncated(to: longestShown)
  }
}

extension StepRecord {
  /// The outcome, the requests and the answers.
  var account: [String] {
    sentence + exchangeLines
  }

  /// The outcome and its explanation; empty where the failure of the endpoint is the same.
  fileprivate var sentence: [String] {
    guard case .ran(let outcome, let explanation) = fate else { return [] }
    let sentence = "\(outcome.name): \(explanation)"
    return failures.isEmpty && fault?.reason == sentence ? [] : [sentence]
  }

  fileprivate var exchangeLines: [String] {
    exchanges.flatMap { ["answer: \($0.answerText)", "request: \($0.requestText)"] }
  }
}
