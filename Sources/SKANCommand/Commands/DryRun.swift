import SKANDevice
import SKANJSON
import SKANRun

/// `--dry-run` and `--curl`: what would go out, touching neither network nor file.
enum DryRun {
  static func run(_ invocation: Invocation, _ steps: [Step]) throws(CommandError) -> ExitCode {
    let endpoint = try invocation[.endpoint]
    _ = try invocation[.maxTime]
    _ = try invocation[.maxAnswer]
    let idempotencyKey = try invocation[.idempotencyKey]
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
      do throws(StepError) { result = try runner.run(step, on: &phone) } catch { throw invocation.usage(error.words) }
    }
    guard let result else { return .ok }
    guard let exchange = result.exchange else {
      output.error("skan: no request would go out: \(result.report.explanation)")
      if invocation[.json] { try output.result("null") }
      return .ok
    }
    if exchange.answeredBy.isInProcess, !invocation[.quiet] {
      // The address is the snippet's, and looks as if the step would call it.
      output.error("skan: the step itself is answered in process by \(exchange.answeredBy.words.oneLine): no network")
    }
    if invocation[.curl] {
      try output.result(curl(exchange.address, exchange.request))
    } else if invocation[.json] {
      try output.result(JSONWriter.text(result.json["request"] ?? .null))
    } else {
      try output.result("GET \(exchange.url)")
      for item in exchange.request.queryItems(sdkKey: ConversionRequest.redactedKey) {
        try output.result("  \(item.name)\(item.value.map { " = \($0.oneLine)" } ?? "")")
      }
    }
    return .ok
  }

  /// One that answers as the command's own would in process, and never over the network.
  private static func answerer(_ invocation: Invocation, _ endpoint: Endpoint) throws(CommandError) -> any Answerer {
    if let model = try invocation.model(for: endpoint) { return ModelAnswerer(model) }
    if !endpoint.isRemote { return TestEndpointAnswerer() }
    return RemoteAnswerer(endpoint, now: invocation.environment.now) { _, _ in .failure("dry run") }
  }

  /// The same request as a curl command line, the key left to the shell's variable.
  private static func curl(_ address: String, _ request: ConversionRequest) -> String {
    let mark = "SDK-KEY-GOES-HERE"
    let url = "\(address)?\(request.queryItems(sdkKey: mark).percentEncoded)"
    let parts = url.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
    return "curl \(quoted(String(parts[0])))\"$SKAN_SDK_KEY\"\(quoted(parts.count > 1 ? String(parts[1]) : ""))"
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
