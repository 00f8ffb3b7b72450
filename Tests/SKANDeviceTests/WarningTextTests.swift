import Testing

@testable import SKANDevice

@Suite("Warnings: codes, levels and words")
struct WarningTextTests {
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
        "The answer is meant for postback 2, the phone is in P1: the snippet ignores the index and keeps the values in its own window."
      ),
      (
        .oddType(field: "conversion_value", value: "\"5\"", expected: "a whole number, 0-63"),
        "conversion_value is \"5\", documented is a whole number, 0-63."
      ),
      (
        .ignoredAfterLock(.p1, since: moment(0)),
        "P1 was locked at 2026-01-01T00:00:00Z: Apple keeps the earlier values, the app this one."
      ),
      (.nameTooLong(40), "The event name has 40 characters, the API reference allows 32."),
      (.clockWentBack(TimeSpan(seconds: 183_600 as Int64)), "The phone's clock went back by 2d3h."),
    ] as [(Warning, String)])
  func words(warning: Warning, expected: String) {
    #expect(warning.message == expected)
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
