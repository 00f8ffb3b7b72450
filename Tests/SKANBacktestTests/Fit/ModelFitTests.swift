import SKANBase
import TestSupport
import Testing

@testable import SKANBacktest
@testable import SKANDevice
@testable import SKANModel

extension FitDevice {
  /// A device with revenue in the first window, and perhaps in later ones.
  init(revenue: Int, _ p1: Int = 0, _ p2: Int = 0, event: Int? = nil, isHeldOut: Bool = false) {
    self.init(
      revenue: PerWindow(revenue, p1, p2), had: PerWindow(event.map { 1 << UInt64($0) } ?? 0, 0, 0),
      isHeldOut: isHeldOut)
  }
}

@Suite("A fitted model")
struct ModelFitTests {
  private func fit(_ devices: [FitDevice], values: Int = 3, events: [String] = ["tutorial", "level_5"]) throws
    -> ModelFit
  {
    ModelFit(devices, values: values, events: FitEvents(events), currency: try #require(.init("EUR")))
  }

  private let devices = (0..<40).map { index in
    FitDevice(revenue: [0, 0, 0, 2_000_000, 8_000_000][index % 5], event: [nil, 0, 1, 1, nil][index % 5])
  }

  @Test("Events give the lowest values in their order, revenue those above; each user has one")
  func values() throws {
    let fit = try fit(devices)
    #expect(
      fit.model.fine.map { "\($0.value): \($0.mapping.displayText)" } == [
        "1: tutorial at least once", "2: level_5 at least once", "3: revenue from 0.1 to below 3.9 EUR",
        "4: revenue from 3.9 to below 7.98 EUR", "5: revenue of at least 7.98 EUR",
      ])
    #expect(fit.users == [8, 8, 8, 8, 0, 8])
  }

  @Test("It is what is decoded: each value to its estimate, and it is found sound")
  func decoded() throws {
    let fit = try fit(devices)
    let text = JSONWriter.text(fit.model.json, layout: .file)
    let model = try ConversionModel(Array(text.utf8))
    #expect(model.problems.problems == [])
    let table = DecodeTable(model, currency: fit.currency, ExchangeRates())
    #expect(
      table.fine[3...].prefix(3).map { $0 ?? 0 }
        == fit.fine.best.ladder.boundaries.indices.map(fit.fine.best.ladder.decoded))
  }

  @Test(
    "Each window has coarse values for its own revenue; one without revenue has none, and none are fitted on demand")
  func coarse() throws {
    let devices = (0..<30).map { index in
      FitDevice(revenue: 0, [0, 1_000_000, 5_000_000, 9_000_000][index % 4], isHeldOut: index == 7)
    }
    let fit = try fit(devices)
    let windows = fit.model.windows
    #expect(windows[.p0].coarse == [] && windows[.p2].coarse == [])
    #expect(
      windows[.p1].coarse.map { "\($0.value): \($0.mapping.displayText)" } == [
        "low: revenue from 0.99 to below 1.01 EUR", "medium: revenue from 1.01 to below 8.98 EUR",
        "high: revenue of at least 8.98 EUR",
      ])
    let ranges = try #require(fit.coarse)[.p1]
    #expect(ranges.users == [8, 8, 7, 7] && ranges.heldOut.devices == 1)
    #expect(ranges.best.fitted.revenue == 7 * 5_000 + 6 * 20_000 && ranges.best.heldOut.revenue == 20_000)
    #expect(
      ModelFit(devices, values: 3, events: FitEvents([]), currency: .usd, ModelFit.Options(fitsCoarse: false)).coarse
        == nil)
  }

  @Test("Devices that are held out change nothing but their own error")
  func heldOut() throws {
    let more = devices + [FitDevice(revenue: 6_000_000, isHeldOut: true), FitDevice(revenue: 0, isHeldOut: true)]
    let (fit, all) = (try fit(devices), try fit(more))
    #expect(
      fit.fine.best.ladder == all.fine.best.ladder && fit.fine.best.fitted.revenue == all.fine.best.fitted.revenue)
    #expect(fit.fine.best.heldOut.revenue == 0 && all.fine.best.heldOut.revenue == 60_000)
    #expect(all.fine.heldOut.devices == 2 && all.fine.heldOut.payers == 1 && all.users.reduce(0, +) == 42)
  }

  @Test("One device of five is held out, by its identifier alone")
  func share() {
    let count = (0..<10_000).count { DeviceKey("device-\($0)").isHeldOut }
    #expect((1900...2100).contains(count))
    #expect(DeviceKey("a").isHeldOut == DeviceKey("a").isHeldOut)
  }
}

@Suite("Ranges of revenue with the least error")
struct LadderFitTests {
  /// The error by its definition, device by device.
  private func error(_ revenue: [Int], _ ladder: RevenueLadder) -> Int {
    revenue.reduce(0) { sum, amount in
      let decoded = ladder.index(of: amount).map(ladder.decoded) ?? 0
      return sum + abs(decoded - amount)
    }
  }

  private func random(_ generator: inout SplitMix64, devices: Int) -> [Int] {
    (0..<devices).map { _ in
      switch Int.random(in: 0...9, using: &generator) {
      case 0...3: 0
      case 4: -Int.random(in: 1...5_000_000, using: &generator)
      case 5...7: [990_000, 1_990_000, 4_990_000, 9_990_000, 49_990_000].randomElement(using: &generator) ?? 0
      default: Int.random(in: 1...120_000_000, using: &generator)
      }
    }
  }

  @Test("The error from the sums is that of each device")
  func errors() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let revenue = random(&generator, devices: 60)
      let ladder = RevenueLadder(
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in Int.random(in: 1...90_000_000, using: &generator) })
      #expect(RevenueSample(revenue).error(of: ladder) == error(revenue, ladder))
    }
  }

  @Test("No ladder of the same boundaries has less")
  func exact() throws {
    var generator = SplitMix64(seed: 2)
    for _ in 0..<60 {
      let revenue = random(&generator, devices: 30)
      let edges = (0..<8).map { _ in Int.random(in: 1...60_000_000, using: &generator) }
      let count = Int.random(in: 1...4, using: &generator)
      // All subsets.
      let least = (0..<1 << edges.count).filter { $0.nonzeroBitCount <= count }.map { subset in
        error(revenue, RevenueLadder(edges.indices.filter { subset >> $0 & 1 == 1 }.map { edges[$0] }))
      }.min()
      let best = try #require(LadderFit(RevenueSample(revenue), edges: edges, most: 4).best(ranges: count)?.ladder)
      #expect(best.boundaries.count <= count && error(revenue, best) == least)
    }
  }

  @Test("Of ladders with the same error the one with the fewest ranges", arguments: [1, 2, 3])
  func fewest(ranges: Int) {
    let sample = RevenueSample([0, 10_000, 10_000])
    #expect(LadderFit(sample, edges: [1, 5_000, 10_000], most: 3).best(ranges: ranges)?.ladder.boundaries == [10_000])
  }

  @Test("A fit is never worse than quantiles or ranges of equal width, on the devices that it was fitted to")
  func rivals() throws {
    var generator = SplitMix64(seed: 3)
    var (better, edges) = (0, [16, 64, 512])
    for round in 0..<60 {
      let devices = random(&generator, devices: 300).map {
        FitDevice(revenue: $0, isHeldOut: Int.random(in: 0...4, using: &generator) == 0)
      }
      edges.shuffle(using: &generator)
      let fit = ModelFit(
        devices, values: 1 + round % 12, events: FitEvents([]), currency: try #require(.init("USD")),
        ModelFit.Options(mostEdges: edges[0]))
      #expect(
        fit.fine.best.fitted.revenue <= fit.fine.quantiles.fitted.revenue
          && fit.fine.best.fitted.revenue <= fit.fine.equalWidth.fitted.revenue)
      #expect(fit.fine.best.ladder.boundaries.count <= 1 + round % 12)
      if fit.fine.best.fitted.revenue < min(fit.fine.quantiles.fitted.revenue, fit.fine.equalWidth.fitted.revenue) {
        better += 1
      }
    }
    #expect(better > 40)
  }

  @Test("Prices are told apart, and no boundary is at one")
  func prices() throws {
    let prices = [990_000, 4_990_000, 9_990_000]
    let devices = (0..<90).map { FitDevice(revenue: prices[$0 % 3]) }
    let fit = ModelFit(devices, values: 6, events: FitEvents([]), currency: try #require(.init("USD")))
    // The middle of each range is half a cent from its price at most, and the last one begins a cent below.
    #expect(fit.fine.best.fitted.revenue <= 90 * 10_000)
    #expect(fit.fine.best.ladder.boundaries.allSatisfy { $0 % 10_000 == 0 && !prices.contains($0) })
    for price in prices {
      // What the snippet makes of it.
      let kept = Int((Double(Float(price) / 1_000_000) * 1_000_000).rounded(.down))
      #expect(fit.fine.best.ladder.index(of: kept) == fit.fine.best.ladder.index(of: price))
    }
  }

  @Test("Boundaries are in the room between amounts, whole cents where one fits")
  func candidates() {
    let candidates = LadderCandidates([3, 5_000, 990_000, 990_004, 1_000_000])
    #expect((0..<5).map(candidates.below) == [1, 2_501, 980_000, 990_002, 995_002])
    #expect((0..<5).map(candidates.above) == [2_501, 10_000, 990_002, 995_002, 1_010_000])
  }

  @Test("Round boundaries are the best of all multiples, and the error without rounding is not higher")
  func rounded() throws {
    var generator = SplitMix64(seed: 11)
    for round in Rounds.of(12) {
      // Amounts that no multiple of the step is near to.
      let devices = random(&generator, devices: 40).map { FitDevice(revenue: $0 / 1_000 * 1_000 + 500) }
      let (step, count) = ([700_000, 1_000_000, 2_500_000][round % 3], 1 + round % 3)
      let fit = ModelFit(devices, values: count, events: FitEvents([]), currency: .usd, ModelFit.Options(step: step))
        .fine
      let rounded = try #require(fit.rounded)
      let multiples = (1...max(1, devices.map { $0.revenue[.p0] }.max()! / step)).map { $0 * step }
      var least = fit.fitted.error(of: RevenueLadder([]))
      func search(_ boundaries: [Int], from index: Int) {
        least = min(least, fit.fitted.error(of: RevenueLadder(boundaries)))
        if boundaries.count == count { return }
        for next in index..<max(index, multiples.count) { search(boundaries + [multiples[next]], from: next + 1) }
      }
      if multiples.count <= 40 { search([], from: 0) } else { least = rounded.fitted.revenue }
      #expect(rounded.fitted.revenue == least, "\(step) \(count)")
      #expect(rounded.ladder.boundaries.allSatisfy { $0 % step == 0 })
      #expect(fit.chosen.ladder == rounded.ladder && fit.best.fitted.revenue <= rounded.fitted.revenue)
    }
  }

  @Test(
    "A multiple that sums in single precision can miss is no boundary",
    arguments: [
      // At a price that single precision holds, at one that it does not, and near one.
      (500_000, [5_000_000], [500_000, 5_000_000]), (10_000, [4_990_000], [4_980_000]),
      (4_990_000, [4_990_000], []), (1_000_000, [1_000_003], [1_000_000]), (1_000_000, [1_000_002], []),
      (1_000_000, [999_998, 3_000_000], [2_000_000, 3_000_000]),
      (1_000_000, [999_997, 3_000_000], [1_000_000, 2_000_000, 3_000_000]), (6_000_000, [5_000_000], []),
    ] as [(Int, [Int], [Int])])
  func multiples(step: Int, amounts: [Int], expected: [Int]) {
    let all = LadderCandidates(amounts).multiples(
      of: step, counts: (0...amounts.count)[...].map { $0 }[...], atMost: 4096)
    #expect(Set(expected).isSubset(of: all) && all.allSatisfy { $0 % step == 0 })
    #expect(step == 10_000 || step == 500_000 || all == expected, "\(all)")
    #expect(!all.contains(4_990_000))
    // With few allowed, those beside amounts.
    let few = LadderCandidates(amounts).multiples(of: step, counts: Array(0...amounts.count)[...], atMost: 0)
    #expect(Set(few).isSubset(of: all))
  }

  @Test("No revenue at all: no ranges")
  func nothing() throws {
    let fit = ModelFit(
      [FitDevice(revenue: 0), FitDevice(revenue: -5)], values: 4, events: FitEvents([]),
      currency: try #require(.init("USD")))
    #expect(fit.fine.best.ladder.boundaries == [] && fit.fine.best.fitted.revenue == 5 && fit.users == [2])
    #expect(
      ModelFit([], values: 4, events: FitEvents([]), currency: try #require(.init("USD"))).fine.best.fitted.revenue == 0
    )
  }

  @Test("Amounts beyond all money do not end the program")
  func huge() throws {
    let devices = [Int.max, .max - 5, .min, 1, 7].map { FitDevice(revenue: $0) }
    let fit = ModelFit(devices, values: 3, events: FitEvents([]), currency: try #require(.init("USD")))
    #expect(fit.fine.best.fitted.revenue > 0)
  }
}
