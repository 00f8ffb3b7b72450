import Foundation
import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

/// A life is told from its history. Here it is also known from the phone itself, which is looked at after each step.
@Suite("Lanes are what the phone was, step by step")
struct PlainLifeTests {
  private typealias Change = (moments: [Instant], window: ConversionWindow, values: ValueLane.Values)

  private static func held(_ device: Device, _ window: ConversionWindow) -> ValueLane.Values {
    let held = device.framework.held[window]
    let levels: [HeldCoarse: Int] = [.literalNone: 0, .low: 1, .medium: 2, .high: 3]
    let coarse = held.coarse.map { (name: $0.rawValue, level: levels[$0] ?? -1) }
    return ValueLane.Values(
      fine: held.fine.map { Int64($0) }, coarse: coarse.map { ShownCoarse.named($0.name, $0.level) },
      lockedAt: held.lockedAt)
  }

  private static func kept(_ device: Device, _ window: ConversionWindow) -> ValueLane.Values {
    var values = ValueLane.Values.none
    if window == .p0 { values.fine = device.keptValue }
    guard device.profile.snippet != .skan3 else { return values }
    values.coarse = device.kept.coarseValue[window].map { kept -> ShownCoarse in
      let names = ["low", "medium", "high"]
      guard let number = CoarseValue(kept).map({ Int($0.number) }) else { return .named(kept.decimalText ?? "text", 0) }
      return .named(names[number], number + 1)
    }
    if let lock = device.kept.windowLock[window], lock != 0 {
      values.lockedAt = Instant(microseconds: lock * 1_000_000)
    }
    return values
  }

  /// Each change of the values of a window, at one of the moments at which the step changed something.
  private static func changes(
    _ life: LivedPhone, _ values: (Device, ConversionWindow) -> ValueLane.Values
  ) -> [Change] {
    var last = PerWindow<ValueLane.Values>(repeating: .none)
    return life.states.flatMap { state in
      ConversionWindow.allCases.compactMap { window -> Change? in
        let now = values(state.device, window)
        if now == last[window] { return nil }
        last[window] = now
        return (state.events.map(\.at), window, now)
      }
    }
  }

  private static func compare(_ lane: ValueLane, _ expected: [Change]) {
    let steps = lane.steps.filter { !$0.isAssumed }
    #expect(steps.count == expected.count, "\(lane.title)")
    for (step, change) in zip(steps, expected) {
      #expect(step.window == change.window && step.values == change.values, "\(lane.title)")
      #expect(change.moments.contains(step.at), "\(lane.title)")
    }
  }

  @Test("Of random lives, Apple's side", arguments: Rounds.of(60))
  func apple(seed: Int) throws {
    let life = try LivedPhone(RandomLives.list(seed: UInt64(seed)))
    // What ends a conversion of AdAttributionKit is no call, and not a step of the lane.
    if life.device.traits.install.isAdAttributionKit { return }
    Self.compare(try life.lane(.apple), Self.changes(life, Self.held))
  }

  @Test("Of random lives, the app's side", arguments: Rounds.of(60))
  func app(seed: Int) throws {
    let life = try LivedPhone(RandomLives.list(seed: UInt64(seed)))
    // Before iOS 16.1 no call has the coarse value that the app keeps.
    if life.states.contains(where: { $0.device.profile.ios < IOSVersion(16, 1) }) { return }
    Self.compare(try life.lane(.app), Self.changes(life, Self.kept))
  }

  @Test("The last values of each window are those of the phone, with and without a history", arguments: Rounds.of(60))
  func last(seed: Int) throws {
    let life = try LivedPhone.random(seed)
    for (side, values) in [(ValueLane.Side.app, Self.kept), (.apple, Self.held)] {
      let lane = try life.lane(side)
      for band in lane.bands {
        let step = lane.steps.last { $0.window == band.window }
        #expect(
          (step?.values ?? ValueLane.Values.none) == values(life.device, band.window), "\(lane.title) \(band.name)")
        if let step, step.isAssumed { #expect(band.start <= step.at && step.at <= band.end) }
      }
    }
  }
}

extension ShownCoarse {
  /// A value by its name and level, by way of the stores that can hold it.
  fileprivate static func named(_ name: String, _ level: Int) -> ShownCoarse {
    if level > 0, let value = CoarseValue(rawValue: name) {
      let shown = ShownCoarse(value)
      #expect(shown.level == level)
      return shown
    }
    return HeldCoarse(rawValue: name).map { ShownCoarse($0) }
      ?? ShownCoarse(Int64(name).map { KeptValue.integer($0) } ?? .string("7"))
  }
}
