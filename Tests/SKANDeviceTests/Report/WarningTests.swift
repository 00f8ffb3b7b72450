import Testing

@testable import SKANDevice

@Suite("Warnings: each exactly where it belongs")
struct WarningTests {
  struct Case: Sendable {
    var answer: String
    var codes: [String]
    var seconds: Int64 = 60
    var arrival: Int64?
    var snippet: SnippetVersion = .skan4

    init(
      _ answer: String, _ codes: [String], at seconds: Int64 = 60, arriving: Int64? = nil,
      _ snippet: SnippetVersion = .skan4
    ) {
      self.answer = answer
      self.codes = codes.sorted()
      self.seconds = seconds
      arrival = arriving
      self.snippet = snippet
    }
  }

  @Test(
    "What an answer draws",
    arguments: [
      Case(good("5", coarse: "1", lock: "true", index: "0"), ["details-stale"]), Case(good("5"), ["details-stale"]),
      Case(good("5.0", coarse: "1.0", lock: "false"), ["details-stale"]),
      Case(good("5", index: "1"), ["details-stale", "index-mismatch"]),
      Case(good("5", index: "0.0"), ["details-stale"]),
      Case(good("5", index: "1.0"), ["details-stale", "index-mismatch"]),
      Case(good("5", index: "0.5"), ["details-stale", "index-mismatch"]),
      Case(good("5", index: #""0""#), ["details-stale", "index-mismatch"]),
      Case(good("5", index: "2"), ["details-stale"], at: 8 * day),
      Case(good("5", index: "0"), ["details-stale", "index-mismatch"], at: 2 * day - 1, arriving: 2 * day),
      Case(good("5", index: "2"), ["details-stale", "index-mismatch"], at: 8 * day, arriving: 35 * day),
      Case(good("1.7"), ["details-stale", "odd-type"]), Case(good("true"), ["details-stale", "odd-type"]),
      Case(good("1", coarse: "1.9"), ["details-stale", "odd-type"]),
      Case(good("1", lock: "1"), ["details-stale", "odd-type"]),
      Case(good("1.5", coarse: "true", lock: "0"), ["details-stale", "odd-type", "odd-type", "odd-type"]),
      Case(good(#""5""#), ["details-stale", "install-poisoned", "odd-type"]),
      Case(good(#""5""#), ["details-stale", "odd-type"], at: 3 * day),
      Case(good("5", coarse: #""1""#), ["details-stale", "install-poisoned", "odd-type"], at: 3 * day),
      Case(good("64"), ["lock-leaked"]), Case(good("5", coarse: "3"), ["lock-leaked"]),
      Case(good(#""64""#, lock: "1"), ["lock-leaked", "odd-type", "odd-type"]),
      Case(good("64", index: "2"), ["lock-leaked"]),
      Case(good("18446744073709551615"), ["lock-leaked"]),
      Case(#"{"status":"ok"}"#, ["handler-not-called"]),
      Case(#"{"status":"ok","skan_updated_lock_window_value":1}"#, ["handler-not-called", "odd-type"]),
      Case(#"{"status":"error"}"#, []), Case("", []), Case("<html>", []),
      Case("[]", ["app-crashed"]), Case(good("null"), ["app-crashed", "odd-type"]),
      Case(#"{"status":5}"#, ["app-crashed", "odd-type"]), Case(good("1", lock: "[]"), ["app-crashed", "odd-type"]),
      Case(good("3", coarse: "9"), ["details-stale"], .skan4Beta),
      Case(good("5"), ["details-stale"], .skan3),
      Case(good("5.5", coarse: "null", index: "2"), ["details-stale", "odd-type"], .skan3),
      Case(good("0"), ["handler-not-called"], .skan3), Case(good(#""x""#), ["handler-not-called", "odd-type"], .skan3),
      Case(good("null"), ["app-crashed", "odd-type"], .skan3), Case(good("64"), ["details-stale"], .skan3),
    ])
  func answers(_ example: Case) {
    var device = Device.phone(example.snippet)
    let report = device.update(example.answer, at: example.seconds, arriving: example.arrival)
    #expect(report.codes.sorted() == example.codes)
    // Without an idfv the same, and that.
    var nameless = Device.phone(example.snippet)
    nameless.profile.idfv = nil
    let second = nameless.update(example.answer, at: example.seconds, arriving: example.arrival)
    #expect(second.codes.sorted() == (example.codes + ["idfv-missing"]).sorted())
  }

  @Test("What ends before a request, idfv or not", arguments: ["idfv", nil])
  func noRequest(idfv: String?) {
    var device = Device.phone(registered: false)
    device.profile.idfv = idfv
    #expect(device.update(good("5")).codes == ["dropped-unregistered"])
    _ = device.register(at: moment(0))
    #expect(device.update(good("5"), at: 35 * day).codes == ["dropped-window-over"])
    device.kept.fineValue = .string("1")
    #expect(device.update(good("5")).codes == ["app-crashed", "install-poisoned"])
    device.process.isLockHeld = true
    #expect(device.update(good("5")).codes == ["blocked"])
    var skan3 = Device.phone(.skan3)
    #expect(skan3.update(good("5"), at: day).codes == ["dropped-window-over"])
    skan3.profile.ios = IOSVersion(13, 0)
    #expect(skan3.update(good("5")).codes.isEmpty)
  }

  @Test("A cleared coarse value, in its window alone")
  func coarseCleared() {
    var device = Device.phone()
    _ = device.update(good("5", coarse: "0"), at: 1)
    #expect(device.update(good("5"), at: 3 * day).codes == ["details-stale"])
    #expect(device.update(good("5"), at: 2).warnings.contains(.coarseCleared(.p0)))
    #expect(device.update(good("5"), at: 3).codes == ["details-stale"])
  }

  @Test("Details are not stale when nothing changes")
  func notStale() {
    var device = Device.phone()
    for _ in 0..<2 { _ = device.update(good("5", coarse: "1"), at: 60) }
    #expect(device.update(good("5", coarse: "1"), at: 60).codes.isEmpty)
  }

  @Test(
    "An update after a lock: only where Apple has locked, and only in that window",
    arguments: [
      ("17.4", true, 2, true), ("16.1", true, 2, true), ("16.0", true, 2, false), ("17.4", false, 2, false),
      ("17.4", true, 3 * day, false),
    ] as [(String, Bool, Int64, Bool)])
  func afterLock(ios: String, attributed: Bool, seconds: Int64, expected: Bool) throws {
    var device = Device.phone(ios: try #require(IOSVersion(ios)), ad: attributed ? AdAttribution() : nil)
    #expect(device.update(good("5", lock: "true"), at: 1).codes == ["details-stale"])
    let report = device.update(good("6"), at: seconds)
    #expect(report.warnings.contains(.ignoredAfterLock(.p0, since: moment(1))) == expected)
  }

  @Test(
    "An attributed install's framework refuses a fine value out of range",
    arguments: [(true, "4294967297", true), (false, "4294967297", false), (true, "63", false)])
  func refused(attributed: Bool, fine: String, expected: Bool) {
    var device = Device.phone(ad: attributed ? AdAttribution() : nil)
    let report = device.update(good(fine))
    #expect(report.codes == (expected ? ["framework-error-kept"] : []) + ["details-stale"])
    #expect(report.frameworkAnswer?.error == (expected ? 6 : nil))
    #expect(report.handler == .failed("SKANErrorDomain error 6") || !expected)
    var skan3 = Device.phone(.skan3, ad: attributed ? AdAttribution() : nil)
    #expect(skan3.update(good("64")).frameworkAnswer?.error == (attributed ? 6 : nil))
  }

  @Test("On an old iOS the handler never hears")
  func oldIOS() {
    var device = Device.phone()
    device.profile.ios = IOSVersion(15, 3)
    #expect(device.update(good("5")).codes == ["handler-not-called"])
  }

  @Test(
    "Names of events",
    arguments: [
      ("purchase", []), ("__SESSION__", []), ("", ["empty-name"]), (String(repeating: "x", count: 32), []),
      (String(repeating: "x", count: 33), ["name-too-long"]), ("é", ["name-not-ascii"]),
      ("gold+pack", ["plus-in-name"]),
      (" ", []), (String(repeating: "é+", count: 17), ["name-too-long", "name-not-ascii", "plus-in-name"]),
    ] as [(String, [String])])
  func names(name: String, codes: [String]) {
    #expect(Warning.about(eventName: name).map(\.code) == codes)
  }

  static let findings: [(Warning, String)] = [
    (.handlerNotCalled, "handler-not-called"), (.lockLeaked, "lock-leaked"), (.blocked, "blocked"),
    (.installPoisoned(PoisonedEntry(key: .fineValue, value: .string("5"))), "install-poisoned"),
    (.appCrashed, "app-crashed"),
    (.droppedUnregistered(needs: nil), "dropped-unregistered"),
    (.droppedUnregistered(needs: .singleValueUpdate), "dropped-unregistered"),
    (.indexMismatch(index: "1", window: .p0), "index-mismatch"),
    (.indexMismatch(index: "2", window: nil), "index-mismatch"),
    (.oddType(field: "conversion_value", value: "true", expected: "a whole number, 0-63"), "odd-type"),
    (.nameTooLong(33), "name-too-long"),
    (.nameNotASCII, "name-not-ascii"), (.plusInName, "plus-in-name"), (.emptyName, "empty-name"),
    (.emptyCurrency, "empty-currency"),
    (.idfvMissing, "idfv-missing"),
    (.currentValueMissing, "current-value-missing"), (.ignoredAfterLock(.p1, since: moment(0)), "ignored-after-lock"),
    (.frameworkErrorKept(10), "framework-error-kept"),
  ]
  static let notes: [(Warning, String)] = [
    (.droppedWindowOver, "dropped-window-over"), (.detailsStale, "details-stale"),
    (.coarseCleared(.p2), "coarse-cleared"),
    (.coarseCleared(nil), "coarse-cleared"), (.revenueOutsideWindows, "revenue-outside-windows"),
    (.clockWentBack(TimeSpan(seconds: 90 as Int64)), "clock-went-back"), (.adRevenueMerged, "ad-revenue-merged"),
    (.oldFirstCall(start, now: .skan4), "old-first-call"), (.organicInstall, "organic-install"),
    (.windowsDiffer(.p0, apple: .p1), "windows-differ"), (.windowsDiffer(nil, apple: .p2), "windows-differ"),
    (.ignoredByApple(.windowsOver(since: moment(0))), "ignored-by-apple"),
    (.ignoredByApple(.final(since: moment(0))), "ignored-by-apple"),
    (.ignoredByApple(.notHigher(than: 5)), "ignored-by-apple"), (.ignoredByApple(.fineOnly(.p1)), "ignored-by-apple"),
    (.fineIgnored, "fine-ignored"), (.coarseIgnored, "coarse-ignored"), (.lockIgnored, "lock-ignored"),
    (.waits(TimeSpan(seconds: 90 as Int64)), "waits"),
  ]

  @Test("Findings", arguments: findings)
  func finding(warning: Warning, code: String) {
    #expect(warning.code == code)
    #expect(warning.level == .finding)
    #expect(warning.level.rawValue == "finding")
  }

  @Test("Notes", arguments: notes)
  func note(warning: Warning, code: String) {
    #expect(warning.code == code)
    #expect(warning.level == .note)
    #expect(warning.level.rawValue == "note")
  }

  @Test("Each says one sentence", arguments: (findings + notes).map(\.0))
  func sentence(warning: Warning) {
    expectSentence(warning.message)
  }

  @Test(
    "With what decided it",
    arguments: [
      (
        .indexMismatch(index: "2", window: .p1),
        "The answer is for postback 2, but the phone is in P1: the snippet ignores the index and keeps the values in "
          + "its own window."
      ),
      (
        .oddType(field: "conversion_value", value: "\"5\"", expected: "a whole number, 0-63"),
        "conversion_value is \"5\"; the documentation says a whole number, 0-63."
      ),
      (
        .ignoredAfterLock(.p1, since: moment(0)),
        "P1 was locked at 2026-01-01T00:00:00Z: Apple keeps the earlier values, and the app keeps this one."
      ),
      (.nameTooLong(40), "The event name has 40 characters, the API reference allows 32."),
      (.clockWentBack(TimeSpan(seconds: 183_600 as Int64)), "The phone's clock went back by 2d3h."),
    ] as [(Warning, String)])
  func words(warning: Warning, expected: String) {
    #expect(warning.message == expected)
  }

  @Test(
    "A field of an odd type is reported also when a later field crashes the app",
    arguments: [
      (good("null", lock: "1"), ["conversion_value", "skan_updated_lock_window_value"]),
      (good("true", coarse: "null"), ["conversion_value", "skan_updated_coarse_value"]),
    ])
  func oddTypeBeforeCrash(answer: String, fields: [String]) {
    var device = Device.phone()
    let report = device.update(answer)
    #expect(report.outcome == .crashed)
    let odd = report.warnings.compactMap { if case .oddType(let field, _, _) = $0 { field } else { nil } }
    #expect(odd.sorted() == fields)
  }

  @Test("An index is compared as a number: 0.0 is P0's", arguments: ["0.0", "0e0", "-0.0"])
  func wholeIndex(index: String) {
    var device = Device.phone()
    #expect(!device.update(good("5", index: index)).codes.contains("index-mismatch"))
  }

  @Test("A reason that is a sentence does not end the explanation with two periods")
  func periods() {
    var device = Device.phone()
    expectSentence(device.update(#"{"status":"error","reason":"Unknown platform error."}"#).explanation.description)
  }

  @Test("A reason, a transport error or a string value of two lines leaves the explanation one line")
  func lines() {
    var device = Device.phone()
    expectSentence(device.update(#"{"reason":"a\nb"}"#).explanation.description)
    expectSentence(device.update(.failure("a\nb")).explanation.description)
    expectSentence(device.update(good(#""5\n""#), at: 3 * day).explanation.description)
  }

  @Test("33 ASCII characters are more than 32, whichever they are")
  func length() {
    let name = String(repeating: "x", count: 31) + "\r\n"
    #expect(Warning.about(eventName: name) == [.nameTooLong(33)])
  }
}

/// One sentence for a person: one line, a period at its end and nowhere before a space.
func expectSentence(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(text.count > 10, "\(text)", sourceLocation: sourceLocation)
  #expect(text.hasSuffix(".") && !text.hasSuffix(".."), "\(text)", sourceLocation: sourceLocation)
  #expect(!text.contains(". "), "\(text)", sourceLocation: sourceLocation)
  #expect(text.split(whereSeparator: \.isNewline).count == 1, "\(text)", sourceLocation: sourceLocation)
  #expect(
    !text.contains("  ") && !text.contains("Optional(") && !text.contains("nil"), "\(text)",
    sourceLocation: sourceLocation)
}
