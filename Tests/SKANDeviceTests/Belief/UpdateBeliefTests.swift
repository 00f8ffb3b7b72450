import Testing

@testable import SKANDevice

@Suite("What an update draws about Apple")
struct UpdateBeliefTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var what: String
    var life: Belief
    var codes: [String]

    init(_ what: String, _ life: Belief, _ codes: String...) {
      self.what = what
      self.life = life
      self.codes = codes
    }

    var testDescription: String { what }
  }

  private static let plain = Belief()
  private static let beta = Belief(snippet: .skan4Beta)
  private static let skan3 = Belief(snippet: .skan3)
  private static let organic = Belief(ad: nil)
  private static let development = Belief(build: .development)
  private static let old = Belief(ad: "3.0")
  private static let late = Belief(registerError: 10)

  static let windows: [Case] = [
    Case("P0", plain.update(5, 1, lock: true, at: 1)), Case("P0, beta", beta.update(5, 9, at: 1)),
    Case("SKAN 3", skan3.update(5, at: 1)),
    Case("P1: the fine value does not count", plain.update(5, 1, at: 48), "fine-ignored"),
    Case("P2, beta: the fine value does not count", beta.update(5, at: 200), "fine-ignored"),
    Case(
      "P1, and the answer comes in P2", plain.update(5, 1, at: 167, arriving: 169), "fine-ignored"),
    Case("The answer comes after P2", plain.update(5, 1, at: 839, arriving: 841), "ignored-by-apple"),
    Case(
      "SKAN 3 after P0: no call of it counts", skan3.update(5, at: 23).update(6, at: 46).update(7, at: 69),
      "ignored-by-apple"),
    Case(
      "iOS 16.0, taken for a version 4 ad: the call has no coarse value",
      Belief(ios: IOSVersion(16, 0), settings: ["old-ios=as_4_0"]).update(5, 1, at: 50), "ignored-by-apple"),
  ]

  static let locks: [Case] = [
    Case("After a lock", plain.update(5, lock: true, at: 1).update(6, at: 2), "ignored-after-lock"),
    Case("After a lock, beta", beta.update(5, lock: true, at: 1).update(6, at: 2), "ignored-after-lock"),
    Case(
      "After a lock, the next window",
      plain.update(5, lock: true, at: 1).update(6, at: 48), "fine-ignored"),
    Case(
      "After a lock in P1",
      plain.update(5, lock: true, at: 50).update(6, at: 51), "ignored-after-lock"),
    Case("After a lock that failed", plain.update(5, lock: true, at: 1, error: 10).update(6, at: 2)),
    Case(
      "After a lock on iOS 16.0, which has none",
      Belief(ios: IOSVersion(16, 0), settings: ["old-ios=as_4_0"]).update(5, lock: true, at: 1).update(6, at: 2)),
    Case("After a lock, organic", organic.update(5, lock: true, at: 1).update(6, at: 2), "organic-install"),
  ]

  static let ads: [Case] = [
    Case("Organic", organic.update(5, 1, lock: true, at: 1), "organic-install"),
    Case("Organic, beta", Belief(snippet: .skan4Beta, ad: nil).update(5, at: 1), "organic-install"),
    Case("Organic, SKAN 3", Belief(snippet: .skan3, ad: nil).update(5, at: 1), "organic-install"),
    Case(
      "An ad that old iOS makes nothing of",
      Belief(ios: IOSVersion(16, 0), settings: ["old-ios=not_attributed"]).update(5, at: 1), "ignored-by-apple"),
    Case(
      "Version 3: neither coarse value nor lock",
      old.update(5, 1, lock: true, at: 1), "coarse-ignored", "lock-ignored"),
    Case("Version 3: no coarse value", old.update(5, 1, at: 1), "coarse-ignored"),
    Case("Version 3: no lock", old.update(5, lock: true, at: 1), "lock-ignored"),
    Case("Version 3 and nothing that it does not know", old.update(5, at: 1)),
    Case("Version 3, iOS 16.0: the call has neither", Belief(ios: IOSVersion(16, 0), ad: "3.0").update(5, 1, at: 1)),
    Case("Version 3, SKAN 3", Belief(snippet: .skan3, ad: "3.0").update(5, at: 1)),
    Case("Version 2.2: not higher", Belief(ad: "2.2").update(5, at: 1).update(5, 1, at: 2), "ignored-by-apple"),
    Case("Version 3: the timer has run out", old.update(5, at: 1).update(6, 1, at: 25), "ignored-by-apple"),
  ]

  static let errors: [Case] = [
    Case("Development build", development.update(5, 1, at: 1), "framework-error-kept"),
    Case(
      "Development build, beta", Belief(snippet: .skan4Beta, build: .development).update(5, at: 1),
      "framework-error-kept"),
    Case(
      "Development build, SKAN 3: kept unseen",
      Belief(snippet: .skan3, build: .development).update(5, at: 1), "framework-error-kept"),
    Case("Development build, organic", Belief(ad: nil, build: .development).update(5, at: 1), "framework-error-kept"),
    Case("An error that the tester wants", plain.update(5, at: 1, error: 7), "framework-error-kept"),
    Case("SKAN 3 out of range", skan3.update(64, at: 1), "framework-error-kept"),
    Case(
      "The setting after-lock answers 10",
      Belief(settings: ["after-lock=error_10"]).update(5, lock: true, at: 1).update(6, at: 2), "ignored-after-lock"),
  ]

  static let apart: [Case] = [
    Case("Apple's clock began later", late.update(5, at: 24).update(6, at: 50), "windows-differ"),
    Case("Apple's clock began later, the same window", late.update(5, at: 24).update(6, at: 47)),
    Case(
      "The app's windows are over, Apple's are not",
      late.update(5, at: 24).update(6, at: 839, arriving: 841), "fine-ignored", "windows-differ"),
    Case(
      "Apple's clock began with the first launch",
      Belief(settings: ["clock-start=first_launch"], launch: -24).update(6, at: 30), "fine-ignored", "windows-differ"),
    Case("Developer Mode, minutes in", Belief(clock: .developer).update(6, at: 0.04)),
    Case("Developer Mode, Apple's P1", Belief(clock: .developer).update(6, at: 0.06), "fine-ignored", "windows-differ"),
    Case("Developer Mode, an hour in", Belief(clock: .developer).update(6, at: 1), "ignored-by-apple"),
    Case(
      "The phone's clock goes back: for Apple it does not",
      plain.update(5, at: 50).update(6, at: 40), "fine-ignored", "windows-differ"),
    Case(
      "Apart, but SKAN 3 knows no windows",
      Belief(snippet: .skan3, registerError: 10).update(5, at: 20).update(6, at: 43)),
  ]

  @Test(arguments: windows + locks + ads + errors + apart)
  func draws(_ example: Case) throws {
    let report = try #require(example.life.live().updates.last)
    #expect(report.codesOfApple == example.codes)
    #expect(
      report.hasFinding == example.codes.contains { ["framework-error-kept", "ignored-after-lock"].contains($0) })
  }

  @Test("An update that is not made draws nothing", arguments: [Belief(), Belief(snippet: .skan3), Belief(ad: nil)])
  func dropped(life: Belief) throws {
    for report in life.update(5, at: 900).live().updates { #expect(report.codesOfApple == []) }
  }
}
