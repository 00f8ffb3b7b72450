import SKANDevice
import SKANEndpoint
import SKANJSON
import SKANReplay

/// Runs steps for a command: the runner with the command's endpoint, key and clock, and what is shown of each step.
final class StepExecution {
  let output: Output
  private let invocation: Invocation
  private let endpoint: Endpoint
  private let sdkKey: String?
  private let redactor: Redactor
  private let model: ReferenceEndpoint?
  private let maxSeconds: Double
  private let expectations: [Expectation]
  /// What the remote endpoint said in the step under way.
  private var exchange: HTTPExchange?
  private var wasInterrupted = false

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    endpoint = try invocation.endpoint()
    sdkKey = try invocation.sdkKey(for: endpoint)
    model = try invocation.model(for: endpoint)
    maxSeconds = try invocation.maxSeconds()
    expectations = try invocation.expectations()
    redactor = Redactor(key: sdkKey)
    output = Output(invocation.environment, isQuiet: invocation.arguments.has(.quiet), redactor: redactor)
  }

  /// The driver of single steps; `now` is the clock that runs by itself.
  func runner(now: @escaping () -> Instant) -> StepRunner {
    StepRunner(
      endpoint: endpoint, model: model, sdkKey: sdkKey, send: { [unowned self] in send($0, deviceTime: $1) }, now: now)
  }

  private func send(_ url: String, deviceTime: Instant?) -> EndpointAnswer {
    let headers = deviceTime.map { [(ReferenceEndpoint.deviceTimeHeader, JSONWriter.text($0.json))] } ?? []
    switch invocation.environment.send(url, headers, maxSeconds) {
    case .success(let exchange):
      self.exchange = exchange
      return .response(status: exchange.status, body: exchange.body)
    case .failure(let failure):
      if failure == .interrupted { wasInterrupted = true }
      return .failure(failure.words(url: url))
    }
  }

  /// Runs a step; what went over the wire is shown as soon as it is over.
  func run(_ body: () throws(StepError) -> StepResult) throws(CommandError) -> Result<StepResult, StepError> {
    exchange = nil
    var result: StepResult
    do throws(StepError) { result = try body() } catch { return .failure(error) }
    // Before anything is made of it: in base64 the key could not be found again.
    if case .response(let status, let body)? = result.exchange?.answer {
      result.exchange?.answer = .response(status: status, body: redactor.redacted(body))
    }
    if wasInterrupted || invocation.environment.isInterrupted() { throw .interrupted }
    return .success(result)
  }

  /// What an answer with the key in it left in the store: a device file never holds the key.
  func redact(_ device: inout Device) { device.kept.mapStrings(redactor.redacted) }

  func showTrace(_ result: StepResult) {
    guard invocation.arguments.has(.verbose) else { return }
    for line in Trace.lines(result, exchange: exchange) { output.error(line) }
  }
}
