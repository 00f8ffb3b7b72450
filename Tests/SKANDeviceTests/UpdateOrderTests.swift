import Testing

@testable import SKANDevice

@Suite("SKAN 4: which check comes first")
struct UpdateOrderTests {
  /// What is wrong before a request can go out.
  struct Trouble: OptionSet, Sendable, CustomStringConvertible {
    let rawValue: Int
    static let over = Trouble(rawValue: 1)
    static let blocked = Trouble(rawValue: 2)
    static let poisoned = Trouble(rawValue: 4)
    static let unregistered = Trouble(rawValue: 8)
    var description: String { String(rawValue, radix: 2) }
  }

  @Test(
    "Window over before blocked before poisoned",
    arguments: [
      ([], nil), (.over, .windowOver), (.blocked, .blocked), (.poisoned, .crashed), ([.over, .blocked], .windowOver),
      ([.over, .poisoned], .windowOver), ([.blocked, .poisoned], .blocked),
      ([.over, .blocked, .poisoned], .windowOver),
      (.unregistered, .notRegistered), ([.unregistered, .blocked, .poisoned], .notRegistered),
      ([.unregistered, .over], .notRegistered),
    ] as [(Trouble, Outcome?)], [SnippetVersion.skan4, .skan4Beta])
  func beforeRequest(_ example: (trouble: Trouble, outcome: Outcome?), snippet: SnippetVersion) {
    let trouble = example.trouble
    var device = Device.phone(snippet, registered: !trouble.contains(.unregistered))
    if trouble.contains(.blocked) { device.process.isLockHeld = true }
    if trouble.contains(.poisoned) { device.kept.coarseValue[.p1] = .string("1") }
    let before = device
    switch device.beginUpdate(at: moment(trouble.contains(.over) ? 35 * day : 35 * day - 1)) {
    case .request: #expect(example.outcome == nil)
    case .ended(let report):
      #expect(report.outcome == example.outcome)
      #expect(report.handler == nil && report.framework == nil)
      #expect(device.kept == before.kept)
      #expect(device.process.isLockHeld == (trouble.contains(.blocked)))
      #expect(device.process.launches == (report.outcome == .crashed ? 2 : 1))
    }
  }

  @Test(
    "Of two things wrong in one answer",
    arguments: [
      // The lock is read before all else.
      (#"{"skan_updated_lock_window_value":null,"conversion_value":99}"#, .crashed, false),
      (#"{"skan_updated_lock_window_value":null,"status":"error"}"#, .crashed, false),
      // Without a value neither the coarse value nor anything else is looked at.
      (#"{"skan_updated_coarse_value":null,"status":"error"}"#, .serverError, false),
      (#"{"skan_updated_coarse_value":9,"status":"ok"}"#, .noUpdate, false),
      // A value beats the status, of whatever type.
      (#"{"conversion_value":1,"status":null}"#, .updated, false),
      (#"{"conversion_value":1,"status":"error","reason":"r"}"#, .updated, false),
      // The fine value before the coarse one.
      (#"{"conversion_value":64,"skan_updated_coarse_value":null}"#, .illegalValues, true),
      (#"{"conversion_value":null,"skan_updated_coarse_value":9}"#, .crashed, false),
      (#"{"conversion_value":64,"skan_updated_coarse_value":9}"#, .illegalValues, true),
    ] as [(String, Outcome, Bool)], [SnippetVersion.skan4, .skan4Beta])
  func inAnswer(_ example: (answer: String, outcome: Outcome, lock: Bool), snippet: SnippetVersion) {
    var device = Device.phone(snippet)
    #expect(device.update(example.answer).outcome == example.outcome)
    #expect(device.process.isLockHeld == example.lock)
  }

  @Test(
    "The iOS version is looked at only after a valid answer",
    arguments: [
      ("15.3", good("5", coarse: "1"), .iosTooOld), ("15.3.9", good("5"), .iosTooOld), ("9.0", good("0"), .iosTooOld),
      ("15.3", good("64"), .illegalValues), ("15.3", good("5", coarse: "7"), .illegalValues),
      ("15.3", good("null"), .crashed),
      ("15.3", "", .unparsable), ("15.3", #"{"status":"ok"}"#, .noUpdate), ("15.4", good("5"), .updated),
    ] as [(String, String, Outcome)])
  func iosAfterAnswer(ios: String, answer: String, outcome: Outcome) throws {
    var device = Device.phone()
    device.profile.ios = try #require(IOSVersion(ios))
    let before = device.kept
    let report = device.update(answer)
    #expect(report.outcome == outcome)
    if outcome == .iosTooOld {
      #expect(report.handler == nil && report.framework == nil)
      #expect(device.kept == before)
      #expect(!device.process.isLockHeld)
    }
  }

  @Test(
    "The framework's call by iOS",
    arguments: [
      ("15.4", .updatePostback(fine: 5)), ("16.0", .updatePostback(fine: 5)), ("16.0.9", .updatePostback(fine: 5)),
      ("16.1", .updatePostbackCoarse(fine: 5, coarse: .high, lock: true)),
      ("18", .updatePostbackCoarse(fine: 5, coarse: .high, lock: true)),
    ] as [(String, FrameworkCall)])
  func callByIOS(ios: String, call: FrameworkCall) throws {
    var device = Device.phone(ios: try #require(IOSVersion(ios)))
    let report = device.update(good("5", coarse: "2", lock: "true"))
    #expect(report.framework == call)
    // Handler and store get all three values all the same.
    #expect(report.handler == .values(fine: .integer(5), coarse: .integer(2), lock: true))
    #expect(device.kept.coarseValue[.p0] == .integer(2))
    #expect(device.kept.windowLock[.p0] == start + 60)
  }

  @Test("A transport error changes nothing, in any window", arguments: [60, 3 * day, 20 * day])
  func transport(seconds: Int64) {
    var device = Device.phone()
    let before = device
    let report = device.update(.failure("timed out"), at: seconds, arriving: seconds + 30 * day)
    #expect(report.outcome == .transportError)
    #expect(report.handler == .failed("timed out"))
    #expect(device == before)
  }

  @Test("A first call of 0 is set by a good answer, also on an iOS that is too old", arguments: ["15.3", "17.4"])
  func firstCall(ios: String) throws {
    var device = Device.phone(ios: try #require(IOSVersion(ios)), registered: false)
    let report = device.update(good("5"), at: 60 - start, arriving: 61 - start)
    #expect(report.outcome == (ios == "15.3" ? .iosTooOld : .updated))
    #expect(device.kept.firstCall == 61)
    #expect(device.kept.lastCall == (ios == "15.3" ? nil : 61))
  }

  @Test("No handler is safe on every path", arguments: UpdateTableTests.rows.map(\.answer) + [good("1")])
  func noHandler(answer: String) {
    var with = Device.phone()
    var without = with
    let expected = with.update(answer)
    let report = without.update(answer, options: UpdateOptions(hasHandler: false))
    #expect(report.outcome == expected.outcome)
    #expect(report.handler == nil)
    #expect(!report.codes.contains("handler-not-called"))
    #expect(without == with)
  }
}
