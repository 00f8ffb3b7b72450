import Foundation
import SKANBase
import SKANDevice
import SKANModel
import Testing

@testable import SKANBacktest

/// Events with weights, and the shares of tiers.
@Suite struct FitEventsTests {
  private static let events = FitEvents(weights: [("level", 2_000_000), ("trial", 5_000_000), ("share", 500_000)])

  @Test("Events are in the order of their weights, and of equal ones the later is higher") func eventsOrder() {
    #expect(
      Self.events.names == ["share", "level", "trial"] && Self.events.weights == [500_000, 2_000_000, 5_000_000])
    #expect(FitEvents(weights: [("b", 1), ("a", 1)]).names == ["b", "a"])
  }

  private func devices(_ generator: inout SplitMix64) -> [FitDevice] {
    let amounts = [0, 0, 0, 990_000, 4_990_000, 9_990_000]
    return (0..<40).map { _ in
      func had() -> UInt64 { UInt64.random(in: 0...7, using: &generator) & UInt64.random(in: 0...7, using: &generator) }
      func revenue() -> Int { amounts.randomElement(using: &generator) ?? 0 }
      return FitDevice(
        revenue: PerWindow(revenue(), revenue(), revenue()), had: PerWindow(had(), had(), had()),
        isHeldOut: Int.random(in: 0...4, using: &generator) == 0)
    }
  }

  /// The objective by its definition, device by device.
  private func cost(
    _ devices: [FitDevice], in window: ConversionWindow, _ ladder: RevenueLadder, _ subset: [Int], heldOut: Bool = false
  ) -> FitError {
    var error = FitError(revenue: 0, events: 0)
    for device in devices where device.isHeldOut == heldOut {
      let range = ladder.index(of: device.revenue[window])
      error.revenue += abs((range.map(ladder.decoded) ?? 0) - device.revenue[window])
      let had = (0..<3).filter { device.had[window] >> UInt64($0) & 1 == 1 }
      let told = range == nil ? subset.last(where: had.contains) : nil
      error.events += had.filter { $0 != told }.reduce(0) { $0 + (Self.events.weights?[$1] ?? 0) }
    }
    return error
  }

  @Test("No choice of events and ranges has less, for fine values and for the three classes of each window")
  func noChoice()
    throws
  {
    var generator = SplitMix64(seed: 21)
    var kinds: Set<String> = []
    for round in 0..<12 {
      let devices = devices(&generator)
      let values = 1 + round % 4
      let limits = LadderLimits(
        width: LadderLimits.Least(amount: [0, 4_100_000][round % 2]), devices: LadderLimits.Least(amount: round % 3 * 3)
      )
      /// Whether each value has its devices, and each range its width.
      func keeps(_ window: ConversionWindow, _ ladder: RevenueLadder, _ told: [Int]) -> Bool {
        var counts: [Int: Int] = [:]
        for device in devices where !device.isHeldOut {
          if let index = ladder.index(of: device.revenue[window]) {
            counts[index + 3, default: 0] += 1
          } else if let event = told.last(where: { device.had[window] >> UInt64($0) & 1 == 1 }) {
            counts[event, default: 0] += 1
          }
        }
        for value in told + ladder.boundaries.indices.map({ $0 + 3 }) where counts[value] ?? 0 < round % 3 * 3 {
          return false
        }
        let width: Int64 = round % 2 == 0 ? 0 : 4_100_000
        return zip(ladder.boundaries, ladder.boundaries.dropFirst()).allSatisfy { $1 - $0 >= width }
      }
      let fit = ModelFit(
        devices, values: values, events: Self.events, currency: .usd, ModelFit.Options(limits: limits, mostEdges: 64))
      let coarse = try #require(fit.coarse)
      let all = [(ConversionWindow.p0, values, fit.fine)] + ConversionWindow.allCases.map { ($0, 3, coarse[$0]) }
      for (window, most, ranges) in all {
        let best = ranges.best
        #expect(best.count <= most)
        #expect(best.fitted == cost(devices, in: window, best.ladder, best.events))
        #expect(best.heldOut == cost(devices, in: window, best.ladder, best.events, heldOut: true))
        // All subsets of the events, and all ladders with the boundaries around the three amounts.
        let candidates = LadderCandidates([990_000, 4_990_000, 9_990_000])
        let edges = (0..<3).flatMap { [candidates.below($0), candidates.above($0)] }
        var least = Int.max
        for subset in 0..<8 {
          let told = (0..<3).filter { subset >> $0 & 1 == 1 }
          for ladder in 0..<64 where told.count + ladder.nonzeroBitCount <= most {
            let ladder = RevenueLadder(edges.indices.filter { ladder >> $0 & 1 == 1 }.map { edges[$0] })
            if keeps(window, ladder, told) { least = min(least, cost(devices, in: window, ladder, told).total) }
          }
        }
        #expect(best.fitted.total <= least && keeps(window, best.ladder, best.events), "\(window) \(most)")
        #expect([ranges.quantiles, ranges.logEqual, ranges.kMeans].allSatisfy { best.fitted.total <= $0.fitted.total })
        #expect(ranges.users.reduce(0, +) == devices.count && ranges.users.count == best.count + 1)
        kinds.insert("\(best.events.count > 0) \(best.ladder.boundaries.count > 0)")
      }
      let entries = fit.model.fine.map(\.mapping.events[0].name)
      #expect(entries == fit.fine.best.eventNames + fit.fine.best.ladder.boundaries.map { _ in "__REVENUE__" })
    }
    #expect(kinds.isSuperset(of: ["true true", "false true", "true false"]))
  }

  @Test("Without revenue, the events that save most have values") func withoutRevenue() {
    let devices = [1, 1, 1, 1, 1, 2, 2, 4, 6].map {
      FitDevice(revenue: PerWindow(9_000_000, 0, 0), had: PerWindow($0, 0, 0))
    }
    func events(_ values: Int) -> [String] {
      ModelFit(
        devices, values: values, events: Self.events, currency: .usd,
        ModelFit.Options(fitsRevenue: false, limits: .none)
      ).fine.best.eventNames
    }
    // Told are 5 × 0.5 of "share", 3 × 2 of "level", or 2 × 5 of "trial".
    #expect(events(1) == ["trial"] && events(2) == ["level", "trial"])
    #expect(events(3) == ["share", "level", "trial"] && events(9) == events(3))
  }

  @Test("A fit is not worse than any model of revenue in the fixtures with as many values") func fitNot() throws {
    var generator = SplitMix64(seed: 4)
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../fixtures/models")
    var compared = 0
    for file in ["all-revenue", "iap-revenue", "ad-revenue", "mixed", "sample"] {
      let bytes = try Array(Data(contentsOf: folder.appending(path: "\(file).json")))
      let model = try ConversionModel(bytes)
      var ladders = [(ConversionWindow.p0, model.fine.map(\.mapping))]
      for window in ConversionWindow.allCases { ladders.append((window, model.windows[window].coarse.map(\.mapping))) }
      for (window, mappings) in ladders {
        let starts = mappings.flatMap(\.events).compactMap(\.revenue?.min).map { Int(microUnits: $0) }
        if starts.isEmpty { continue }
        for prices in [[990_000, 4_990_000, 9_990_000, 49_990_000], [10_000, 130_000, 7_500_000, 300_000_000], [0]] {
          let revenue = (0..<200).map { _ in
            (prices.randomElement(using: &generator) ?? 0) * Int.random(in: 0...3, using: &generator)
              + (prices == [0] ? Int.random(in: 0...90_000_000, using: &generator) : 0)
          }
          let devices = revenue.map { FitDevice(revenue: PerWindow($0, $0, $0)) }
          // A boundary that a sum in single precision can miss is not the fit's; it has a safe one a cent away.
          let isSafe = starts.allSatisfy { start in
            !RevenueCondition.missesPrice(RevenueLadder.amount(start))
              && revenue.allSatisfy { abs($0 - start) > 300 }
          }
          guard isSafe else { continue }
          let fit = ModelFit(
            devices, values: starts.count, events: FitEvents([]), currency: .usd,
            ModelFit.Options(fitsCoarse: false, limits: .none)
          ).fine
          #expect(
            fit.best.fitted.revenue <= fit.fitted.error(of: RevenueLadder(starts)), "\(file) \(window) \(prices)")
          compared += 1
        }
      }
    }
    #expect(compared > 20)
  }

  @Test("The usual boundaries have at most two digits, up to the highest amount") func usualBoundaries() {
    #expect(LadderCandidates([95_000]).usual(atMost: 8).isEmpty)
    #expect(LadderCandidates([95_000]).usual(atMost: 9) == (1...9).map { $0 * 10_000 })
    let usual = LadderCandidates([10_000_000]).usual(atMost: 1_000).map { $0 / 10_000 }
    #expect(
      usual.first == 1 && usual.last == 980 && usual.contains(75) && usual.contains(750) && !usual.contains(101))
    // Not at a price that single precision misses, and not at or beside an amount.
    #expect(
      !usual.contains(90)
        && Set(LadderCandidates([5_000_001, 9_000_000]).usual(atMost: 1_000)).isDisjoint(with: [5_000_000, 9_000_000]))
  }

  @Test(
    "Shares of tiers are four and sum to 1",
    arguments: [
      ([0.2, 0.3, 0.3, 0.2], true), ([1, 0, 0, 0], true), ([0.2, 0.3, 0.3, 0.200_002], false),
      ([0.2, 0.3, 0.3, 0.199_998], false), ([0.2, 0.3, 0.5], false), ([0.2, 0.3, 0.3, 0.1, 0.1], false),
      ([-0.1, 0.6, 0.3, 0.2], false), ([.nan, 0.6, 0.3, 0.1], false),
    ] as [([Double], Bool)])
  func sharesTiers(shares: [Double], isValid: Bool) {
    #expect((TierShares(shares) != nil) == isValid)
  }

  @Test("With shares of tiers the expected error is that of what arrives") func withShares() throws {
    let tiers = try #require(TierShares([0.1, 0.2, 0.3, 0.4]))
    let errors = WindowErrors(revenue: 5_000, measured: 5_000, none: 1_000, fine: 10, coarse: 100)
    #expect(tiers.expected(errors, in: .p0) == 100 + 20 + 7)
    #expect(tiers.expected(errors, in: .p1) == 100 + 90 && tiers.expected(errors, in: .p2) == 190)
    #expect(tiers.expected(PerWindow(errors, errors, errors)) == 127 + 190 + 190)
  }

  @Test("Errors against whole windows are those of values that the measured hours give") func errorsAgainst() {
    let measured = [0, 2_000_000, 2_000_000, 9_000_000].map { FitDevice(revenue: $0) }
    let whole = [3_000_000, 2_000_000, 5_000_000, 9_000_000].map { FitDevice(revenue: $0, 1_000_000) }
    let fit = ModelFit(
      measured, values: 3, events: FitEvents([]), currency: .usd, ModelFit.Options(limits: .none, hours: 24))
    let errors = fit.errors(whole, measured: measured)
    // Decoded to 0, 2 (within a cent), 2 and 9 dollars less a cent.
    #expect(errors[.p0].revenue == 19_000_000 && errors[.p0].measured == 13_000_000 && errors[.p0].none == 19_000_000)
    #expect(abs(errors[.p0].fine - 6_000_000) <= 40_000)
    #expect(
      errors[.p1]
        == WindowErrors(
          revenue: 4_000_000, gross: 4_000_000, devices: 4, measured: 0, none: 4_000_000, fine: 0, coarse: 4_000_000))
    #expect(fit.model.measurementHours == 24)
  }
}
