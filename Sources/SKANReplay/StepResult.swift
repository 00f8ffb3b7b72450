import SKANDevice
import SKANJSON

/// What a step did and the state it left: the one value that every rendering shows.
package struct StepResult: Sendable {
  package var step: Step
  package var at: Instant
  package var endedAt: Instant
  package var report: StepReport
  /// The device after the step.
  package var device: Device
  /// What went out and what came back.
  package var exchange: Exchange?

  /// A request and its answer.
  package struct Exchange: Sendable {
    package var request: ConversionRequest
    /// The address without its query.
    package var address: String
    package var answer: EndpointAnswer

    /// The whole address as it went out, the SDK key redacted.
    package var url: String {
      "\(address)?\(request.queryItems(sdkKey: ConversionRequest.redactedKey).percentEncoded)"
    }
  }

  package init(
    step: Step, at: Instant, endedAt: Instant, report: StepReport, device: Device, exchange: Exchange? = nil
  ) {
    self.step = step
    self.at = at
    self.endedAt = endedAt
    self.report = report
    self.device = device
    self.exchange = exchange
  }
}

extension StepReport {
  /// Whether something is wrong in the app or the endpoint, which `--strict` counts.
  package var hasFinding: Bool { warnings.contains { $0.level == .finding } }
}
