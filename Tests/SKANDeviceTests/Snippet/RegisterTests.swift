import SKANBase
import Testing

@testable import SKANDevice

@Suite("Register")
struct RegisterTests {
  @Test(
    "On each iOS",
    arguments: [
      (.skan4, "10.3", .iosTooOld), (.skan4, "15.3.1", .iosTooOld), (.skan4, "15.4", .registered),
      (.skan4, "16.0", .registered), (.skan4, "16.1", .registered), (.skan4, "17.4", .registered),
      (.skan4Beta, "15.4", .iosTooOld), (.skan4Beta, "16.0.9", .iosTooOld), (.skan4Beta, "16.1", .registered),
      (.skan4Beta, "18", .registered),
      (.skan3, "11.2.6", .iosTooOld), (.skan3, "11.3", .registered), (.skan3, "13.7", .registered),
      (.skan3, "14.0", .registered), (.skan3, "17.4", .registered),
    ] as [(SnippetVersion, String, Outcome)])
  func versions(snippet: SnippetVersion, ios: String, outcome: Outcome) throws {
    var device = Device.phone(snippet, ios: try #require(IOSVersion(ios)), registered: false)
    let report = device.register(at: moment(0.7))
    #expect(report.outcome == outcome)
    #expect(report.codes.isEmpty && report.handler == nil && report.crash == nil)
    guard outcome == .registered else {
      #expect(report.framework == nil)
      #expect(device.kept == KeptState())
      return
    }
    var kept = KeptState()
    kept.firstCall = start
    kept.lastCall = start
    if snippet != .skan3 { kept.fineValue = .integer(0) }
    #expect(device.kept == kept)
    #expect(report.framework == (snippet != .skan3 ? .updatePostback(fine: 0) : .register))
  }

  @Test("Only once in an install's life", arguments: SnippetVersion.allCases)
  func twice(snippet: SnippetVersion) {
    var device = Device.phone(snippet)
    let before = device
    for seconds in [0, 60, 40 * day, -day] {
      let report = device.register(at: moment(seconds))
      #expect(report.outcome == .alreadyRegistered)
      #expect(report.framework == nil)
    }
    #expect(device == before)
  }

  @Test("A first call on record comes before the iOS version", arguments: SnippetVersion.allCases)
  func order(snippet: SnippetVersion) {
    var device = Device.phone(snippet)
    device.profile.ios = IOSVersion(9, 0)
    #expect(device.register(at: moment(1)).outcome == .alreadyRegistered)
  }

  @Test("An error of the framework is not seen", arguments: SnippetVersion.allCases)
  func frameworkError(snippet: SnippetVersion) {
    var device = Device.phone(snippet, registered: false)
    let report = device.register(at: moment(0), frameworkError: 10)
    #expect(report.outcome == .registered)
    #expect(report.frameworkAnswer?.error == 10)
    #expect(report.handler == nil)
    #expect(device.kept == Device.phone(snippet).kept)
  }

  @Test("It does not wait for a leaked lock and does not read what is poisoned")
  func lock() {
    var device = Device.phone(registered: false)
    device.process.isLockHeld = true
    device.kept.coarseValue[.p2] = .string("1")
    #expect(device.register(at: moment(0)).outcome == .registered)
    #expect(device.process.isLockHeld)
  }

  @Test("At the first second of 1970 the first call stays 0 and counts as none", arguments: SnippetVersion.allCases)
  func epoch(snippet: SnippetVersion) {
    var device = Device.phone(snippet, registered: false)
    let epoch = Instant(microseconds: 400_000)
    #expect(device.register(at: epoch).outcome == .registered)
    #expect(device.kept.firstCall == 0)
    #expect(!device.isRegistered)
    #expect(device.register(at: epoch).outcome == .registered)
  }

  @Test("What was kept before register moves on as in an update of P0")
  func persists() {
    var device = Device.phone(registered: false)
    device.kept.fineValue = .integer(9)
    device.kept.coarseValue[.p0] = .integer(2)
    _ = device.register(at: moment(0))
    #expect(device.kept.fineValue == .integer(0))
    #expect(device.kept.previousFineValue == .integer(9))
    #expect(device.kept.coarseValue[.p0] == nil)
    #expect(device.kept.previousCoarseValue[.p0] == .integer(2))
  }
}

@Suite("From one snippet to another")
struct MigrationTests {
  @Test("What becomes of the old first call", arguments: SnippetVersion.allCases, SnippetVersion.allCases)
  func warning(from old: SnippetVersion, to new: SnippetVersion) {
    for registered in [true, false] {
      var device = Device.phone(old, registered: registered)
      let kept = device.kept
      let report = device.update(snippet: new)
      let isMigration = (old == .skan3) != (new == .skan3)
      #expect(report.warnings == (isMigration && registered ? [.oldFirstCall(start, now: new)] : []))
      #expect(device.kept == kept)
      #expect(device.snippet == new)
      #expect(device.register(at: moment(day)).outcome == (registered ? .alreadyRegistered : .registered))
    }
  }

  @Test(
    "From SKAN 3 the windows count from the old start",
    arguments: [(1, .p0), (3, .p1), (10, .p2), (35, nil), (400, nil)] as [(Int64, ConversionWindow?)])
  func windows(days: Int64, window: ConversionWindow?) {
    var device = Device.phone(.skan3)
    _ = device.update(good("12"), at: 60)
    _ = device.update(snippet: .skan4)
    #expect(device.window(at: moment(days * day)) == window)
    let report = device.update(good("5", coarse: "1"), at: days * day)
    #expect(report.outcome == (window == nil ? .windowOver : .updated))
    #expect(device.kept.skan3Value == 12)
    #expect(device.kept.fineValue == (window == .p0 ? .integer(5) : nil))
    #expect(device.detailTexts?["skan_conversion_value"] == nil)
    if let window { #expect(device.kept.coarseValue[window] == .integer(1)) }
  }

  @Test("The first request after it carries the shared entries and no fine value")
  func request() throws {
    var device = Device.phone(.skan3)
    _ = device.update(good("12"), at: 60)
    _ = try device.addRevenue(9.99, currency: "USD", isAdMonetization: true, at: moment(61))
    _ = device.update(snippet: .skan4)
    let items = device.request(event: "e").queryItems(sdkKey: "K").dropFirst(7)
    #expect(
      Array(items) == [
        QueryItem("skan_total_revenue_by_currency", #"{"USD":9.9900000000000002}"#),
        QueryItem("skan_last_call_to_skadnetwork_timestamp", String(start + 60)),
        QueryItem("skan_first_call_to_skadnetwork_timestamp", String(start)),
      ])
  }

  @Test("The sum goes on, each snippet by its own arithmetic")
  func sums() throws {
    var device = Device.phone(.skan3)
    _ = try device.addRevenue(9.99, currency: "USD", isAdMonetization: false, at: moment(1))
    _ = device.update(snippet: .skan4)
    _ = try device.addRevenue(0.01, currency: "USD", isAdMonetization: false, at: moment(2))
    let single = Double(Float(9.99) + Float(0.01))
    #expect(device.kept.iapRevenue == RevenueTable([("USD", single)]))
    #expect(device.kept.windowIAPRevenue[.p0] == RevenueTable([("USD", Double(Float(0.01)))]))
    _ = device.update(snippet: .skan3)
    _ = try device.addRevenue(0.1, currency: "USD", isAdMonetization: false, at: moment(3))
    #expect(device.kept.iapRevenue == RevenueTable([("USD", Double(Float(single)) + 0.1)]))
  }

  @Test("Back to SKAN 3: its window counts from SKAN 4's last call")
  func back() {
    var device = Device.phone()
    _ = device.update(good("40", coarse: "2"), at: 5 * day)
    _ = device.update(snippet: .skan3)
    #expect(device.window(at: moment(6 * day - 1)) == .p0)
    #expect(device.window(at: moment(6 * day)) == nil)
    // No value of its own yet: 1 is higher than none.
    #expect(device.update(good("1"), at: 6 * day - 1).outcome == .updated)
    #expect(device.kept.skan3Value == 1)
    #expect(device.kept.fineValue == .integer(0))
  }

  @Test("Between the two of SKAN 4 the coarse check changes, and nothing else")
  func beta() {
    var device = Device.phone(.skan4Beta)
    _ = device.update(good("5", coarse: "9"), at: 1)
    _ = device.update(snippet: .skan4)
    #expect(device.kept.coarseValue[.p0] == .integer(9))
    #expect(device.detailTexts?["p0_coarse"] == "9")
    #expect(device.update(good("5", coarse: "9"), at: 2).outcome == .illegalValues)
  }

  @Test("The beta updates from iOS 15.4 on where another snippet has registered")
  func betaOnOldIOS() {
    var device = Device.phone(ios: IOSVersion(15, 4))
    _ = device.update(snippet: .skan4Beta)
    #expect(device.update(good("5")).framework == .updatePostback(fine: 5))
  }

  @Test("A lock that SKAN 4 leaked does not outlive the update of the app")
  func lock() {
    var device = Device.phone()
    _ = device.update(good("64"), at: 1)
    _ = device.update(snippet: .skan3)
    #expect(device.update(good("5"), at: 2).outcome == .updated)
  }
}

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

@Suite("The app's process: crashes, relaunches, updates")
struct ProcessTests {
  @Test(
    "A crash leaves what is kept, and frees the lock",
    arguments: ["[]", good("null"), good("1", coarse: "null"), good("1", lock: "null"), #"{"status":1}"#])
  func crash(answer: String) throws {
    var device = Device.phone()
    _ = device.update(good("5", coarse: "1", lock: "1"), at: 1)
    let kept = device.kept
    // Another update of the same process leaks the lock while this one is on its way.
    guard case .request = device.beginUpdate(at: moment(2)) else {
      Issue.record("no request")
      return
    }
    #expect(device.update(good("64"), at: 3).outcome == .illegalValues)
    #expect(device.process.isLockHeld)
    let report = device.finishUpdate(
      SnippetAnswer(.response(status: 200, body: Array(answer.utf8))), at: moment(4))
    #expect(report.outcome == .crashed)
    #expect(try #require(report.crash).reason.isEmpty == false)
    #expect(report.handler == nil && report.framework == nil)
    #expect(device.kept == kept)
    #expect(!device.process.isLockHeld)
    #expect(device.process.launches == 2)
  }

  @Test(
    "What killed the app",
    arguments: [
      (good("null"), "-[NSNull intValue]: unrecognized selector sent to instance (conversion_value is null)"),
      (good("[1]"), "-[__NSArrayM intValue]: unrecognized selector sent to instance (conversion_value is an array)"),
      (
        good("1", coarse: "{}"),
        "-[__NSDictionaryM intValue]: unrecognized selector sent to instance (skan_updated_coarse_value is an object)"
      ),
      (
        good("1", lock: "null"),
        "-[NSNull boolValue]: unrecognized selector sent to instance (skan_updated_lock_window_value is null)"
      ),
      (#"{"status":5}"#, "-[__NSCFNumber isEqualToString:]: unrecognized selector sent to instance (status is 5)"),
      (
        #"{"status":true}"#,
        "-[__NSCFBoolean isEqualToString:]: unrecognized selector sent to instance (status is true)"
      ),
      ("[]", "-[__NSArrayM objectForKey:]: unrecognized selector sent to instance (the answer is a JSON array)"),
    ])
  func reason(answer: String, expected: String) {
    var device = Device.phone()
    #expect(device.update(answer).crash == Crash(reason: expected))
  }

  @Test("A poisoned install crashes at every update, relaunched or not, until its windows are over")
  func poisoned() {
    var device = Device.phone()
    #expect(device.update(good(#""5""#), at: 1).outcome == .updated)
    let kept = device.kept
    for seconds in [2, 3 * day, 8 * day, 35 * day - 1] {
      let report = device.update(good("6"), at: seconds)
      #expect(report.outcome == .crashed)
      #expect(report.handler == nil)
      #expect(device.relaunchedByUser().outcome == .relaunched)
    }
    #expect(device.update(good("6"), at: 35 * day).outcome == .windowOver)
    #expect(device.readDetails().outcome == .crashed)
    #expect(device.kept == kept)
  }

  @Test(
    "Which string poisons in which window",
    arguments: [
      (good(#""5""#), 1, true), (good(#""5""#), 3 * day, false), (good(#""5""#), 8 * day, false),
      (good("5", coarse: #""1""#), 1, true), (good("5", coarse: #""1""#), 3 * day, true),
      (good("5", coarse: #""1""#), 8 * day, true),
      (good("5", lock: #""yes""#), 1, false), (good("1.5", coarse: "true"), 1, false),
    ] as [(String, Int64, Bool)])
  func poisons(answer: String, seconds: Int64, expected: Bool) {
    var device = Device.phone()
    let report = device.update(answer, at: seconds)
    #expect(report.outcome == .updated)
    #expect((device.detailTexts == nil) == expected)
    #expect(report.codes.contains("install-poisoned") == expected)
  }

  @Test("A leaked lock blocks every update of the process, and nothing else")
  func blocked() throws {
    var device = Device.phone()
    _ = device.update(good("64"), at: 1)
    let before = device
    for seconds in [2, 3 * day, 34 * day] {
      let report = device.update(good("1"), at: seconds)
      #expect(report.outcome == .blocked)
      #expect(report.handler == nil)
    }
    #expect(device == before)
    #expect(device.register(at: moment(5)).outcome == .alreadyRegistered)
    #expect(device.readDetails().outcome == .read)
    #expect(try device.addRevenue(1, currency: "USD", isAdMonetization: false, at: moment(5)).outcome == .added)
    #expect(device.process.isLockHeld)
    #expect(device.relaunchedByUser().explanation == .relaunched(lockWasHeld: true))
    #expect(device.update(good("1"), at: 6).outcome == .updated)
    #expect(device.relaunchedByUser().explanation == .relaunched(lockWasHeld: false))
    #expect(device.process.launches == 3)
  }

  @Test("An update of iOS or the app is a new process with another profile")
  func update() {
    var device = Device.phone()
    _ = device.update(good("64"), at: 1)
    let before = device
    let report = device.update(ios: IOSVersion(18, 0), appVersion: "2.0")
    #expect(report.outcome == .set)
    #expect(report.warnings.isEmpty)
    #expect(device.profile.ios.text == "18.0" && device.profile.appVersion == "2.0")
    #expect(device.profile.snippet == .skan4 && device.profile.idfv == before.profile.idfv)
    #expect(device.kept == before.kept)
    #expect(!device.process.isLockHeld && device.process.launches == 2)
  }
}
