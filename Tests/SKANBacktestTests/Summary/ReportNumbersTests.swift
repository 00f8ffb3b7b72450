import SKANBase
import SKANDevice
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest
@testable import SKANModel

/// Random exports with young devices, refunds, copied rows and several currencies, under random models, against
/// ``PlainBacktest``.
@Suite("Every number of a backtest, reckoned from the rows")
struct ReportNumbersTests {
  private static let start = 1_767_225_600
  private static let day = 86_400

  @Test("Report, list of devices and CSV, by threads, by device and by shard", arguments: Rounds.of(6))
  func numbers(seed: Int) throws {
    var drawing = Drawing(seed)
    let models = (0...drawing.number(through: 2)).map { _ in drawing.model() }
    let devices = (0..<40).map { drawing.device($0, from: Self.start) }
    let last = devices.flatMap { device in device.rows.map { device.install + $0.age } }.max() ?? 0
    let first = devices[0].install + PlainBacktest.offset(devices[0])
    let ends = PlainBacktest.ends.flatMap { [first + $0 - 1, first + $0] }
    let end = drawing.pick([nil, last - 30 * Self.day, last - 3 * Self.day, last + 40 * Self.day] + ends)
    let plain = PlainBacktest(devices, models, until: end ?? last)
    let rates = try ExchangeRates(Array(#"{"EUR":0.5}"#.utf8))
    func plan(_ shard: Shard) -> BacktestPlan {
      BacktestPlan(
        models.enumerated().map { BacktestModel(name: "m\($0)", hash: UInt64($0), $1) },
        rates: rates, currency: .usd,
        until: end.map { Instant(microseconds: Int64($0) * 1_000_000) }, listsDevices: true, shard: shard,
        groupColumn: "campaign")
    }
    var lines: [String] = []
    func summary(_ run: BacktestRun, _ rows: [String], isGrouped: Bool = false, jobs: Int = 1) throws -> BacktestSummary
    {
      lines = []
      let list = { (bytes: [UInt8]) in
        lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return true
      }
      let text = "device,time,name,revenue,currency,campaign\n" + rows.joined()
      let input = try ExportInput.open(ByteSource(Array(text.utf8)), file: "export", index: 0, blockSize: 1000)
      guard case .rows(let blocks) = input else { throw Drawing.Failure.noRows }
      var mapping = ExportPreset.plain.mapping
      (mapping.group, mapping.duplicateFields) = (ExportColumn("campaign"), [.device, .name, .time])
      if isGrouped {
        var grouped = GroupedRun(run, list: list)
        try grouped.add(blocks, mapping, by: run, isInterrupted: { false }) { _ in true }
        return try grouped.summary(jobs: jobs, isInterrupted: { false })
      }
      try run.add(blocks, mapping, jobs: jobs, isInterrupted: { false }) { _ in true }
      return try run.summary(jobs: jobs, list: list)
    }
    let rows = devices.map { drawing.lines($0) }
    let copies = rows.reduce(0) { $0 + $1.count } - devices.reduce(0) { $0 + $1.rows.count }
    func check(_ summary: BacktestSummary, _ lines: [String]) throws {
      let report = BacktestReport(summary)
      let numbers = Numbers(report.json).byPath
      let found = numbers.filter { path, _ in
        ["input.", "total.", "groups["].contains { path.hasPrefix($0) } && !path.contains(".outcomes.")
      }
      var expected = plain.report
      expected["input.duplicates"] = copies == 0 ? nil : copies
      let paths = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
      for path in paths.prefix(5) {
        Issue.record("\(path): \(found[path] ?? 0), and from the rows \(expected[path] ?? 0)")
      }
      #expect(paths.count == 0 && Set(lines) == plain.lines && lines.count == devices.count)
      #expect(report.header.until == Instant(microseconds: Int64(end ?? last) * 1_000_000))
      if models.count > 1, let recommendation = Recommendation(report) {
        let errors = plain.errors
        #expect(recommendation.errors == errors.map(\.sum))
        for (average, error) in zip(recommendation.averages, errors) {
          #expect(abs(Double(average) - error.average) < 2)
        }
      }
      checkCSV(report.csv, expected)
      ReportTables(numbers: expected, report: report).check()
    }
    try check(try summary(BacktestRun(plan(.whole)), rows.flatMap(\.self).shuffled(using: &drawing.numbers)), lines)
    let order = lines
    try check(try summary(BacktestRun(plan(.whole)), rows.flatMap(\.self), jobs: 3), lines)
    #expect(lines == order)
    try check(try summary(BacktestRun(plan(.whole)), rows.flatMap(\.self), isGrouped: true, jobs: 2), lines)
    var (parts, all) = ([BacktestSummary](), [String]())
    for index in 1...3 {
      parts.append(try summary(BacktestRun(plan(Shard(index: index, count: 3))), rows.flatMap(\.self)))
      all += lines
    }
    var merged = parts[2]
    for part in parts[..<2] { merged.add(part) }
    try check(merged, all)
  }

  /// Each line of the CSV says numbers of the report.
  private func checkCSV(_ csv: String, _ report: [String: Int]) {
    var groups: [String] = []
    let lines = csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    for line in lines.dropFirst() {
      if line[14] == "group", groups.last != line[0] { groups.append(line[0]) }
      let place = line[14] == "all" ? "total" : "groups[\(groups.count - 1)].counts"
      let model =
        line[1] == "m0" ? "\(place).with_model" : "\(place).with_others[\((Int(line[1].dropFirst()) ?? 0) - 1)]"
      let (cell, names): (String, [String]) =
        if !line[11].isEmpty {
          (
            "tiers[\(line[11])]",
            ["", "", "", "", "", "decoded_micros", "error_micros"]
          )
        } else if line[2] == "0", let value = Int(line[3]) {
          (
            (0..<64).map { "fine_values[\($0)]" }.first { report["\(model).\($0).value"] ?? 0 == value } ?? "?",
            [
              "users", "revenue_48h_micros", "revenue_7d_micros", "revenue_35d_micros", "revenue_48h_micros",
              "decoded_micros", "error_micros",
            ]
          )
        } else {
          (
            "coarse_values.p\(line[2]).\(line[3])",
            ["users", "", "", "", "revenue_micros", "decoded_micros", "error_micros"]
          )
        }
      for (text, name) in zip(line[4...], names) where !name.isEmpty {
        let number = report["\(model).\(cell).\(name)"] ?? 0
        #expect(text == (name == "users" ? "\(number)" : Figures.money(number, decimals: 6)), "\(line) \(cell).\(name)")
      }
    }
    let values = report.keys.count { $0.hasSuffix("].decoded_micros") }
    #expect(lines.count > values / 2 && lines[0].count == 15)
  }
}

/// Draws models and devices.
private struct Drawing {
  var numbers: SplitMix64

  enum Failure: Error { case noRows }

  init(_ seed: Int) { numbers = SplitMix64(seed: UInt64(seed) + 60) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[number(through: values.count - 1)] }
  mutating func number(through limit: Int) -> Int { Int(numbers.next(through: UInt64(limit))) }

  /// A condition of revenue, of an event or of both, at some hours.
  private mutating func mapping() -> ValueMapping {
    var mapping = ValueMapping()
    let least = pick([0.25, 1, 2.5, 5, 10, 20])
    let revenue = RevenueCondition(min: least, max: pick([nil, least + 1, least * 4]))
    let count = Int64(pick([1, 1, 2, 3]))
    var event = MappedEvent(name: pick(["level", "buy", PlainBacktest.session]))
    event.occurrence = pick([nil, OccurrenceCondition(min: count, max: pick([nil, count, count + 2]))])
    switch number(through: 3) {
    case 0: mapping.events = [event]
    case 1: mapping.events = [event, MappedEvent(name: MappedEvent.allRevenue, revenue: revenue)]
    default: mapping.events = [MappedEvent(name: MappedEvent.allRevenue, revenue: revenue)]
    }
    if number(through: 4) == 0 { mapping.minHours = Int64(pick([1, 30, 200])) }
    if number(through: 4) == 0 { mapping.maxHours = Int64(pick([2, 40, 300])) }
    return mapping
  }

  mutating func model() -> ConversionModel {
    var model = ConversionModel()
    model.measurementHours = pick([nil, nil, nil, 24, 100])
    model.fine = Set((0...number(through: 5)).map { _ in 1 + number(through: 62) }).sorted().map {
      ConversionModel.FineMapping(value: Int64($0), mapping: mapping())
    }
    for window in ConversionWindow.allCases {
      model.windows[window].coarse = CoarseValue.allCases.filter { _ in number(through: 2) > 0 }.map {
        ConversionModel.CoarseMapping(value: $0, mapping: mapping())
      }
      let locks: [ConversionModel.LockTrigger?] = [
        nil, .event("level"), .coarse(pick(CoarseValue.allCases)), .fine(pick(model.fine).value),
      ]
      model.windows[window].lock = pick(locks)
    }
    return model
  }

  mutating func device(_ index: Int, from start: Int) -> PlainBacktest.Device {
    let offset = pick([0, 1, 90, 3600, 3601])
    var rows: [Int: PlainBacktest.Row] = [:]
    for _ in 0..<number(through: 25) {
      let days = pick([1, 3, 10, 40])
      let isAtEnd = number(through: 9) == 0
      let age =
        isAtEnd ? offset + pick(PlainBacktest.ends) + pick([-1, 0]) : offset + 10 + number(through: days * 86_400)
      let cents = Int(pick([25, 75, 250, 500, 1000, 2000, -250]))
      let name = pick([PlainBacktest.session, PlainBacktest.session, "level", "buy", "buy", "", "other"])
      rows[age] = PlainBacktest.Row(
        age: age, name: name, amount: name == "buy" || name.isEmpty ? cents * 10_000 : nil,
        currency: pick(["USD", "USD", "EUR"]))
    }
    if number(through: 5) > 0 { rows[offset] = PlainBacktest.Row(age: offset, name: PlainBacktest.session) }
    if number(through: 5) == 0 { rows[-40] = PlainBacktest.Row(age: -40, name: "buy", amount: 2_500_000) }
    if number(through: 5) == 0 { rows[5] = PlainBacktest.Row(age: 5, name: "level") }
    // The row of the install comes first among those of its moment.
    let sorted = rows.values.sorted { $0.age < $1.age }
    let install = PlainBacktest.Row(age: 0, name: "install")
    return PlainBacktest.Device(
      name: "d\(index)", group: "c\(index % 3)", install: start + number(through: 40 * 86_400),
      rows: sorted.filter { $0.age < 0 } + [install] + sorted.filter { $0.age >= 0 })
  }

  /// The rows of a device as lines of CSV, some of them twice.
  mutating func lines(_ device: PlainBacktest.Device) -> [String] {
    device.rows.flatMap { row in
      let amount = row.amount.map { "\(Double($0) / 1e6),\(row.currency)" } ?? ","
      let line = "\(device.name),\(device.install + row.age),\(row.name),\(amount),\(device.group)\n"
      return number(through: 20) == 0 ? [line, line] : [line]
    }
  }
}
