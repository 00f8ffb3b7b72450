import Testing

@testable import SKANDevice

@Suite("Values of version 4")
struct WindowValueTests {
  @Test("Fine value in the first window only, and it may go down; coarse in all; the last call wins")
  func values() {
    var life = Life()
    for (fine, coarse, hours) in [(5, .low, 0), (63, .high, 1), (2, .medium, 47)] as [(Int64, CoarseValue, Double)] {
      life.update(fine, coarse, at: hours)
    }
    #expect(life.values == ["2 medium", "- -", "- -"])
    #expect(life.update(40, .high, at: 48).effects == .fineIgnored)
    #expect(life.update(41, .low, at: 100).fate == .taken(.p1))
    #expect(life.update(42, .high, at: 800).effects == .fineIgnored)
    #expect(life.values == ["2 medium", "- low", "- high"])
  }

  @Test(
    "A call without a coarse value, by the setting coarse-without",
    arguments: [
      ("clear", ["1 -", "- -", "- -"], .coarseCleared), ("keep", ["1 high", "- low", "- -"], []),
      ("literal_none", ["1 none", "- none", "- -"], .coarseCleared),
    ] as [(String, [String], CallEffects)])
  func coarseWithout(value: String, values: [String], effect: CallEffects) throws {
    var life = try Life(setting: "coarse-without", value)
    life.update(3, .high, at: 0)
    #expect(life.update(1, at: 1).effects == effect)
    life.update(9, .low, at: 50)
    #expect(life.update(8, at: 51).effects == effect.union(.fineIgnored))
    #expect(life.values == values)
  }

  @Test(
    "The fine-only calls have no coarse value either",
    arguments: [FrameworkCall.updatePostback(fine: 7), .updateConversionValue(7)])
  func fineOnlyClears(call: FrameworkCall) {
    var life = Life()
    life.update(3, .high, at: 0)
    #expect(life.call(call, at: 1) == FrameworkAnswer(.taken(.p0), of: call, effects: .coarseCleared))
    #expect(life.values == ["7 -", "- -", "- -"])
    // With nothing to clear there is nothing to tell.
    #expect(life.call(call, at: 2).effects == [])
  }

  @Test(
    "The fine-only calls count in the first window only",
    arguments: [FrameworkCall.updatePostback(fine: 7), .updateConversionValue(7), .register])
  func fineOnlyLater(call: FrameworkCall) {
    var life = Life()
    life.update(3, .high, at: 0)
    life.update(4, .low, at: 50)
    #expect(life.call(call, at: 60) == FrameworkAnswer(.fineOnly(.p1), of: call))
    #expect(life.call(call, at: 200) == FrameworkAnswer(.fineOnly(.p2), of: call))
    #expect(life.values == ["3 high", "- low", "- -"])
    #expect(!life.framework.held[.p2].isUpdated)
  }

  @Test("Unless by the setting fine-only-calls: then they count in every window, and clear its coarse value")
  func fineOnlyEverywhere() throws {
    for call in [FrameworkCall.updatePostback(fine: 7), .updateConversionValue(7), .register] {
      var life = try Life(setting: "fine-only-calls", "every_window")
      life.update(3, .high, at: 0)
      life.update(4, .low, at: 50)
      let again: CallEffects = call == .register ? .reset : .fineIgnored
      #expect(life.call(call, at: 60) == FrameworkAnswer(.taken(.p1), of: call, effects: again.union(.coarseCleared)))
      let isEmpty = call == .register
      #expect(life.call(call, at: 200).fate == (isEmpty ? .alreadyRegistered : .taken(.p2)))
      #expect(life.framework.held[.p2].isUpdated == !isEmpty)
      #expect(life.values == ["3 high", "- -", "- -"])
    }
  }

  @Test(
    "Nothing carries over into the next window, unless by the setting carry-over",
    arguments: [("no", ["3 high", "- -", "- -"]), ("yes", ["3 high", "- high", "- high"])])
  func carryOver(value: String, values: [String]) throws {
    var life = try Life(setting: "carry-over", value)
    try life.profile.settings.set("coarse-without", to: "keep")
    life.update(3, .high, at: 0)
    // The third window, with none in the second: it goes on through it.
    var skipping = life
    life.update(4, at: 50)
    life.update(5, at: 200)
    #expect(life.values == values)
    skipping.update(5, at: 200)
    #expect(skipping.values[2] == values[2])
    // A call without a coarse value clears what was carried, too.
    try skipping.profile.settings.set("coarse-without", to: "clear")
    skipping.update(6, at: 201)
    #expect(skipping.values[2] == "- -")
  }

  @Test("What carries over is that of the window before, not of the first")
  func carryOverFromTheWindowBefore() throws {
    var life = try Life(setting: "carry-over", "yes")
    try life.profile.settings.set("coarse-without", to: "keep")
    life.update(3, .high, at: 0)
    life.update(4, .low, at: 50)
    life.update(5, at: 200)
    #expect(life.values == ["3 high", "- low", "- low"])
  }

  @Test("A lock ends a window: later calls change nothing, the next window starts at its normal time")
  func lock() {
    var life = Life()
    #expect(life.update(5, .low, lock: true, at: 10).effects == [.registered, .locked])
    #expect(life.update(9, .high, lock: true, at: 20) == FrameworkAnswer(.locked(.p0, since: h(10)), of: .register))
    #expect(life.values == ["5 low", "- -", "- -"])
    #expect(life.framework.held[.p0].lockedAt == h(10))
    #expect(life.update(9, .high, at: 47.9).fate == .locked(.p0, since: h(10)))
    #expect(life.update(9, .high, at: 58).fate == .taken(.p1))
    #expect(life.framework.window(at: h(57), on: life.install) == .p1)
    life.update(9, .medium, lock: true, at: 60)
    #expect(life.update(9, .high, at: 177.9).fate == .locked(.p1, since: h(60)))
    #expect(life.update(9, .low, lock: true, at: 178).effects == [.fineIgnored, .locked])
    #expect(life.update(9, .high, at: 179).fate == .locked(.p2, since: h(178)))
    #expect(life.values == ["5 low", "- medium", "- low"])
  }

  @Test("A lock without a coarse value locks what is left")
  func lockWithoutCoarse() {
    var life = Life()
    life.update(5, .low, at: 0)
    #expect(life.update(6, lock: true, at: 1).effects == [.locked, .coarseCleared])
    #expect(life.values[0] == "6 -")
  }
}
