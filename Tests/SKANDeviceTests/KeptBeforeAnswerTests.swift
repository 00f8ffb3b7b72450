import Testing

@testable import SKANDevice

@Suite("What was kept before the last answer")
struct OverwrittenStateTests {
  /// Answers that are kept, in part or not at all.
  private static let answers = [
    good("5"), good("0"), good("9", coarse: "2", lock: "true"), good("7", coarse: "0"), good("5.0", coarse: "true"),
    good("64"), good("null"), good(#""5""#), #"{"status":"ok"}"#, #"{"status":"error","reason":"why"}"#, "<html>", "[]",
  ]

  @Test("It is what the device had, after every answer, in every window and snippet")
  func random() {
    var chance = SplitMix64(seed: 7)
    func draw(_ count: Int) -> Int { Int(truncatingIfNeeded: chance.next() >> 33) % count }
    var changed = 0
    for life in 0..<600 {
      var device = Device.phone(
        SnippetVersion.allCases[life % SnippetVersion.allCases.count],
        ios: [IOSVersion(17, 4), IOSVersion(15, 0), IOSVersion(16, 0)][draw(3)], registered: false)
      var now: Int64 = 0
      if draw(4) > 0 { _ = device.register(at: moment(now)) }
      for _ in 0..<12 {
        now += Int64([1, 3600, 20 * 3600, 3 * 86400][draw(4)])
        let before = device.kept
        guard case .request = device.beginUpdate(at: moment(now)) else {
          device.relaunch()
          continue
        }
        let answer = EndpointAnswer.response(
          status: 200, body: Array(Self.answers[draw(Self.answers.count)].utf8))
        let report = device.finishUpdate(SnippetAnswer(answer), at: moment(now))
        #expect((device.keptBeforeAnswer ?? device.kept) == before, "\(device.snippet) \(report.outcome)")
        if device.kept != before { changed += 1 }
        var read = Device(device.profile)
        read.kept = device.kept
        read.keptBeforeAnswer = device.keptBeforeAnswer
        #expect(read.keptBeforeAnswer == device.keptBeforeAnswer, "as a device file gives it")
      }
    }
    #expect(changed > 500)
  }

  @Test("Revenue that came later is in it; register, and an answer without effect, leave nothing")
  func later() throws {
    var device = Device.phone()
    _ = device.update(good("5"), at: 60)
    _ = try device.addRevenue(5, currency: "USD", isAdMonetization: false, at: moment(61))
    let before = try #require(device.keptBeforeAnswer)
    #expect(before.fineValue == .integer(0))
    #expect(before.iapRevenue == device.kept.iapRevenue)
    _ = device.update(#"{"status":"ok"}"#, at: 62)
    #expect(device.keptBeforeAnswer == nil)
    _ = device.update(good("6"), at: 63)
    device.start(from: device.kept)
    #expect(device.keptBeforeAnswer == nil)
  }
}
