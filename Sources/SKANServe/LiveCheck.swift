import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANTraffic

/// Checks traffic as it arrives: `skan serve --check`.
///
/// It runs on the server's thread only. The number of devices is bounded, as the server's, and so is the memory for each.
/// Findings are printed as they come, so their number at the end is bounded, too.
package final class LiveCheck {
  /// The name of the traffic in the summary.
  private static let name = "serve"

  private var checker: TrafficChecker
  private var counts = TrafficCounts()
  /// The secrets of the requests so far, since findings at the end may concern any of them.
  private var secrets: Set<String> = []
  private let report: (String) -> Void

  /// - Parameter report: prints a line for the person at the server.
  package init(_ context: TrafficContext = TrafficContext(), report: @escaping (String) -> Void) {
    checker = TrafficChecker(limit: ReferenceService.phoneLimit, context)
    self.report = report
  }

  /// Checks the next requests against the models of another endpoint.
  package func use(_ endpoint: ReferenceEndpoint) { checker.context.endpoint = endpoint }

  /// Checks a request and its answer, and reports what is wrong.
  package func inspect(
    _ request: HTTPRequest, query: SentParameters?, _ response: HTTPResponse, at: Instant
  ) -> [InspectedFinding] {
    guard let kind = EndpointKind(path: request.path), request.method != "HEAD", request.method != "OPTIONS" else {
      return []
    }
    counts.add(kind)
    var request = request
    // As in a journal, the origin is this machine: the server runs here.
    request.target.origin = "http://localhost"
    let captured = CapturedRequest(
      request, at: at, answer: .response(status: response.status, body: response.body),
      location: CaptureLocation(file: Self.name, entry: counts.total, line: counts.total))
    counts.add(captured.answer)
    let secrets = captured.secrets
    for secret in secrets where self.secrets.count < TrafficSecrets.most { self.secrets.insert(secret) }
    let findings = checker.check(captured, kind: kind, query: query)
    for finding in checker.ended { show(finding, TrafficSecrets.text(finding.message, without: Array(self.secrets))) }
    return findings.map { finding in
      let message = TrafficSecrets.text(finding.message, without: secrets)
      show(finding, message)
      return InspectedFinding(rule: finding.rule.rawValue, level: finding.rule.level.rawValue, message: message)
    }
  }

  /// Reports the findings that appear only at the end, the summary, and the rules that were not evaluated.
  ///
  /// - Returns: whether there is no error.
  package func end() -> Bool {
    for finding in checker.finish() { show(finding, TrafficSecrets.text(finding.message, without: Array(secrets))) }
    let summary = checker.summary
    counts.devices = summary.devices
    report(
      """
      \(counts.text); \(summary.count(.error).counted("error")), \(summary.count(.warning).counted("warning")), \
      \(summary.count(.note).counted("note"))
      """)
    let open = checker.open.map { ($0.rule, "\($0.message) request \($0.location.entry)") }
    if summary.requests > 0 { for line in TrafficText.gaps(summary.gaps, open: open) { report(line) } }
    return summary.count(.error) == 0
  }

  private func show(_ finding: TrafficFinding, _ message: String) {
    let device = finding.device.map { " \($0.description.oneLine):" } ?? ""
    report(
      "\(finding.rule.level.rawValue) [\(finding.rule.rawValue)] request \(finding.location.entry):\(device) \(message.oneLine)"
    )
  }
}
