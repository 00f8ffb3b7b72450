import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

/// Which windows of a device count, and where its life begins.
@Suite("Young devices and beginnings")
struct YoungDeviceTests {
  private static let start = 1_767_225_600

  /// A model with a fine value and coarse values for any revenue.
  private static var model: BacktestModel {
    var mapping = ValueMapping()
    mapping.events = [MappedEvent(name: MappedEvent.allRevenue, revenue: RevenueCondition(min: 1))]
    var model = ConversionModel()
    model.fine = [ConversionModel.FineMapping(value: 7, mapping: mapping)]
    for window in ConversionWindow.allCases {
      model.windows[window].coarse = [ConversionModel.CoarseMapping(value: .high, mapping: mapping)]
    }
    return BacktestModel(name: "m", hash: 1, model)
  }

  /// Runs rows of CSV with the columns device, time (seconds after the start), name and revenue.
  private func run(
    _ rows: [String], until: Int? = nil, shard: Shard = .whole, groupedBy column: Bool = false,
    list: @escaping ([UInt8]) -> Bool = { _ in true }, jobs: Int = 1
  ) throws -> BacktestSummary {
    let lines = rows.map { row in
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      return "\(cells[0]),\(Self.start + (Int(cells[1]) ?? 0)),\(cells[2]),\(cells[3]),USD\n"
    }
    let text = "device,time,name,revenue,currency\n" + lines.joined()
    let plan = BacktestPlan(
      [Self.model], currency: .usd,
      until: until.map { Instant(microseconds: Int64(Self.start + $0) * 1_000_000) }, listsDevices: true, shard: shard)
    let run = BacktestRun(plan)
    let input = try ExportInput.open(ByteSource(Array(text.utf8)), file: "export", index: 0, blockSize: 1 << 20)
    guard case .rows(let blocks) = input else {
      Issue.record("the export is an event list")
      return BacktestSummary(plan.header)
    }
    if column {
      var grouped = GroupedRun(run, list: list)
      try grouped.add(blocks, ExportPreset.plain.mapping, by: run, isInterrupted: { false }) { _ in true }
      return try grouped.summary(jobs: jobs, isInterrupted: { false })
    }
    try run.add(blocks, ExportPreset.plain.mapping, jobs: jobs, isInterrupted: { false }) { _ in true }
    return try run.summary(jobs: jobs, list: list)
  }

  private static let day = 86_400
  /// A device that pays in each window.
  private static let rows = [
    "a,0,install,", "a,60,buy,2", "a,\(3 * day),buy,3", "a,\(10 * day),buy,4",
  ]

  @Test(
    "A window counts from the second of its end on",
    arguments: [
      (2 * day - 1, [0, 0, 0]), (2 * day, [1, 0, 0]), (7 * day - 1, [1, 0, 0]), (7 * day, [1, 1, 0]),
      (35 * day - 1, [1, 1, 0]), (35 * day, [1, 1, 1]),
    ])
  func boundary(until: Int, counts: [Int]) throws {
    let windows = ConversionWindow.allCases
    let shorter = Self.rows.filter { !$0.contains(",\(10 * Self.day),") } + ["b,\(until),level,"]
    for (rows, end) in [(Self.rows, until), (shorter, nil)] as [([String], Int?)] {
      if end == nil, until < 3 * Self.day { continue }
      let summary = try run(rows, until: end)
      let tally = summary.total.model
      #expect(windows.map(tally.devices(in:)) == counts && tally.devices == 1)
      #expect(windows.map { summary.input.young[$0] } == counts.map { 1 - $0 })
      #expect(tally.fine[7].users == counts[0] && tally.fine[7].users7d == counts[1])
      #expect(tally.fine[7].users35d == counts[2] && tally.fine[7].revenue48h == counts[0] * 2_000_000)
      #expect(tally.fine[7].revenue7d == counts[1] * 5_000_000)
      #expect(tally.gross[.p1] == counts[1] * 3_000_000 && tally.postbacks[.p1].postbacks == counts[1])
      #expect(tally.told(in: .p2).devices == counts[2])
    }
  }

  @Test("Young devices change nothing of the others, in any window", arguments: Rounds.of(3))
  func others(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    func device(_ name: String, from start: Int) -> [String] {
      ["\(name),\(start),install,"]
        + (0..<8).map { _ in
          "\(name),\(start + Int.random(in: 0...40 * Self.day, using: &random)),buy,\(Int.random(in: -3...9, using: &random))"
        }
    }
    let old = (0..<20).flatMap { device("old\($0)", from: $0 * 3_600) }
    let end = 60 * Self.day
    let young = (0..<20).flatMap { number in device("young\(number)", from: end - (number + 1) * 2 * Self.day + 1) }
    var (alone, both) = (try run(old, until: end), try run((old + young).shuffled(using: &random), until: end))
    #expect(both.total.model.devices == 40 && both.input.young[.p0] > 0)
    // Cut at the end, the young devices tell nothing else.
    let cut = young.filter { (Int($0.split(separator: ",")[1]) ?? 0) <= end }
    both.input = InputTally()
    alone.input = InputTally()
    var again = try run(old + cut, until: end)
    again.input = InputTally()
    #expect(again == both && alone != both)
  }

  @Test("Parts, threads and grouped rows give the same summary and the same rows of devices")
  func divided() throws {
    var random = SplitMix64(seed: 4)
    let rows = (0..<300).flatMap { number -> [String] in
      let start = Int.random(in: 0...50 * Self.day, using: &random)
      return ["d\(number),\(start),install,"]
        + (0..<4).map { _ in "d\(number),\(start + Int.random(in: 0...9 * Self.day, using: &random)),buy,2" }
    }
    func listed(_ jobs: Int, grouped: Bool = false, shard: Shard = .whole) throws -> (BacktestSummary, [UInt8]) {
      var bytes: [UInt8] = []
      let summary = try run(
        rows, shard: shard, groupedBy: grouped,
        list: {
          bytes += $0
          return true
        }, jobs: jobs)
      return (summary, bytes)
    }
    func lines(_ bytes: [UInt8]) -> [String] {
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
    }
    let whole = try listed(1)
    #expect(lines(whole.1).count == 300 && whole.0.input.young[.p2] > 0)
    for jobs in [2, 5] {
      let other = try listed(jobs)
      #expect(other.0 == whole.0 && other.1 == whole.1)
    }
    let grouped = try listed(1, grouped: true)
    #expect(grouped.0 == whole.0 && lines(grouped.1) == lines(whole.1))
    var (merged, rowsOfParts) = (BacktestSummary?.none, [String]())
    for index in 1...3 {
      let part = try listed(1, shard: Shard(index: index, count: 3))
      #expect(part.0.header.until == whole.0.header.until)
      rowsOfParts += lines(part.1)
      if merged == nil { merged = part.0 } else { merged?.add(part.0) }
    }
    #expect(merged == whole.0 && rowsOfParts.sorted() == lines(whole.1))
  }

  @Test("A list of devices that cannot be written stops the run", arguments: [1, 4])
  func stopped(jobs: Int) throws {
    let rows = (0..<600).map { "d\($0),0,install," }
    var calls = 0
    #expect(throws: EventPartitions.ReadFailure.stopped) {
      _ = try run(
        rows,
        list: { _ in
          calls += 1
          return calls < 3
        }, jobs: jobs)
    }
    #expect(calls == 3)
  }

  @Test("A row has the values of windows that have ended, and empty cells for the others")
  func rows() throws {
    let expected = [
      (0, "a" + String(repeating: ",", count: 12)), (2, "a,,7,high,,,,,,2.000000,,,"),
      (7, "a,,7,high,high,,,,,2.000000,5.000000,,"),
      (35, "a,,7,high,high,high,,,,2.000000,5.000000,9.000000,"),
    ]
    for (days, row) in expected {
      var text = ""
      _ = try run(
        Self.rows, until: days * Self.day,
        list: {
          text += String(decoding: $0, as: UTF8.self)
          return true
        })
      #expect(text == "\(row)2026-01-01T00:00:00Z\n")
    }
  }

  /// The beginning in seconds after the install, and the number of earlier rows.
  private func beginning(_ rows: [(Int, String)], installed: Int? = nil) throws -> (Int64?, Int) {
    let column = installed.map { "\(Self.start + $0)" } ?? ""
    let text =
      "device,time,name,revenue,currency,installed\n"
      + rows.map { "a,\(Self.start + $0),\($1),\($1 == "buy" ? "2,USD" : ","),\(column)\n" }.joined()
    var beginnings: [(Int64?, Int)] = []
    let run = BacktestRun(BacktestPlan([Self.model], currency: .usd, until: .afterAll, listsDevices: true))
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
      // What the app does between them is not lost.
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
