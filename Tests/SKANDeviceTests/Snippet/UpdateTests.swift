import Testing

@testable import SKANDevice

/// The rows of the article "Operations", for `skan4` and `skan4-beta`, in their order.
@Suite("SKAN 4: the checks of an update, row by row")
struct UpdateTableTests {
  struct Row: Sendable {
    var answer: String
    var outcome: Outcome
    /// Nil when the handler is never called.
    var handler: HandlerCall?
    var isLockHeld = false
    var only: SnippetVersion?

    init(
      _ answer: String, _ outcome: Outcome, _ handler: HandlerCall? = nil, lockHeld: Bool = false,
      only: SnippetVersion? = nil
    ) {
      self.answer = answer
      self.outcome = outcome
      self.handler = handler
      isLockHeld = lockHeld
      self.only = only
    }
  }

  private static let parsing = HandlerCall.failed("Failed parsing server response")
  private static let illegal = HandlerCall.failed("Illegal values recieved")
  private static let unusable = ["null", "[]", "[5]", "{}", #"{"a":1}"#]

  /// Rows 5 to 14: all leave what is kept as it was.
  static let rows: [Row] =
    [
      "", " \n", "<html>", #"{"conversion_value":1"#, good("1") + "x", "\"\"", "5", "true", "null", "NaN",
      #"{"conversion_value":09}"#, "{'conversion_value':1}", #"{"conversion_value":1,,}"#, #"{"conversion_value":NaN}"#,
    ]
    .map { Row($0, .unparsable, parsing) }
    + ["[]", "[1]", "[{\"conversion_value\":1}]", "[1,]"].map { Row($0, .crashed) }
    + unusable.map { Row(good("1", lock: $0), .crashed) }
    + unusable.map { Row("{\"skan_updated_lock_window_value\":\($0),\"status\":\"ok\"}", .crashed) }
    + [#"{"status":"ok"}"#, #"{"status":"ok","reason":"r"}"#, #"{"status":"ok","skan_updated_coarse_value":null}"#]
    .map { Row($0, .noUpdate) }
    + ["null", "0", "true", "[]", "{}"].map { Row("{\"status\":\($0),\"reason\":\"r\"}", .crashed) }
    + [
      Row(#"{"status":"error","reason":"why"}"#, .serverError, .failed("why")),
      Row(#"{"status":"OK"}"#, .serverError, .failed("Got error from server")),
      Row("{}", .serverError, .failed("Got error from server")),
      Row(#"{"reason":""}"#, .serverError, .failed("")),
      Row(#"{"reason":null}"#, .serverError, .failed("null")),
      Row(#"{"reason":{"b":[1.0],"a":true}}"#, .serverError, .failed(#"{"a":true,"b":[1]}"#)),
      Row(#"{"Conversion_value":5}"#, .serverError, .failed("Got error from server")),
    ]
    + unusable.map { Row(good($0), .crashed) }
    + ["64", "-1", "64.0", "2147483648", "9223372036854775807", #""64""#, #""-1""#].map {
      Row(good($0), .illegalValues, illegal, lockHeld: true)
    }
    + unusable.map { Row(good("1", coarse: $0), .crashed) }
    + ["3", "-1", "3.0", #""3""#].map {
      Row(good("1", coarse: $0), .illegalValues, illegal, lockHeld: true, only: .skan4)
    }

  @Test("What an answer leads to", arguments: rows, [SnippetVersion.skan4, .skan4Beta])
  func row(_ row: Row, snippet: SnippetVersion) {
    guard row.only ?? snippet == snippet else { return }
    var device = Device.phone(snippet)
    _ = device.update(good("7", coarse: "1"), at: 10)
    let before = device.kept
    let report = device.update(row.answer, at: 60)
    #expect(report.outcome == row.outcome)
    #expect(report.handler == row.handler)
    #expect(report.framework == nil)
    #expect((report.crash != nil) == (row.outcome == .crashed))
    #expect(device.kept == before)
    #expect(device.process.isLockHeld == row.isLockHeld)
    #expect(device.process.launches == (row.outcome == .crashed ? 2 : 1))
    #expect(!report.changesKept)
    // The next update goes through unless the lock leaked.
    #expect(device.update(good("9"), at: 61).outcome == (row.isLockHeld ? .blocked : .updated))
  }

  @Test("An answer that is accepted, and what the framework gets", arguments: [SnippetVersion.skan4, .skan4Beta])
  func accepted(snippet: SnippetVersion) {
    let expected: [(answer: String, fine: Int64, coarse: CoarseValue?, lock: Bool)] = [
      (good("0"), 0, nil, false), (good("63", coarse: "0"), 63, .low, false),
      (good("5", coarse: "2", lock: "true"), 5, .high, true),
      (good("1.7", coarse: "1.9"), 1, .medium, false), (good("-0.5", coarse: "-0.5"), 0, .low, false),
      (good("true", coarse: "true", lock: "-1"), 1, .medium, true), (good("1e1", lock: "0.5"), 10, nil, true),
      (good("4294967297", coarse: "4294967296"), 4_294_967_297, nil, false),
      (good("-4294967296"), -4_294_967_296, nil, false),
      (good(#"" 8""#, coarse: #""high""#, lock: #""YES""#), 8, .low, true), (good("5", lock: #""no""#), 5, nil, false),
      ("\u{FEFF} {\"conversion_value\":4,\"conversion_value\":5,\"status\":\"error\",} \n", 5, nil, false),
      (#"{"conversion\u005fvalue":3}"#, 3, nil, false),
    ]
    for (answer, fine, coarse, lock) in expected {
      var device = Device.phone(snippet)
      let report = device.update(.response(status: 500, body: Array(answer.utf8)))
      #expect(report.outcome == .updated, "\(answer)")
      #expect(report.framework == .updatePostbackCoarse(fine: fine, coarse: coarse, lock: lock), "\(answer)")
      #expect((device.kept.windowLock[.p0] != nil) == lock)
      #expect(!device.process.isLockHeld)
    }
  }

  @Test("The beta takes every coarse number", arguments: ["3", "-1", "99", "2.9", "4294967296"])
  func beta(coarse: String) throws {
    var device = Device.phone(.skan4Beta)
    let report = device.update(good("5", coarse: coarse))
    #expect(report.outcome == .updated)
    let kept = try #require(device.kept.coarseValue[.p0])
    #expect(report.framework == .updatePostbackCoarse(fine: 5, coarse: coarse == "2.9" ? .high : nil, lock: false))
    #expect(report.handler == .values(fine: .integer(5), coarse: kept, lock: false))
    #expect(kept.decimalText == coarse)
  }
}

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

@Suite("What a version of the snippet decides")
struct SnippetRulesTests {
  @Test("Sums: single precision, or double precision after the old sum is narrowed")
  func sums() {
    let (old, amount) = (0.1, 0.7)
    #expect(SnippetRules.Sums.single.adding(amount, to: old) == Double(Float(0.1) + Float(0.7)))
    #expect(SnippetRules.Sums.double.adding(amount, to: old) == Double(Float(0.1)) + 0.7)
    #expect(SnippetVersion.allCases.map(\.rules.sums) == [.single, .single, .double])
  }

  @Test("The needed iOS of register, of updates and of answers")
  func neededIOS() {
    let rules = SnippetVersion.allCases.map(\.rules)
    #expect(rules.map(\.registrationMinimum.text) == ["15.4", "16.1", "11.3"])
    #expect(rules.map(\.updateMinimum?.text) == [nil, nil, "14.0"])
    #expect(rules.map(\.answerMinimum?.text) == ["15.4", "15.4", nil])
  }

  @Test("Only entries that are kept as they were answered can be poisoned", arguments: SnippetVersion.allCases)
  func poison(snippet: SnippetVersion) {
    let rules = snippet.rules
    #expect(rules.api.entries.contains(where: \.kind.isAsAnswered) == rules.keepsAnyType)
    #expect(rules.api.entries.contains { $0.kind == .coarse || $0.kind == .lock } == rules.hasCoarseValues)
    #expect(rules.api.entries.contains(.adRevenue) == rules.splitsRevenue)
    #expect(rules.api.entries.contains(rules.valueEntry))
  }
}
