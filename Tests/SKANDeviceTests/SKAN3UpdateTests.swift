import Testing

@testable import SKANDevice

@Suite("SKAN 3: an update")
struct SKAN3UpdateTests {
  @Test(
    "Answers of every kind, with 7 kept",
    arguments: [
      ("", .unparsable, .skan3Failed("Failed parsing server response")),
      ("5", .unparsable, .skan3Failed("Failed parsing server response")),
      ("[]", .crashed, nil), (#"{"status":"ok"}"#, .noUpdate, nil), (#"{"status":1}"#, .crashed, nil),
      (#"{"status":null,"reason":"r"}"#, .crashed, nil),
      (#"{"status":"error","reason":"r"}"#, .serverError, .skan3Failed("r")),
      ("{}", .serverError, .skan3Failed("Got error from server")),
      (#"{"reason":[1]}"#, .serverError, .skan3Failed("[1]")),
      (good("null"), .crashed, nil), (good("[]"), .crashed, nil), (good("{}"), .crashed, nil),
      (good("7"), .notHigher, nil), (good("0"), .notHigher, nil), (good("-1"), .notHigher, nil),
      (good("7.9"), .notHigher, nil),
      (good("true"), .notHigher, nil), (good(#""abc""#), .notHigher, nil), (good("4294967297"), .notHigher, nil),
      (good("2147483648"), .notHigher, nil), (good("9223372036854775807"), .notHigher, nil),
      (good("8"), .updated, .skan3Value(8)), (good("8.9"), .updated, .skan3Value(8)),
      (good("1e1"), .updated, .skan3Value(10)),
      (good(#"" 9x""#), .updated, .skan3Value(9)), (good("64"), .updated, .skan3Value(64)),
      (good("1000"), .updated, .skan3Value(1000)),
      (good("4294967304"), .updated, .skan3Value(8)), (good(#""99999999999""#), .updated, .skan3Value(.max)),
      // Coarse value and lock are not read.
      (good("8", coarse: "null", lock: "null"), .updated, .skan3Value(8)),
      (good("8", coarse: "9", lock: "[]"), .updated, .skan3Value(8)),
      (#"{"conversion_value":8,"status":5}"#, .updated, .skan3Value(8)),
    ] as [(String, Outcome, HandlerCall?)])
  func answers(answer: String, outcome: Outcome, handler: HandlerCall?) {
    var device = Device.phone(.skan3)
    _ = device.update(good("7"), at: 10)
    let before = device.kept
    let report = device.update(answer, at: 60, arriving: 65)
    #expect(report.outcome == outcome)
    #expect(report.handler == handler)
    #expect(!device.process.isLockHeld)
    #expect((report.crash != nil) == (outcome == .crashed))
    guard outcome == .updated, case .skan3Value(let value) = handler else {
      #expect(device.kept == before)
      #expect(report.framework == nil)
      return
    }
    var expected = before
    expected.skan3Value = Int64(value)
    expected.lastCall = start + 65
    #expect(device.kept == expected)
    #expect(report.framework == .updateConversionValue(Int64(value)))
  }

  @Test(
    "The first value: none counts as 0",
    arguments: [("0", nil), ("-1", nil), ("1", 1), ("0.9", nil), ("1.1", 1)] as [(String, Int64?)])
  func first(answer: String, kept: Int64?) {
    var device = Device.phone(.skan3)
    let report = device.update(good(answer))
    #expect(report.outcome == (kept == nil ? .notHigher : .updated))
    #expect(device.kept.skan3Value == kept)
  }

  @Test(
    "What ends it before a request: iOS, then the window",
    arguments: [
      ("13.7", true, 60, .iosTooOld), ("13.7", false, 60, .iosTooOld), ("13.7", true, 2 * day, .iosTooOld),
      ("14.0", true, 60, nil),
      ("14.0", true, day, .windowOver), ("14.0", true, day - 1, nil), ("17.4", true, 400 * day, .windowOver),
      ("14.0", false, 60, .notRegistered), ("17.4", true, -day, nil),
    ] as [(String, Bool, Int64, Outcome?)])
  func before(ios: String, registered: Bool, seconds: Int64, outcome: Outcome?) throws {
    var device = Device.phone(.skan3, ios: try #require(IOSVersion(ios)), registered: registered)
    let kept = device.kept
    switch device.beginUpdate(at: moment(seconds)) {
    case .request: #expect(outcome == nil)
    case .ended(let report):
      #expect(report.outcome == outcome)
      #expect(report.handler == nil)
    }
    #expect(device.kept == kept)
  }

  @Test("The window is not looked at again when the answer arrives")
  func lateAnswer() {
    var device = Device.phone(.skan3)
    #expect(device.update(good("3"), at: day - 1, arriving: 9 * day).outcome == .updated)
    #expect(device.kept.lastCall == start + 9 * day)
    #expect(device.update(good("4"), at: 10 * day - 1).outcome == .updated)
  }

  @Test("Legal values are never higher than an illegal one")
  func hidden() {
    var device = Device.phone(.skan3)
    _ = device.update(good("64"))
    for value in 0...63 { #expect(device.update(good("\(value)")).outcome == .notHigher) }
    #expect(device.kept.skan3Value == 64)
  }

  @Test("An error of the framework cannot be seen", arguments: [Int64(6), 10])
  func frameworkError(code: Int64) {
    var device = Device.phone(.skan3)
    let report = device.update(good("5"), options: UpdateOptions(frameworkError: code))
    #expect(report.outcome == .updated)
    #expect(report.handler == .skan3Value(5))
    #expect(report.frameworkAnswer?.error == code)
    #expect(device.kept.skan3Value == 5)
  }

  @Test("A transport error: -1 and the error")
  func transport() {
    var device = Device.phone(.skan3)
    let before = device
    let report = device.update(.failure("no network"))
    #expect(report.outcome == .transportError)
    #expect(report.handler == .skan3Failed("no network"))
    #expect(device == before)
  }

  @Test("A string that SKAN 4 left poisons nothing here")
  func poison() {
    var device = Device.phone(.skan3)
    device.kept.fineValue = .string("5")
    #expect(device.update(good("5")).outcome == .updated)
    #expect(device.readDetails().outcome == .read)
  }
}
