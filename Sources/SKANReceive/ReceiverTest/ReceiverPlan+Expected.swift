import SKANDevice
import SKANBase
import SKANSigning

extension ReceiverPlan {
  /// What the receiver's own report must show, in the terms of `skan report --json`; the times are null.
  ///
  /// It has what was sent, but for what the receiver may refuse by Apple's documentation and has refused.
  ///
  /// - Parameters:
  ///   - findings: of the deliveries that were made.
  ///   - models: by which the receiver decodes.
  package func expectedReport(
    _ findings: [ReceiverFinding], by models: DecodingModels, at time: Instant
  ) -> JSON {
    report(of: findings.filter { $0.isEvaluated && !($0.isWrong && !$0.breaksMust) }, by: models, at: time)
  }

  /// The numbers of that report, each as the range in which a right one is, once for each way to count what is open.
  package func expectedCounts(
    _ findings: [ReceiverFinding], by models: DecodingModels, at time: Instant
  ) -> ReceiverCounts {
    // What was not acknowledged may be kept or not, and so may what may be refused.
    let sure = findings.filter { $0.isEvaluated && !$0.isWrong && $0.delivery.right == .ok }
    let sent = findings.filter(\.wasSent)
    let kept = sent.flatMap(\.delivery.kept)
    var counts = ReceiverCounts(
      forgeries: kept.count { $0.signature.verdict == .invalid },
      unverified: kept.count { $0.signature.verdict != .valid }
        + sent.count {
          $0.delivery.open == .earlierKey || $0.delivery.right == .okOrRefused && $0.delivery.kept.isEmpty
        })
    for checksEarlierKey in [false, true] {
      for copies in [nil, .duplicate, .conflict] as [Repetition?] {
        let counting = ReceiverDelivery.Counting(checksEarlierKey: checksEarlierKey, copies: copies)
        let reports = [sure, sent].map { report(of: $0, counting, by: models, at: time) }
        counts.add(least: ReportNumbers(reports[0]), most: ReportNumbers(reports[1]))
      }
    }
    return counts
  }

  /// The report of these deliveries alone.
  private func report(
    of findings: [ReceiverFinding], _ counting: ReceiverDelivery.Counting = ReceiverDelivery.Counting(),
    by models: DecodingModels, at time: Instant
  ) -> JSON {
    var memory = PostbackMemory()
    var report = PostbackReport()
    var line = 0
    for kept in findings.flatMap({ $0.delivery.kept(counting) }) {
      guard let document = try? PostbackDocument(kept.body) else { continue }
      line += 1
      var record = ReceivedRecord(
        receivedAt: time, sourceAddress: nil, signature: kept.signature,
        repetition: memory.repetition(of: document, kept.signature).0, findings: [],
        body: String(decoding: document.body, as: UTF8.self))
      record.decoded = models.decode(document, receivedAt: time, isDevelopment: false)
      memory.add(document, kept.signature, line: line)
      report.add(record, document)
    }
    let shown = ShownPostbackReport(report, by: .postbackDate, grouping: [.network, .campaign, .app])
    guard case .object(let members) = shown.json else { return .null }
    return .object(members.map { ["from", "to"].contains($0.key) ? ($0.key, .null) : $0 })
  }
}
