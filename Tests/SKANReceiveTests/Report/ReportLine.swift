import SKANDevice
import SKANBase
import SKANModel
import SKANSigning

@testable import SKANReceive

/// A line of a file of received postbacks, as a test of the report wants it.
struct ReportLine: Sendable {
  var id = "1"
  var network = "com.example"
  /// A campaign id below version 4.
  var campaign = "5239"
  var version = "4.0"
  var index = 0
  /// As JSON.
  var fine: String? = "12"
  var coarse: String?
  var isRedownload = false
  var hasWon = true
  var signature = ReceivedSignature(.valid, key: .apple)
  var repetition = Repetition.first
  /// Hours after 2026-05-01T00:00:00Z.
  var hour: Int64 = 0
  var decoded: DecodedValue?
  var match: CampaignMatch?

  private var body: String {
    let isNew = version == "4.0"
    let members: [(String, String)?] = [
      ("version", "\"\(version)\""), ("ad-network-id", JSONWriter.quoted(network)),
      isNew ? ("source-identifier", "\"\(campaign)\"") : ("campaign-id", campaign), ("app-id", "525463029"),
      ("transaction-id", "\"\(id)\""), ("redownload", "\(isRedownload)"),
      ["4.0", "3.0"].contains(version) ? ("did-win", "\(hasWon)") : nil,
      isNew ? ("postback-sequence-index", "\(index)") : nil, fine.map { ("conversion-value", $0) },
      coarse.map { ("coarse-conversion-value", "\"\($0)\"") },
    ]
    return "{\(members.compactMap(\.self).map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}"
  }

  var record: ReceivedRecord {
    var record = ReceivedRecord(
      receivedAt: Instant(microseconds: 1_777_593_600_000_000 + hour * 3_600_000_000), sourceAddress: nil,
      signature: signature, repetition: repetition, findings: [], body: body)
    record.decoded = decoded
    record.campaign = match
    return record
  }

  /// A value that stands for one purchase and for revenue.
  static func decoded(_ min: Double, below: Double?, currency: String = "USD", most: Int64? = nil) -> DecodedValue {
    var event = DecodedEvent(MappedEvent(name: "purchase"))
    event.countMax = most
    let range = RevenueRange(currency: currency, min: min, below: below)
    return DecodedValue(
      model: "m.json", window: .p0, value: .fine(12),
      meaning: DecodedValue.Meaning(text: "a purchase", events: [event], revenue: range))
  }
}

extension PostbackReport {
  init(_ lines: [ReportLine]) throws {
    self.init()
    for line in lines { add(line.record, try PostbackDocument(Array(line.record.body.utf8))) }
  }

  /// The table of a kind, in one group.
  func total(_ kind: ReportTable.Kind) -> ReportCounts? {
    tables(by: .postbackDate, grouping: []).first { $0.kind == kind }?.total
  }
}
