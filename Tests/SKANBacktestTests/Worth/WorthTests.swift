import Foundation
import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import SKANSystem
import TestSupport
import Testing

@testable import SKANBacktest

@Suite("What values are worth")
struct WorthTests {
  private static func sums(_ amounts: [Int], _ weights: [UInt8] = [1]) -> WorthSums {
    amounts.reduce(into: WorthSums()) { $0.add($1, weights) }
  }

  @Test("The weights of a device: from the seed, its identifier and the resample alone, with mean 1")
  func weights() {
    var one = ResampleWeights(seed: 7, resamples: 400)
    one.draw(DeviceKey("a"))
    let first = one.weights
    one.draw(DeviceKey("b"))
    #expect(one.weights != first)
    one.draw(DeviceKey("a"))
    #expect(one.weights == first)
    var fewer = ResampleWeights(seed: 7, resamples: 21)
    fewer.draw(DeviceKey("a"))
    #expect(fewer.weights == Array(first.prefix(21)))
    var other = ResampleWeights(seed: 8, resamples: 400)
    other.draw(DeviceKey("a"))
    #expect(other.weights != first)
    // The first of SplitMix64 with the seed 7 XOR the device's hash, 16 bits at a time.
    var random = SplitMix64(seed: 7 ^ DeviceKey("a").high)
    let number = random.next()
    let expected = (0..<4).map { part in
      UInt8(ResampleWeights.edges.count { $0 <= number >> (16 * UInt64(part)) & 0xFFFF })
    }
    #expect(Array(first.prefix(4)) == expected)
    #expect(ResampleWeights.edges.reduce(0) { $0 + (65_536 - $1) } == 65_536)
  }

  @Test("Shrinkage fills a value up with its neighbours; a mean is rounded to the nearest millionth")
  func shrinkage() {
    let all = [Self.sums([0, 0, 3]), WorthSums(), Self.sums([10]), Self.sums([]), Self.sums([100, 201])]
    func worth(_ index: Int, below: Int) -> Int? { WorthEstimate(all, at: index, shrinkBelow: below).worth }
    #expect((0..<5).map { worth($0, below: 0) } == [1, nil, 10, nil, 151])
    // 1 device of its own and 3 at (3 + 301) / 5.
    #expect(worth(2, below: 4) == Int((10.0 + 3 * 304.0 / 5) / 4 + 0.5))
    // None of its own: the mean of the neighbours on both sides.
    #expect(worth(1, below: 1) == Int((3.0 + 10) / 4 + 0.5))
    // As many as are needed: nothing is added.
    #expect(worth(0, below: 3) == 1 && WorthEstimate(all, at: 0, shrinkBelow: 3).added == 0)
    #expect(WorthEstimate([Self.sums([-5, -5, -4])], at: 0, shrinkBelow: 30).worth == -5)
    #expect(WorthEstimate([Self.sums([-1, -2])], at: 0, shrinkBelow: 0).worth == -2)
  }

  @Test("A resample weighs devices; without one of them the worth is the whole's")
  func resamples() {
    var sums = WorthSums()
    sums.add(10, [1, 0, 2])
    sums.add(40, [1, 0, 1])
    #expect(WorthEstimate([sums], at: 0, shrinkBelow: 30).resampled(3) == [25, 25, 20])
    #expect(WorthSums(sums, less: Self.sums([40], [1, 0, 1])).weighted(in: 2) == 20)
    #expect(Array(0..<100).shuffled().middle.map { [$0.low, $0.high] } == [5, 94])
    #expect([Int]().middle == nil)
  }

  @Test("The bins of amounts, and the share of the top 1 %")
  func spread() {
    #expect([0, 1, 15, 16, 17, 31, 32, 33, 34].map(RevenueSpread.bin(of:)) == [0, 1, 15, 64, 65, 79, 80, 80, 81])
    #expect(RevenueSpread.bin(of: -33) == -80 && RevenueSpread.bin(of: .min) < RevenueSpread.bin(of: -33))
    var spread = RevenueSpread()
    for amount in Array(repeating: 1, count: 197) + [0, 100, 200] { spread.add(amount) }
    #expect(spread.topShare == 300.0 / 497)
    spread.add(-50)
    // 201 devices: three of them.
    #expect(spread.topShare == 301.0 / 497)
    #expect(RevenueSpread().topShare == nil)
    var equal = RevenueSpread()
    for _ in 0..<3 { equal.add(5_000_000) }
    let none = Worth.Spread(equal, RevenueSpread(), added: 0, hasAmounts: true)
    #expect(
      none
        == Worth.Spread(deviation: 0, skewness: 0, topShare: 1.0 / 3, amounts: [.init(weight: 3, revenue: 5_000_000)]))
    var one = RevenueSpread()
    one.add(0)
    let filled = Worth.Spread(one, equal, added: 1, hasAmounts: true)
    #expect(filled?.deviation == 2_500_000 && filled?.skewness == 0 && filled?.amounts.map(\.weight) == [3, 3])
  }

  // MARK: - Runs

  private static let rows = 4000

  private func export(_ seed: UInt64, shuffled: Bool = false) -> String {
    var random = SplitMix64(seed: seed)
    var rows = (0..<Self.rows).map { number in
      let (device, day) = (Int(random.next(through: 399)), Int(random.next(through: 60)))
      let time = Instant(microseconds: Int64(1_777_593_600 + number + day * 86_400) * 1_000_000)
      let amount = random.next(through: 3) == 0 ? "\(Int(random.next(through: 30)) - 3).99" : ""
      return
        "d\(device),\(time),\(amount.isEmpty ? "__SESSION__" : "purchase"),\(amount),\(amount.isEmpty ? "" : "USD"),"
        + "c\(device % 3)"
    }
    rows.sort { $0.split(separator: ",")[1] < $1.split(separator: ",")[1] }
    if shuffled { rows.shuffle(using: &random) }
    return (["device,time,name,revenue,currency,campaign"] + rows).joined(separator: "\n") + "\n"
  }

  private func worth(
    _ exports: [String], jobs: Int = 1, by column: String? = nil, _ request: WorthRequest = WorthRequest(resamples: 40)
  ) throws -> Worth {
    let bytes = Array(try Data(contentsOf: Checkout.fixtures.appending(path: "models/all-revenue.json")))
    let model = BacktestModel(name: "m.json", hash: 1, try ConversionModel(bytes))
    let run = BacktestRun(
      BacktestPlan([model], currency: .usd, startsAtFirstRow: true, until: .afterAll, groupColumn: column))
    for export in exports {
      guard case .rows(let blocks) = try ExportInput.open(ByteSource(Array(export.utf8)), file: "e.csv", index: 0)
      else {
        throw CocoaError(.fileReadCorruptFile)
      }
      var mapping = ExportPreset.plain.mapping
      mapping.group = column.map { ExportColumn($0) }
      try run.add(blocks, mapping, jobs: jobs, isInterrupted: { false }) { _ in true }
    }
    return try run.worth(request, jobs: jobs).worth(request)
  }

  @Test("Threads and the order of rows change no byte; another seed changes intervals alone", arguments: [1, 2])
  func order(seed: UInt64) throws {
    let whole = try worth([export(seed)], by: "campaign")
    let text = JSONWriter.text(whole)
    #expect(try JSONWriter.text(worth([export(seed, shuffled: true)], jobs: 3, by: "campaign")) == text)
    #expect(try Worth(Array(text.utf8)) == whole)
    #expect(whole.groups.map(\.name) == [nil, "c0", "c1", "c2"])
    let other = try worth([export(seed)], WorthRequest(seed: 2, resamples: 40))
    let means = { (worth: Worth) in worth.groups[0].values.map { $0.revenue.map(\.worth) } }
    #expect(means(other) == means(whole))
    #expect(other.groups[0].values.map(\.resampled) != whole.groups[0].values.map(\.resampled))
  }

  @Test("Values, windows and groups hold the same devices and the same revenue")
  func sums() throws {
    let shown = try worth([export(3)], by: "campaign", WorthRequest(resamples: 20, shrinkBelow: 0))
    func total(_ group: Worth.Group, _ isCounted: (Worth.Value) -> Bool) -> (devices: Int, revenue: Int) {
      group.values.filter(isCounted).reduce(into: (devices: 0, revenue: 0)) { sum, value in
        let mean = value[.day35]
        (sum.0, sum.1) = (sum.0 + mean.devices, sum.1 + (mean.mean ?? 0) * mean.devices)
      }
    }
    let all = total(shown.groups[0]) { $0.tiers == [0] }
    let parts: [(devices: Int, revenue: Int)] = [
      total(shown.groups[0]) { $0.kind == .fine }, total(shown.groups[0]) { $0.window == .p0 && $0.tiers == [1] },
      total(shown.groups[0]) { $0.window == .p1 }, total(shown.groups[0]) { $0.window == .p2 },
      shown.groups.dropFirst().map { total($0) { $0.tiers == [0] } }.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) },
    ]
    for part in parts {
      // Each mean is rounded to a millionth.
      #expect(part.devices == all.devices && abs(part.revenue - all.revenue) <= all.devices, "\(part), \(all)")
    }
  }

  @Test("Groups with few devices have no worths of their own, and are counted")
  func smallGroups() throws {
    let request = WorthRequest(resamples: 20, leastDevices: 134)
    let shown = try worth([export(4)], by: "campaign", request)
    #expect(shown.groups.count + shown.input.smallGroups == 4 && shown.input.smallGroups > 0)
  }
}
