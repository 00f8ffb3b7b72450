import SKANDevice
import SKANBase

/// What became of a step, for reports: no more than they tell, as there may be a million of them.
package struct StepRecord: Sendable, Equatable {
  /// What can become of a step.
  package enum Fate: Sendable, Equatable {
    case ran(Outcome, explanation: String)
    case skipped(reason: String)
  }

  /// A warning of level finding.
  package struct Finding: Sendable, Equatable {
    package var code: String
    package var message: String

    init(code: String, message: String) {
      self.code = code
      self.message = message
    }

    package init(_ warning: Warning) { self.init(code: warning.code, message: warning.message) }
  }

  /// A request of the step, and what came back.
  package struct Exchange: Sendable, Equatable {
    /// Bytes of a body that are kept.
    static let mostBytes = 300

    package var method: String
    /// With its query; the SDK key reads `REDACTED`.
    package var url: String
    /// What was sent in a POST, the same way.
    package var sent: String?
    /// Of the answer; nil when none came.
    package var status: Int?
    package var contentType: String?
    /// The beginning of the answer's body, or why there is no answer.
    package var text: String
    /// Bytes of the whole body.
    package var size: Int
  }

  /// The list that it stands in, which may be an included one.
  package var file: String
  /// From 1.
  package var line: Int
  /// Its phone; empty where the list names none.
  package var device: String
  package var op: String
  /// What it does: `event purchase`.
  package var name: String
  package var label: String?
  package var fate: Fate
  package var findings: [Finding] = []
  /// How many expectations it has.
  package var expectations = 0
  /// Those that were not met.
  package var failures: [Expectation.Verdict] = []
  /// The failure of a remote endpoint, by which the step fails.
  package var fault: EndpointFault?
  /// The requests and their answers, if something is wrong with the step.
  package var exchanges: [Exchange] = []
  /// How long it took in the real world.
  package var time = TimeSpan.zero

  /// - Parameter isStrict: whether a finding is a failure.
  package func hasFailed(isStrict: Bool) -> Bool {
    !failures.isEmpty || fault != nil || isStrict && !findings.isEmpty
  }

  package init(
    file: String, line: Int, device: String = "", op: String, name: String, label: String? = nil, fate: Fate
  ) {
    self.file = file
    self.line = line
    self.device = device
    self.op = op
    self.name = name
    self.label = label
    self.fate = fate
  }
}

extension StepRecord.Exchange {
  /// In the words of reports: `HTTP 500, text/html: <html>…`.
  package var answerText: String {
    guard let status else { return "none: \(text.oneLine)" }
    let head = "HTTP \(status)\(contentType.map { ", \($0.oneLine)" } ?? "")"
    if size == 0 { return "\(head), empty body" }
    return "\(head): \(text.oneLine)\(size > Self.mostBytes ? "… (\(size) bytes)" : "")"
  }

  package var requestText: String { "\(method) \(url)\(sent.map { " with \($0)" } ?? "")" }

  fileprivate init(
    _ method: String, _ url: String, sent: String? = nil, _ answer: EndpointAnswer, _ contentType: String?
  ) {
    (self.method, self.url, self.sent, self.contentType) = (method, url, sent, contentType)
    switch answer {
    case .failure(let reason): (text, size) = (reason, 0)
    case .response(let status, let body):
      self.status = status
      text = String(decoding: body.prefix(Self.mostBytes), as: UTF8.self)
      size = body.count
    }
  }
}

extension StepResult {
  /// The requests of the step and their answers: the update's, and those of the app's server.
  package var recordedExchanges: [StepRecord.Exchange] {
    let own = exchange.map { StepRecord.Exchange("GET", $0.url, $0.answer, $0.contentType) }
    let report = forwarded.map {
      StepRecord.Exchange(
        $0.request.method, $0.url, sent: $0.request.isPost ? $0.parameters.strictlyEncoded : nil, $0.answer,
        $0.contentType)
    }
    return [own, report].compactMap(\.self)
  }
}
