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
  /// The address without its query to which a request went.
  package var endpointURL: String?

  package init(
    step: Step, at: Instant, endedAt: Instant, report: StepReport, device: Device, endpointURL: String? = nil
  ) {
    self.step = step
    self.at = at
    self.endedAt = endedAt
    self.report = report
    self.device = device
    self.endpointURL = endpointURL
  }

  /// The whole address as it went out, the SDK key redacted.
  package var requestURL: String? {
    guard let request = report.request, let endpointURL else { return nil }
    return "\(endpointURL)?\(request.queryItems(sdkKey: ConversionRequest.redactedKey).percentEncoded)"
  }

  /// Whether something is wrong in the app or the endpoint, which `--strict` counts.
  package var hasFinding: Bool { report.warnings.contains { $0.level == .finding } }
}
