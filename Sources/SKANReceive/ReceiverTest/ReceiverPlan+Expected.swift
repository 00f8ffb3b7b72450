import SKANDevice
import SKANJSON
import SKANSigning

extension ReceiverPlan {
  /// What the receiver's own report must show of these deliveries, in the terms of `skan report --json`; the times are null.
  ///
  /// - Parameters:
  ///   - models: by which the receiver decodes.
  ///   - delivered: the deliveries that were made, by their ids.
  package func expectedReport(by models: DecodingModels, delivered: Set<String>, at time: Instant) -> JSON {
    var memory = PostbackMemory()
    var report = PostbackReport()
    var line = 0
    for kept in deliveries.filter({ delivered.contains($0.id) }).flatMap(\.kept) {
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
    guard case .object(let members) = report.json(by: .postbackDate, grouping: [.network, .campaign, .app]) else {
      return .null
    }
    return .object(members.map { ["from", "to"].contains($0.key) ? ($0.key, .null) : $0 })
  }
}
