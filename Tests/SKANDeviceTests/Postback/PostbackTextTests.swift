import SKANBase
import Testing

@testable import SKANDevice

@Suite("What a postback says of itself")
struct PostbackTextTests {
  @Test("Why, in one sentence each, and in each the word simulated")
  func words() throws {
    var life = try Life(setting: "delay-distribution", "earliest")
    #expect(
      life.postbacks(at: 0)[0].why == "No update call has reached Apple yet: nothing is simulated before the first.")
    life.update(1, .low, at: 0)
    #expect(
      life.postbacks(at: 0).map(\.why) == [
        "P0 is open until 2026-01-03T00:00:00Z or a lock; as things stand the simulated postback leaves at "
          + "2026-01-04T00:00:00Z.",
        "P1 opens at 2026-01-03T00:00:00Z; without an update call in it no simulated postback leaves.",
        "P2 opens at 2026-01-08T00:00:00Z; without an update call in it no simulated postback leaves.",
      ])
    life.update(1, .low, lock: true, at: 60)
    #expect(
      life.postbacks(at: 200).map(\.why) == [
        "P0 ended at 2026-01-03T00:00:00Z; the simulated postback left at 2026-01-04T00:00:00Z.",
        "P1 was locked at 2026-01-03T12:00:00Z; the simulated postback left at 2026-01-04T12:00:00Z.",
        "P2 is open until 2026-02-05T00:00:00Z, and no update call has counted in it: without one no simulated "
          + "postback leaves.",
      ])
    var old = Life.old { $0.settings.delayDistribution = .earliest }
    old.update(1, at: 0)
    #expect(
      old.postbacks(at: 0)[0].why
        == "The timer runs until 2026-01-02T00:00:00Z, and a higher value restarts it; as things stand the simulated "
        + "postback leaves at 2026-01-02T00:00:00Z.")
    #expect(
      old.postbacks(at: 24)[0].why
        == "The timer ended at 2026-01-02T00:00:00Z without a higher value; the simulated postback left at "
        + "2026-01-02T00:00:00Z.")
    for postback in life.postbacks(at: 9000, tier: 0) + old.postbacks(at: 0) {
      #expect(postback.why.contains("simulated"))
    }
  }

  @Test("As results have it")
  func json() throws {
    var life = try Life(setting: "delay-distribution", "latest")
    life.update(5, .low, at: 0)
    let postbacks = life.postbacks(at: 60)
    #expect(
      JSONWriter.text(postbacks[0].json)
        == #"{"body":\#(postbacks[0].bodyText),"earliest":1767484800,"latest":1767571200,"#
        + #""prepared_at":1767398400,"sends_at":1767571200,"sequence_index":0,"state":"scheduled","#
        + #""why":"P0 ended at 2026-01-03T00:00:00Z; the simulated postback leaves at 2026-01-05T00:00:00Z."}"#)
    let unsent = try #require(life.postbacks(at: 170)[1].json["body"])
    #expect(unsent == .null && life.postbacks(at: 170)[1].json["sends_at"] == .null)
    #expect(life.postbacks(at: 170)[1].json["state"] == .string("not-sent"))
  }
}

@Suite("What is left to chance")
struct PostbackDrawTests {
  @Test("SplitMix64 gives the numbers of its reference")
  func generator() {
    var generator = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test("Within a limit, both ends included", arguments: [0, 1, 2, 6, 86_400] as [UInt64])
  func limit(limit: UInt64) {
    var generator = SplitMix64(seed: 7)
    let drawn = Set((0..<1000).map { _ in generator.next(through: limit) })
    #expect(drawn.allSatisfy { $0 <= limit })
    if limit < 10 { #expect(drawn.count == Int(limit) + 1) }
  }

  private func life(seed: Int64 = 0, idfv: String? = "A", start: Double = 0) -> Life {
    var life = Life { profile in
      profile.seed = seed
      profile.idfv = idfv
    }
    for hours in [0.0, 50, 200] { life.update(1, .low, at: start + hours) }
    return life
  }

  private func draws(_ life: Life, phone: String = "") -> [String] {
    life.framework.postbacks(on: life.profile, phone: phone, at: h(0)).map {
      "\($0.content?.transactionID ?? "") \(hours($0.sendsAt) ?? 0)"
    }
  }

  @Test("The same install draws the same, another one something else")
  func deterministic() {
    #expect(draws(life()) == draws(life()))
    let different = [
      draws(life()), draws(life(seed: 1)), draws(life(seed: -1)), draws(life(idfv: "B")), draws(life(idfv: nil)),
      draws(life(), phone: "b"), draws(life(idfv: nil), phone: "b"), draws(life(start: 1)),
    ]
    #expect(Set(different.joined()).count == 24)
    #expect(Set(different.joined().map { $0.prefix(36) }).count == 24)
  }

  @Test("The draws of one install, fixed")
  func fixed() {
    #expect(
      draws(life()) == [
        "18901cb2-d45c-421f-b0ea-4d9e6b91b8c2 72.65638888888888",
        "65ca249d-d7ff-42a8-9b06-e1520ba5bf6f 209.29611111111112", "67fc7275-fa37-426a-9ef5-ccf2480d3111 979.97",
      ])
  }

  @Test("Transaction ids are UUIDs of version 4, in lower case")
  func uuids() {
    for seed in 0..<200 as Range<Int64> {
      for postback in life(seed: seed).postbacks(at: 0) {
        let id = postback.content?.transactionID ?? ""
        #expect(
          id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil, "\(id)")
      }
    }
  }

  @Test("10,000 seeds: within the bounds, spread over all of them, no id twice")
  func seeds() {
    var ids: Set<String> = []
    var quarters = [[Int]](repeating: [0, 0, 0, 0], count: 3)
    for seed in 0..<10_000 as Range<Int64> {
      let life = life(seed: seed)
      for (index, postback) in life.postbacks(at: 0).enumerated() {
        guard let earliest = postback.earliest, let latest = postback.latest, let sendsAt = postback.sendsAt else {
          Issue.record("no times for seed \(seed)")
          return
        }
        #expect(earliest <= sendsAt && sendsAt <= latest)
        let share = sendsAt.since(earliest).seconds / latest.since(earliest).seconds
        quarters[index][min(3, Int(share * 4))] += 1
        ids.insert(postback.content?.transactionID ?? "")
      }
    }
    #expect(ids.count == 30_000)
    // 2500 expected in each; five standard deviations are 217.
    for count in quarters.joined() { #expect((2250...2750).contains(count), "\(quarters)") }
  }
}

@Suite("How old an install is when its postback leaves")
struct PostbackAgeTests {
  @Test(
    "By version and window",
    arguments: [
      (AdVersion.v4, ConversionWindow.p0, 72, 84, 96), (.v4, .p1, 192, 252, 312), (.v4, .p2, 864, 924, 984),
      (.v3, .p0, 24, 36, 48), (.v2_0, .p0, 24, 36, 48),
    ] as [(AdVersion, ConversionWindow, Int64, Int64, Int64)])
  func bounds(version: AdVersion, window: ConversionWindow, shortest: Int64, middle: Int64, longest: Int64) {
    let age = PostbackAge(version, window, clock: .production)
    #expect(age.shortest == .hours(shortest) && age.middle == .hours(middle) && age.longest == .hours(longest))
  }

  @Test("In Developer Mode it is minutes")
  func developer() {
    let age = PostbackAge(.v4, .p2, clock: .developer)
    #expect(age.shortest == .minutes(14) && age.longest == .minutes(19) && age.middle == TimeSpan(seconds: 990))
  }
}
