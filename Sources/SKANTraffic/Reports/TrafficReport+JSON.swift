import SKANBase

/// The first object of the report: totals, and what was not evaluated.
extension TrafficReport: JSONObjectWritable {
  package static let fields = JSONFields<TrafficReport> {
    JSONField("requests") { $0.counts.total }
    JSONField("devices") { $0.counts.devices }
    JSONField("launch") { $0.counts.launches }
    JSONField("evt") { $0.counts.events }
    JSONField("conversion_value") { $0.counts.conversionValues }
    JSONField("answers_4xx") { $0.counts.clientErrors }
    JSONField("answers_5xx") { $0.counts.serverErrors }
    JSONField("errors") { $0.count(.error) }
    JSONField("warnings") { $0.count(.warning) }
    JSONField("notes") { $0.count(.note) }
    JSONField("other_hosts") { $0.tally.others }
    JSONField("not_decrypted") { $0.tally.undecrypted }
    JSONField("websockets") { $0.tally.webSockets }
    JSONField("not_evaluated", list: gapFields) { $0.shownGaps }
    JSONField("problems", list: remarkFields) { $0.tally.problems }
    JSONField("more_problems") { $0.tally.moreProblems }
    JSONField("remarks", list: remarkFields) { $0.tally.remarks }
    JSONField("more_remarks") { $0.tally.moreRemarks }
  }

  /// The fields of a group of equal findings.
  package static let groupFields = JSONFields<(group: Group, shown: Shown)> {
    locationFields.rows.map { $0.of { $0.group.finding.location } }
    JSONField("rule") { $0.group.finding.rule }
    JSONField("level") { $0.group.finding.rule.level }
    JSONField("basis") { $0.group.finding.rule.basis }
    JSONField("message") { $0.group.finding.message }
    JSONField("parameter") { $0.group.finding.parameters.first }
    JSONField("remedy") { $0.group.finding.rule.remedy }
    JSONField("article") { $0.group.finding.rule.article }
    JSONField("device") { $0.group.finding.device }
    JSONField("at") { $0.group.finding.at }
    JSONField("count") { $0.group.count }
    JSONField("url") { $0.shown.url }
  }

  private typealias ShownGap = (rule: TrafficRule, extent: String, reason: String, request: Open?)

  private var shownGaps: [ShownGap] {
    let known: [ShownGap] = gaps.map { ($0, $1.parts.extent, $1.parts.reason, nil) }
    return known + open.map { ($0.finding.rule, "part", $0.reason, $0) }
  }

  private static let gapFields = JSONFields<ShownGap> {
    JSONField("rule") { $0.rule }
    JSONField("extent", as: .names(["all", "part"])) { $0.extent }
    JSONField("reason") { $0.reason }
    JSONField(optional: "request", object: requestFields) { $0.request }
  }

  private static let requestFields = JSONFields<Open> {
    locationFields.rows.map { $0.of { $0.finding.location } }
    JSONField("request") { $0.name }
    JSONField("device") { $0.finding.device }
    JSONField("at") { $0.finding.at }
    JSONField("url") { $0.shown.url }
  }

  private static let remarkFields = JSONFields<CaptureProblem> {
    locationFields.rows.map { $0.of { $0.location } }
    JSONField("message") { $0.message }
  }

  private static let locationFields = JSONFields<CaptureLocation> {
    JSONField("file") { $0.file }
    JSONField("entry") { $0.entry }
    JSONField("line") { $0.line }
  }
}

extension TrafficSummary.Gap {
  /// The extent of the gap, and its reason.
  package var parts: (extent: String, reason: String) {
    switch self {
    case .all(let reason): ("all", reason)
    case .part(let reason), .hidden(let reason): ("part", reason)
    }
  }
}

extension TrafficDevice: JSONObjectWritable {
  package static let fields = JSONFields<TrafficDevice> {
    JSONField("app") { $0.app }
    JSONField("kind") { $0.kind }
    JSONField("id") { $0.id }
  }
}

extension TrafficDevice.Kind: JSONWritable {}

extension TrafficRule: JSONWritable {}

extension TrafficRule.Level: JSONWritable {}

extension TrafficRule.Basis: JSONWritable {}
