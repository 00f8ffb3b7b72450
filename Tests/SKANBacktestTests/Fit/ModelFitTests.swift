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
    ModelFit(
      devices, values: values, events: FitEvents(events), currency: try #require(.init("EUR")),
      ModelFit.Options(limits: .none))
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

  /// Limits in which a width, devices, both or nothing is asked for.
  private func limits(_ generator: inout SplitMix64) -> LadderLimits {
    func least(_ share: Int, _ amount: Int) -> LadderLimits.Least {
      LadderLimits.Least(
        share: [0, share].randomElement(using: &generator) ?? 0,
        amount: [0, amount].randomElement(using: &generator) ?? 0)
    }
    return LadderLimits(width: least(200_000, 4_000_000), devices: least(120_000, 3))
  }

  /// Whether each range has the width and the devices that are asked for.
  private func keeps(_ limits: LadderLimits, _ ladder: RevenueLadder, _ revenue: [Int]) -> Bool {
    let payers = revenue.count { $0 > 0 }
    return ladder.boundaries.indices.allSatisfy { range in
      let (start, end) = (ladder.boundaries[range], ladder.end(of: range))
      let width = max(Double(limits.width.amount), Double(start) * Double(limits.width.share) / 1e6)
      let devices = max(Double(limits.devices.amount), Double(payers) * Double(limits.devices.share) / 1e6)
      let own = revenue.count { $0 >= start && $0 < end ?? .max }
      return end.map { Double($0 - start) >= width } ?? true && Double(own) >= devices
    }
  }

  @Test("No ladder of the same boundaries that keeps the limits has less")
  func exact() throws {
    var generator = SplitMix64(seed: 2)
    var found = 0
    for _ in Rounds.of(80) {
      let revenue = random(&generator, devices: 30)
      let edges = (0..<8).map { _ in Int.random(in: 1...60_000_000, using: &generator) }
      let (count, limits) = (Int.random(in: 1...4, using: &generator), limits(&generator))
      // All subsets.
      let least = (1..<1 << edges.count).filter { $0.nonzeroBitCount <= count }
        .map { subset in RevenueLadder(edges.indices.filter { subset >> $0 & 1 == 1 }.map { edges[$0] }) }
        .filter { keeps(limits, $0, revenue) }.map { error(revenue, $0) }.min()
      let best = LadderFit(RevenueSample(revenue), edges: edges, most: 4, limits: limits).best(ranges: count)
      #expect(best?.error == least && best.map { error(revenue, $0.ladder) } == least)
      #expect(best.map { $0.ladder.boundaries.count <= count && keeps(limits, $0.ladder, revenue) } ?? true)
      if limits != .none, best != nil { found += 1 }
    }
    #expect(found > 30)
  }

  @Test("Blocks that are skipped have nothing better: as without skipping, for hundreds of boundaries")
  func pruned() throws {
    var generator = SplitMix64(seed: 12)
    for round in Rounds.of(6) {
      let revenue = random(&generator, devices: 120)
      let (sample, most, limits) = (RevenueSample(revenue), 1 + round % 9, limits(&generator))
      let edges = Set((0..<100).map { _ in Int.random(in: 1...120_000_000 >> (round % 3 * 4), using: &generator) })
        .sorted()
      let fit = LadderFit(sample, edges: edges, most: most, limits: limits)
      /// The error of a range by its definition; nil for one that does not keep the limits.
      func cost(_ start: Int, _ end: Int?) -> Int? {
        let devices = revenue.filter { $0 >= start && $0 < end ?? .max }
        guard devices.count >= limits.devices.of(sample.payers),
          end.map({ $0 - start >= limits.width.of(start) }) ?? true
        else { return nil }
        let decoded = RevenueLadder.decoded(from: start, below: end)
        return devices.reduce(0) { $0 + abs($1 - decoded) }
      }
      var expected: Int?
      var least: [[Int?]] = [edges.map { cost($0, nil) }]
      let costs = edges.indices.map { start in edges.indices.map { $0 > start ? cost(edges[start], edges[$0]) : nil } }
      for number in 0..<most {
        let whole = least[number].indices.compactMap { edge in
          least[number][edge].map { $0 + revenue.filter { $0 < edges[edge] }.reduce(0) { $0 + abs($1) } }
        }.min()
        expected = [whole, expected].compactMap(\.self).min()
        #expect(fit.best(ranges: number + 1)?.error == expected, "\(round) \(number)")
        least.append(
          edges.indices.map { start in
            edges.indices.compactMap { end in least[number][end].flatMap { rest in costs[start][end].map { $0 + rest } }
            }
            .min()
          })
      }
    }
  }

  @Test("Of ladders with the same error the one with the fewest ranges", arguments: [1, 2, 3])
  func fewest(ranges: Int) {
    let sample = RevenueSample([0, 10_000, 10_000])
    #expect(LadderFit(sample, edges: [1, 5_000, 10_000], most: 3).best(ranges: ranges)?.ladder.boundaries == [10_000])
  }

  @Test("A fit is never worse than its rivals on the devices that it was fitted to, and all keep the limits")
  func rivals() throws {
    var generator = SplitMix64(seed: 3)
    var (better, edges) = (0, [16, 64, 512])
    for round in 0..<60 {
      let devices = random(&generator, devices: 300).map {
        FitDevice(revenue: $0, isHeldOut: Int.random(in: 0...4, using: &generator) == 0)
      }
      edges.shuffle(using: &generator)
      let limits = round % 2 == 0 ? LadderLimits() : limits(&generator)
      let fit = ModelFit(
        devices, values: 1 + round % 12, events: FitEvents([]), currency: .usd,
        ModelFit.Options(limits: limits, mostEdges: edges[0]))
      let rivals = [fit.fine.quantiles, fit.fine.logEqual, fit.fine.kMeans]
      let fitted = devices.filter { !$0.isHeldOut }.map { $0.revenue[.p0] }
      for ladder in [fit.fine.best] + rivals {
        #expect(ladder.ladder.boundaries.count <= 1 + round % 12 && keeps(fit.limits, ladder.ladder, fitted))
        #expect(fit.fine.best.fitted.revenue <= ladder.fitted.revenue)
      }
      if rivals.allSatisfy({ fit.fine.best.fitted.revenue < $0.fitted.revenue }) { better += 1 }
    }
    #expect(better > 40)
  }

  @Test("Rivals are what people make: equal numbers of payers, equal ratios, middles between means")
  func rivalLadders() {
    let revenue = [0, 1, 1, 2, 10, 12, 100].map { $0 * 1_000_000 }
    let rivals = RivalLadders(RevenueSample(revenue), .none)
    #expect(rivals.quantiles(3).boundaries == [990_000, 1_990_000, 11_980_000])
    // From 0.99 to 100 in two steps of 10.05 times; 9.95 is a price that single precision misses.
    #expect(rivals.logEqual(2).boundaries == [990_000, 9_940_000])
    // The means 1.33, 11 and 100.
    #expect(rivals.kMeans(3).boundaries == [990_000, 6_170_000, 55_500_000])
    // Too few devices from 55.5 on, so that they belong to the range below.
    let limits = LadderLimits(width: LadderLimits.Least(), devices: LadderLimits.Least(amount: 2))
    #expect(RivalLadders(RevenueSample(revenue), limits).kMeans(3).boundaries == [990_000, 6_170_000])
  }

  @Test("The least width has the currency's smallest unit, and the least number of devices is at least 5")
  func limitsByDefault() {
    let limits = LadderLimits()
    #expect([1, 499, 500, 501].map(limits.devices.of) == [5, 5, 5, 6])
    #expect(
      ["USD", "JPY", "KWD", "CLF"].map { limits.with(CurrencyCode($0) ?? .usd).width.amount }
        == [10_000, 1_000_000, 1_000, 100])
    #expect([900_000, 1_000_000, 1_000_001].map(limits.with(.usd).width.of) == [10_000, 10_000, 10_001])
    let exact = LadderLimits(width: LadderLimits.Least(amount: 3))
    #expect(exact.with(.usd).width.of(900_000_000) == 3)
    // One price in many exchange rates is one range, and one rich device has none of its own.
    var devices = (0..<500).map { (device: Int) -> FitDevice in
      FitDevice(revenue: device % 2 == 0 ? 4_990_000 + device : 9_990_000)
    }
    devices.append(FitDevice(revenue: 900_000_000))
    let fine = ModelFit(devices, values: 9, events: FitEvents([]), currency: .usd).fine
    #expect(fine.users.dropFirst() == [250, 251] && fine.leastDevices == 6)
  }

  @Test("Prices are told apart, and no boundary is at one")
  func prices() throws {
    let prices = [990_000, 4_990_000, 9_990_000]
    let devices = (0..<90).map { FitDevice(revenue: prices[$0 % 3]) }
    let fit = ModelFit(
      devices, values: 6, events: FitEvents([]), currency: .usd, ModelFit.Options(limits: .none))
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
      let fit = ModelFit(
        devices, values: count, events: FitEvents([]), currency: .usd, ModelFit.Options(limits: .none, step: step)
      ).fine
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
    let fit = ModelFit(devices, values: 3, events: FitEvents([]), currency: .usd, ModelFit.Options(limits: .none))
    #expect(fit.fine.best.fitted.revenue > 0)
  }
}
