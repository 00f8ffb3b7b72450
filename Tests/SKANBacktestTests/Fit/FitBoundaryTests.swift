import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import Testing

@testable import SKANBacktest

/// What a fit counts of a device, and what beside it not.
@Suite("Both sides of what a fit counts")
struct FitBoundaryTests {
  private static let start = 1_767_225_600
  private static let endOfP0 = 172_800

  private static func line(_ op: String, after seconds: Int, _ more: String = "", device: String = "a") -> String {
    #"{"op":"\#(op)","device":"\#(device)","at":\#(start + seconds)\#(more)}"#
  }

  private static func revenue(_ amount: Double, after seconds: Int, _ currency: String = "USD", device: String = "a")
    -> String
  {
    line("revenue", after: seconds, #","amount":\#(amount),"currency":"\#(currency)""#, device: device)
  }

  private static func event(_ name: String, after seconds: Int, device: String = "a") -> String {
    line("event", after: seconds, #","name":"\#(name)""#, device: device)
  }

  private static func input(_ lines: [String], hours: [Int] = [], jobs: Int = 1) throws -> FitInput {
    let events = ["tutorial", "level"]
    let model = ModelFit([], values: 1, events: FitEvents(events), currency: .usd).model
    let run = BacktestRun(
      BacktestPlan(
        [BacktestModel(name: "", hash: 1, model)], currency: .usd, startsAtFirstRow: true, until: .afterAll))
    try run.add(ListReader("list", ByteSource(Array(lines.joined(separator: "\n").utf8))))
    return try run.fitInput(FitRequest(events: events, hours: hours), jobs: jobs)
  }

  @Test(
    "Of the first 48 hours, in the report's currency, under the very name",
    arguments: [
      ([revenue(0.5, after: endOfP0 - 1)], 500_000, nil), ([revenue(0.5, after: endOfP0)], 0, nil),
      ([revenue(0.5, after: 0)], 500_000, nil), ([revenue(0.5, after: 9, "EUR")], 0, nil),
      ([revenue(0.5, after: 9), revenue(-0.25, after: 10)], 250_000, nil),
      ([event("tutorial", after: endOfP0 - 1)], 0, 0), ([event("tutorial", after: endOfP0)], 0, nil),
      ([event("Tutorial", after: 9)], 0, nil), ([event("level", after: 9), event("tutorial", after: 10)], 0, 1),
      ([event("tutorial", after: 9), event("level", after: 10)], 0, 1),
    ] as [([String], Int, Int?)])
  func device(lines: [String], revenue: Int, event: Int?) throws {
    let other = [Self.line("register", after: 0, device: "b"), Self.revenue(8, after: 9, device: "b")]
    let own = [Self.line("register", after: 0)] + lines
    let phones = ["a", "b"].map { #"{"op":"device","device":"\#($0)"}"# }
    for list in [phones + own + other, phones.reversed() + other + own] {
      let input = try Self.input(list)
      let devices = input.devices.map {
        FitDevice(revenue: $0.revenue[.p0], event: $0.had[.p0] == 0 ? nil : 63 - $0.had[.p0].leadingZeroBitCount)
      }
      #expect(
        devices.sorted { $0.revenue[.p0] < $1.revenue[.p0] } == [
          FitDevice(revenue: revenue, event: event), FitDevice(revenue: 8_000_000),
        ])
      #expect(try Self.input(list, jobs: 2).devices.count == 2)
    }
  }

  @Test(
    "Measured is what happens in fewer hours than asked for, in each window",
    arguments: [
      ([revenue(0.5, after: 3599), event("level", after: 3599)], 1, [500_000, 0, 0], 2),
      ([revenue(0.5, after: 3600), event("level", after: 3600)], 1, [0, 0, 0], 0),
      ([revenue(2, after: 48 * 3600 - 1), revenue(4, after: 48 * 3600)], 48, [2_000_000, 0, 0], 0),
      ([revenue(2, after: 48 * 3600 - 1), revenue(4, after: 48 * 3600)], 49, [2_000_000, 4_000_000, 0], 0),
      ([revenue(8, after: 840 * 3600 - 1)], 840, [0, 0, 8_000_000], 0),
      ([revenue(8, after: 840 * 3600)], 840, [0, 0, 0], 0),
    ] as [([String], Int, [Int], UInt64)])
  func measured(lines: [String], hours: Int, revenue: [Int], had: UInt64) throws {
    let input = try Self.input([Self.line("register", after: 0)] + lines, hours: [hours, 840])
    let device = try #require(input.measured[0].first)
    #expect(ConversionWindow.allCases.map { device.revenue[$0] } == revenue && device.had[.p0] == had)
    #expect(input.measured[1] == input.devices)
  }

  @Test("Halves of the devices add up to the whole, in any order")
  func halves() throws {
    let phones = (0..<12).map { index in
      let device = "d\(index)"
      return [#"{"op":"device","device":"\#(device)"}"#]
        + (index % 5 == 0 ? [] : [Self.line("register", after: 0, device: device)])
        + [
          Self.revenue(Double(index), after: 9, device: device), Self.revenue(3, after: 90, "EUR", device: device),
          Self.event(["level", "tutorial"][index % 2], after: 5000, device: device),
          Self.revenue(1, after: Self.endOfP0 + index, device: device),
        ]
    }
    let whole = try Self.input(phones.flatMap(\.self), hours: [1, 700])
    for cut in [1, 5, 11] {
      for order in [[0, 1], [1, 0]] {
        let halves = [Array(phones[..<cut]), Array(phones[cut...])]
        var sum = FitInput(FitRequest(events: ["tutorial", "level"], hours: [1, 700]))
        for half in order { sum.add(try Self.input(halves[half].flatMap(\.self), hours: [1, 700])) }
        #expect(devices(sum) == devices(whole))
        #expect(sum.counts == whole.counts && sum.counts.allSatisfy { $0 > 0 } && sum.tally == whole.tally)
      }
    }
  }

  /// What is known of each device, in all hours, in the order of their texts.
  private func devices(_ input: FitInput) -> [String] {
    input.devices.indices.map { index in
      ([input.devices[index]] + input.measured.map { $0[index] }).map { "\($0)" }.joined(separator: " ")
    }.sorted()
  }

  @Test("An amount is in the range that begins at it, and not in the one that ends there")
  func ranges() {
    let ladder = RevenueLadder([200, 100, 100, 0, -1])
    #expect(ladder.boundaries == [100, 200])
    #expect([99, 100, 199, 200, .max].map(ladder.index) == [nil, 0, 0, 1, 1])
    #expect(ladder.end(of: 0) == 200 && ladder.end(of: 1) == nil)
    let sample = RevenueSample([100, 100, -3, 99])
    #expect([99, 100, 101].map(sample.index) == [1, 2, 3])
    #expect(sample.devices == 4 && sample.payers == 3 && sample.total == 296)
    #expect(RevenueSample([0, 1]).payers == 1)
    // Decoded to 150, all below to 0, and all from 200 on to 200.
    #expect(RevenueSample([99, 100, 199, 200, 201]).error(of: ladder) == 99 + 50 + 49 + 0 + 1)
  }

  @Test("The order of devices changes nothing, and a device without revenue no ranges")
  func order() throws {
    var random = SplitMix64(seed: 5)
    let amounts = [0, 990_000, 4_990_000, 9_990_000, 123_456]
    let devices = (0..<60).map { index in
      let revenue = amounts[index % 5] + index % 3
      return FitDevice(revenue: revenue, revenue, event: index % 4 == 0 ? 1 : nil, isHeldOut: index % 7 == 0)
    }
    func fit(_ devices: [FitDevice]) -> ModelFit {
      ModelFit(
        devices, values: 4, events: FitEvents(["tutorial", "level"]), currency: .usd, ModelFit.Options(limits: .none))
    }
    let whole = fit(devices)
    for _ in 0..<3 {
      let shuffled = fit(devices.shuffled(using: &random))
      #expect(shuffled.fine.best.ladder == whole.fine.best.ladder && shuffled.users == whole.users)
      #expect(shuffled.fine.best.heldOut.revenue == whole.fine.best.heldOut.revenue)
      #expect(shuffled.coarse?[.p1].best.ladder == whole.coarse?[.p1].best.ladder)
    }
    let more = fit(devices + [FitDevice(revenue: 0), FitDevice(revenue: 0, isHeldOut: true)])
    #expect(
      more.fine.best.ladder == whole.fine.best.ladder && more.fine.best.fitted.revenue == whole.fine.best.fitted.revenue
    )
    #expect(more.fine.best.heldOut.revenue == whole.fine.best.heldOut.revenue && more.users[0] == whole.users[0] + 2)
  }
}
