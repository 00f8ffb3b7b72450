import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

/// Where the life of a device begins.
@Suite("Beginnings")
struct BeginningTests {
  private static let start = 1_767_225_600

  private static let models = [BacktestModel(name: "m", hash: 1, ConversionModel())]

  @Test("A list of devices that cannot be written stops the run", arguments: [1, 4])
  func stopped(jobs: Int) throws {
    let text = "device,time,name\n" + (0..<600).map { "d\($0),\(Self.start),install\n" }.joined()
    let run = BacktestRun(BacktestPlan(Self.models, currency: .usd, listsDevices: true))
    guard case .rows(let blocks) = try ExportInput.open(ByteSource(Array(text.utf8)), file: "", index: 0) else {
      return
    }
    try run.add(blocks, ExportPreset.plain.mapping, jobs: jobs, isInterrupted: { false }) { _ in true }
    var calls = 0
    #expect(throws: EventPartitions.ReadFailure.stopped) {
      _ = try run.summary(
        jobs: jobs,
        list: { _ in
          calls += 1
          return calls < 3
        })
    }
    #expect(calls == 3)
  }

  /// The beginning in seconds after the install, and the number of earlier rows.
  private func beginning(_ rows: [(Int, String)], installed: Int? = nil) throws -> (Int64?, Int) {
    let column = installed.map { "\(Self.start + $0)" } ?? ""
    let text =
      "device,time,name,revenue,currency,installed\n"
      + rows.map { "a,\(Self.start + $0),\($1),\($1 == "buy" ? "2,USD" : ","),\(column)\n" }.joined()
    var beginnings: [(Int64?, Int)] = []
    let run = BacktestRun(BacktestPlan(Self.models, currency: .usd, until: .afterAll, listsDevices: true))
    let sorter = ExportSorter(keepsTexts: true)
    var report = ImportReport(nil, models: [], rates: nil)
    func blocks() throws -> ExportBlocks {
      let input = try ExportInput.open(ByteSource(Array(text.utf8)), file: "export", index: 0, blockSize: 1 << 20)
      guard case .rows(let blocks) = input else { throw ExportFailure.content(line: 1, message: "a list") }
      return blocks
    }
    try run.add(try blocks(), ExportPreset.plain.mapping, jobs: 1, isInterrupted: { false }) { _ in true }
    var listed = ""
    let summary = try run.summary(
      jobs: 1,
      list: {
        listed += String(decoding: $0, as: UTF8.self)
        return true
      })
    let input = try blocks()
    while let block = try input.next() { _ = sorter.add(block, ExportParser(ExportPreset.plain.mapping), &report) }
    try sorter.forEachDevice { device in
      let start = device.start.map { $0.wholeSeconds - Int64(Self.start) }
      beginnings.append((start, device.beforeBeginning))
      // A backtest begins the same device at the same time.
      #expect(summary.input.beforeBeginning == device.beforeBeginning)
      #expect(device.start.map { listed.hasSuffix(",\($0)\n") } ?? listed.isEmpty)
    }
    return try #require(beginnings.first)
  }

  @Test(
    "The session of the install is the beginning, or else the install, in both orders of their rows",
    arguments: [
      // Install, then session.
      ([(0, "install"), (10, "__SESSION__")], 10, 0), ([(0, "install"), (0, "__SESSION__")], 0, 0),
      ([(0, "__SESSION__"), (0, "install")], 0, 0), ([(0, "install"), (3600, "__SESSION__")], 3600, 0),
      ([(0, "install"), (3601, "__SESSION__")], 0, 0),
      // Session, then install.
      ([(0, "__SESSION__"), (5, "install")], 5, 1), ([(0, "__SESSION__"), (5, "install"), (9, "__SESSION__")], 9, 1),
      ([(0, "__SESSION__"), (1, "buy"), (5, "install")], 5, 2),
      ([(0, "__SESSION__"), (3600, "install")], 3600, 1), ([(0, "__SESSION__"), (3601, "install")], nil, 0),
      // The rows between them are not lost.
      ([(0, "install"), (5, "level"), (9, "__SESSION__")], 0, 0),
      ([(0, "install"), (5, "buy"), (9, "__SESSION__")], 0, 0),
      ([(0, "install"), (9, "level"), (9, "__SESSION__")], 9, 0),
      ([(0, "install"), (9, "__SESSION__"), (9, "level")], 9, 0),
      ([(0, "install"), (5, "install"), (9, "__SESSION__")], 9, 0),
    ] as [([(Int, String)], Int64?, Int)])
  func beginnings(rows: [(Int, String)], start: Int64?, before: Int) throws {
    for rows in [rows, rows.reversed()] {
      let found = try beginning(rows)
      #expect(found.0 == start && found.1 == before, "\(rows): \(found)")
    }
  }

  @Test("Without an install row, the install time in the first row or that row is the beginning, whichever is earlier")
  func column() throws {
    for (time, start, before) in [
      (0, 0, 0), (-3590, -3590, 0), (-3591, nil, 0), (10, 10, 0), (20, 10, 0),
    ] as [(Int, Int64?, Int)] {
      let found = try beginning([(10, "__SESSION__"), (60, "level")], installed: time)
      #expect(found.0 == start && found.1 == before, "\(time): \(found)")
    }
  }
}
