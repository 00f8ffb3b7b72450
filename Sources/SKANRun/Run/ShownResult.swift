import Foundation
import SKANDevice
import SKANBase

/// What `--json` shows of a step: its result, and what a command shows besides; see the manual, "Results".
package struct ShownResult {
  private let result: StepResult
  // Taken out once: each look at them would be a copy.
  private let device: Device
  private let exchange: StepResult.Exchange?
  /// What the store held when the request was built; made once, as the query shows it, too.
  private let detailsBefore: SkanDetails?
  /// What became of the expectations that were asked of it, if any.
  package var verdicts: [Expectation.Verdict] = []
  /// Where the step stands in a list.
  package var location: (file: String, line: Int)?
  /// What `skan postbacks` shows in the place of the step's own.
  package var explanation: String?
  package var postbacks: [Postback]?
  package var deliveries: [Delivery]?
  /// The postbacks as each tier gives them.
  package var tiers: [Tier]?

  package struct Tier {
    let tier: Int64
    let postbacks: [Postback]

    package init(_ tier: Int64, _ postbacks: [Postback]) { (self.tier, self.postbacks) = (tier, postbacks) }
  }

  package init(_ result: StepResult) {
    self.result = result
    device = result.device
    exchange = result.exchange
    detailsBefore = exchange?.request.details
    postbacks = result.postbacks
  }
}

extension ShownResult: JSONObjectWritable {
  package static let fields = JSONFields<ShownResult> {
    JSONField("answer", "null, or what came back: status and text or base64, or error") {
      $0.exchange.map { ShownAnswer($0.answer) }
    }
    JSONField(
      "answered_by", "null, or who answered: embedded, model FILE, list, testing, production, an address"
    ) { $0.exchange?.answeredBy.name }
    JSONField("apple", "what Apple's framework holds after the step; says: what it made of the step's call") {
      ShownApple(
        framework: $0.device.framework, says: $0.result.report.frameworkAnswer.map { "\($0)" },
        window: ShownResult.number(of: $0.device.appleWindow(at: $0.result.endedAt)))
    }
    JSONField("at", "Unix seconds when the step began") { $0.result.at }
    JSONField("crash", "null, or the reason of the app's crash") { $0.result.report.crash }
    JSONField(
      "details", "what getSkanDetails gives after the step; null when reading it crashes", as: SkanDetails?.jsonForm
    ) { $0.writeDetails(to: &$1) }
    JSONField(
      "details_before", "the same right after the call returned, before the answer", as: SkanDetails?.jsonForm
    ) { $0.writeDetailsBefore(to: &$1) }
    JSONField(
      "details_in_handler", "the same inside the completion handler; null when it is not called",
      as: SkanDetails?.jsonForm
    ) { $0.writeDetailsInHandler(to: &$1) }
    JSONField("device", "the phone's name in the list") { $0.result.step.device }
    JSONField("ended_at", "Unix seconds when it ended") { $0.result.endedAt }
    JSONField(optional: "endpoint_explanation", "why a model in process answered so") {
      $0.exchange?.endpointExplanation
    }
    JSONField(optional: "expectations", "with expect: path, expected, actual, ok of each") {
      $0.verdicts.isEmpty ? nil : $0.verdicts
    }
    JSONField("explanation", "what happened and why, a sentence") {
      $0.explanation ?? "\($0.result.report.explanation)"
    }
    JSONField(optional: "file", "the list that the step is in") { $0.location?.file }
    JSONField("forwarded", "null, or the reports of the app's server") { $0.result.forwarded.map { [$0] } }
    JSONField("framework", "the calls into Apple's framework, in order") {
      $0.result.report.framework.map { [$0] } ?? []
    }
    JSONField("handler", "null when it is not called; else what the app got: fine, coarse, lock, error") {
      $0.result.report.handler
    }
    JSONField("label", "the step's name, or null") { $0.result.step.label }
    JSONField(optional: "line", "its line in the list", as: SkippedStep.line) { $0.location?.line }
    JSONField("lock_held", "true when the snippet's lock is left locked for good") { $0.device.process.isLockHeld }
    JSONField("op", "the operation", as: SkippedStep.operation) { $0.result.step.operation.name }
    JSONField("outcome", "how the step ended") { $0.result.report.outcome }
    JSONField(optional: "postbacks", "of op postbacks: each with state, why, times and body") { $0.postbacks }
    JSONField("request", "null, or url and query; the SDK key reads REDACTED") { shown in
      shown.exchange.map { ShownRequest($0, shown.detailsBefore) }
    }
    JSONField("warnings", "findings and notes: code, level, message") { $0.result.report.warnings }
    JSONField("window", "0, 1, 2, or -1 when none is open, as the app counts", as: windowForm) {
      ShownResult.number(of: $0.device.window(at: $0.result.endedAt))
    }
    JSONField(optional: "deliveries", "of skan postbacks: the attempts to deliver") { $0.deliveries }
    JSONField(optional: "tiers", "of skan postbacks --tier all: the postbacks as each tier gives them") { $0.tiers }
  }

  /// The keys that only `skan postbacks` shows.
  package static let keysOfPostbacks = ["deliveries", "tiers"]

  fileprivate static let windowForm = JSONForm.integer(-1...2)

  private static func number(of window: ConversionWindow?) -> Int64 { window.map { Int64($0.rawValue) } ?? -1 }

  /// Details that equal others of the same result are made and written once: those after the step have the number 0, those
  /// before it the number 1.
  private func writeDetails(to writer: inout JSONWriter) {
    writer.object(numbered: 0) { (try? device.details()).write(to: &$0) }
  }

  private func writeDetailsBefore(to writer: inout JSONWriter) {
    guard let request = exchange?.request, request.kept != device.kept else { return writeDetails(to: &writer) }
    writer.object(numbered: 1) { detailsBefore.write(to: &$0) }
  }

  private func writeDetailsInHandler(to writer: inout JSONWriter) {
    guard let kept = result.report.keptInHandler else { return writer.null() }
    if kept == device.kept { return writeDetails(to: &writer) }
    if let request = exchange?.request, kept == request.kept { return writeDetailsBefore(to: &writer) }
    (try? SkanDetails(of: kept, snippet: device.snippet)).write(to: &writer)
  }
}

extension StepResult: JSONWritable {
  /// Every key that the result of a step can have.
  package static let keys = ShownResult.fields.names.filter { !ShownResult.keysOfPostbacks.contains($0) }

  package static var jsonForm: JSONForm { ShownResult.jsonForm }

  package func write(to writer: inout JSONWriter) { ShownResult(self).write(to: &writer) }
}

extension ShownResult.Tier: JSONObjectWritable {
  package static let fields = JSONFields<ShownResult.Tier> {
    JSONField("postbacks", "what this tier lets through") { $0.postbacks }
    JSONField("tier", "the postback data tier", as: .integer(0...3)) { $0.tier }
  }
}

/// What `--json` shows of a step that does not run.
package struct SkippedStep: JSONObjectWritable {
  private let step: Step
  private let explanation: String
  private let location: (file: String, line: Int)

  package init(_ step: Step, _ explanation: String, at location: (file: String, line: Int)) {
    (self.step, self.explanation, self.location) = (step, explanation, location)
  }

  package static let fields = JSONFields<SkippedStep> {
    JSONField("device", "the phone's name in the list") { $0.step.device }
    JSONField("explanation", "why it does not run") { $0.explanation }
    JSONField("file", "the list that the step is in") { $0.location.file }
    JSONField("label", "the step's name, or null") { $0.step.label }
    JSONField("line", "its line in the list", as: line) { $0.location.line }
    JSONField("op", "the operation", as: operation) { $0.step.operation.name }
    JSONField("outcome", "skipped", as: .names([outcome])) { _ in outcome }
  }

  package static let outcome = "skipped"
  fileprivate static let line = JSONForm.integer(1 ... .max)
  fileprivate static let operation = JSONForm.names(OperationSpec.names)
}

/// What Apple holds after a step, and what it made of the step's call.
private struct ShownApple: JSONObjectWritable {
  let framework: AppleFramework
  let says: String?
  let window: Int64

  static let fields = JSONFields<ShownApple> {
    AppleFramework.fields.rows.map { $0.of { $0.framework } }
    JSONField("says", "what it made of the step's call, a sentence, or null") { $0.says }
    JSONField(
      "window", "its window, -1 when none is open and for versions up to 3", as: ShownResult.windowForm
    ) { $0.window }
  }
}

/// A request as it went out, the SDK key redacted.
package struct ShownRequest: JSONObjectWritable {
  private let items: [QueryItem]
  private let url: String

  package init(_ exchange: StepResult.Exchange, _ details: SkanDetails?) {
    items = exchange.request.queryItems(sdkKey: ConversionRequest.redactedKey, details: details)
    url = "\(exchange.address)?\(items.percentEncoded)"
  }

  package static let fields = JSONFields<ShownRequest> {
    JSONField(
      "query", "each parameter; the SDK key reads REDACTED",
      as: .each(of: QueryParameter.namesAsSent, String?.jsonForm, isComplete: false)
    ) { $1.object($0.items) }
    JSONField("url", "the whole address") { $0.url }
  }
}

/// An answer in its parts.
struct ShownAnswer: JSONObjectWritable {
  private var status: Int?
  private var text: String?
  private var base64: String?
  private var error: String?

  init(_ answer: EndpointAnswer) {
    switch answer {
    case .failure(let message): error = message
    case .response(let status, let body):
      self.status = status
      text = String(validating: body, as: UTF8.self)
      if text == nil { base64 = Data(body).base64EncodedString() }
    }
  }

  static let fields = JSONFields<ShownAnswer> {
    JSONField(optional: "status", "the HTTP status", as: .integer(0...999)) { $0.status }
    JSONField(optional: "text", "the body") { $0.text }
    JSONField(optional: "base64", "the body, where it is not UTF-8") { $0.base64 }
    JSONField(optional: "error", "why there was no answer") { $0.error }
  }
}

extension ForwardedCall: JSONObjectWritable {
  package static let fields = JSONFields<ForwardedCall> {
    JSONField("answer", "what came back, as in a result") { ShownAnswer($0.answer) }
    JSONField("answered_by", "who answered") { $0.answeredBy.name }
    JSONField("applied", "null, or what the snippet did with a conversion_value of the answer") { $0.applied }
    JSONField("attempts", "how often it was sent", as: .integer(1...Int64(attemptLimit))) { $0.attempts }
    JSONField(
      "differs_when_stale", "the parameters that the guide's sample would have sent otherwise; null for one left out",
      as: JSONWriter.formOfParameters
    ) { $1.object($0.stale) }
    JSONField("explanation", "what became of it, a sentence") { $0.explanation }
    JSONField("outcome", "ok, error or no-answer") { $0.outcome }
    JSONField("request", "method, url and parameters; the SDK key reads REDACTED", object: requestFields) { $0 }
  }

  // Any parameter may be added.
  package static let requestFields = JSONFields<ForwardedCall> {
    JSONField("method", "GET or POST", as: .names(["GET", "POST"])) { $0.request.method }
    JSONField("parameters", "each parameter", as: JSONWriter.formOfParameters) { $1.object($0.parameters) }
    JSONField("url", "the whole address") { $0.url }
  }
}

extension ForwardedCall.Outcome: JSONWritable {}
