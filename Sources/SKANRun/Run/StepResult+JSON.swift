import SKANDevice
import SKANBase

extension StepResult {
  /// The public form of a result; see the manual, "Results".
  package var json: JSON { json(verdicts: []) }

  /// The public form with what is reported beside it. Keys stand in their order.
  ///
  /// - Parameters:
  ///   - verdicts: what became of the expectations that were asked of it, if any.
  ///   - location: where the step stands in a list.
  package func json(verdicts: [Expectation.Verdict], at location: (file: String, line: Int)? = nil) -> JSON {
    // Taken out once: each look at them would be a copy.
    let (device, exchange) = (device, exchange)
    // Null when reading them crashes the app.
    let details = (try? device.details())?.json ?? .null
    let detailsBefore = exchange?.request.details
    var members: [(key: String, value: JSON)] = []
    members.reserveCapacity(Self.keys.count)
    members.append(("answer", exchange?.answer.json ?? .null))
    members.append(("answered_by", .optional(exchange?.answeredBy.name)))
    members.append(("apple", appleJSON(device)))
    members.append(("at", at.json))
    members.append(("crash", report.crash.map { .object([("reason", .string($0.reason))]) } ?? .null))
    members.append(("details", details))
    // The same value where the step changed nothing: then it is made and written once.
    let isUnchanged = exchange.map { $0.request.kept == device.kept } ?? true
    let before = isUnchanged ? details : detailsBefore?.json ?? .null
    members.append(("details_before", before))
    members.append(("details_in_handler", detailsInHandlerJSON(before, details)))
    members.append(("device", .string(step.device)))
    members.append(("ended_at", endedAt.json))
    if let why = exchange?.endpointExplanation { members.append(("endpoint_explanation", .string(why))) }
    if !verdicts.isEmpty { members.append(("expectations", .array(verdicts.map(\.json)))) }
    members.append(("explanation", .string(report.explanation.description)))
    if let location { members.append(("file", .string(location.file))) }
    members.append(("forwarded", forwarded.map { .array([$0.json]) } ?? .null))
    members.append(("framework", .array(report.framework.map { [.object($0.members)] } ?? [])))
    members.append(("handler", report.handler?.json ?? .null))
    members.append(("label", .optional(step.label)))
    if let location { members.append(("line", .integer(Int64(location.line)))) }
    members.append(("lock_held", .bool(device.process.isLockHeld)))
    members.append(("op", .string(step.operation.name)))
    members.append(("outcome", .string(report.outcome.name)))
    if let postbacks { members.append(("postbacks", .array(postbacks.map(\.json)))) }
    members.append(("request", exchange?.requestJSON(details: detailsBefore) ?? .null))
    members.append(("warnings", .array(report.warnings.map(\.json))))
    members.append(("window", .integer(device.window(at: endedAt).map { Int64($0.rawValue) } ?? -1)))
    return .object(members)
  }

  /// What `getSkanDetails` gives inside the handler; null when the handler does not run, or reading it crashes the app.
  private func detailsInHandlerJSON(_ before: JSON, _ after: JSON) -> JSON {
    guard let kept = report.keptInHandler else { return .null }
    if kept == device.kept { return after }
    if let request = exchange?.request, kept == request.kept { return before }
    guard let inHandler = try? SkanDetails(of: kept, snippet: device.snippet) else { return .null }
    return inHandler.json
  }

  /// What Apple holds after the step, and in `says` what it made of the step's call.
  private func appleJSON(_ device: Device) -> JSON {
    let window = device.appleWindow(at: endedAt).map { Int64($0.rawValue) } ?? -1
    guard case .object(var members) = device.framework.json else { return .null }
    members.append(("says", .optional(report.frameworkAnswer.map { "\($0)" })))
    members.append(("window", .integer(window)))
    return .object(members)
  }
}

extension StepResult.Exchange {
  fileprivate func requestJSON(details: SkanDetails?) -> JSON {
    let items = request.queryItems(sdkKey: ConversionRequest.redactedKey, details: details)
    return .object([
      ("query", .object(items.map { ($0.name, .optional($0.value)) })),
      ("url", .string("\(address)?\(items.percentEncoded)")),
    ])
  }
}

extension HandlerCall {
  var json: JSON {
    switch self {
    case .values(let fine, let coarse, let lock):
      .object([("coarse", coarse?.json ?? .null), ("error", .null), ("fine", fine.json), ("lock", .bool(lock))])
    case .failed(let message):
      .object([("coarse", .null), ("error", .string(message)), ("fine", .null), ("lock", .bool(false))])
    case .skan3Value(let value): .object([("error", .null), ("fine", .integer(Int64(value)))])
    case .skan3Failed(let message): .object([("error", .string(message)), ("fine", .integer(-1))])
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
        .object([("base64", .string(base64(body))), ("status", .integer(Int64(status)))])
      }
    }
  }
}

extension Warning {
  var json: JSON {
    .object([("code", .string(code)), ("level", .string(level.rawValue)), ("message", .string(message))])
  }
}
