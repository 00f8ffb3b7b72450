import SKANDevice
import SKANBase
import SKANRun

/// `--dry-run` and `--curl`: what would go out, touching neither network nor file.
enum DryRun {
  static func run(_ invocation: Invocation, _ steps: [Step]) throws(CommandError) -> ExitCode {
    let endpoint = try invocation[.endpoint]
    _ = try invocation[.maxTime]
    _ = try invocation[.maxAnswer]
    let idempotencyKey = try invocation[ifDeclared: .idempotencyKey]
    let key = invocation.environment.sdkKey
    let output = Output(invocation.environment, isQuiet: false, redactor: Redactor(key: key))
    if invocation.isGiven(.expect) {
      let form = invocation[.curl] ? OptionRow.curl : .dryRun
      throw invocation.usage("--expect asks for a result, which \(form.flag) does not have")
    }
    let file = try DeviceStore(invocation).read()
    var phone = file.phone
    // The step runs on a copy of the phone, with an endpoint that never answers.
    let runner = StepRunner(
      try answerer(invocation, endpoint), now: invocation.environment.now)
    var result: StepResult?
    for var step in steps {
      if case .revenue(var revenue) = step.operation, let idempotencyKey, file.hasSeen(idempotencyKey) {
        // Counted before: nothing is added again.
        revenue.amount = 0
        step.operation = .revenue(revenue)
      }
      do throws(StepError) { result = try runner.run(step, on: &phone) } catch { throw invocation.usage(error.message) }
    }
    guard let result else { return .ok }
    if case .forward = result.step.operation, let call = result.forwarded {
      return try show(call, invocation, output)
    }
    guard let exchange = result.exchange else {
      output.error(.remark("no request would go out: \(result.report.explanation)"))
      if invocation[.json] { try output.result("null") }
      return .ok
    }
    if exchange.answeredBy.isInProcess, !invocation[.quiet] {
      // The address is the snippet's, and looks as if the step would call it.
      output.error(
        .remark("the step itself is answered in process by \(exchange.answeredBy.displayText.oneLine): no network"))
    }
    if invocation[.curl] {
      try output.result(curl(exchange.address, exchange.request))
    } else if invocation[.json] {
      try output.result(JSONWriter.text(ShownRequest(exchange)))
    } else {
      try show("GET \(exchange.url)", exchange.request.queryItems(sdkKey: ConversionRequest.redactedKey), output)
    }
    guard let call = result.forwarded else { return .ok }
    if !exchange.answeredBy.isInProcess, !invocation[.stale] {
      output.error(.remark("what --forward sends depends on the answer, which a dry run does not have"))
      return .ok
    }
    return try show(call, invocation, output)
  }

  /// Shows the report of the app's server.
  private static func show(
    _ call: ForwardedCall, _ invocation: Invocation, _ output: Output
  ) throws(CommandError) -> ExitCode {
    if call.answeredBy.isInProcess, !invocation[.quiet], !invocation[ifDeclared: .forward] {
      output.error(
        .remark("the report itself is answered in process by \(call.answeredBy.displayText.oneLine): no network"))
    }
    if invocation[.curl] {
      try output.result(curl(call))
    } else if invocation[.json] {
      try output.result(ForwardedCall.requestFields.text(call))
    } else {
      try show("\(call.request.method) \(call.url)", call.parameters, output)
    }
    return .ok
  }

  /// Shows a request: its first line, and each parameter decoded.
  private static func show(_ line: String, _ items: [QueryItem], _ output: Output) throws(CommandError) {
    try output.result(line)
    for item in items { try output.result("  \(item.name)\(item.value.map { " = \($0.oneLine)" } ?? "")") }
  }

  /// The report as a curl command line, the key left to the shell's variable.
  private static func curl(_ call: ForwardedCall) -> String {
    let parameters = call.request.queryItems(sdkKey: keyMark).strictlyEncoded
    return call.request.isPost
      ? "curl \(quoted(call.address)) --data \(withKeyOfShell(parameters))"
      : "curl \(withKeyOfShell("\(call.address)?\(parameters)"))"
  }

  /// One that answers as the command's own would in process, and never over the network.
  private static func answerer(_ invocation: Invocation, _ endpoint: Endpoint) throws(CommandError) -> any Answerer {
    if let model = try invocation.model(for: endpoint) { return ModelAnswerer(model) }
    if !endpoint.isRemote { return TestEndpointAnswerer() }
    return RemoteAnswerer(endpoint, now: invocation.environment.now) { _, _ in .failure("dry run") }
  }

  /// The same request as a curl command line, the key left to the shell's variable.
  private static func curl(_ address: String, _ request: ConversionRequest) -> String {
    "curl \(withKeyOfShell("\(address)?\(request.queryItems(sdkKey: keyMark).percentEncoded)"))"
  }

  private static let keyMark = "SDK-KEY-GOES-HERE"

  /// A text for the shell, its mark replaced by the variable that holds the key.
  private static func withKeyOfShell(_ text: String) -> String {
    let parts = text.split(separator: keyMark, maxSplits: 1, omittingEmptySubsequences: false)
    return "\(quoted(String(parts[0])))\"$SKAN_SDK_KEY\"\(quoted(parts.count > 1 ? String(parts[1]) : ""))"
  }

  private static func quoted(_ text: String) -> String { text.quotedForShell }
}
