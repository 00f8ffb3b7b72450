import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANServe
import SKANTraffic

/// The output of `skan check` for people.
struct CheckText {
  /// The maximum length of a URL. Only the beginning of a longer one is shown; `--json` has all of it.
  private static let longestURL = 200

  let report: TrafficReport

  /// Writes all lines. The first is the summary.
  func write(_ line: (StyledText) throws(CommandError) -> Void) throws(CommandError) {
    for text in [StyledText(summary, summaryRole)] + others { try line(text) }
    try writeFindings(line)
    for text in gaps { try line(text) }
  }

  private var summaryRole: TextRole? {
    report.count(.error) > 0 ? .failure : report.count(.warning) > 0 ? .finding : .success
  }

  /// The summary, as in "312 requests of 4 devices: 41 launch, 96 evt, 175 conversion_value; 18 errors, 7 warnings; 22
  /// entries of other hosts, 3 not decrypted".
  var summary: String {
    let counts = report.counts
    var found = [report.count(.error).counted("error"), report.count(.warning).counted("warning")]
    if report.count(.note) > 0 { found.append(report.count(.note).counted("note")) }
    let tally = report.tally
    var rest = ["\(tally.otherCount.counted("entry", "entries")) of other hosts"]
    rest.append("\(tally.undecryptedCount) not decrypted")
    if tally.webSockets > 0 { rest.append(tally.webSockets.counted("WebSocket")) }
    let unread = tally.problems.count + tally.moreProblems
    if unread > 0 { rest.append("\(unread.counted("problem")) of form") }
    return "\(counts.text); \(found.joined(separator: ", ")); \(rest.joined(separator: ", "))"
  }

  private var others: [StyledText] {
    [("other hosts", report.tally.others), ("not decrypted", report.tally.undecrypted)].compactMap { what, counts in
      counts.isEmpty ? nil : StyledText("  \(what): \(Self.named(counts))")
    }
  }

  /// The hosts with the most entries, for one line.
  private static func named(_ counts: [String: Int]) -> String {
    let order = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let most = order.prefix(8).map { "\($0.key.oneLine) \($0.value)" }.joined(separator: ", ")
    return order.count > 8 ? "\(most) and \(order.count - 8) more" : most
  }

  private func writeFindings(_ write: (StyledText) throws(CommandError) -> Void) throws(CommandError) {
    var last: (device: TrafficDevice?, rule: TrafficRule?)?
    try report.forEachGroup(CommandError.init(spool:)) { (group, shown) throws(CommandError) in
      let finding = group.finding
      var lines: [StyledText] = []
      if last == nil || last?.device != finding.device {
        lines += ["", StyledText(finding.device?.description.oneLine ?? "requests without a device", .bold)]
        last = (finding.device, nil)
      }
      if last?.rule != finding.rule {
        let level = finding.rule.level
        lines.append("  \(level.rawValue, level.role) \("[\(finding.rule.rawValue)]", .dim) \(finding.rule.text)")
        lines.append("    \("remedy:", .success) \(finding.rule.remedy)")
        last = (finding.device, finding.rule)
      }
      let times = group.count > 1 ? " (\(group.count) times, the first here)" : ""
      let time = finding.at.map { " at \($0)" } ?? ""
      lines.append(
        "    \(finding.location.file.oneLine) entry \(finding.location.entry)\(time): \(finding.message.oneLine)\(times)"
      )
      if let url = shown.url?.oneLine {
        lines.append("      \(url.truncated(to: Self.longestURL), .dim)")
      }
      for line in lines { try write(line) }
    }
  }

  private var gaps: [StyledText] {
    let lines = Self.gaps(report.gaps, open: report.open.map { ($0.finding.rule, $0.reason.oneLine) })
    return report.counts.total == 0 || lines.isEmpty ? [] : [""] + lines.map { StyledText($0) }
  }

  /// The maximum number of open requests at the end of the captures to show; `--json` has all of them.
  private static let mostOpen = 20

  /// The rules that were not evaluated, grouped by reason.
  ///
  /// - Parameter open: the rules left open for requests at the end of the captures, with the reason.
  static func gaps(
    _ gaps: [(rule: TrafficRule, gap: TrafficSummary.Gap)], open: [(rule: TrafficRule, reason: String)]
  ) -> [String] {
    var lines: [(reason: String, rules: [String])] = []
    func add(_ rule: TrafficRule, _ words: String) {
      if let index = lines.firstIndex(where: { $0.reason == words }) {
        lines[index].rules.append(rule.rawValue)
      } else {
        lines.append((words, [rule.rawValue]))
      }
    }
    for (rule, gap) in gaps {
      let (extent, reason) = gap.parts
      add(rule, extent == "all" ? reason : "for a part, since \(reason)")
    }
    for (rule, reason) in open.prefix(mostOpen) { add(rule, reason) }
    if lines.isEmpty { return [] }
    let more = open.count > mostOpen ? ["  and \(open.count - mostOpen) more at the end of the captures"] : []
    return ["not evaluated:"] + lines.map { "  \($0.reason): \($0.rules.joined(separator: ", "))" } + more
  }
}

extension TrafficCounts {
  /// The requests of each kind, and the answers that refuse one, as in "3 requests of 1 device: 1 launch, 1 evt, 1
  /// conversion_value; 1 answer of 4xx".
  fileprivate var text: String {
    let requests = """
      \(total.counted("request")) of \(devices.counted("device")): \(launches) launch, \(events) evt, \
      \(conversionValues) conversion_value
      """
    let answers = [(clientErrors, "4xx"), (serverErrors, "5xx")].filter { $0.0 > 0 }
    let refused = answers.map { "\($0.0.counted("answer")) of \($0.1)" }.joined(separator: ", ")
    return refused.isEmpty ? requests : "\(requests); \(refused)"
  }
}

extension TrafficRule.Level {
  fileprivate var role: TextRole {
    switch self {
    case .error: .failure
    case .warning: .finding
    case .note: .dim
    }
  }
}

/// Checks traffic as it arrives: `skan serve --check`.
///
/// It runs on the server's thread only. The number of devices is bounded, as the server's, and so is the memory for each.
/// Findings are printed as they come, so their number at the end is bounded, too.
final class LiveCheck {
  /// The name of the traffic in the summary.
  private static let name = "serve"

  private var checker: TrafficChecker
  private var counts = TrafficCounts()
  /// The secrets of the requests so far, since findings at the end may concern any of them.
  private var secrets: Set<String> = []
  private let report: (String) -> Void

  /// - Parameter report: prints a line for the person at the server.
  init(_ context: TrafficContext = TrafficContext(), report: @escaping (String) -> Void) {
    checker = TrafficChecker(limit: ReferenceService.phoneLimit, context)
    self.report = report
  }

  /// Checks the next requests against the models of another endpoint.
  func use(_ endpoint: ReferenceEndpoint) { checker.context.endpoint = endpoint }

  /// Checks a request and its answer, and reports what is wrong.
  func inspect(
    _ request: HTTPRequest, query: SentParameters?, _ response: HTTPResponse, at: Instant
  ) -> [InspectedFinding] {
    guard let kind = EndpointKind(path: request.path), request.method != "HEAD", request.method != "OPTIONS" else {
      return []
    }
    counts.add(kind)
    var request = request
    // The same origin as in a journal: this server runs on this machine.
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
  func end() -> ExitCode {
    for finding in checker.finish() { show(finding, TrafficSecrets.text(finding.message, without: Array(secrets))) }
    let summary = checker.summary
    counts.devices = summary.devices
    report(
      """
      \(counts.text); \(summary.count(.error).counted("error")), \(summary.count(.warning).counted("warning")), \
      \(summary.count(.note).counted("note"))
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
