import SKANDevice
import SKANBase

/// The summary as one object; see the manual, "Reports".
extension SummaryReport: JSONObjectWritable {
  package static let fields = JSONFields<SummaryReport> {
    JSONField(
      "coarse", "the coarse values that Apple holds in the end, by window",
      as: .list(.each(of: coarseNames, .count))
    ) { report in
      ConversionWindow.allCases.map { window in
        Dictionary(uniqueKeysWithValues: zip(coarseNames, report.summary.phones.coarse[window]))
      }
    }
    JSONField("endpoint_failures", "steps that failed because of a remote endpoint") { $0.counts.endpointFailures }
    JSONField("errors", "the errors of answers", list: errorFields) { report in
      report.summary.errors.sorted.map { (report, $0, $1) }
    }
    JSONField("errors_of_other_texts", "how many more there are") { $0.summary.errors.others }
    JSONField("expectations", "how many expectations were asked") { $0.counts.expectations }
    JSONField("failures", "how many were not met") { $0.counts.failures }
    JSONField("failures_alike", "the failures, those that are alike together", list: failureFields) { report in
      report.summary.failures.sorted.map { (report, $0) }
    }
    JSONField("failures_of_other_kinds", "how many more there are") { $0.summary.failures.others }
    JSONField("files", "how many lists") { $0.counts.lists }
    JSONField("findings", "how many findings") { $0.counts.findings }
    JSONField(
      "findings_by_code", "how many of each code",
      as: .each(of: WarningCode.allCases.map(\.name), .count, isComplete: false)
    ) { $0.summary.findings }
    JSONField(
      "fine", "the fine values that Apple holds in the end",
      as: .each(of: ["none"] + (0...63).map { "\($0)" }, .count, isComplete: false)
    ) { $0.fineCounts }
    JSONField("format", "rises when a reader of an earlier one would go wrong", as: .integer(1...1)) { _ in 1 }
    JSONField(
      "outcomes", "how many steps ended so", as: .each(of: Outcome.allCases.map(\.name), .count, isComplete: false)
    ) { $0.outcomeCounts }
    JSONField("phones", "how many phones") { $0.summary.phones.phones }
    JSONField("postbacks", "the postbacks of all phones, those that are alike together", list: postbackFields) {
      $0.summary.phones.sortedPostbacks.map { ($0, $1) }
    }
    JSONField("skipped", "how many steps were skipped") { $0.counts.skipped }
    JSONField("steps", "how many steps ran") { $0.counts.steps }
    JSONField("unfinished", "phones whose first window is not over") { $0.summary.unfinished }
    JSONField("updates", "how many updates sent a request") { $0.counts.updates }
    JSONField("updates_succeeded", "how many of them updated the values") { $0.counts.updatesSucceeded }
  }

  private static let coarseNames = ["none"] + CoarseValue.allCases.map(\.rawValue)

  private static let errorFields = JSONFields<(report: SummaryReport, kind: ErrorTally.Kind, count: Int)> {
    JSONField("count") { $0.count }
    JSONField("outcome") { $0.kind.outcome }
    JSONField("text") { $0.report.redact($0.kind.text) }
  }

  private static let failureFields = JSONFields<(report: SummaryReport, group: FailureGroups.Group)> {
    JSONField("count") { $0.group.count }
    JSONField("first") { $0.report.redact($0.group.first) }
    JSONField("more_phones") { $0.group.morePhones }
    JSONField("more_phones_is_exact") { !$0.group.hasUncountedPhones }
    JSONField("phones", as: .list(.each(of: ["device", "file"], .text))) { failure in
      failure.group.phones.map {
        ["device": failure.report.redact($0.name), "file": failure.report.redact($0.list)]
      }
    }
    JSONField("text") { $0.report.redact($0.group.text) }
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
