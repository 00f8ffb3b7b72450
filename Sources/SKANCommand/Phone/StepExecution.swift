import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANModel
import SKANRun

/// The settings of a command line for running steps. They are read once, even if several threads run steps.
struct StepSetup: Sendable {
  let invocation: Invocation
  let endpoint: Endpoint
  let sdkKey: String?
  let model: ReferenceEndpoint?
  /// The file of the model that answers for an app.
  let modelFile: @Sendable (_ bundleID: String) -> String?
  let answerLimits: HTTPAnswerLimits
  /// Redacts what texts are derived from: in a cut or encoded text the key could not be found.
  let redactor: Redactor

  let isVerbose: Bool
  let isQuiet: Bool

  /// - Parameter answering: the options that select the answerer; nil if no step makes a request.
  init(_ answering: AnswerOptions?, isQuiet: Bool = false, _ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    isVerbose = answering?.wire.isVerbose ?? false
    self.isQuiet = isQuiet
    endpoint = answering?.endpoint ?? .embedded
    sdkKey = try invocation.sdkKey(for: endpoint, file: answering?.wire.sdkKeyFile)
    model = try answering.flatMap { (answering) throws(CommandError) in try invocation.model(of: answering) }
    let models = answering?.model.models ?? []
    modelFile = { bundleID in (models.first { $0.app == bundleID } ?? models.first { $0.app == nil })?.path }
    answerLimits = answering?.wire.limits ?? HTTPAnswerLimits(seconds: 0)
    redactor = invocation.environment.redactor
    if endpoint.isRemote { try invocation.environment.prepareToSend() }
  }
}

/// Runs steps for a command, with the command's endpoint, key and clock, and shows what each step did.
final class StepExecution {
  let output: Output
  private let setup: StepSetup
  private var wasInterrupted = false
  /// Whether the note that reading the details right after a call is too early was shown. It is shown once per install.
  var hasShownStale = false

  init(_ setup: StepSetup) {
    self.setup = setup
    output = Output(setup.invocation.environment, isQuiet: setup.isQuiet)
  }

  /// Whether the endpoint is not in this process.
  var isRemote: Bool { setup.endpoint.isRemote }

  /// The runner of single steps. `now` is the clock for steps without a time.
  func runner(now: @escaping () -> Instant) -> StepRunner {
    StepRunner(answerer(now: now), now: now)
  }

  private func answerer(now: @escaping () -> Instant) -> any Answerer {
    if setup.endpoint.isRemote {
      return RemoteAnswerer(
        setup.endpoint, sdkKey: setup.sdkKey, now: now, sleep: { [unowned self] in sleep($0) },
        send: { [unowned self] in send($0, deviceTime: $1) })
    }
    guard let model = setup.model else { return TestEndpointAnswerer() }
    return ModelAnswerer(model.separated(), file: setup.modelFile)
  }

  /// Waits before a report is sent again. Returns false if the wait was interrupted.
  private func sleep(_ span: TimeSpan) -> Bool {
    let environment = setup.invocation.environment
    environment.sleep(span.seconds)
    return !environment.isInterrupted()
  }

  private func send(_ request: HTTPRequest, deviceTime: Instant?) -> (EndpointAnswer, SentRequest?) {
    var request = request
    if let deviceTime {
      request.headers.append(ReferenceEndpoint.deviceTimeHeader, JSONWriter.text(deviceTime))
    }
    switch setup.invocation.environment.send(request, setup.answerLimits) {
    case .success(let exchange):
      let answer = EndpointAnswer.response(status: exchange.response.status, body: exchange.response.body)
      return (answer, SentRequest(request, exchange))
    case .failure(let failure):
      if failure == .interrupted { wasInterrupted = true }
      return (.failure(failure.message(url: request.target.text, carriesKey: true)), nil)
    }
  }

  /// Runs a step, and redacts its answers.
  func run(_ body: () throws(StepError) -> StepResult) throws(CommandError) -> Result<StepResult, StepError> {
    let result: StepResult
    do throws(StepError) { result = try body() } catch { return .failure(error) }
    guard settle(result) else { throw .interrupted }
    return .success(result)
  }

  /// Redacts the answers of a result, and adds what their messages show.
  ///
  /// - Returns: false when the command was interrupted.
  func settle(_ result: StepResult) -> Bool {
    // Redacted before anything is derived from the answer: the key cannot be found in base64 made from it.
    if !setup.redactor.isEmpty {
      if let answer = result.exchange?.answer { result.exchange?.answer = redacted(answer) }
      if let answer = result.forwarded?.answer { result.forwarded?.answer = redacted(answer) }
    }
    if setup.endpoint.isRemote {
      // An address with the key in its path would be saved in the history.
      result.exchange?.answeredBy.mapAddress(setup.redactor.redacted)
      result.forwarded?.answeredBy.mapAddress(setup.redactor.redacted)
    }
    if let sent = result.exchange?.sent {
      let type = contentType(of: sent.exchange)
      result.exchange?.contentType = type
      if let answer = result.exchange?.answer, let breach = ContractBreach.inContentType(type, of: answer) {
        result.report.found.append(.contractBroken(breach, breach.level(by: .server)))
      }
      result.report.found += Self.flaws(sent.request).map { .requestFlawed(setup.redactor.redacted($0)) }
      result.report.found += transportFindings(result.device).map(Warning.infoPlist)
    }
    if let sent = result.forwarded?.sent { result.forwarded?.contentType = contentType(of: sent.exchange) }
    return !wasInterrupted && !setup.invocation.environment.isInterrupted()
  }

  /// Why iOS would not let the phone's app ask the endpoint, by its Info.plist. Without one, or without a word of it about
  /// hosts, nothing is known.
  private func transportFindings(_ device: Device) -> [String] {
    guard let transport = device.profile.plist?.transport, let host = TestedHost(setup.endpoint) else { return [] }
    return TransportSecurityRule.findings(PlistValue(transport).members ?? [:], about: host)
      .filter { $0.status == .wrong }.map { "\($0.check): \($0.message)." }
  }

  /// The problems with a request's parameters, in sentences, without those that have warnings of their own.
  private static func flaws(_ request: HTTPRequest) -> [String] {
    guard let sent = SentParameters(request.query ?? "") else { return [] }
    // The path may be any; only SKAN 4 sends the version of iOS.
    let api: EndpointAPI = sent["v"] == nil ? .v1 : .v2
    return ParameterCheck.problems(of: sent, at: .conversionValue(api), by: .snippet).compactMap { problem in
      switch problem {
      case .flawed("a", .guidePlaceholder, ConversionRequest.placeholderKey): nil
      case .flawed(_, .currencyOfTotal, _), .metadata, .repeated: nil
      default: problem.parameters.first == "n" ? nil : problem.explanation
      }
    }
  }

  private func contentType(of exchange: HTTPExchange) -> String? {
    exchange.response.headers["Content-Type"].map { String(setup.redactor.redacted($0).prefix(80)) }
  }

  private func redacted(_ answer: EndpointAnswer) -> EndpointAnswer {
    switch answer {
    case .response(let status, let body): .response(status: status, body: setup.redactor.redacted(body))
    case .failure(let reason): .failure(setup.redactor.redacted(reason))
    }
  }

  func attempt(_ step: Step, on phones: ListPhones) -> ListRun.Attempt {
    do throws(CommandError) {
      switch try run({ () throws(StepError) in try phones.run(step) }) {
      case .success(let result): return .ran(result)
      case .failure(let error): return .failed(error)
      }
    } catch {
      return .interrupted
    }
  }

  /// See ``StepSetup/redactor``.
  var redactor: Redactor { setup.redactor }

  func showTrace(_ result: StepResult) {
    guard setup.isVerbose else { return }
    output.error(trace(result).map { StyledText($0) })
  }

  /// The request and the answer of the last step as they went over the wire.
  func trace(_ result: StepResult) -> [String] {
    Trace.lines(result, exchange: result.exchange?.sent?.exchange, setup.redactor)
      + (result.forwarded.map { Trace.lines($0, exchange: $0.sent?.exchange, setup.redactor) } ?? [])
  }
}

extension Device {
  /// Removes the SDK key from the store, where an answer, a currency or a dump of details may have left it.
  mutating func redact(by redactor: Redactor) { if !redactor.isEmpty { kept.mapStrings(redactor.redacted) } }
}
