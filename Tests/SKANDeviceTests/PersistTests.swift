import Testing

@testable import SKANDevice

@Suite("SKAN 4: what an update keeps")
struct PersistTests {
  @Test("In each window", arguments: [(ConversionWindow.p0, Int64(60)), (.p1, 3 * day), (.p2, 8 * day)])
  func window(window: ConversionWindow, seconds: Int64) {
    var device = Device.phone()
    _ = device.update(good("5", coarse: "1"), at: seconds)
    let report = device.update(good("6", coarse: "2", lock: "true"), at: seconds + 10, arriving: seconds + 11)
    var expected = Device.phone().kept
    if window == .p0 {
      expected.fineValue = .integer(6)
      expected.previousFineValue = .integer(5)
    }
    expected.coarseValue[window] = .integer(2)
    expected.previousCoarseValue[window] = .integer(1)
    expected.windowLock[window] = start + seconds + 11
    expected.lastCall = start + seconds + 11
    #expect(device.kept == expected)
    #expect(report.handler == .values(fine: .integer(6), coarse: .integer(2), lock: true))
  }

  @Test(
    "An answer that arrives in another window is kept there",
    arguments: [
      (2 * day - 1, 2 * day - 1, .p0), (2 * day - 1, 2 * day, .p1), (60, 7 * day, .p2), (60, 35 * day, nil),
      (35 * day - 1, 35 * day, nil), (3 * day, 3 * day - 2 * day, .p0), (60, -60, .p0),
    ] as [(Int64, Int64, ConversionWindow?)])
  func arrival(sent: Int64, arrived: Int64, window: ConversionWindow?) {
    var device = Device.phone()
    let report = device.update(good("9", coarse: "2", lock: "1"), at: sent, arriving: arrived)
    #expect(report.outcome == .updated)
    #expect(report.handler == .values(fine: .integer(9), coarse: .integer(2), lock: true))
    #expect(report.framework == .updatePostbackCoarse(fine: 9, coarse: .high, lock: true))
    for other in ConversionWindow.allCases {
      #expect(device.kept.coarseValue[other] == (other == window ? .integer(2) : nil))
      #expect(device.kept.windowLock[other] == (other == window ? start + arrived : nil))
    }
    #expect(device.kept.fineValue == .integer(window == .p0 ? 9 : 0))
    #expect(device.kept.lastCall == start + arrived)
  }

  @Test("An update without a coarse value clears the kept one, the next the previous one too")
  func cleared() {
    var device = Device.phone()
    _ = device.update(good("1", coarse: "2"), at: 1)
    _ = device.update(good("2"), at: 2)
    #expect(device.kept.coarseValue[.p0] == nil)
    #expect(device.kept.previousCoarseValue[.p0] == .integer(2))
    _ = device.update(good("3"), at: 3)
    #expect(device.kept.previousCoarseValue[.p0] == nil)
    #expect(device.detailTexts?["p0_prev_coarse_value"] == nil)
  }

  @Test("An equal value moves on like any other")
  func equal() {
    var device = Device.phone()
    for seconds: Int64 in [1, 2] { _ = device.update(good("4", coarse: "1"), at: seconds) }
    #expect(device.kept.previousFineValue == .integer(4))
    #expect(device.kept.previousCoarseValue[.p0] == .integer(1))
  }

  @Test("A lock hinders nothing, a later one replaces its instant, an update without one leaves it")
  func locks() {
    var device = Device.phone()
    for (seconds, lock, kept) in [(1, "true", 1), (2, "false", 1), (3, "true", 3), (4, nil, 3)]
      as [(Int64, String?, Int64)]
    {
      let report = device.update(good("\(seconds)", coarse: "1", lock: lock), at: seconds)
      #expect(report.outcome == .updated)
      #expect(device.kept.windowLock[.p0] == start + kept)
      #expect(device.kept.fineValue == .integer(seconds))
    }
  }

  @Test(
    "A value is kept, handed over and shown as it came",
    arguments: [
      ("1.7", .double(1.7), "1.7"), ("true", .bool(true), "1"), ("false", .bool(false), "0"),
      ("-0.5", .double(-0.5), "-0.5"),
      ("5.0", .double(5), "5"), ("-0.0", .double(-0.0), "-0"), ("1e1", .double(10), "10"), ("-0", .integer(0), "0"),
      ("4294967297", .integer(4_294_967_297), "4294967297"), (#"" 8""#, .string(" 8"), nil), (#""""#, .string(""), nil),
    ] as [(String, KeptValue, String?)])
  func asItCame(text: String, value: KeptValue, shown: String?) {
    var device = Device.phone()
    let report = device.update(good(text))
    #expect(device.kept.fineValue == value)
    #expect(report.handler == .values(fine: value, coarse: nil, lock: false))
    #expect(device.detailTexts?["skan_current_conversion_value"] == shown)
  }

  @Test(
    "A refused call is kept all the same, lock included",
    arguments: [(60, .p0), (3 * day, .p1)] as [(Int64, ConversionWindow)])
  func refused(seconds: Int64, window: ConversionWindow) {
    var device = Device.phone()
    var taken = device
    let report = device.update(
      good("5", coarse: "2", lock: "true"), at: seconds, options: UpdateOptions(frameworkError: 10))
    _ = taken.update(good("5", coarse: "2", lock: "true"), at: seconds)
    #expect(report.outcome == .frameworkError)
    #expect(report.handler == .failed("SKANErrorDomain error 10"))
    #expect(report.frameworkAnswer?.error == 10)
    #expect(device == taken)
  }

  @Test("Fractions of a second are cut")
  func fractions() {
    var device = Device.phone(registered: false)
    _ = device.register(at: moment(0.9))
    guard case .request = device.beginUpdate(at: moment(1.2)) else {
      Issue.record("no request")
      return
    }
    let answer = EndpointAnswer.response(status: 200, body: Array(good("1", lock: "true").utf8))
    _ = device.finishUpdate(SnippetAnswer(answer), at: moment(2.999_999))
    #expect(device.kept.firstCall == start)
    #expect(device.kept.lastCall == start + 2)
    #expect(device.kept.windowLock[.p0] == start + 2)
  }
}
