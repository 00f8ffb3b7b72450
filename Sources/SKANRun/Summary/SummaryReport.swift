import SKANBase
import SKANDevice

/// The summary of a replay for people, without empty parts.
package struct SummaryReport: Sendable {
  let counts: ReplayCounts
  let summary: ListSummary
  /// Whether phones are named together with their lists.
  private let namesLists: Bool

  /// The most rows of errors and of failures; the others are counted.
  private static let mostRows = 50
  static let outcomesTitle = "Outcomes"

  package init(_ counts: ReplayCounts, _ summary: ListSummary) {
    self.counts = counts
    self.summary = summary
    namesLists = counts.lists > 1
  }

  /// All parts, in the order in which they are printed.
  package var parts: [ReportPart] { [outcomes, findings, errors, failures, fine, coarse, postbacks].written }

  /// The part about failures.
  var failureParts: [ReportPart] { [failures].written }

  /// All parts except ``failureParts``.
  var otherParts: [ReportPart] { [outcomes, findings, errors, fine, coarse, postbacks].written }

  private var outcomes: ReportPart {
    var part = ReportPart(Self.outcomesTitle, texts: ["outcome"], numbers: ["steps", "share"])
    var rows = Outcome.allCases.map { ($0.name, counts[$0]) } + [("skipped", counts.skipped)]
    rows.removeAll { $0.1 == 0 }
    part.rows = rows.map { [$0.0, "\($0.1)", $0.1.percent(of: counts.allSteps)] }
    part.bars = rows.map(\.1)
    part.barName = "steps"
    return part
  }

  private var findings: ReportPart {
    var part = ReportPart("Findings", texts: ["code"], numbers: ["times"])
    part.rows = sortedFindings.map { [$0.key, "\($0.value)"] }
    return part
  }

  /// The codes of findings, most frequent first.
  private var sortedFindings: [(key: String, value: Int)] {
    summary.findings.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }

  /// The most frequent code of a finding. Where several threads run a list, it is not known which finding came first.
  package var commonestFinding: String? { sortedFindings.first?.key }

  private var errors: ReportPart {
    var part = ReportPart("Errors of answers", texts: ["outcome"], numbers: ["steps"], after: ["error"])
    let all = summary.errors.sorted
    part.rows = all.prefix(Self.mostRows).map { kind, count in
      [kind.outcome.name, "\(count)", kind.text.isEmpty ? "(no text)" : kind.text.oneLine]
    }
    let rest = all.dropFirst(Self.mostRows).reduce(summary.errors.others) { $0 + $1.count }
    if rest > 0 { part.notes = ["\(rest.counted("step")) more with other texts."] }
    return part
  }

  private var failures: ReportPart {
    var part = ReportPart("Failures that are alike", numbers: ["times"], after: ["first", "failure", "phones"])
    let all = summary.failures.sorted
    part.rows = all.prefix(Self.mostRows).map { group in
      ["\(group.count)", group.first.oneLine, group.text.oneLine, phones(of: group) ?? "-"]
    }
    let rest = all.dropFirst(Self.mostRows).reduce(summary.failures.others) { $0 + $1.count }
    if rest > 0 { part.notes = ["\(rest.counted("failure")) more of other kinds."] }
    return part
  }

  /// The phones of a group: `a, b and 3 more`; nil where the list is about one phone without a name.
  func phones(of group: FailureGroups.Group) -> String? {
    if !namesLists, group.phones.allSatisfy(\.name.isEmpty) { return nil }
    let names = group.phones.map { phone in
      [namesLists ? phone.list : "", phone.name].filter { !$0.isEmpty }.joined(separator: " ").oneLine
    }
    let more = group.morePhones
    let rest = group.hasUncountedPhones ? " and more than \(more) more" : more > 0 ? " and \(more) more" : ""
    return names.joined(separator: ", ") + rest
  }

  private var fine: ReportPart {
    var part = ReportPart("Fine values at the end", texts: [], numbers: ["value", "phones", "share"])
    guard summary.phones.phones > 0 else { return part }
    var rows = [("none", summary.phones.withoutFine)] + summary.phones.fine.enumerated().map { ("\($0)", $1) }
    rows.removeAll { $0.1 == 0 }
    part.rows = rows.map { [$0.0, "\($0.1)", $0.1.percent(of: summary.phones.phones)] }
    part.bars = rows.map(\.1)
    part.barName = "phones"
    part.notes = ["What Apple holds after the last step of \(summary.phones.phones.counted("phone"))."]
    if summary.unfinished > 0 {
      part.notes.append(
        "The phones of \(summary.unfinished.counted("list")) that did not run to the end are left out.")
    }
    return part
  }

  private var coarse: ReportPart {
    var part = ReportPart(
      "Coarse values at the end", texts: ["window"], numbers: ["none", "low", "medium", "high"])
    guard summary.phones.phones > 0 else { return part }
    part.rows = ConversionWindow.allCases.map { window in
      ["P\(window.rawValue)"] + summary.phones.coarse[window].map { "\($0)" }
    }
    return part
  }

  private var postbacks: ReportPart {
    var part = ReportPart("Postbacks at the end", texts: ["window", "state", "value"], numbers: ["postbacks"])
    part.rows = summary.phones.sortedPostbacks.map { kind, count in
      ["P\(kind.window.rawValue)", kind.state.rawValue, kind.value.text ?? "no value", "\(count)"]
    }
    return part
  }
}

extension [ReportPart] {
  /// The parts that are not empty.
  fileprivate var written: [ReportPart] { filter { !$0.rows.isEmpty } }
}

/// The summary as a JSON object; see the manual, "Reports".
extension SummaryReport: JSONObjectWritable {
  package static let fields = JSONFields<SummaryReport> {
    JSONField(
      "coarse", "the coarse values that Apple holds at the end, by window",
      as: .list(.each(of: coarseNames, .count))
    ) { report in
      ConversionWindow.allCases.map { window in
        Dictionary(uniqueKeysWithValues: zip(coarseNames, report.summary.phones.coarse[window]))
      }
    }
    JSONField("endpoint_failures", "steps that failed because of a remote endpoint") { $0.counts.endpointFailures }
    JSONField("errors", "the errors in answers", list: errorFields) { report in
      report.summary.errors.sorted.map { (report, $0, $1) }
    }
    JSONField("errors_of_other_texts", "how many more there are") { $0.summary.errors.others }
    JSONField("expectations", "how many expectations there were") { $0.counts.expectations }
    JSONField(optional: "expectations_elsewhere", "how many more are for other phones, and were not checked") {
      $0.counts.elsewhere > 0 ? $0.counts.elsewhere : nil
    }
    JSONField("failures", "how many were not met") { $0.counts.failures }
    JSONField("failures_alike", "the failures, in groups of those that are alike", list: failureFields) { report in
      report.summary.failures.sorted.map { (report, $0) }
    }
    JSONField("failures_of_other_kinds", "how many more there are") { $0.summary.failures.others }
    JSONField("files", "how many lists") { $0.counts.lists }
    JSONField("findings", "how many findings") { $0.counts.findings }
    JSONField(
      "findings_by_code", "the number of findings by code",
      as: .each(of: WarningCode.allCases.map(\.name), .count, isComplete: false)
    ) { $0.summary.findings }
    JSONField(
      "fine", "the fine values that Apple holds at the end",
      as: .each(of: ["none"] + (0...63).map { "\($0)" }, .count, isComplete: false)
    ) { $0.fineCounts }
    JSONField(
      "format",
      "the version of the format; it rises when earlier readers would fail", as: .integer(1...1)
    ) { _ in 1 }
    JSONField(
      "outcomes", "the number of steps with each outcome",
      as: .each(of: Outcome.allCases.map(\.name), .count, isComplete: false)
    ) { $0.outcomeCounts }
    JSONField("phones", "how many phones") { $0.summary.phones.phones }
    JSONField("postbacks", "the postbacks of all phones, in groups of those that are alike", list: postbackFields) {
      $0.summary.phones.sortedPostbacks.map { ($0, $1) }
    }
    JSONField("skipped", "how many steps were skipped") { $0.counts.skipped }
    JSONField("steps", "how many steps ran") { $0.counts.steps }
    JSONField("unfinished", "lists that did not run to their ends") { $0.summary.unfinished }
    JSONField("updates", "how many updates sent a request") { $0.counts.updates }
    JSONField("updates_succeeded", "how many of them updated the values") { $0.counts.updatesSucceeded }
  }

  private static let coarseNames = ["none"] + CoarseValue.allCases.map(\.rawValue)

  private static let errorFields = JSONFields<(report: SummaryReport, kind: ErrorTally.Kind, count: Int)> {
    JSONField("count") { $0.count }
    JSONField("outcome") { $0.kind.outcome }
    JSONField("text") { $0.kind.text }
  }

  private static let failureFields = JSONFields<(report: SummaryReport, group: FailureGroups.Group)> {
    JSONField("count") { $0.group.count }
    JSONField("first") { $0.group.first }
    JSONField("more_phones") { $0.group.morePhones }
    JSONField("more_phones_is_exact") { !$0.group.hasUncountedPhones }
    JSONField("phones", as: .list(.each(of: ["device", "file"], .text))) { failure in
      failure.group.phones.map {
        ["device": $0.name, "file": $0.list]
      }
    }
    JSONField("text") { $0.group.text }
  }

  private static let postbackFields = JSONFields<(kind: PhoneTally.PostbackKind, count: Int)> {
    JSONField("count") { $0.count }
    JSONField("state") { $0.kind.state }
    JSONField("value") { $0.kind.value.text }
    JSONField("window", as: .integer(0...2)) { $0.kind.window.rawValue }
  }

  private var outcomeCounts: [String: Int] {
    Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0.name, counts[$0]) }.filter { $0.1 > 0 })
  }

  private var fineCounts: [String: Int] {
    var fine = summary.phones.withoutFine > 0 ? ["none": summary.phones.withoutFine] : [:]
    for (value, phones) in summary.phones.fine.enumerated() where phones > 0 { fine["\(value)"] = phones }
    return fine
  }
}
