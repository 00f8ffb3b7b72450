import Testing

@testable import SKANDevice

@Suite("What Apple answers")
struct FrameworkErrorTests {
  static let calls: [FrameworkCall] = [
    .updatePostbackCoarse(fine: 1, coarse: .low, lock: true), .updatePostback(fine: 1), .updateConversionValue(1),
    .register,
  ]

  static func with(_ fine: Int64) -> [FrameworkCall] {
    [
      .updatePostbackCoarse(fine: fine, coarse: .low, lock: true), .updatePostback(fine: fine),
      .updateConversionValue(fine),
    ]
  }

  @Test("An organic install takes every call without an error and holds nothing", arguments: with(64) + calls)
  func organic(call: FrameworkCall) {
    var life = Life { $0.ad = nil }
    #expect(life.call(call, at: 0) == FrameworkAnswer(.organic, of: call))
    #expect(life.framework == AppleFramework())
    #expect(life.postbacks(at: 2000).isEmpty)
  }

  @Test(
    "A fine value outside 0-63 is refused with code 6, whatever the window, and nothing changes",
    arguments: [-1, 64, 1000, .min, .max, 4_294_967_297] as [Int64])
  func outOfRange(fine: Int64) {
    for call in Self.with(fine) {
      for version in ["4.0", "3.0", "2.0"] {
        var life = version == "4.0" ? Life() : Life.old(version)
        for hours in [0, 1, 60, 900] {
          let before = life.framework
          let answer = life.call(call, at: Double(hours))
          #expect(answer.fate == .refused(6) && answer.error == 6 && answer.effects == [])
          #expect(answer.handlerError == (call.hasHandler ? 6 : nil), "\(call)")
          #expect(life.framework == before)
          life.call(.updatePostback(fine: 0), at: Double(hours))
        }
      }
    }
  }

  @Test("0 and 63 are in range", arguments: [0, 63] as [Int64])
  func inRange(fine: Int64) {
    for call in Self.with(fine) {
      var life = Life()
      #expect(life.call(call, at: 0).fate == .taken(.p0))
      #expect(life.framework.held[.p0].fine == UInt8(fine))
    }
  }

  @Test("An app that is not from the App Store gets code 10 and registers nothing", arguments: calls + with(64))
  func development(call: FrameworkCall) {
    for isOrganic in [false, true] {
      var life = Life { profile in
        profile.build = .development
        if isOrganic { profile.ad = nil }
      }
      let answer = life.call(call, at: 0)
      #expect(answer.fate == .refused(10) && answer.error == 10)
      #expect(answer.handlerError == (call.hasHandler ? 10 : nil))
      #expect(life.framework == AppleFramework())
    }
  }

  @Test("An error that the tester wants overrides all, and nothing changes", arguments: calls + with(64))
  func scripted(call: FrameworkCall) {
    for life in [Life(), Life { $0.ad = nil }, Life { $0.build = .development }, Life.old()] {
      var life = life
      let answer = life.call(call, at: 0, failingWith: 11)
      #expect(answer.fate == .refused(11) && answer.error == 11)
      #expect(answer.handlerError == (call.hasHandler ? 11 : nil))
      #expect(life.framework == AppleFramework())
    }
  }

  @Test(
    "After a lock: ignored, an error only by the setting after-lock",
    arguments: [("no_error", nil), ("error_10", 10)] as [(String, Int64?)])
  func afterLock(value: String, code: Int64?) throws {
    var life = try Life(setting: "after-lock", value)
    life.update(1, lock: true, at: 0)
    for call in Self.calls {
      let answer = life.call(call, at: 1)
      #expect(answer.fate == .locked(.p0, since: h(0)))
      #expect(answer.error == code && answer.handlerError == (call.hasHandler ? code : nil))
    }
    #expect(life.values[0] == "1 -")
  }

  @Test(
    "After the windows and after the timer: ignored, an error only by the setting after-windows",
    arguments: [("no_error", nil), ("error_10", 10)] as [(String, Int64?)])
  func afterWindows(value: String, code: Int64?) throws {
    for version in ["4.0", "3.0"] {
      var life = try Life(setting: "after-windows", value) { $0.ad?.version = version }
      life.update(1, at: 0)
      for call in Self.calls {
        let answer = life.call(call, at: 840)
        #expect(answer.fate == (version == "4.0" ? .windowsOver(since: h(840)) : .final(since: h(24))))
        #expect(answer.error == code && answer.handlerError == (call.hasHandler ? code : nil))
      }
      #expect(life.values[0] == "1 -")
    }
  }

  @Test("Each fate says itself in one sentence")
  func words() {
    var life = Life()
    #expect(
      "\(life.call(.register, at: 0))"
        == "Apple has registered the install, without a value; the first call, which registers the install.")
    #expect(
      "\(life.update(1, .low, lock: true, at: 1))" == "Apple holds the values for P0; the window is locked now.")
    #expect(
      "\(life.update(2, at: 2))"
        == "P0 was locked at 2026-01-01T01:00:00Z, so Apple ignores the call and keeps the values of the lock.")
    #expect(
      "\(life.update(64, at: 2))" == "Apple refuses the call with SKANErrorDomain error 6 and holds what it held.")
  }
}
