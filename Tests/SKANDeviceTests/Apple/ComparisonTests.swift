import Testing

@testable import SKANDevice

@Suite("The app's belief beside Apple's truth")
struct ComparisonTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var what: String
    var life: Belief
    /// Name, app, Apple, why they differ; other rows are not looked at.
    var rows: [Comparison]

    init(_ what: String, _ life: Belief, _ rows: [(String, String?, String?, Difference?)]) {
      self.what = what
      self.life = life
      self.rows = rows.map { Comparison(name: $0.0, app: $0.1, apple: $0.2, difference: $0.3) }
    }

    var testDescription: String { what }
  }

  private static let plain = Belief()
  private static let oldIOS = Belief(ios: IOSVersion(16, 0), settings: ["old-ios=as_4_0"])
  private static let keep = Belief(settings: ["coarse-without=keep"])
  private static let none = Belief(settings: ["coarse-without=literal_none"])
  private static let launch = Belief(settings: ["clock-start=first_launch"], launch: -24)
  private static let beginning = "2026-01-01T00:00:00Z"
  private static let hour1 = "2026-01-01T01:00:00Z"
  private static let hour2 = "2026-01-01T02:00:00Z"

  static let values: [Case] = [
    Case(
      "All alike", plain.update(5, 1, lock: true, at: 1),
      [
        ("first call", beginning, beginning, nil), ("fine value", "5", "5", nil),
        ("P0 coarse value", "medium", "medium", nil), ("P0 lock", hour1, hour1, nil),
      ]),
    Case(
      "An update after a lock", plain.update(5, 1, lock: true, at: 1).update(6, 2, lock: true, at: 2),
      [
        ("fine value", "6", "5", .locked(since: h(1))), ("P0 coarse value", "high", "medium", .locked(since: h(1))),
        ("P0 lock", hour2, hour1, .twoLocks),
      ]),
    Case(
      "An update after a lock, whose values are the same", plain.update(5, 1, lock: true, at: 1).update(5, 1, at: 2),
      [("fine value", "5", "5", nil), ("P0 coarse value", "medium", "medium", nil), ("P0 lock", hour1, hour1, nil)]),
    Case(
      "A coarse value cleared by a call without one: by both", plain.update(5, 1, at: 1).update(6, at: 2),
      [("first call", beginning, beginning, nil), ("fine value", "6", "6", nil)]),
    Case(
      "… after a lock: by the app alone", plain.update(5, 1, lock: true, at: 1).update(5, at: 2),
      [("P0 coarse value", nil, "medium", .locked(since: h(1)))]),
    Case(
      "… and Apple keeps it", keep.update(5, 1, at: 1).update(6, at: 2),
      [("P0 coarse value", nil, "medium", .coarseLeft)]),
    Case(
      "… and Apple holds none", none.update(5, 1, at: 50).update(6, at: 51),
      [("P1 coarse value", nil, "none", .coarseNone)]),
    Case(
      "A fine value in P1 and P2 counts with neither",
      plain.update(5, 1, at: 1).update(6, 2, at: 50).update(7, 0, at: 200),
      [
        ("fine value", "5", "5", nil), ("P0 coarse value", "medium", "medium", nil),
        ("P1 coarse value", "high", "high", nil), ("P2 coarse value", "low", "low", nil),
      ]),
    Case(
      "A coarse number that is none", Belief(snippet: .skan4Beta).update(5, 9, at: 1),
      [("P0 coarse value", "9", nil, .noCoarseValue)]),
    Case(
      "A call that iOS did not have", oldIOS.update(5, 1, lock: true, at: 1),
      [
        ("fine value", "5", "5", nil), ("P0 coarse value", "medium", nil, .fineOnlyCall),
        ("P0 lock", hour1, nil, .fineOnlyCall),
      ]),
  ]

  static let installs: [Case] = [
    Case(
      "After an error, values that Apple never got",
      plain.update(5, 1, at: 1).update(6, 2, lock: true, at: 2, error: 10),
      [
        ("first call", beginning, beginning, nil), ("fine value", "6", "5", .notTaken),
        ("P0 coarse value", "high", "medium", .notTaken), ("P0 lock", hour2, nil, .notTaken),
      ]),
    Case(
      "A development build: error 10 from the start", Belief(build: .development).update(5, 1, at: 1),
      [
        ("first call", beginning, nil, .developmentBuild), ("fine value", "5", nil, .developmentBuild),
        ("P0 coarse value", "medium", nil, .developmentBuild),
      ]),
    Case(
      "Organic", Belief(ad: nil).update(5, 1, lock: true, at: 1),
      [
        ("first call", beginning, nil, .organic), ("fine value", "5", nil, .organic),
        ("P0 coarse value", "medium", nil, .organic), ("P0 lock", hour1, nil, .organic),
      ]),
    Case(
      "Organic, SKAN 3", Belief(snippet: .skan3, ad: nil).update(5, at: 1),
      [("first call", beginning, nil, .organic), ("fine value", "5", nil, .organic)]),
    Case(
      "An ad that old iOS makes nothing of",
      Belief(ios: IOSVersion(16, 0), settings: ["old-ios=not_attributed"]).update(5, at: 1),
      [("first call", beginning, nil, .oldIOS), ("fine value", "5", nil, .oldIOS)]),
    Case(
      "No call was taken", Belief(registerError: 10).update(5, at: 1, error: 10),
      [("first call", beginning, nil, .neverReached), ("fine value", "5", nil, .neverReached)]),
    Case(
      "Windows that began with the call after one that failed",
      Belief(registerError: 10).update(5, 1, at: 1).update(6, 2, at: 48),
      [
        ("first call", beginning, hour1, .windowsBeganApart), ("fine value", "5", "6", .windowsBeganApart),
        ("P0 coarse value", "medium", "high", .windowsBeganApart),
        ("P1 coarse value", "high", nil, .windowsBeganApart),
      ]),
    Case(
      "Windows that began with the first launch", launch.update(5, 1, at: 1).update(6, 2, at: 30),
      [
        ("first call", beginning, beginning, nil),
        ("windows since", beginning, "2025-12-31T00:00:00Z", .windowsBeganApart),
        ("fine value", "6", "5", .windowsBeganApart), ("P0 coarse value", "high", "medium", .windowsBeganApart),
        ("P1 coarse value", nil, "high", .windowsBeganApart),
      ]),
    Case(
      "Developer Mode: an update in Apple's P1",
      Belief(clock: .developer).update(5, 1, at: 0.01).update(6, 2, at: 0.06),
      [
        ("fine value", "6", "5", .shorterWindows), ("P0 coarse value", "high", "medium", .shorterWindows),
        ("P1 coarse value", nil, "high", .shorterWindows),
      ]),
    Case(
      "Developer Mode: after a lock that both know",
      Belief(clock: .developer).update(5, lock: true, at: 0.01).update(6, at: 0.02),
      [("fine value", "6", "5", .locked(since: h(0.01)))]),
    Case(
      "The clock is set back: the update counts in Apple's P1", plain.update(5, 1, at: 50).update(6, 2, at: 40),
      [("fine value", "6", "0", .notTaken), ("P1 coarse value", "medium", "high", .notTaken)]),
    Case(
      "SKAN 3", Belief(snippet: .skan3).update(5, at: 1),
      [("first call", beginning, beginning, nil), ("fine value", "5", "5", nil)]),
    Case(
      "An ad of version 3", Belief(ad: "3.0").update(9, 1, lock: true, at: 1).update(5, 2, at: 2),
      [
        ("fine value", "5", "9", .highestOfTimer), ("P0 coarse value", "high", nil, .noCoarseInVersion),
        ("P0 lock", hour1, nil, .noLockInVersion),
      ]),
    Case(
      "Version 3: its timer runs on in the app's P1",
      Belief(ad: "3.0").update(5, at: 20).update(6, at: 40).update(7, at: 50),
      [("fine value", "6", "7", .highestOfTimer)]),
  ]

  @Test(arguments: values + installs)
  func rows(_ example: Case) {
    let all = example.life.live().device.comparisons
    for row in example.rows {
      let found = all.filter { $0.name == row.name }
      #expect(found == [row])
    }
  }

  @Test("Of windows that do not count there is no beginning")
  func noWindows() {
    let settings = ["clock-start=first_launch"]
    for life in [
      Belief(ad: nil, settings: settings, launch: -1), Belief(build: .development, settings: settings, launch: -1),
      Belief(ad: "3.0", settings: settings, launch: -1), Belief(snippet: .skan3, settings: settings, launch: -1),
      Belief(settings: settings, registerError: 10, launch: -1), Belief(settings: settings),
    ] {
      #expect(!life.live().device.comparisons.contains { $0.name == "windows since" })
    }
  }

  @Test("What neither has is not compared", arguments: SnippetVersion.allCases)
  func nothing(snippet: SnippetVersion) {
    for ad in ["4.0", "3.0", nil] {
      let device = Device(Belief(snippet: snippet, ad: ad).profile)
      #expect(device.comparisons == [])
    }
  }

  @Test("The app is updated to another snippet, which keeps the value elsewhere")
  func otherSnippet() throws {
    for (from, to) in [(SnippetVersion.skan3, SnippetVersion.skan4), (.skan4, .skan3)] {
      var device = Belief(snippet: from).update(5, at: 1).live().device
      _ = device.update(snippet: to)
      let row = try #require(device.comparisons.first { $0.name == "fine value" })
      #expect(row == Comparison(name: "fine value", app: nil, apple: "5", difference: .otherSnippet))
    }
  }

  @Test("Within a second they began together: the app cuts fractions off")
  func fractions() {
    var device = Device(Belief().profile)
    _ = device.register(at: moment(0.7))
    #expect(device.comparisons.map(\.difference) == [nil, nil])
    // The app's P1 begins 0.7 seconds before Apple's.
    let report = device.update(good("5", coarse: "1"), at: 2 * day)
    #expect(report.codesOfApple == ["windows-differ"])
    let row = Comparison(name: "fine value", app: "0", apple: "5", difference: .notTaken)
    #expect(device.comparisons.contains(row))
  }

  @Test("Every reason says itself, without a period")
  func words() {
    let reasons = (Self.values + Self.installs).flatMap(\.rows).compactMap { $0.difference?.description }
    #expect(Set(reasons).count >= 14)
    for reason in reasons { #expect(!reason.isEmpty && !reason.hasSuffix(".")) }
  }
}
