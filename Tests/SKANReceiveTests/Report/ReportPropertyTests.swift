import SKANDevice
import SKANBase
import SKANModel
import SKANRun
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

  @Test("Shuffled and split at random", arguments: Rounds.of(30))
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
