import SKANDevice
import SKANBase

/// A step as reports tell of it; the SDK key is in none of its texts.
struct ReportedStep {
  let record: StepRecord
  let isStrict: Bool
  let redact: (String) -> String

  /// Values in a summary are cut after this many characters.
  private static let longestShown = 80

  var hasFailed: Bool { record.hasFailed(isStrict: isStrict) }

  /// `FILE:LINE`.
  var location: String { redact("\(record.file):\(record.line)") }

  /// A description of the step, on which phone, and its label: `alice event purchase: first of the day`.
  var title: String {
    let device = record.device.isEmpty ? "" : "\(record.device.oneLine) "
    return redact(device + record.name + (record.label.map { ": \($0.oneLine)" } ?? ""))
  }

  /// Why it was skipped; nil when it ran.
  var skip: String? {
    guard case .skipped(let reason) = record.fate else { return nil }
    return redact(reason)
  }

  /// How it ended, by its name in results.
  var outcome: String {
    switch record.fate {
    case .ran(let outcome, _): outcome.name
    case .skipped: "skipped"
    }
  }

  /// Why it ended so, in one sentence.
  var explanation: String {
    switch record.fate {
    case .ran(_, let explanation): redact(explanation)
    case .skipped(let reason): redact("Skipped: \(reason.oneLine)")
    }
  }

  var findings: [(code: String, message: String)] { record.findings.map { ($0.code, redact($0.message)) } }

  var failures: [Expectation.Verdict] { record.failures.map { $0.redacted(redact) } }

  /// Why it fails because of a remote endpoint, where no expectation says more of it.
  var faultLine: String? { record.failures.isEmpty ? fault.map { "the endpoint failed: \($0)" } : nil }

  /// The failure of a remote endpoint, if it makes the step fail.
  var fault: String? { record.fault.map { redact($0.reason) } }

  /// The request and the answer, a line each; nothing of a step that passes.
  var exchangeLines: [String] { hasFailed ? record.exchangeLines.map(redact) : [] }

  /// The same in its parts.
  var exchanges: [StepRecord.Exchange] {
    hasFailed ? record.exchanges.map { $0.redacted(redact) } : []
  }

  /// The first thing that is wrong, in short.
  var summary: String {
    let more = FailureKind.all(of: record, isStrict: isStrict).count - 1
    return first + (more > 0 ? " (and \(more) more)" : "")
  }

  private var first: String {
    guard let failure = record.failures.first?.redacted(redact) else { return faultLine ?? findingLines.first ?? "" }
    let found = failure.end == nil ? Self.short(failure.actual) : failure.actualText
    return "\(failure.path): expected \(Self.short(failure.expected)), got \(found)"
  }

  var findingLines: [String] { findings.map { "finding: \($0.message) [\($0.code)]" } }

  /// Everything that is wrong, as a terminal shows it, and how the step ended.
  var account: [String] {
    failures.flatMap { ["\(location): expectation failed: \($0.path)"] + $0.difference }
      + (faultLine.map { ["\(location): \($0)"] } ?? []) + findingLines
      + record.sentence.map { redact("step: \($0)") } + exchangeLines
  }

  private static func short(_ value: JSON) -> String {
    JSONWriter.text(value).truncated(to: longestShown)
  }
}

extension StepRecord {
  /// How it ended, and what went out and came back.
  var account: [String] {
    sentence + exchangeLines
  }

  /// Nothing where the failure of the endpoint says the same.
  fileprivate var sentence: [String] {
    guard case .ran(let outcome, let explanation) = fate else { return [] }
    let sentence = "\(outcome.name): \(explanation)"
    return failures.isEmpty && fault?.reason == sentence ? [] : [sentence]
  }

  fileprivate var exchangeLines: [String] {
    exchanges.flatMap { ["answer: \($0.answerText)", "request: \($0.requestText)"] }
  }
}

extension StepRecord.Exchange {
  fileprivate func redacted(_ redact: (String) -> String) -> Self {
    Self(
      method: method, url: redact(url), sent: sent.map(redact), status: status, contentType: contentType.map(redact),
      text: redact(text), size: size)
  }
}

extension Expectation.Verdict {
  fileprivate func redacted(_ redact: (String) -> String) -> Self {
    var verdict = self
    verdict.path = redact(path)
    verdict.expected = expected.redacted(redact)
    verdict.actual = actual.redacted(redact)
    return verdict
  }
}

extension JSON {
  /// A value with every text in it redacted. A number that is a secret becomes a text, so that this stays JSON.
  fileprivate func redacted(_ redact: (String) -> String) -> JSON {
    switch self {
    case .null, .bool: return self
    case .integer, .unsigned, .double:
      let text = JSONWriter.text(self)
      let redacted = redact(text)
      return redacted.isLiterally(text) ? self : .string(redacted)
    case .string(let text): return .string(redact(text))
    case .array(let items): return .array(items.map { $0.redacted(redact) })
    case .object(let members): return .object(members.map { (redact($0.key), $0.value.redacted(redact)) })
    }
  }
}
