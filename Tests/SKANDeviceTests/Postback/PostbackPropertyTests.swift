import SKANBase
import Testing

@testable import SKANDevice

@Suite("Whatever an app does")
struct PostbackPropertyTests {
  /// A life of random calls at random times, also backwards, under random settings.
  private static func life(_ random: inout SplitMix64) -> Life {
    func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next(through: UInt64(values.count - 1)))] }
    var life = Life { profile in
      profile.ad?.version = pick(AdAttribution.versions)
      profile.ad?.tier = pick([0, 1, 2, 3])
      profile.ad?.won = pick([true, true, true, false])
      profile.ad?.source = pick([.app(9), .domain("example.com")])
      profile.ios = pick([IOSVersion(17, 0), IOSVersion(16, 0)])
      profile.clock = pick([.production, .developer])
      profile.build = pick([.appStore, .appStore, .appStore, .development])
      if pick([0, 1, 2, 3, 4]) == 0 { profile.ad = nil }
      for setting in FrameworkSetting.all {
        // Only the setting itself may let the literal none through.
        _ = setting.change(
          &profile.settings, to: pick(setting.name == "coarse-without" ? ["clear", "keep"] : setting.values))
      }
    }
    let scale = life.profile.clock == .production ? 1000.0 : 0.3
    var hours = 0.0
    if pick([true, false]) { life.framework.launched(at: h(0)) }
    for _ in 0...random.next(through: 12) {
      hours += (Double(random.next(through: 1000)) / 1000 - 0.2) * scale / 4
      let fine = Int64(random.next(through: 70)) - 3
      let coarse = pick([CoarseValue.low, .medium, .high, nil])
      let calls: [FrameworkCall] = [
        .register, .updateConversionValue(fine), .updatePostback(fine: fine),
        .updatePostbackCoarse(fine: fine, coarse: coarse, lock: pick([true, false, false])),
      ]
      life.call(pick(calls + [calls[3], calls[3]]), at: hours)
    }
    return life
  }

  @Test("Limits that no life, setting or moment breaks")
  func limits() throws {
    var random = SplitMix64(seed: 42)
    for round in 0..<3000 {
      let life = Self.life(&random)
      let postbacks = life.postbacks(at: Double(random.next(through: 2000)) - 100)
      #expect(postbacks.count <= 3)
      if life.profile.ad == nil { #expect(postbacks.isEmpty && !life.framework.isRegistered) }
      for postback in postbacks {
        let content = postback.content
        // After the first window there is no fine value and no source, and nothing at tier 0.
        if postback.window != .p0, let content {
          #expect(content.conversionValue == nil && content.source == nil && life.profile.ad?.tier != 0)
          #expect(content.campaign == .sourceIdentifier(life.profile.settings.identifierDigits == .last ? "39" : "52"))
        }
        Self.checkPermission(content, life)
        // It leaves within its bounds, and only what leaves has a body.
        if let sendsAt = postback.sendsAt, let earliest = postback.earliest, let latest = postback.latest {
          #expect(earliest <= sendsAt && sendsAt <= latest && postback.preparedAt ?? latest <= earliest)
        } else {
          #expect(content == nil)
        }
        switch postback.state {
        case .sent, .scheduled: #expect(content != nil)
        case .notSent: #expect(content == nil && postback.sendsAt == nil)
        case .open: break
        }
        // What we send is what we would take, and nothing odd is in it.
        if let content {
          let node = try JSONReader.read(Array(JSONWriter.text(content.json).utf8))
          let received = try ReceivedPostback.read(node).get()
          #expect(received.signedText == content.signedText, "\(round)")
          #expect(received.findings.map(\.message) == [], "\(round)")
        }
      }
    }
  }

  private static func checkPermission(_ content: PostbackContent?, _ life: Life) {
    guard let content, let ad = life.profile.ad else { return }
    if !ad.won { #expect(content.conversionValue == nil && content.coarseValue == nil) }
    #expect(content.conversionValue == nil || content.coarseValue == nil)
    switch (ad.tier, content.version) {
    case (0, _): #expect(content.conversionValue == nil && content.coarseValue == nil && content.source == nil)
    case (1, .v4): #expect(content.conversionValue == nil && content.source == nil)
    case (2, .v4): #expect(content.source == nil)
    default: break
    }
    if !content.version.hasWindows { #expect(content.coarseValue == nil && content.sequenceIndex == nil) }
  }
}
