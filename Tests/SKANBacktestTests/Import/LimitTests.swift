import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

@Suite("Both sides of every limit")
struct LimitTests {
  /// An export of one device with a column that its preset does not read.
  private static func export(_ column: String, _ values: [String]) -> String {
    "device,time,name,\(column)\n" + values.map { "a,1767225600,level,\($0)\n" }.joined()
  }

  private static func unread(_ column: String, _ values: [String]) throws -> UnreadColumns {
    let source = ByteSource(Array(export(column, values).utf8))
    guard case .rows(let blocks) = try ExportInput.open(source, file: "", index: 0) else { return UnreadColumns() }
    var unread = UnreadColumns()
    while let block = try blocks.next() { unread.add(block, ExportPreset.plain.mapping) }
    return unread
  }

  @Test("What a message does not name it counts")
  func rest() throws {
    let names = (0..<30).map { "n\($0)" }
    try expectRest(beyond: 12, "columns") { ExportMapping.list(Array(names.prefix($0))) }
    let plan = BacktestPlan([BacktestModel(name: "", hash: 1, ConversionModel())], currency: .usd)
    let summary = BacktestSummary(plan.header)
    try expectRest(beyond: 12, "missing parts") { count in
      var parts = AddedParts()
      let shard = Shard(index: count + 1, count: count + 1)
      #expect(parts.take(BacktestPart(summary, origin: .shard(shard), inputHash: 1), at: "") == nil)
      return parts.missing ?? ""
    }
  }

  @Test("What is counted by its name at most")
  func named() throws {
    expectLimit(1000, "systems") { count in
      var tally = ImportTally()
      for number in 0..<count { tally.addSystem(ImportTally.System(index: 0, name: "s\(number)")) }
      for _ in 0..<2 { tally.addSystem(ImportTally.System(index: 0, name: "s0")) }
      #expect(tally.filteredRows == count + 2 && tally.systems[ImportTally.System(index: 0, name: "s0")] == 3)
      return tally.systems[ImportTally.System(index: 0, name: "another one")] == nil
    }
    try expectLimit(50, "texts of a column of systems") { count in
      let others = (0..<count - 1).map { "system \($0)" }
      return try Self.unread("platform", ["ios"] + others).systems.first?.rows.count == count
    }
    try expectLimit(40, "bytes of a system") { count in
      try Self.unread("platform", ["ios", String(repeating: "x", count: count)]).systems.first?.rows.count == 2
    }
    var names = SeenNames()
    for count in 1...SeenNames.most + 2 {
      var name = "\(count)"
      name.withUTF8 { names.add($0) }
      if count >= SeenNames.most - 1 { #expect(names.others == max(0, count - 50_000)) }
    }
  }

  @Test("Rows that are shown")
  func shown() throws {
    let rejected = { (count: Int) in try ExportText(Self.export("x", Array(repeating: "1,2", count: count))).tally }
    try expectLimit(3, "places of a reason") { try rejected($0).places.count == $0 }
    expectLimit(3, "samples") { count in
      var report = ImportReport(nil, models: [], rates: nil)
      for _ in 0..<count {
        [UInt8(97)].withUnsafeBufferPointer {
          report.add(ExportedRow(.session, device: $0, time: Instant(microseconds: 0)))
        }
      }
      return report.samples.count == count
    }
    try expectLimit(40, "characters of a value") { count in
      let text = "device,time,name\na,\(String(repeating: "x", count: count)),level\n"
      return try ExportText(text).tally.places.first?.value?.count == count
    }
    expectLimit(40, "characters of a column") { count in
      ExportMapping.list([String(repeating: "x", count: count)]).count == count + 2
    }
  }

  @Test("Numbers in cells")
  func cells() throws {
    expectLimit(1_000_000, "parts") { Shard("1/\($0)") != nil && Shard("\($0)/\($0)") != nil }
    expectLimit(2_932_896, "days of postbacks") { Int(utcDay: "\($0)") != nil }
    expectLimit(719_162, "days of postbacks before 1970") { Int(utcDay: "-\($0)") != nil }
    func isZone(_ name: String) -> Bool {
      var reader = ExportTimeReader(zone: nil)
      let isRead = Array("2026-01-01 10:00:00\(name)".utf8).withUnsafeBufferPointer {
        reader.read($0, unit: .text) != .invalid
      }
      #expect(isRead == (ExportTimeZone(name) != nil), "\(name)")
      return isRead
    }
    expectLimit(14, "hours of a zone") { isZone("+\($0):59") && isZone("-\($0):00") }
    expectLimit(59, "minutes of a zone") { isZone("+02:\($0)") && isZone("-02:\($0)") }
    #expect(["+2:000", "02:00", "x02:00"].allSatisfy { !isZone($0) })
    var mapping = ExportPreset.plain.mapping
    mapping.revenue[0].quantity = ExportColumn("count")
    try expectLimit(1_000_000, "items of a purchase") { count in
      let text = "device,time,name,revenue,currency,count\na,1767225600,buy,0.25,USD,\(count)\n"
      return try ExportText(text, mapping).rows.count == 1
    }
    #expect(try ExportText("device,time,name,revenue,currency,count\na,1,buy,1,USD,0\n", mapping).rows == [])
    expectLimit(16, "bytes of a blank identifier") { count in
      let text = "null" + String(repeating: " ", count: count - 4)
      return Array(text.utf8).withUnsafeBufferPointer { BlankText($0) != nil }
    }
  }

  @Test("Bytes in which a NUL is looked for")
  func beginning() {
    expectLimit(4096, "bytes before a NUL, and itself") { count in
      let text = "device,time,name\na,1767225600,\(String(repeating: "x", count: count - 31))\0"
      return (try? ExportText(text)) == nil
    }
  }
}
