import Testing

@testable import SKANDevice

@Suite("Reports as small values")
struct StepReportTests {
  @Test(
    "Whether the fate of a call is a finding",
    arguments: [
      CallFate.taken(.p1), .registered, .alreadyRegistered, .organic, .unknownVersion, .tooLate(since: moment(1)),
      .locked(.p0, since: moment(1)), .windowsOver(since: moment(1)), .final(since: moment(1)), .notHigher(than: 5),
      .fineOnly(.p2), .refused(10),
    ])
  func fates(fate: CallFate) {
    #expect(fate.isFinding == (fate.warning?.level == .finding))
    var report = StepReport()
    report.setUpdated(fine: .integer(1), coarse: nil, lock: false, .p0, previous: nil)
    report.note(.register, FrameworkAnswer(fate, of: .register))
    #expect(report.hasFinding == fate.isFinding)
    let warning = fate == .taken(.p1) ? .windowsDiffer(.p0, apple: .p1) : fate.warning
    #expect(report.found == (warning.map { [$0] } ?? []))
  }

  @Test("Warnings stand in the same order as bits and as a list")
  func order() {
    for notices: [StepReport.Notices] in [
      [.coarseCleared], [.coarseCleared, .idfvMissing], [.idfvMissing, .handlerNotCalled], [.revenueOutsideWindows],
    ] {
      var bits = StepReport()
      bits.setUpdated(fine: .integer(1), coarse: nil, lock: false, .p2, previous: nil)
      bits.note(.register, FrameworkAnswer(.organic, of: .register))
      var list = bits
      list.found = bits.found
      for notice in notices where notice != .revenueOutsideWindows {
        bits.notice(notice)
        list.notice(notice)
      }
      #expect(bits.found == list.found && bits.found.count > notices.count - 1)
      #expect(bits.hasFinding == bits.found.contains { $0.level == .finding } && bits.hasFinding == list.hasFinding)
      #expect(bits.firstFinding == list.firstFinding)
    }
  }

  @Test("Values that are no small numbers are kept as they are")
  func values() {
    let values: [KeptValue] = [.integer(5), .integer(300), .double(5), .bool(true), .string("5")]
    for fine in values {
      for (coarse, previous) in [(nil, nil), (.string("1"), nil), (.integer(2), .bool(false)), (nil, .double(0.5))]
        as [(KeptValue?, KeptValue?)]
      {
        for window in [nil, ConversionWindow.p1] {
          var report = StepReport()
          report.setUpdated(fine: fine, coarse: coarse, lock: true, window, previous: previous)
          report.passValues(.values(fine: fine, coarse: coarse, lock: true))
          let explanation = Explanation.updated(fine: fine, coarse: coarse, lock: true, window, previous: previous)
          #expect(report.explanation == explanation)
          #expect(report.handler == .values(fine: fine, coarse: coarse, lock: true))
          report.explanation = .frameworkFailed(code: 10)
          #expect(report.handler == .values(fine: fine, coarse: coarse, lock: true))
          report.removeHandler()
          #expect(report.handler == nil && !report.callsHandler && report.explanation == .frameworkFailed(code: 10))
        }
      }
    }
  }

  @Test("A report is small") func size() {
    #expect(MemoryLayout<StepReport>.size <= 80, "\(MemoryLayout<StepReport>.size)")
  }
}

@Suite("Explanations")
struct ExplanationTests {
  @Test("Every outcome that can be reached is explained in one sentence", arguments: SnippetVersion.allCases)
  func everyOutcome(snippet: SnippetVersion) throws {
    var reports = try life(of: snippet)
    let profile = DeviceProfile(idfv: nil)
    reports.append(StepReport(.set, .installed(profile)))
    for report in reports { expectSentence(report.explanation.description) }
    let unreachable: Set<Outcome> =
      snippet != .skan3 ? [.notHigher, .forwarded] : [.frameworkError, .illegalValues, .blocked, .forwarded]
    // The snippet does not call AdAttributionKit, and these updates do not overlap.
    let others = unreachable.union([.adAttributionKitError, .opened, .killed, .uncompleted])
    #expect(Set(reports.map(\.outcome)) == Set(Outcome.allCases).subtracting(others))
  }

  /// A report of every kind that the snippet can make.
  private func life(of snippet: SnippetVersion) throws -> [StepReport] {
    var reports: [StepReport] = []
    var old = Device.phone(snippet, ios: IOSVersion(11, 0), registered: false)
    reports.append(old.register(at: moment(0)))
    reports.append(try old.addRevenue(1.5, currency: "USD", isAdMonetization: false, at: moment(0)))
    old.kept.firstCall = start
    old.kept.lastCall = start
    reports.append(old.update(good("5")))
    var device = Device.phone(snippet, registered: false)
    reports.append(device.update(good("5")))
    reports.append(device.readDetails())
    reports += [device.register(at: moment(0)), device.register(at: moment(1)), device.readDetails()]
    for answer in [
      good("5", coarse: "1", lock: "true"), good("1.5"), good("7"), "", " ", "<", "5", "[]", good("null"),
      #"{"status":"ok"}"#, "{}",
      #"{"status":"error","reason":"Unknown platform error"}"#,
    ] {
      reports.append(device.update(answer))
      reports.append(device.update(answer, at: 60, arriving: 35 * day))
    }
    reports.append(device.update(.failure("The request timed out")))
    reports.append(device.update(good("8"), options: UpdateOptions(frameworkError: 10)))
    for (amount, currency, isAd) in [(1, "USD", true), (1, "", false), (0, "USD", false), (1, nil, false)]
      as [(Double, String?, Bool)]
    {
      reports.append(try device.addRevenue(amount, currency: currency, isAdMonetization: isAd, at: moment(60)))
      reports.append(try device.addRevenue(amount, currency: currency, isAdMonetization: isAd, at: moment(40 * day)))
    }
    reports.append(device.update(good("64")))
    reports.append(device.update(good("1", coarse: "9")))
    reports.append(device.relaunchedByUser())
    reports.append(device.update(good("1", coarse: "9")))
    reports.append(device.relaunchedByUser())
    reports.append(device.relaunchedByUser())
    reports.append(device.update(good("9"), at: 400 * day))
    reports += [device.update(ios: IOSVersion(18, 0), appVersion: "2", snippet: .skan3), device.update()]
    device.profile.snippet = snippet
    device.kept.fineValue = .string("5")
    reports += [device.update(good("1")), device.readDetails()]
    // SKAN 3 cannot be poisoned; its crash is the answer's.
    return reports
  }

  @Test(
    "With the instant or value that decided it",
    arguments: [
      (
        .registered(.skan4, at: start),
        "First call to the framework with value 0; the three windows count from 2026-01-01T00:00:00Z."
      ),
      (
        .registered(.skan3, at: start),
        "First call to the framework; updates stay open for 24 hours after each call, so until 2026-01-02T00:00:00Z."
      ),
      (
        .windowClosed(window: "P2", at: start, now: start + 90),
        "P2 closed at 2026-01-01T00:00:00Z, 1m30s before this; the snippet returns without a request and without calling the handler."
      ),
      (
        .windowClosed(window: "P2", at: start, now: start),
        "P2 closed at 2026-01-01T00:00:00Z, this very second; the snippet returns without a request and without calling the handler."
      ),
      (
        .updated(fine: .integer(7), coarse: .integer(1), lock: true, .p0, previous: .integer(5)),
        "Updated in P0: conversion value 5 → 7, coarse 1, window locked."
      ),
      (
        .updated(fine: .double(1.5), coarse: nil, lock: false, .p0, previous: nil),
        "Updated in P0: conversion value 1.5, no coarse value."
      ),
      (
        .updated(fine: .string("5"), coarse: .bool(true), lock: false, .p2, previous: .integer(5)),
        "Updated in P2: conversion value \"5\" is not kept after P0, coarse true."
      ),
      (
        .skan3Updated(5, previous: nil),
        "Conversion value 5 is higher than none: updated, and updates stay open for another 24 hours."
      ),
      (.detailsRead(0), "Nothing is kept yet."), (.detailsRead(1), "1 entry is kept."),
      (.detailsRead(3), "3 entries are kept."),
      (.alreadyCounted(key: "k1"), "The idempotency key k1 was seen before: the revenue is not counted again."),
      (.refused("Unknown platform error"), "The endpoint gave an error and no value: Unknown platform error."),
    ] as [(Explanation, String)])
  func words(explanation: Explanation, expected: String) {
    #expect(explanation.description == expected)
  }

  @Test(
    "An update of the phone says what changed",
    arguments: [
      (nil, nil, nil, "Nothing changed; the app restarts, and the kept values stay."),
      ("18.0", nil, nil, "iOS 17.4 → 18.0; the app restarts, and the kept values stay."),
      (
        nil, "2.0", .skan3, "app version 1.0 → 2.0, snippet skan4 → skan3; the app restarts, and the kept values stay."
      ),
    ] as [(String?, String?, SnippetVersion?, String)])
  func changes(ios: String?, app: String?, snippet: SnippetVersion?, expected: String) {
    var device = Device.phone()
    let report = device.update(ios: ios.flatMap { IOSVersion($0) }, appVersion: app, snippet: snippet)
    #expect(report.explanation.description == expected)
  }

  @Test(
    "Windows that closed are reported with their end, by each snippet",
    arguments: [
      (SnippetVersion.skan4, "P2 closed at 2026-02-05"),
      (.skan3, "The 24 hours after the last call closed at 2026-01-02"),
    ])
  func closed(snippet: SnippetVersion, beginning: String) {
    var device = Device.phone(snippet)
    #expect(device.update(good("1"), at: 36 * day).explanation.description.hasPrefix(beginning))
  }
}
