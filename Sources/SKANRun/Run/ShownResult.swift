import Foundation
import SKANDevice
import SKANModel
import SKANBase

/// The JSON of a step: its result and what a command adds; see the manual, "Results".
///
/// A class, so that the rows pass on a reference.
package final class ShownResult {
  let result: StepResult
  /// The verdicts on the step's expectations.
  package var verdicts: [Expectation.Verdict] = []
  /// The location of the step in a list.
  package var location: (file: String, line: Int)?
  /// The explanation of `skan postbacks`, which replaces the step's own.
  package var explanation: String?
  package var postbacks: [Postback]?
  package var deliveries: [Delivery]?
  /// The postbacks at each postback data tier.
  package var tiers: [Tier]?

  package struct Tier {
    let tier: Int64
    let postbacks: [Postback]

    package init(_ tier: Int64, _ postbacks: [Postback]) { (self.tier, self.postbacks) = (tier, postbacks) }
  }

  package init(_ result: StepResult) {
    self.result = result
    postbacks = result.postbacks
  }
}

extension ShownResult: JSONObjectWritable {
  package static let fields = JSONFields<ShownResult> {
    JSONField(
      "answer",
      "what came back: status and text or base64, or error; null if nothing was asked", of: ShownAnswer?.self
    ) {
      if let exchange = $0.result.exchange { ShownAnswer(exchange.shown).write(to: &$1) } else { $1.null() }
    }
    JSONField(
      "answered_by", "what answered, or null: embedded, model FILE, list, testing, production, an address",
      of: String?.self
    ) {
      if let exchange = $0.result.exchange { $1.append(quoting: { $0.append(exchange.answeredBy) }) } else { $1.null() }
    }
    JSONField(
      "apple", "what Apple's framework holds after the step; says: what it did with the step's call",
      of: ShownApple.self
    ) { shown, writer in
      let result = shown.result
      ShownApple(result.device, says: result.report.frameworkAnswer, window: result.appleWindow).write(to: &writer)
    }
    JSONField("at", "when the step began, in Unix seconds", of: Instant.self) { $0.result.at.write(to: &$1) }
    JSONField(
      optional: "attribution", "where impressions decided the install: at, winner, impressions", of: ImpressionRace.self
    ) { $0.result.device.impressions?.race?.write(to: &$1) }
    JSONField("crash", "the reason for the app's crash, or null", of: Crash?.self) {
      if let crash = $0.result.report.crash { crash.write(to: &$1) } else { $1.null() }
    }
    JSONField(
      "details", "what getSkanDetails returns after the step; null if reading it crashes", of: SkanDetails?.self
    ) { $0.write($0.result.device.kept, to: &$1) }
    JSONField(
      "details_before", "the details right after the call returned, before the answer", of: SkanDetails?.self
    ) {
      let result = $0.result
      $0.write(result.keptAtCall ?? result.exchange?.request.kept ?? result.device.kept, to: &$1)
    }
    JSONField(
      "details_in_handler", "the details inside the completion handler; null if it is not called",
      of: SkanDetails?.self
    ) { if let kept = $0.result.report.keptInHandler { $0.write(kept, to: &$1) } else { $1.null() } }
    JSONField("device", "the phone's name in the list", of: String.self) { $1.append($0.result.step.device) }
    JSONField("ended_at", "when the step ended, in Unix seconds", of: Instant.self) { $0.result.endedAt.write(to: &$1) }
    JSONField(optional: "endpoint_explanation", "why a model in process gave this answer", of: String.self) {
      guard let exchange = $0.result.exchange, let reply = exchange.content.reply else { return }
      $1.append(quoting: {
        reply.writeExplanation(event: exchange.request.eventName, to: &$0)
      })
    }
    JSONField(
      optional: "expectations",
      "with expect: path, expected, actual and ok for each expectation", of: [Expectation.Verdict].self
    ) { if !$0.verdicts.isEmpty { $0.verdicts.write(to: &$1) } }
    JSONField("explanation", "what happened and why, as a sentence", of: String.self) { shown, writer in
      if let explanation = shown.explanation {
        writer.append(explanation)
      } else {
        shown.result.report.writeExplanation(to: &writer)
      }
    }
    JSONField(optional: "file", "the list that the step is in", of: String.self) {
      if let location = $0.location { $1.append(location.file) }
    }
    JSONField("forwarded", "the reports of the app's server, or null", of: [ForwardedCall]?.self) {
      if let forwarded = $0.result.forwarded { [forwarded].write(to: &$1) } else { $1.null() }
    }
    JSONField("framework", "the calls into Apple's framework, in order", of: [FrameworkCall].self) {
      $0.result.report.writeFramework(to: &$1)
    }
    JSONField(
      "handler",
      "what the app received: fine, coarse, lock, error; null if the handler is not called", of: HandlerCall?.self
    ) { if let handler = $0.result.report.handler { handler.write(to: &$1) } else { $1.null() } }
    JSONField("label", "the step's name, or null", of: String?.self) {
      if let label = $0.result.step.label { $1.append(label) } else { $1.null() }
    }
    JSONField(optional: "line", "its line in the list", of: Int.self, as: SkippedStep.line) {
      if let location = $0.location { $1.append(Int64(location.line)) }
    }
    JSONField("lock_held", "true if the snippet's lock stays locked permanently", of: Bool.self) {
      $1.append($0.result.device.process.isLockHeld)
    }
    JSONField("op", "the operation", of: String.self, as: SkippedStep.operation) {
      $1.append($0.result.step.operation.name)
    }
    JSONField("outcome", "how the step ended", of: Outcome.self) { $1.append($0.result.report.outcome.name) }
    JSONField(
      optional: "postbacks", "for op postbacks: each postback with state, why, times and body", of: [Postback].self
    ) { $0.postbacks?.write(to: &$1) }
    JSONField("request", "url and query, or null; the SDK key reads REDACTED", of: ShownRequest?.self) {
      if let exchange = $0.result.exchange {
        ShownRequest(exchange).write(to: &$1)
      } else {
        $1.null()
      }
    }
    JSONField(
      optional: "requested_at", "if updates overlap: when the request was sent, in Unix seconds, or null",
      of: Instant?.self
    ) { shown, writer in
      guard let course = shown.result.course else { return }
      if let requestedAt = course.requestedAt { requestedAt.write(to: &writer) } else { writer.null() }
    }
    JSONField("warnings", "findings and notes: code, level, message", of: [Warning].self) {
      $0.result.report.writeWarnings(to: &$1)
    }
    JSONField(
      "window", "the window as the app counts it: 0, 1, 2, or -1 if none is open", of: Int64.self,
      as: ConversionWindow.formOrNone
    ) { $1.append(ConversionWindow.number($0.result.window)) }
    JSONField(optional: "deliveries", "for skan postbacks: the delivery attempts", of: [Delivery].self) {
      $0.deliveries?.write(to: &$1)
    }
    JSONField(
      optional: "tiers", "for skan postbacks --tier all: the postbacks at each tier", of: [Tier].self
    ) { $0.tiers?.write(to: &$1) }
  }

  /// The keys that only `skan postbacks` adds.
  package static let keysOfPostbacks = ["deliveries", "tiers"]

  private func write(_ kept: KeptState, to writer: inout JSONWriter) {
    kept.writeDetails(in: result.device.traits.api, to: &writer)
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
    JSONField("postbacks", "the postbacks at this tier") { $0.postbacks }
    JSONField("tier", "the postback data tier", as: .integer(0...3)) { $0.tier }
  }
}

/// The JSON of a skipped step.
package struct SkippedStep: JSONObjectWritable {
  private let step: Step
  private let explanation: String
  private let location: (file: String, line: Int)

  package init(_ step: Step, _ explanation: String, at location: (file: String, line: Int)) {
    (self.step, self.explanation, self.location) = (step, explanation, location)
  }

  package static let fields = JSONFields<SkippedStep> {
    JSONField("device", "the phone's name in the list") { $0.step.device }
    JSONField("explanation", "why the step is skipped") { $0.explanation }
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

/// A request as sent, the SDK key redacted.
package struct ShownRequest: JSONObjectWritable {
  private let exchange: StepResult.Exchange

  package init(_ exchange: StepResult.Exchange) { self.exchange = exchange }

  package static let fields = JSONFields<ShownRequest> {
    JSONField(
      "query", "each parameter; the SDK key reads REDACTED",
      as: .each(of: QueryParameter.namesAsSent, String?.jsonForm, isComplete: false)
    ) { $0.exchange.request.writeParameters(to: &$1) }
    JSONField("url", "the whole address", of: String.self) { $0.writeURL(to: &$1) }
  }

  /// Writes the whole address. The query needs no escapes.
  private func writeURL(to writer: inout JSONWriter) {
    writer.text.append(UInt8(ascii: "\""))
    writer.text.append(escaped: exchange.address)
    exchange.request.writeQuery(to: &writer)
    writer.text.append(UInt8(ascii: "\""))
  }
}

/// The parts of an answer.
struct ShownAnswer: JSONObjectWritable {
  private let answer: Answer.Content

  init(_ answer: Answer.Content) { self.answer = answer }

  init(_ answer: EndpointAnswer) { self.init(.response(answer)) }

  static let fields = JSONFields<ShownAnswer> {
    JSONField(optional: "status", "the HTTP status", of: Int.self, as: .integer(0...999)) {
      switch $0.answer {
      case .response(.response(let status, _)): $1.append(Int64(status))
      case .response(.failure): break
      case .reply: $1.append(Int64(ReferenceReply.status))
      }
    }
    JSONField(optional: "text", "the body", of: String.self) {
      switch $0.answer {
      case .response(.response(_, let body)): if body.isUTF8 { $1.append(utf8: body) }
      case .response(.failure): break
      case .reply(let reply):
        $1.append(quoting: { reply.writeBody(to: &$0) })
      }
    }
    JSONField(optional: "base64", "the body, if it is not UTF-8", of: String.self) {
      if case .response(.response(_, let body)) = $0.answer, !body.isUTF8 {
        $1.append(Data(body).base64EncodedString())
      }
    }
    JSONField(optional: "error", "why there was no answer", of: String.self) {
      if case .response(.failure(let message)) = $0.answer { $1.append(message) }
    }
  }
}

extension [UInt8] {
  fileprivate var isUTF8: Bool { allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil }
}

extension ForwardedCall: JSONObjectWritable {
  package static let fields = JSONFields<ForwardedCall> {
    JSONField("answer", "what came back, as in a result") { ShownAnswer($0.answer) }
    JSONField("answered_by", "who answered") { $0.answeredBy.name }
    JSONField("applied", "what the snippet did with a conversion_value in the answer, or null") { $0.applied }
    JSONField("attempts", "how often it was sent", as: .integer(1...Int64(attemptLimit))) { $0.attempts }
    JSONField(
      "differs_when_stale",
      "the parameters for which the guide's sample would have sent other values; null for one that it leaves out",
      as: JSONWriter.formOfParameters
    ) { $1.object($0.stale) }
    JSONField("explanation", "the result, as a sentence") { $0.explanation }
    JSONField("outcome", "ok, error or no-answer") { $0.outcome }
    JSONField("request", "method, url and parameters; the SDK key reads REDACTED", object: requestFields) { $0 }
  }

  // Steps can add any parameter.
  package static let requestFields = JSONFields<ForwardedCall> {
    JSONField("method", "GET or POST", as: .names(["GET", "POST"])) { $0.request.method }
    JSONField("parameters", "each parameter", as: JSONWriter.formOfParameters) { $1.object($0.parameters) }
    JSONField("url", "the whole address") { $0.url }
  }
}

extension ForwardedCall.Outcome: JSONWritable {}
