import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import SKANSigning
import TestSupport
import Testing

@testable import SKANReceive

/// The report of a file is that of its lines in any order, and of its parts in any order.
@Suite("The order of lines")
struct ReportPropertyTests {
  /// Lines of few transactions, so that there are copies of all kinds, also with one time and one text.
  private func lines(_ random: inout SplitMix64) -> [ReportLine] {
    (0..<Int.random(in: 0...60, using: &random)).map { _ in
      var line = ReportLine(id: "\(Int.random(in: 0..<12, using: &random))")
      line.network = ["com.example", "b.example"].randomElement(using: &random) ?? ""
      line.campaign = ["5239", "39"].randomElement(using: &random) ?? ""
      line.index = Int.random(in: 0...2, using: &random)
      line.fine = ["12", "63", "99", nil].randomElement(using: &random) ?? nil
      line.coarse = ["low", "high", nil, nil].randomElement(using: &random) ?? nil
      line.isRedownload = Bool.random(using: &random)
      line.repetition = Repetition.allCases.randomElement(using: &random) ?? .first
      line.hour = Int64.random(in: 0...3, using: &random)
      line.decoded =
        [
          nil, ReportLine.decoded(0.1, below: 0.7), ReportLine.decoded(0.2, below: nil, most: 4),
          ReportLine.decoded(1e17, below: nil, currency: "EUR"),
        ].randomElement(using: &random) ?? nil
      line.signature = ReceivedSignature(
        Int.random(in: 0..<8, using: &random) > 0 ? .valid : .invalid,
        key: [.apple, .apple, .simulated, .development].randomElement(using: &random))
      return line
    }
  }

  /// Everything that the report of these files says.
  private func text(_ files: [[ReceivedRecord]]) throws -> [String] {
    var report = PostbackReport()
    for file in files {
      _ = try ReceivedFile(ByteSource(file.flatMap(\.line)), remembers: false) { record, document, _ in
        report.add(record, document)
      }
    }
    return ReportDate.allCases.flatMap { date in
      [
        JSONWriter.text(ShownPostbackReport(report, by: date, grouping: ReportDimension.allCases)),
        report.csv(by: date, grouping: [.network, .day]), report.html(by: date, grouping: [.campaign]),
      ]
    }
  }

  @Test("Shuffled and split at random", arguments: Rounds.of(10))
  func anyOrder(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let records = lines(&random).map(\.record)
    let whole = try text([records])
    for _ in 0..<3 {
      let shuffled = records.shuffled(using: &random)
      let cut = Int.random(in: 0...shuffled.count, using: &random)
      let parts = [Array(shuffled[..<cut]), Array(shuffled[cut...])]
      #expect(try text(parts) == whole)
    }
  }

  @Test("Rows add up to the total of their table in every number, ranges without an end included")
  func sums() throws {
    var random = SplitMix64(seed: 30)
    var all = Numbers()
    for _ in Rounds.of(12) {
      let lines = lines(&random).map { line in
        var line = line
        line.signature = ReceivedSignature(
          [.valid, .valid, .invalid, .notChecked].randomElement(using: &random) ?? .valid, key: line.signature.key)
        if Int.random(in: 0...4, using: &random) > 0 { return line }
        // One that did not win has no value.
        (line.hasWon, line.fine, line.coarse, line.decoded) = (false, nil, nil, nil)
        return line
      }
      let report = try PostbackReport(lines)
      for dimension in ReportDimension.allCases {
        for table in report.tables(by: .postbackDate, grouping: [dimension, .network]) {
          let rows = table.rows.reduce(Numbers()) { $0 + Numbers($1.counts) }
          #expect(Numbers(table.total).differences(from: rows) == [], "\(dimension)")
          all = all + rows
        }
      }
    }
    #expect(all.fields.isSuperset(of: ["revenue[].openEnded", "events[].openEnded", "revenue[].below.millionths"]))
    // Of AdAttributionKit, with countries, and with a model that does not map a value: not in these lines. Duplicates are
    // rare in them.
    #expect(all.silent.isSubset(of: ["duplicates", "reEngagements", "statedCountries", "undecoded"]))
  }

  /// The counts of lines of different postbacks, by what each count means.
  private func counts(_ lines: [ReportLine]) -> [String: Int] {
    var counts: [String: Int] = [:]
    func count(_ field: String, _ number: Int = 1) { counts[field, default: 0] += number }
    for line in lines {
      let hasValue = line.fine != nil || line.coarse != nil
      count("postbacks")
      count("windows[\(line.index)]")
      if line.hasWon, line.index == 0 {
        count(line.isRedownload ? "redownloads" : "installs")
        if !line.isRedownload, hasValue { count("installsWithValue") }
      }
      if !line.hasWon { count("notWon") } else if !hasValue { count("withoutValue") }
      if let fine = line.fine { count(fine == "99" ? "oddValues" : "fine[\(fine)]") }
      if let coarse = line.coarse { count("coarse[\(line.index)][\(coarse == "low" ? 0 : 2)]") }
      guard hasValue else { continue }
      guard let meaning = line.decoded?.meaning, let range = meaning.revenue else {
        count("withoutModel")
        continue
      }
      count("decoded")
      count("revenue[\(range.currency)].postbacks")
      count("revenue[\(range.currency)].min.millionths", Int((range.min * 1_000_000).rounded()))
      if let end = range.below {
        count("revenue[\(range.currency)].below.millionths", Int((end * 1_000_000).rounded()))
      } else {
        count("revenue[\(range.currency)].openEnded")
      }
      for event in meaning.events {
        count("events[\(event.name)].postbacks")
        count("events[\(event.name)].least", Int(event.countMin ?? 0))
        if let most = event.countMax {
          count("events[\(event.name)].most", Int(most))
        } else {
          count("events[\(event.name)].openEnded")
        }
      }
    }
    return counts.filter { $0.value != 0 }
  }

  @Test("Each row has the counts of its own lines", arguments: Rounds.of(10))
  func recounted(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 80)
    let lines = (lines(&random) + lines(&random)).enumerated().map { index, line in
      var line = line
      (line.id, line.signature.verdict) = ("\(index)", .valid)
      // Sums of this one do not stop at the largest number.
      if line.decoded?.meaning?.revenue?.currency == "EUR" {
        line.decoded = ReportLine.decoded(5.25, below: nil, currency: "EUR")
      }
      if index % 5 == 0 { (line.hasWon, line.fine, line.coarse, line.decoded) = (false, nil, nil, nil) }
      return line
    }
    let report = try PostbackReport(lines)
    for table in report.tables(by: .postbackDate, grouping: [.network, .campaign, .window]) {
      let own = lines.filter { $0.signature.key?.rawValue == table.kind.rawValue }
      #expect(Numbers(table.total).byPath == counts(own))
      for row in table.rows {
        let lines = own.filter { [$0.network, $0.campaign, "\($0.index)"] == row.group }
        #expect(Numbers(row.counts).byPath == counts(lines), "\(row.group)")
      }
    }
  }

  @Test("Every line is in one table once", arguments: Rounds.of(15))
  func partition(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let report = try PostbackReport(lines(&random))
    let tables = report.tables(by: .postbackDate, grouping: [.network, .window, .fineValue])
    #expect(tables.map { $0.total.postbacks + $0.total.beside }.reduce(0, +) == report.received)
    for table in tables where table.kind != .unverified {
      let counts = table.total
      #expect(counts.windows.reduce(0, +) == counts.postbacks)
      #expect(
        counts.decoded + counts.undecoded + counts.withoutModel + counts.withoutValue + counts.notWon
          == counts.postbacks)
      #expect(
        counts.installs + counts.redownloads
          == table.rows.filter { $0.group[1] == "0" }.map(\.counts.postbacks).reduce(0, +))
    }
  }
}

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
