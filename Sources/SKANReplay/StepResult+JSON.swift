import SKANDevice
import SKANJSON

extension StepResult {
  /// Every key that a result can have, for checking expectations.
  package static let keys = [
    "answer", "at", "crash", "details", "details_before", "device", "ended_at", "expectations", "explanation", "file",
    "framework", "handler", "label", "line", "lock_held", "op", "outcome", "postbacks", "request", "warnings", "window",
  ]

  /// The public form of a result; see the README, "Results".
  package var json: JSON {
    .object([
      ("device", .string(step.device)), ("op", .string(step.operation.name)), ("label", .optional(step.label)),
      ("at", at.json), ("ended_at", endedAt.json), ("outcome", .string(report.outcome.rawValue)),
      ("explanation", .string(report.explanation.description)),
      ("window", .integer(device.window(at: endedAt).map { Int64($0.rawValue) } ?? -1)),
      ("request", requestJSON), ("answer", report.answer?.json ?? .null),
      ("framework", .array(report.framework.map { .object($0.members) })), ("handler", report.handler?.json ?? .null),
      ("details_before", detailsJSON(report.keptBefore ?? device.kept)), ("details", detailsJSON(device.kept)),
      ("lock_held", .bool(device.process.isLockHeld)),
      ("crash", report.crash.map { .object([("reason", .string($0.reason))]) } ?? .null),
      ("warnings", .array(report.warnings.map(\.json))),
    ])
  }

  private var requestJSON: JSON {
    guard let request = report.request, let requestURL else { return .null }
    let items = request.queryItems(sdkKey: ConversionRequest.redactedKey)
    return .object([
      ("url", .string(requestURL)), ("query", .object(items.map { ($0.name, .optional($0.value)) })),
    ])
  }

  /// Null when reading it crashes the app.
  private func detailsJSON(_ kept: KeptState) -> JSON {
    (try? SkanDetails(of: kept, snippet: device.snippet))?.json ?? .null
  }
}

extension HandlerCall {
  var json: JSON {
    switch self {
    case .values(let fine, let coarse, let lock):
      .object([("fine", fine.json), ("coarse", coarse?.json ?? .null), ("lock", .bool(lock)), ("error", .null)])
    case .failed(let message):
      .object([("fine", .null), ("coarse", .null), ("lock", .bool(false)), ("error", .string(message))])
    case .skan3Value(let value): .object([("fine", .integer(Int64(value))), ("error", .null)])
    case .skan3Failed(let message): .object([("fine", .integer(-1)), ("error", .string(message))])
    }
  }
}

extension EndpointAnswer {
  var json: JSON {
    switch self {
    case .failure(let message): .object([("error", .string(message))])
    case .response(let status, let body):
      if let text = String(validating: body, as: UTF8.self) {
        .object([("status", .integer(Int64(status))), ("text", .string(text))])
      } else {
        .object([("status", .integer(Int64(status))), ("base64", .string(base64(body)))])
      }
    }
  }
}

extension Warning {
  var json: JSON {
    .object([("code", .string(code)), ("level", .string(level.rawValue)), ("message", .string(message))])
  }
}
