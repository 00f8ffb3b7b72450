import Testing

@testable import SKANDevice

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
