import Foundation
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

/// Limits of imports and rows of reports, on both sides.
@Suite("Details of imports, fits and reports")
struct ReportDetailTests {
  @Test func `The CSV has the coarse values that users have, and no others`() throws {
    let bytes = Array(try Data(contentsOf: Checkout.fixtures.appending(path: "models/mixed.json")))
    let run = BacktestRun(
      BacktestPlan(
        [BacktestModel(name: "mixed.json", hash: 1, try ConversionModel(bytes))], currency: .usd,
        startsAtFirstRow: true,
        until: .afterAll))
    try run.add(ListReader("list", ByteSource(RandomList(seed: 3, phones: 3, steps: 9).bytes)))
    let summary = try run.summary(jobs: 1)
    let rows = BacktestReport(summary).csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let users = rows.compactMap { row in
      row.firstIndex { BacktestReport.coarseNames.contains($0) }.flatMap { Int(row[$0 + 1]) }
    }
    let cells = ConversionWindow.allCases.flatMap { summary.total.model.coarse[$0].map(\.users) }
    #expect(users == cells.filter { $0 > 0 } && cells.contains(0))
  }

  @Test func `That no row has a transaction is only said where there are rows`() {
    var mapping = ExportPreset.plain.mapping
    mapping.duplicateFields = [.transaction]
    func problem(_ change: (inout ImportTally) -> Void) -> String? {
      var tally = ImportTally()
      (tally.mapped[0], tally.withoutTransaction) = (1, 1)
      change(&tally)
      return mapping.problemOfTransactions(tally, columns: ["device", "time", "name"])
    }
    #expect(problem { _ in }?.hasPrefix("--dedupe tx: no row has a value in the column") == true)
    #expect(problem { $0.mapped[0] = 0 } == nil && problem { $0.transactions = 1 } == nil)
  }

  @Test func `A boundary keeps its distance from the amount before it`() {
    #expect(LadderCandidates([9_997, 15_000]).below(1) == 10_000)
    #expect(LadderCandidates([9_998, 15_000]).below(1) == 12_499)
    #expect(
      LadderCandidates([15_000, 19_997]).above(0) == 17_498 && LadderCandidates([15_000, 20_003]).above(0) == 20_000)
  }

  @Test func `A sample names a device by eight hexadecimal digits of its hash`() throws {
    for name in (0..<40).map({ "device \($0)" }) {
      var report = ImportReport(nil, models: [], rates: nil)
      Array(name.utf8).withUnsafeBufferPointer {
        report.add(ExportedRow(.session, device: $0, time: Instant(microseconds: 0)))
      }
      let digits = String(DeviceKey(name).high >> 32, radix: 16)
      let hash = String(repeating: "0", count: 8 - digits.utf8.count) + digits
      #expect(report.samples == ["device \(hash)  1970-01-01T00:00:00Z  session"])
    }
  }

  @Test(
    "The offset of a zone has hours up to 14 and minutes below 60",
    arguments: [
      ("+14:59", true), ("+15:00", false), ("-02:59", true), ("-02:60", false), ("+2:000", false), ("02:00", false),
      ("x02:00", false),
    ])
  func zone(name: String, isValid: Bool) {
    #expect((ExportTimeZone(name) != nil) == isValid)
    let text = Array("2026-01-01 10:00:00\(name)".utf8)
    var reader = ExportTimeReader(zone: nil)
    let result = text.withUnsafeBufferPointer { reader.read($0, unit: .text) }
    #expect((result != .invalid) == isValid)
  }

  @Test func `A row counts in the shard of its device alone`() throws {
    let text = "device,time,name\n" + (0..<20).map { "d\($0 % 7),\(1_767_225_600 + $0),level\n" }.joined()
    func counts(_ shard: Shard) throws -> (devices: Int, rows: Int) {
      let plan = BacktestPlan(
        [BacktestModel(name: "", hash: 1, ConversionModel())], currency: .usd, startsAtFirstRow: true, shard: shard)
      let run = BacktestRun(plan)
      let input = try ExportInput.open(ByteSource(Array(text.utf8)), file: "export", index: 0, blockSize: 1 << 20)
      guard case .rows(let blocks) = input else { return (0, 0) }
      try run.add(blocks, ExportPreset.plain.mapping, jobs: 1, isInterrupted: { false }) { _ in true }
      let summary = try run.summary(jobs: 1)
      return (summary.total.model.devices, summary.input.rows)
    }
    let parts = try (1...3).map { try counts(Shard(index: $0, count: 3)) }
    #expect(parts.map(\.devices).reduce(0, +) == 7 && parts.map(\.rows).reduce(0, +) == 20)
    let whole = try counts(.whole)
    #expect(parts.allSatisfy { $0.devices < 7 } && whole.devices == 7)
  }

  @Test func `A copied text is cut where the row's memory ends`() {
    var arena = TextArena()
    arena.reserve(3)
    #expect(Array(arena.copy([1, 2])) == [1, 2] && Array(arena.copy([3, 4])) == [3])
    arena.clear()
    #expect(Array(arena.copy([5, 6, 7])) == [5, 6, 7] && Array(arena.copy([8])) == [])
  }
}
