import SKANBase
import SKANSystem

/// The report as text for people: `skan check`.
package struct TrafficText {
  /// The maximum length of a URL. Only the beginning of a longer one is shown; `--json` has all of it.
  private static let longestURL = 200

  private let report: TrafficReport

  package init(_ report: TrafficReport) { self.report = report }

  /// Writes all lines. The first is the summary.
  ///
  /// - Throws: an error of `line`, or why a request cannot be read back.
  package func write<Failure: Error>(
    _ failed: (FileError) -> Failure, _ line: (StyledText) throws(Failure) -> Void
  ) throws(Failure) {
    for text in [StyledText(summary, summaryRole)] + others { try line(text) }
    try writeFindings(failed, line)
    for text in gaps { try line(text) }
  }

  private var summaryRole: TextRole? {
    report.count(.error) > 0 ? .failure : report.count(.warning) > 0 ? .finding : .success
  }

  /// The summary, as in "312 requests of 4 devices: 41 launch, 96 evt, 175 conversion_value; 18 errors, 7 warnings; 22
  /// entries of other hosts, 3 not decrypted".
  private var summary: String {
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

  private func writeFindings<Failure: Error>(
    _ failed: (FileError) -> Failure, _ write: (StyledText) throws(Failure) -> Void
  ) throws(Failure) {
    var last: (device: TrafficDevice?, rule: TrafficRule?)?
    try report.forEachGroup(failed) { (group, shown) throws(Failure) in
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
  package static func gaps(
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
  package var text: String {
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
