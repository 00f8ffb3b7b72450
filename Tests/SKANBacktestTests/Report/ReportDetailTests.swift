import SKANDevice
import SKANModel
import SKANRun
import Testing

@testable import SKANBacktest

@Suite("Details of imports, fits and reports")
struct ReportDetailTests {
  @Test("That no row has a transaction is only said where there are rows") func noRow() {
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

  @Test("A boundary keeps its distance from the amount before it") func boundaryKeeps() {
    #expect(LadderCandidates([9_997, 15_000]).below(1) == 10_000)
    #expect(LadderCandidates([9_998, 15_000]).below(1) == 12_499)
    #expect(
      LadderCandidates([15_000, 19_997]).above(0) == 17_498 && LadderCandidates([15_000, 20_003]).above(0) == 20_000)
  }

  @Test("A sample names a device by eight hexadecimal digits of its hash") func sampleNames() throws {
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

  @Test("A copied text is cut where the row's memory ends") func copiedText() {
    var arena = TextArena()
    arena.reserve(3)
    #expect(Array(arena.copy([1, 2])) == [1, 2] && Array(arena.copy([3, 4])) == [3])
    arena.clear()
    #expect(Array(arena.copy([5, 6, 7])) == [5, 6, 7] && Array(arena.copy([8])) == [])
  }
}
