import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// `--dry-run` and `--curl`: show the request that a command would send. No request is sent and no file is written.
struct DryRun {
  /// The request of a step, the request of the app's server, or null if none would be sent.
  static var form: JSONForm { .anyOf([ShownRequest.jsonForm, ForwardedCall.requestFields.form, .null]) }

  /// The format in which the request is shown.
  enum Form: Equatable {
    case text, json, curl

    /// Nil if neither option is given and the step runs.
    init?(_ reader: OptionReader) throws(CommandError) {
      let isDryRun = try reader[.dryRun]
      let isCurl = try reader[.curl]
      guard isDryRun || isCurl else { return nil }
      if reader.isGiven(.expect) {
        let flag = isCurl ? OptionRow.curl.flag : OptionRow.dryRun.flag
        throw reader.invocation.usage("--expect asks for a result, which \(flag) does not have")
      }
      let shown = try isCurl ? reader.oneOf([.curl, .json]) : OptionRow.json
      self = shown == OptionRow.curl ? .curl : reader.has(.json) ? .json : .text
    }
  }

  private let form: Form
  private let options: StepOptions
  private let answering: AnswerOptions
  private let idempotencyKey: String?
  private let invocation: Invocation
  private let output: Output

  init(
    _ form: Form, _ options: StepOptions, _ answering: AnswerOptions, _ idempotencyKey: String?,
    _ invocation: Invocation
  ) {
    self.form = form
    self.options = options
    self.answering = answering
    self.idempotencyKey = idempotencyKey
    self.invocation = invocation
    output = Output(invocation.environment, isQuiet: false)
  }

  func run(_ steps: [Step]) throws(CommandError) -> ExitCode {
    let file = try DeviceStore(options.device.state, invocation.environment).read()
    var phone = file.phone
    // The step runs on a copy of the phone, with an endpoint that never answers.
    let runner = StepRunner(try answerer(), now: invocation.environment.now)
    var result: StepResult?
    for var step in steps {
      if case .revenue(var revenue) = step.operation, let idempotencyKey, file.hasSeen(idempotencyKey) {
        // A retry adds no revenue.
        revenue.amount = 0
        step.operation = .revenue(revenue)
      }
      do throws(StepError) { result = try runner.run(step, on: &phone) } catch { throw invocation.usage(error.message) }
    }
    guard let result else { return .ok }
    if case .forward = result.step.operation, let call = result.forwarded {
      if call.answeredBy.isInProcess, !options.output.isQuiet {
        output.error(
          [.remark("the report itself is answered in process by \(call.answeredBy.displayText.oneLine): no network")])
      }
      try show(call)
      return .ok
    }
    guard let exchange = result.exchange else {
      output.error([.remark("no request would be sent: \(result.report.explanation)")])
      if options.output.isJSON { try output.result("null") }
      return .ok
    }
    if exchange.answeredBy.isInProcess, !options.output.isQuiet {
      // The address is the snippet's, which suggests that the step would call it.
      output.error(
        [.remark("the step itself is answered in process by \(exchange.answeredBy.displayText.oneLine): no network")])
    }
    switch form {
    case .curl: try output.result(Self.curl(exchange.address, exchange.request))
    case .json: try output.result(JSONWriter.text(ShownRequest(exchange)))
    case .text:
      try show("GET \(exchange.url)", exchange.request.queryItems(sdkKey: ConversionRequest.redactedKey))
    }
    guard let call = result.forwarded else { return .ok }
    if !exchange.answeredBy.isInProcess, !(result.step.operation.report?.isStale ?? false) {
      output.error([.remark("what --forward sends depends on the answer, which a dry run does not have")])
      return .ok
    }
    try show(call)
    return .ok
  }

  private func show(_ call: ForwardedCall) throws(CommandError) {
    switch form {
    case .curl: try output.result(Self.curl(call))
    case .json: try output.result(ForwardedCall.requestFields.text(call))
    case .text: try show("\(call.request.method) \(call.url)", call.parameters)
    }
  }

  /// Shows a request: its first line, and each parameter decoded.
  private func show(_ line: String, _ items: [QueryItem]) throws(CommandError) {
    try output.result(line)
    for item in items { try output.result("  \(item.name)\(item.value.map { " = \($0.oneLine)" } ?? "")") }
  }

  /// The report as a curl command line that reads the SDK key from the shell's variable.
  private static func curl(_ call: ForwardedCall) -> String {
    let parameters = call.request.queryItems(sdkKey: .keyOfShell).strictlyEncoded
    return call.request.isPost
      ? "curl \(call.address.quotedForShell) --data \(parameters.quotedWithKeyOfShell)"
      : "curl \("\(call.address)?\(parameters)".quotedWithKeyOfShell)"
  }

  /// An answerer that behaves like the command's own in process, and never uses the network.
  private func answerer() throws(CommandError) -> any Answerer {
    if let model = try invocation.model(of: answering) { return ModelAnswerer(model) }
    if !answering.endpoint.isRemote { return TestEndpointAnswerer() }
    return RemoteAnswerer(answering.endpoint, now: invocation.environment.now) { _, _ in (.failure("dry run"), nil) }
  }

  /// The request of the step as a curl command line that reads the SDK key from the shell's variable.
  private static func curl(_ address: String, _ request: ConversionRequest) -> String {
    "curl \("\(address)?\(request.queryItems(sdkKey: .keyOfShell).percentEncoded)".quotedWithKeyOfShell)"
  }
}

extension Step.Operation {
  /// The report that the app's server sends after a session or an event.
  fileprivate var report: ForwardOptions? {
    switch self {
    case .session(let update), .event(_, let update): update.forward
    default: nil
    }
  }
}
