import SKANDevice
import SKANSystem
import SKANRun
import Testing

@Suite("The device file")
struct DeviceFileTests {
  private func device(_ change: (inout Device) -> Void = { _ in }) -> Device {
    var device = Device(DeviceProfile(idfv: "V"))
    change(&device)
    return device
  }

  private func read(_ text: String) throws -> DeviceFile { try DeviceFile(Array(text.utf8)) }

  /// The file with this text as what the app keeps.
  private func read(kept: String) throws -> KeptState {
    try read("{\"format\":1,\"profile\":{},\"kept\":{\(kept)}}").phone.device.kept
  }

  static let values: [(KeptValue, String)] = [
    (.integer(0), "0"), (.integer(5), "5"), (.integer(-5), "-5"), (.integer(.max), "9223372036854775807"),
    (.integer(.min), "-9223372036854775808"), (.integer(4_294_967_297), "4294967297"),
    (.unsigned(.max), "18446744073709551615"), (.double(1.7), "1.7"), (.double(-0.5), "-0.5"), (.double(5), "5.0"),
    (.double(-0.0), "-0.0"), (.double(1e300), "1e+300"), (.double(.leastNonzeroMagnitude), "5e-324"),
    (.double(.greatestFiniteMagnitude), "1.7976931348623157e+308"), (.double(0.1 + 0.2), "0.30000000000000004"),
    (.double(1e16), "1e+16"), (.double(9_007_199_254_740_992), "9007199254740992.0"), (.bool(true), "true"),
    (.bool(false), "false"), (.string("5"), "\"5\""), (.string(""), "\"\""),
    (.string("a\"\\\n\u{0}\u{7F}é\u{2028}😀/"), "\"a\\\"\\\\\\n\\u0000\\u007fé\\u2028😀/\""),
  ]

  @Test("Whatever an answer can leave comes back exactly as it went in", arguments: values)
  func keptValues(value: KeptValue, text: String) throws {
    let file = DeviceFile(
      device: device {
        $0.kept.fineValue = value
        $0.kept.previousFineValue = value
        $0.kept.coarseValue[.p1] = value
        $0.kept.previousCoarseValue[.p2] = value
      })
    #expect(file.text.contains("\"skan_current_conversion_value\": \(text),\n"))
    let again = try read(file.text)
    #expect(again == file)
    #expect(again.text == file.text)
    for key in [StoreEntry.fineValue, .previousFineValue, .coarseValue(.p1), .previousCoarseValue(.p2)] {
      guard case .value(let back)? = again.phone.device.kept.entry(key) else {
        Issue.record("\(key.name) is gone")
        continue
      }
      #expect(String(reflecting: back) == String(reflecting: value), "the kind and the sign of zero too")
    }
  }

  @Test(
    "A number that a person writes keeps its kind",
    arguments: [("5", "5"), ("5.0", "5.0"), ("50e-1", "5.0"), ("-0.0", "-0.0")])
  func byHand(written: String, kept: String) throws {
    let state = try read(kept: "\"p0_coarse\":\(written)")
    #expect(DeviceFile(device: device { $0.kept = state }).text.contains("\"p0_coarse\": \(kept)\n"))
  }

  @Test("Everything at once")
  func whole() throws {
    var file = DeviceFile(
      device: device {
        $0.profile.snippet = .skan3
        $0.profile.idfv = nil
        $0.profile.idfa = "A"
        $0.profile.build = .development
        $0.profile.clock = .developer
        $0.profile.seed = -7
        $0.profile.ad?.version = "3.0"
        $0.profile.ad?.campaign = .campaignID(42)
        $0.profile.ad?.source = .domain("example.com")
        $0.process.isLockHeld = true
        $0.process.launches = 9
        $0.kept.skan3Value = 64
        $0.kept.firstCall = 1
        $0.kept.lastCall = -2
        $0.kept.windowLock[.p2] = 3
        $0.kept.iapRevenue = RevenueTable([
          ("", 0), ("usd", -1.5), ("USD", Double(Float(9.99))), ("e\u{301}", 1), ("é", 2),
        ])
        $0.kept.adRevenue = RevenueTable()
        $0.kept.windowIAPRevenue[.p0] = RevenueTable([("USD", 1e-45)])
        $0.kept.windowAdRevenue[.p2] = RevenueTable([("USD", Double(Float.greatestFiniteMagnitude))])
      })
    file.phone.clock = PhoneClock(
      first: Instant(microseconds: 1), hasGivenTime: true, end: Instant(microseconds: 1_767_225_600_123_456),
      isVirtual: true)
    file.phone.testEndpoint.calls = 4
    let calls: [FrameworkCall] = [
      .register, .updateConversionValue(64), .updatePostback(fine: 0),
      .updatePostbackCoarse(fine: 1, coarse: nil, lock: false),
      .updatePostbackCoarse(fine: 2, coarse: .high, lock: true),
    ]
    file.callsBeforeHistory = calls.enumerated().map { index, call in
      RecordedCall(at: Instant(microseconds: Int64(index) * 500_000), call: call, error: index == 4 ? 10 : nil)
    }
    file.idempotencyKeys = ["a", "", "é", "e\u{301}"]
    let again = try read(file.text)
    #expect(again == file)
    #expect(again.text == file.text)
  }

  @Test("An organic install")
  func organic() throws {
    let file = DeviceFile(device: device { $0.profile.ad = nil })
    #expect(file.text.contains("\"ad\": false"))
    #expect(try read(file.text) == file)
  }

  @Test("What is absent has its default")
  func defaults() throws {
    let file = try read("{\"format\":1,\"profile\":{\"idfv\":\"V\"},\"kept\":{}}")
    #expect(file == DeviceFile(device: device()))
  }

  @Test("The text that a person reads")
  func text() {
    let text = DeviceFile(device: device { $0.kept.fineValue = .integer(0) }).text
    #expect(text.hasPrefix("{\n  \"format\": 3,\n  \"profile\": {\n    \"snippet\": \"skan4\",\n"))
    #expect(text.contains("  \"kept\": {\n    \"skan_current_conversion_value\": 0\n  },\n"))
    #expect(text.hasSuffix("\n}\n"))
  }
}
