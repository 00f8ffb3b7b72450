import SKANBase
import TestSupport
import Testing

@testable import SKANDevice

/// Random lives over settings, frameworks of winner and losers, and the order of what happens, against ``PlainApple``.
@Suite("Apple's framework against a second evaluation, whatever an app does")
struct AppleLifeTests {
  @Test("Every answer and every postback", arguments: Rounds.of(4))
  func lives(seed: Int) throws {
    var drawing = Drawing(seed)
    for _ in 0..<125 {
      var settings: [String: String] = [:]
      let profile = drawing.profile(&settings)
      var life = Lives(device: Device(profile), plain: PlainApple(profile, settings))
      try life.run(&drawing)
      try life.checkReading(as: drawing.pick([.plain, .spaced, .escaped, .partlyEscaped]))
    }
  }
}

/// A phone, and the second evaluation of what happens to it.
private struct Lives {
  var device: Device
  var plain: PlainApple
  /// What happened, for a message.
  var log: [Any] = []

  mutating func run(_ drawing: inout Drawing) throws {
    // Whole seconds, some of them exactly at the ends of windows and timers.
    let isShort = plain.isDeveloperMode && drawing.chance(2)
    let ends: [Int64] = isShort ? [180, 300, 360, 540] : [24, 48, 168, 840].map { $0 * 3600 }
    let longest = drawing.pick(isShort ? [10, 100] : [3600, 90_000, 400_000] as [Int64])
    var now: Int64 = 0
    if drawing.chance(2) {
      device.framework.installed(at: moment(now))
      plain.install?.installed = now
      now += drawing.pick([0, 0, 7200, 5_184_000, 5_184_001] as [Int64])
    }
    for _ in 0...drawing.number(through: 14) {
      let step = Int64(drawing.number(through: Int(longest)))
      now = drawing.chance(4) ? (plain.install?.registered ?? 0) + drawing.pick(ends) : now + step
      if drawing.chance(12) { now -= drawing.pick([1, longest]) }
      happen(at: now, &drawing)
      if drawing.chance(4) { try compare(at: now + step, tier: drawing.pick([nil, 0, 1, 2, 3])) }
    }
    for time in [now, now + 2 * 86_400, now + 1000 * 3600] { try compare(at: time, tier: nil) }
  }

  // MARK: What happens

  private mutating func happen(at now: Int64, _ drawing: inout Drawing) {
    switch drawing.number(through: 15) {
    case 0:
      device.framework.launched(at: moment(now))
      if let launched = plain.install?.launched ?? Optional(now) { plain.install?.launched = launched }
      log.append(("launch", now))
    case 1:
      plain.ios = drawing.ios()
      _ = device.update(ios: plain.ios)
      log.append(plain.ios)
    case 2, 3: open(at: now, &drawing)
    case 4, 5: direct(at: now, &drawing)
    case 6: check(device.register(at: moment(now)), at: now)
    case 7, 8, 9:
      let answer = good(
        "\(drawing.fine(0))", coarse: drawing.pick(["0", "1", "2", nil]),
        lock: drawing.pick(["true", "false", nil, nil]))
      check(device.update(answer, at: start + now), at: now)
    default:
      let fine = drawing.fine(3)
      let full = FrameworkCall.updatePostbackCoarse(
        fine: fine, coarse: drawing.pick([.low, .medium, .high, nil]), lock: drawing.chance(4))
      let call = drawing.pick([.register, .updateConversionValue(fine), .updatePostback(fine: fine), full, full, full])
      var report = StepReport(.set, .amountIsZero)
      let error: Int64? = drawing.chance(20) ? 10 : nil
      _ = device.call(call, at: moment(now), failingWith: error, &report)
      check(report, at: now, failingWith: error)
    }
  }

  /// Checks Apple's answer to the call of a step, if it made one.
  private mutating func check(_ report: StepReport, at now: Int64, failingWith error: Int64? = nil) {
    guard let call = report.framework else { return }
    log.append((now, call))
    check(report.frameworkAnswer, plain.call(call, at: now, failingWith: error), hasHandler: call.hasHandler)
  }

  private func check(_ answer: FrameworkAnswer?, _ expected: PlainApple.Answer?, hasHandler: Bool) {
    #expect(answer?.fate == expected?.fate, "\(summary)")
    #expect(answer?.effects == expected?.effects, "\(summary)")
    #expect(answer?.error == expected?.error && answer?.handlerError == (hasHandler ? expected?.error : nil))
  }

  private mutating func direct(at now: Int64, _ drawing: inout Drawing) {
    var update = DirectUpdate(
      fine: drawing.fine(3), coarse: drawing.pick([.low, .medium, .high, nil]), lock: drawing.chance(4))
    update.types = drawing.pick([nil, nil, [.install], [.reengagement], [.install, .reengagement]])
    update.tag = drawing.pick([nil, nil, nil, "t1", "t2"])
    log.append((now, update))
    let report = device.updateAdAttributionKit(update, at: moment(now))
    let (outcome, answer) = plain.direct(update, at: now)
    #expect(report.outcome == outcome, "\(summary)")
    check(report.frameworkAnswer, answer, hasHandler: true)
  }

  private mutating func open(at now: Int64, _ drawing: inout Drawing) {
    var ad = AdAttribution(ofReEngagementUnder: .production)
    ad.network = "re-engaging"
    ad.campaign = .sourceIdentifier(drawing.pick(["5239", "0100"]))
    ad.tier = drawing.pick([0, 1, 2, 3])
    ad.source = drawing.pick([.app(0), .app(9)])
    ad.country = drawing.pick([nil, "US", "MT"])
    var opened = OpenedAd(drawing.pick([ad, ad, nil]), url: "https://example.com/")
    opened.tag = drawing.pick([nil, nil, "t1", "t2"])
    opened.isEligible = !drawing.chance(8)
    log.append((now, opened))
    #expect((try? device.open(by: opened, at: moment(now)))?.outcome == plain.open(opened, at: now), "\(summary)")
  }

  // MARK: What leaves

  private func compare(at time: Int64, tier: Int64?) throws {
    let postbacks = device.postbacks(phone: "", at: moment(time), tier: tier)
    let expected = plain.postbacks(at: time, tier: tier)
    #expect(postbacks.map(\.impression) == expected.map(\.impression), "\(summary)")
    let usesKit = plain.isKit || !plain.engagements.isEmpty || expected.contains { $0.isKit }
    for (postback, expected) in zip(postbacks, expected) {
      var about: String { "at \(time) \(expected.impression) P\(expected.window) \(summary)" }
      #expect(postback.window.rawValue == expected.window && postback.reason == expected.reason, "\(about)")
      #expect(postback.framework == (usesKit ? expected.isKit ? .adattributionkit : .skadnetwork : nil))
      #expect(postback.hasCopy == expected.hasCopy, "\(about)")
      #expect(postback.preparedAt == expected.prepared.map { moment($0) }, "\(about)")
      #expect(postback.earliest == expected.earliest.map { moment($0) }, "\(about)")
      #expect(postback.latest == expected.latest.map { moment($0) }, "\(about)")
      let hasLeft = postback.sendsAt.map { moment(expected.now) >= $0 } ?? false
      let leaving: Postback.State = hasLeft ? .sent : .scheduled
      #expect(postback.state == [.open: .open, .leaves: leaving, .never: .notSent][expected.phase], "\(about)")
      #expect(try Self.body(of: postback) == expected.body, "\(about)")
      checkChance(postback)
      checkRetries(postback, isKit: expected.isKit)
      try checkReading(postback)
    }
    checkIdentifiers(postbacks)
  }

  /// The members of what leaves, apart from identifier and signature.
  private static func body(of postback: Postback) throws -> [String: JSON]? {
    guard let content = postback.content else { return nil }
    var body: [String: JSON] = [:]
    for case .object(let members) in [content.json, content.payload ?? .null] {
      for (key, value) in members { body[key] = value }
    }
    for key in ["transaction-id", "postback-identifier", "jws-string"] { body[key] = nil }
    return body
  }

  /// The moment within the bounds, by the setting `delay-distribution`.
  private func checkChance(_ postback: Postback) {
    guard let earliest = postback.earliest, let latest = postback.latest, let sends = postback.sendsAt else {
      #expect(postback.sendsAt == nil && postback.earliest == nil && postback.content == nil, "\(summary)")
      return
    }
    switch plain.settings["delay-distribution"] {
    case "earliest": #expect(sends == earliest)
    case "latest": #expect(sends == latest)
    default: #expect(earliest <= sends && sends <= latest)
    }
  }

  /// The identifiers are distinct, apart from those of an install by the setting `transaction-ids`.
  private func checkIdentifiers(_ postbacks: [Postback]) {
    var own: Set<String> = []
    var others: [String] = []
    for postback in postbacks {
      guard let content = postback.content else { continue }
      let isLower = content.kit == nil || plain.has("aak-uuid-case", "lower")
      #expect(
        content.transactionID == (isLower ? content.transactionID.lowercased() : content.transactionID.uppercased()))
      if plain.has("transaction-ids", "same"), content.kit == nil, postback.impression == .own {
        own.insert(content.transactionID)
      } else {
        others.append(content.transactionID)
      }
    }
    #expect(own.count <= 1 && Set(others).union(own).count == others.count + own.count, "\(summary)")
  }

  /// When a failed delivery is repeated, and how often.
  private func checkRetries(_ postback: Postback, isKit: Bool) {
    let attempts = { (status: Int64, count: Int) in
      Array(
        repeating: Delivery(
          at: moment(0), transactionID: "", window: .p0, recipient: .network, url: "",
          result: .answered(status: status)), count: count)
    }
    for status in [200, 404, 499, 500, 501, 599, 600] as [Int64] {
      let isAgain =
        !isKit || plain.has("aak-retry", "non_200") || status == 500
        || plain.has("aak-retry", "5xx") && (500...599).contains(status)
      #expect(postback.retries.isGivenUp(after: attempts(status, 1)) == !isAgain)
    }
    let most = isKit && plain.has("aak-retry-count", "9_in_all") ? 8 : 9
    #expect(!postback.retries.isGivenUp(after: attempts(500, most)))
    #expect(postback.retries.isGivenUp(after: attempts(500, most + 1)))
    let spacing = isKit && plain.has("aak-retry-spacing", "1h") ? 3600 : day
    #expect(postback.retries.time(of: 2, from: moment(0)) == moment(2 * spacing))
  }

  /// What leaves is read back as it was, and nothing about it is odd.
  private func checkReading(_ postback: Postback) throws {
    guard let content = postback.content, content.coarseValue != "none" else { return }
    let node = try JSONReader.read(Array(JSONWriter.text(content.json).utf8))
    if let kit = content.kit {
      let received = try #require(AdAttributionKitPostback(node))
      #expect(received.findings.isEmpty && received[.postbackIdentifier] == .string(content.transactionID))
      #expect(kit.escapesSlashes != plain.has("aak-slash", "plain"))
    } else {
      let received = try ReceivedPostback.read(node).get()
      #expect(received.findings.map(\.message) == [] && received.signedText == content.signedText)
    }
  }

  /// Profile and state are read from their JSON as they were, in any spelling.
  func checkReading(as spelling: JSONSpelling) throws {
    func reader(_ json: JSON, _ what: StaticString, _ keys: JSONKeys) throws -> JSONObjectReader {
      let text = spelling.apply(JSONWriter.text(json))
      return JSONObjectReader(try JSONReader.readSource(Array(text.utf8)), what: what, known: keys)
    }
    var profile = try reader(device.profile.json, "a profile", JSONKeys(DeviceProfile.keys))
    #expect(DeviceProfile(from: &profile, phone: "") == device.profile && profile.problems.isEmpty, "\(summary)")
    var writer = JSONWriter(.line)
    ShownApple(device).writeMemory(to: &writer)
    var state = try reader(try JSONReader.read(writer.bytes).value, "what Apple holds", AppleFramework.keys)
    var engagements: ReEngagements?
    let framework = AppleFramework(from: &state, &engagements)
    #expect(state.problems.isEmpty && engagements == device.engagements, "\(summary)")
    #expect(framework == device.framework, "\(summary)")
  }

  private var summary: String {
    "\(plain.settings) \(String(describing: plain.ad)) \(log)"
  }
}

/// Draws what happens in a life.
private struct Drawing {
  private var numbers: SplitMix64

  init(_ seed: Int) { numbers = SplitMix64(seed: UInt64(seed)) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[number(through: values.count - 1)] }
  mutating func number(through limit: Int) -> Int { Int(numbers.next(through: UInt64(limit))) }
  /// True once in so many times.
  mutating func chance(_ count: Int) -> Bool { number(through: count - 1) == 0 }
  /// A fine value, or one that is out of range by so much or very much.
  mutating func fine(_ margin: Int) -> Int64 {
    if margin > 0, chance(60) { return pick([.min, .max, 4_294_967_297, 256]) }
    return Int64(number(through: 63 + 2 * margin) - margin)
  }

  mutating func ios() -> IOSVersion {
    let versions = [(18, 4), (18, 0), (17, 4), (16, 1), (16, 0), (14, 6), (14, 5), (14, 0), (13, 7)]
    let (major, minor) = chance(2) ? (18, 4) : pick(versions)
    return IOSVersion(major, minor)
  }

  /// A phone whose install has a winner of either framework and up to five losers, with some settings changed.
  ///
  /// - Parameter settings: gets their names and values.
  mutating func profile(_ settings: inout [String: String]) -> DeviceProfile {
    var profile = DeviceProfile(idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")
    profile.ios = ios()
    profile.clock = chance(3) ? .developer : .production
    profile.build = chance(20) ? .development : .appStore
    profile.seed = Int64(number(through: 1000))
    profile.ad = chance(12) ? nil : ad()
    let share = pick([3, 6, 12])
    for setting in FrameworkSetting.allCases where chance(share) {
      let value = setting.hours == nil ? pick(setting.values) : pick(["1", "48", "720"])
      guard (try? profile.settings.set(setting.name, to: value)) != nil else { continue }
      if setting.isShorthand {
        let hours = value == "none" ? "0" : String(value.dropLast())
        for name in ["install-cooldown-hours", "re-engagement-cooldown-hours"] { settings[name] = hours }
      } else {
        settings[setting.name] = value
      }
    }
    return profile
  }

  private mutating func ad() -> AdAttribution {
    var ad = AdAttribution()
    ad.framework = pick(AdAttribution.Framework.allCases)
    ad.tier = pick([0, 1, 2, 3, 3])
    ad.redownload = chance(3)
    ad.fidelity = pick([0, 1])
    ad.country = pick([nil, "US"])
    ad.source = pick([.app(0), .app(9)])
    ad.campaign = .sourceIdentifier(pick(["5239", "0100"]))
    ad.won = !chance(5)
    if ad.framework == .skadnetwork {
      ad.version = pick(["4.0", "4.0", "3.0", "2.2", "2.1", "2.0"])
      if ad.version != "4.0" { ad.campaign = .campaignID(42) }
      // A postback of a view names no domain, and earlier versions have no web ads.
      if ad.version == "4.0", ad.fidelity == 1, chance(3) { ad.source = .domain("example.com") }
    }
    guard ad.won else { return ad }
    ad.lost = (0..<number(through: 5)).map {
      AdAttribution.LostImpression(
        framework: pick(AdAttribution.Framework.allCases), network: "n\($0)", sourceIdentifier: pick(["1234", "0099"]))
    }
    return ad
  }
}
