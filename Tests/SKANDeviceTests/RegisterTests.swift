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
