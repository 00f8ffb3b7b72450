import Testing

@testable import SKANDevice

@Suite("Apple's windows, version 4")
struct WindowRuleTests {
  /// A microsecond, in hours.
  static let tick = 1.0 / 3.6e9

  @Test(
    "Half-open by default, the end included by the setting window-edges",
    arguments: [
      (0, 0, 0), (48 - tick, 0, 0), (48, 1, 0), (48 + tick, 1, 1), (168 - tick, 1, 1), (168, 2, 1), (168 + tick, 2, 2),
      (840 - tick, 2, 2), (840, nil, 2), (840 + tick, nil, nil), (9000, nil, nil),
    ] as [(Double, Int?, Int?)])
  func edges(hours: Double, halfOpen: Int?, endIncluded: Int?) throws {
    for (value, expected) in [("half_open", halfOpen), ("end_included", endIncluded)] {
      var life = try Life(setting: "window-edges", value)
      life.update(1, .low, at: 0)
      #expect(life.framework.window(at: h(hours), on: life.install)?.rawValue == expected, "\(value)")
      let answer = life.update(2, .high, at: hours)
      if let expected, let window = ConversionWindow(rawValue: expected) {
        #expect(answer.fate == .taken(window), "\(value)")
        #expect(life.framework.held[window].coarse == .high, "\(value)")
      } else {
        #expect(answer.fate == .windowsOver(since: h(840)), "\(value)")
      }
    }
  }

  @Test("The clock starts at the first update call, or at the first launch by the setting clock-start")
  func clockStart() throws {
    for (value, start, window) in [("first_update", 10.0, 0), ("first_launch", 0, 1)] {
      var life = try Life(setting: "clock-start", value)
      #expect(life.framework.clockStart(on: life.install) == nil)
      life.framework.launched(at: h(0))
      life.framework.launched(at: h(5))
      let first = life.update(1, .low, at: 10)
      #expect(first == FrameworkAnswer(.taken(.p0), of: .register, effects: .registered))
      #expect(life.framework.clockStart(on: life.install) == h(start), "\(value)")
      #expect(life.framework.window(at: h(50), on: life.install)?.rawValue == window, "\(value)")
      #expect(life.framework.end(of: .p2, on: life.install) == h(start + 840))
    }
  }

  @Test("Without a launch that was told, the first update call is the first launch")
  func unknownLaunch() throws {
    var life = try Life(setting: "clock-start", "first_launch")
    life.update(1, at: 10)
    #expect(life.framework.clockStart(on: life.install) == h(10))
  }

  @Test("first_launch: a first call in a later window, and after all")
  func lateFirstCall() throws {
    var life = try Life(setting: "clock-start", "first_launch")
    life.framework.launched(at: h(0))
    var late = life
    #expect(
      life.update(1, .medium, at: 60)
        == FrameworkAnswer(.taken(.p1), of: .register, effects: [.registered, .fineIgnored]))
    #expect(life.values == ["- -", "- medium", "- -"])
    #expect(late.update(1, .medium, at: 840).fate == .windowsOver(since: h(840)))
    #expect(!late.framework.isRegistered)
  }

  @Test(
    "Developer Mode: three minutes each",
    arguments: [(0, 0), (179, 0), (180, 1), (359, 1), (360, 2), (539, 2), (540, nil)] as [(Double, Int?)])
  func developer(seconds: Double, window: Int?) {
    var life = Life { $0.clock = .developer }
    life.update(1, at: 0)
    #expect(life.framework.window(at: moment(seconds), on: life.install)?.rawValue == window)
  }

  @Test("A clock that is set back reopens nothing: an earlier moment counts as that of the latest call")
  func clockSetBack() {
    var life = Life()
    life.update(10, .low, at: 0)
    life.update(20, .medium, at: 60)
    #expect(life.update(30, .high, at: 1).fate == .taken(.p1))
    #expect(life.values == ["10 low", "- high", "- -"])
    #expect(life.update(1, .low, at: 900).fate == .windowsOver(since: h(840)))
    #expect(life.update(1, .low, at: 1).fate == .windowsOver(since: h(840)))
    // Before the beginning of all.
    var other = Life()
    other.update(1, at: 0)
    #expect(other.update(2, at: -1000).fate == .taken(.p0))
    #expect(other.framework.clockStart(on: other.install) == h(0))
  }

  @Test("An install that never called has no window")
  func noCall() {
    let life = Life()
    #expect(life.framework.window(at: h(0), on: life.install) == nil)
    #expect(life.framework.end(of: .p0, on: life.install) == nil)
  }
}
