import SKANDevice
import SKANBase

extension ForwardedCall {
  /// The item of a result's `forwarded`.
  package var json: JSON {
    .object([
      ("answer", answer.json), ("answered_by", .string(answeredBy.name)),
      ("applied", applied.map(Self.json) ?? .null), ("attempts", .integer(Int64(attempts))),
      ("differs_when_stale", .object(stale.map { ($0.name, .optional($0.value)) })),
      ("explanation", .string(explanation)), ("outcome", .string(outcome.rawValue)), ("request", requestJSON),
    ])
  }

  private static func json(_ report: StepReport) -> JSON {
    .object([
      ("explanation", .string(report.explanation.description)),
      ("framework", .array(report.framework.map { [.object($0.members)] } ?? [])),
      ("outcome", .string(report.outcome.name)),
    ])
  }

  private var requestJSON: JSON {
    .object([
      ("method", .string(request.method)),
      ("parameters", .object(parameters.map { ($0.name, .optional($0.value)) })), ("url", .string(url)),
    ])
  }
}
