import SKANDevice
import SKANHTTP
import SKANBase
import SKANModel
import SKANServe
import SKANTraffic

/// The check of traffic while it comes: `skan serve --check`.
///
/// On the server's thread only. What is remembered of a device is bounded, and so are the findings that are reported at
/// the end: they were printed when they came.
final class LiveCheck {
  /// What the summary calls the traffic.
  private static let name = "serve"

  private var checker = TrafficChecker()
  private var entries = 0
  /// Those of the requests so far, since what the end shows may be about any of them.
  private var secrets: Set<String> = []
  private let report: (String) -> Void

  /// - Parameter report: takes a line for the person at the server.
  init(report: @escaping (String) -> Void) { self.report = report }

  /// Checks a request and its answer, and reports what is wrong.
  func inspect(
    _ request: HTTPRequest, query: SentParameters?, _ response: HTTPResponse, at: Instant
  ) -> [InspectedFinding] {
    guard let kind = EndpointKind(path: request.path), request.method != "HEAD", request.method != "OPTIONS" else {
      return []
    }
    entries += 1
    var request = request
    // As a journal has it: this server is on this machine.
    request.target.origin = "http://localhost"
    let captured = CapturedRequest(
      request, at: at, answer: .response(status: response.status, body: response.body),
      location: CaptureLocation(file: Self.name, entry: entries, line: entries))
    let secrets = captured.secrets
    for secret in secrets where self.secrets.count < TrafficSecrets.most { self.secrets.insert(secret) }
    return checker.check(captured, kind: kind, query: query).map { finding in
      let message = TrafficSecrets.text(finding.message, without: secrets)
      show(finding, message)
      return InspectedFinding(rule: finding.rule.rawValue, level: finding.rule.level.rawValue, message: message)
    }
  }

  /// Reports what only the end shows, the summary, and what was not evaluated.
  func end() -> ExitCode {
    for finding in checker.finish() { show(finding, TrafficSecrets.text(finding.message, without: Array(secrets))) }
    let summary = checker.summary
    report(
      """
      \(summary.requests.counted("request")) of \(summary.devices.counted("device")): \(summary.launches) launch, \
      \(summary.events) evt, \(summary.conversions) conversion_value; \(summary.count(.error).counted("error")), \
      \(summary.count(.warning).counted("warning")), \(summary.count(.note).counted("note"))
      """)
    let open = checker.open.map { ($0.rule, "\($0.message) request \($0.location.entry)") }
    if summary.requests > 0 { for line in CheckText.gaps(summary.gaps, open: open) { report(line) } }
    return summary.count(.error) > 0 ? .expectationFailed : .ok
  }

  private func show(_ finding: TrafficFinding, _ message: String) {
    let device = finding.device.map { " \($0.description.oneLine):" } ?? ""
    report(
      "\(finding.rule.level.rawValue) [\(finding.rule.rawValue)] request \(finding.location.entry):\(device) \(message.oneLine)"
    )
  }
}
