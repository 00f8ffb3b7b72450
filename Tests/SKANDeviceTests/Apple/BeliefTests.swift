import SKANBase
import Testing

@testable import SKANDevice

/// A life told in short: an install by an ad, and updates at hours after its registration.
struct Belief: Sendable {
  var snippet: SnippetVersion = .skan4
  var ios = IOSVersion(17, 4)
  /// Version of the ad; nil is an organic install.
  var ad: String? = "4.0"
  var build: DeviceProfile.Build = .appStore
  var clock: DeviceProfile.ClockPreset = .production
  /// `NAME=VALUE`.
  var settings: [String] = []
  /// With which code the register's call fails.
  var registerError: Int64?
  /// When the app is launched first, in hours; as it registers when nil.
  var launch: Double?
  var updates: [Update] = []

  struct Update: Sendable {
    var hours: Double
    var answer: String
    var arriving: Double?
    var error: Int64?
  }

  /// An update at an hour, and the `SKANErrorDomain` code with which its call fails.
  func update(
    _ fine: Int, _ coarse: Int? = nil, lock: Bool = false, at hours: Double, arriving: Double? = nil,
    error: Int64? = nil
  ) -> Belief {
    var copy = self
    let answer = good("\(fine)", coarse: coarse.map { "\($0)" }, lock: lock ? "true" : nil)
    copy.updates.append(Update(hours: hours, answer: answer, arriving: arriving, error: error))
    return copy
  }

  var profile: DeviceProfile {
    var profile = DeviceProfile(idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")
    profile.snippet = snippet
    profile.ios = ios
    profile.build = build
    profile.clock = clock
    if let ad {
      profile.ad = AdAttribution(under: clock)
      profile.ad?.version = ad
      if ad != "4.0" { profile.ad?.campaign = .campaignID(42) }
    } else {
      profile.ad = nil
    }
    for setting in settings {
      let parts = setting.split(separator: "=").map(String.init)
      try? profile.settings.set(parts[0], to: parts[1])
    }
    return profile
  }

  /// The phone after it all, the report of the registration, and those of the updates.
  func live() -> (device: Device, register: StepReport, updates: [StepReport]) {
    var device = Device(profile)
    device.framework.launched(at: h(launch ?? 0))
    let register = device.register(at: h(0), frameworkError: registerError)
    let reports = updates.map { update -> StepReport in
      switch device.beginUpdate(at: h(update.hours)) {
      case .ended(let report): report
      case .request:
        device.finishUpdate(
          SnippetAnswer(.response(status: 200, body: Array(update.answer.utf8))),
          at: h(update.arriving ?? update.hours), options: UpdateOptions(frameworkError: update.error))
      }
    }
    return (device, register, reports)
  }
}

extension StepReport {
  /// The warnings about Apple, by code.
  var codesOfApple: [String] {
    warnings.map(\.code).filter { Self.aboutApple.contains($0) }.sorted()
  }

  private static let aboutApple: Set = [
    "organic-install", "windows-differ", "ignored-by-apple", "fine-ignored", "coarse-ignored", "lock-ignored",
    "ignored-after-lock", "framework-error-kept",
  ]
}

@Suite("What register draws about Apple")
struct RegisterBeliefTests {
  @Test(
    arguments: [
      (Belief(), []), (Belief(snippet: .skan4Beta), []), (Belief(snippet: .skan3), []), (Belief(ad: "3.0"), []),
      (Belief(ad: nil), ["organic-install"]), (Belief(snippet: .skan4Beta, ad: nil), ["organic-install"]),
      (Belief(snippet: .skan3, ad: nil), ["organic-install"]),
      (Belief(build: .development), ["framework-error-kept"]),
      (Belief(snippet: .skan3, build: .development), ["framework-error-kept"]),
      (Belief(registerError: 10), ["framework-error-kept"]),
      (Belief(ios: IOSVersion(15, 0)), []),
      (Belief(settings: ["clock-start=first_launch"], launch: -47), []),
      (Belief(settings: ["clock-start=first_launch"], launch: -48), ["ignored-by-apple"]),
      (Belief(snippet: .skan3, settings: ["clock-start=first_launch"], launch: -48), []),
      (Belief(settings: ["clock-start=first_launch"], launch: -840), ["ignored-by-apple"]),
    ] as [(Belief, [String])])
  func draws(life: Belief, codes: [String]) {
    #expect(life.live().register.codesOfApple == codes)
  }

  @Test("A second register makes no call, and draws nothing", arguments: SnippetVersion.allCases)
  func again(snippet: SnippetVersion) {
    for life in [Belief(snippet: snippet), Belief(snippet: snippet, ad: nil)] {
      var device = life.live().device
      let before = device
      let report = device.register(at: h(60))
      #expect(report.codesOfApple == [] && report.framework == nil && report.frameworkAnswer == nil)
      #expect(device == before)
    }
  }
}

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

@Suite("Whatever an app does, through the whole phone")
struct LifePropertyTests {
  /// One thing that happens, so that it can happen on two phones alike.
  private enum Happening {
    case register, relaunch, ios(IOSVersion)
    case update(String, arriving: Double, UpdateOptions)
    case revenue(Double)
  }

  private struct Random {
    var numbers: SplitMix64

    mutating func pick<Value>(_ values: [Value]) -> Value {
      values[Int(numbers.next(through: UInt64(values.count - 1)))]
    }

    mutating func hours(_ range: Double) -> Double { Double(numbers.next(through: 100_000)) / 100_000 * range }

    mutating func profile() -> DeviceProfile {
      let life = Belief(
        snippet: pick(SnippetVersion.allCases), ios: pick([IOSVersion(17, 4), IOSVersion(16, 0), IOSVersion(15, 4)]),
        ad: pick(["4.0", "4.0", "4.0", "3.0", "2.1", nil]),
        build: pick([.appStore, .appStore, .appStore, .development]),
        clock: pick([.production, .production, .developer]))
      var profile = life.profile
      profile.ad?.tier = pick([0, 1, 2, 3])
      profile.ad?.won = pick([true, true, false])
      profile.seed = Int64(numbers.next(through: 1000))
      return profile
    }

    /// Half of them by the clock of the app, some of them late or back in time.
    mutating func happening() -> Happening {
      let fine = Int(numbers.next(through: 70)) - 3
      let answer = good(
        "\(fine)", coarse: pick(["0", "1", "2", nil]), lock: pick(["true", "false", nil, nil]))
      switch numbers.next(through: 20) {
      case 0: return .register
      case 1: return .relaunch
      case 2: return .ios(pick([IOSVersion(17, 4), IOSVersion(16, 0), IOSVersion(16, 1)]))
      case 3: return .revenue(hours(10))
      default:
        return .update(
          answer, arriving: pick([0, 0, 0, hours(60)]), UpdateOptions(frameworkError: pick([nil, nil, nil, nil, 10])))
      }
    }

    mutating func life() -> [(hours: Double, what: Happening)] {
      var now = 0.0
      return [(0, .register)]
        + (0...numbers.next(through: 14)).map { _ in
          now += hours(pick([1, 20, 300])) - pick([0, 0, 0, 30])
          return (now, happening())
        }
    }
  }

  @discardableResult
  private static func happen(_ what: Happening, at hours: Double, to device: inout Device) -> StepReport {
    switch what {
    case .register: return device.register(at: h(hours))
    case .relaunch: return device.relaunchedByUser()
    case .ios(let ios): return device.update(ios: ios)
    case .revenue(let amount):
      return (try? device.addRevenue(amount, currency: "USD", isAdMonetization: false, at: h(hours)))
        ?? StepReport(.ignored, .amountIsZero)
    case .update(let answer, let later, let options):
      switch device.beginUpdate(at: h(hours)) {
      case .ended(let report): return report
      case .request:
        return device.finishUpdate(
          SnippetAnswer(.response(status: 200, body: Array(answer.utf8))), at: h(hours + later), options: options)
      }
    }
  }

  /// What a step is to the snippet: everything but Apple's part.
  private static func seen(_ report: StepReport, _ device: Device) -> String {
    let codes = report.warnings.map(\.code).filter { !aboutApple.contains($0) }
    return "\(report.outcome) \(report.explanation) \(String(describing: report.framework)) "
      + "\(String(describing: report.handler)) \(codes) \(device.kept) \(device.process)"
  }

  private static let aboutApple: Set = [
    "organic-install", "windows-differ", "ignored-by-apple", "fine-ignored", "coarse-ignored", "lock-ignored",
    "ignored-after-lock", "framework-error-kept",
  ]

  @Test("No setting and no ad changes what the snippet does, but for the errors that it hears")
  func settings() throws {
    var random = Random(numbers: SplitMix64(seed: 99))
    let quiet = FrameworkSetting.allCases.flatMap { setting in setting.values.map { (setting.name, $0) } }
      .filter { $0.1 != "error_10" }
    for _ in 0..<150 {
      let profile = random.profile()
      let life = random.life()
      var plain = Device(profile)
      var other = profile
      for _ in 0..<6 {
        let (name, value) = random.pick(quiet)
        try other.settings.set(name, to: value)
      }
      other.seed += 1
      other.clock = random.pick([.production, .developer])
      var device = Device(other)
      device.framework.launched(at: h(-random.hours(100)))
      for (hours, what) in life {
        let reports = (Self.happen(what, at: hours, to: &plain), Self.happen(what, at: hours, to: &device))
        #expect(Self.seen(reports.0, plain) == Self.seen(reports.1, device))
      }
    }
  }

  @Test("An error that a setting answers is heard, and the values are kept all the same")
  func errors() throws {
    for settings in [[], ["after-lock=error_10", "after-windows=error_10"]] {
      let life = Belief(settings: settings).update(5, lock: true, at: 1).update(6, 2, at: 2)
        .update(7, at: 839, arriving: 841)
      let (device, _, reports) = life.live()
      let outcome: Outcome = settings.isEmpty ? .updated : .frameworkError
      #expect(reports.map(\.outcome) == [.updated, outcome, outcome])
      #expect(device.kept.fineValue == .integer(6) && device.kept.coarseValue[.p0] == .integer(2))
    }
  }
}
