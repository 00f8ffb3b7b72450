import SKANDevice
import SKANBase

/// The summary of a replay for people: the parts of it that are not empty.
package struct SummaryReport: Sendable {
  let counts: ReplayCounts
  let summary: ListSummary
  /// Takes the SDK key out of a text.
  let redact: @Sendable (String) -> String
  /// Whether phones are named with their lists.
  private let namesLists: Bool

  /// Rows of errors and of failures; the others are counted.
  private static let mostRows = 50
  static let outcomesTitle = "Outcomes"

  package init(_ counts: ReplayCounts, _ summary: ListSummary, redact: @escaping @Sendable (String) -> String) {
    self.counts = counts
    self.summary = summary
    self.redact = redact
    namesLists = counts.lists > 1
  }

  /// All parts, in the order in which they are printed.
  package var parts: [ReportPart] { [outcomes, findings, errors, failures, fine, coarse, postbacks].written }

  /// What failed.
  var failureParts: [ReportPart] { [failures].written }

  /// All parts but ``failureParts``.
  var otherParts: [ReportPart] { [outcomes, findings, errors, fine, coarse, postbacks].written }

  private var outcomes: ReportPart {
    var part = ReportPart(Self.outcomesTitle, texts: ["outcome"], numbers: ["steps", "share"])
    let all = counts.steps + counts.skipped
    var rows = Outcome.allCases.map { ($0.name, counts[$0]) } + [("skipped", counts.skipped)]
    rows.removeAll { $0.1 == 0 }
    part.rows = rows.map { [$0.0, "\($0.1)", $0.1.percent(of: all)] }
    part.bars = rows.map(\.1)
    part.barName = "steps"
    return part
  }

  private var findings: ReportPart {
    var part = ReportPart("Findings", texts: ["code"], numbers: ["times"])
    part.rows = sortedFindings.map { [$0.key, "\($0.value)"] }
    return part
  }

  /// The codes of findings, the most frequent first.
  private var sortedFindings: [(key: String, value: Int)] {
    summary.findings.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }

  /// The most frequent code of a finding. The first one in time is not known where several threads run a list.
  package var commonestFinding: String? { sortedFindings.first?.key }

  private var errors: ReportPart {
    var part = ReportPart("Errors of answers", texts: ["outcome"], numbers: ["steps"], after: ["error"])
    let all = summary.errors.sorted
    part.rows = all.prefix(Self.mostRows).map { kind, count in
      [kind.outcome.name, "\(count)", kind.text.isEmpty ? "(no text)" : redact(kind.text).oneLine]
    }
    let rest = all.dropFirst(Self.mostRows).reduce(summary.errors.others) { $0 + $1.count }
    if rest > 0 { part.notes = ["\(rest.counted("step")) more with other texts."] }
    return part
  }

  private var failures: ReportPart {
    var part = ReportPart("Failures that are alike", numbers: ["times"], after: ["first", "failure", "phones"])
    let all = summary.failures.sorted
    part.rows = all.prefix(Self.mostRows).map { group in
      ["\(group.count)", redact(group.first).oneLine, redact(group.text).oneLine, redact(phones(of: group) ?? "-")]
    }
    let rest = all.dropFirst(Self.mostRows).reduce(summary.failures.others) { $0 + $1.count }
    if rest > 0 { part.notes = ["\(rest.counted("failure")) more of other kinds."] }
    return part
  }

  /// `a, b and 3 more`; nil where the list is about one phone without a name.
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
    part.notes = ["What Apple holds after the last steps of \(summary.phones.phones.counted("phone"))."]
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
  /// Those that are not empty.
  fileprivate var written: [ReportPart] { filter { !$0.rows.isEmpty } }
}
