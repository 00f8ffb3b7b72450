import Testing

@testable import SKANDevice

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

  @Test("Postbacks never break their limits", arguments: 1...8 as ClosedRange<UInt64>)
  func limits(seed: UInt64) {
    var random = Random(numbers: SplitMix64(seed: seed))
    for _ in 0..<100 {
      let profile = random.profile()
      var device = Device(profile)
      device.framework.launched(at: h(0))
      for (hours, what) in random.life() { Self.happen(what, at: hours, to: &device) }
      for tier in [nil, 0, 1, 2, 3] as [Int64?] {
        Self.check(device.postbacks(phone: "", at: h(random.hours(2000)), tier: tier), profile, tier)
      }
    }
  }

  private static func check(_ postbacks: [Postback], _ profile: DeviceProfile, _ tier: Int64?) {
    guard let ad = profile.ad else {
      #expect(postbacks.isEmpty)
      return
    }
    let tier = tier ?? ad.tier
    #expect(postbacks.count <= 3 && Set(postbacks.map(\.window)).count == postbacks.count)
    if profile.build == .development { #expect(postbacks.allSatisfy { $0.state == .notSent }) }
    for postback in postbacks {
      if let content = postback.content {
        if postback.window != .p0 { #expect(content.conversionValue == nil && tier > 0 && ad.won) }
        if !ad.won { #expect(content.conversionValue == nil && content.coarseValue == nil) }
        if tier < 2 { #expect(content.conversionValue == nil) }
        if tier < 3 { #expect(content.source == nil) }
        if tier == 0 { #expect(content.coarseValue == nil) }
        #expect(content.conversionValue.map { (0...63).contains($0) } ?? true)
      }
      guard let prepared = postback.preparedAt, let sends = postback.sendsAt else { continue }
      let delay = sends.since(prepared).seconds / 3600
      let bounds: ClosedRange<Double> =
        switch (profile.clock, postback.content?.version.hasWindows ?? true, postback.window) {
        case (.developer, true, _): 5 / 60...10 / 60
        case (.developer, false, _): 0...5 / 60
        case (.production, true, .p0): 24...48
        case (.production, true, _): 24...144
        case (.production, false, _): 0...24
        }
      #expect(bounds.contains(delay), "\(delay) in \(bounds)")
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
    let quiet = FrameworkSetting.all.flatMap { setting in setting.values.map { (setting.name, $0) } }
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
