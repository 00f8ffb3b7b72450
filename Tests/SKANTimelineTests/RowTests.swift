import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

@Suite("Rows of a story, by a slow evaluation")
struct RowTests {
  /// Events of every sign, with and without values and reasons.
  private static let kinds: [LifeEvent] = {
    let at = Instant.listStart
    let money = [1.0, -1].map { LifeEvent.Kind.revenue(amount: $0, currency: "USD", isAdMonetization: false) }
    let lock = FrameworkCall.updatePostbackCoarse(fine: 7, coarse: .high, lock: true)
    return [
      LifeEvent(at: at, .session, .updated, call: .updateConversionValue(5), fate: .taken),
      LifeEvent(at: at, .session, .updated, call: .updateConversionValue(6), fate: .taken),
      LifeEvent(at: at, .register, .registered, call: .register, fate: .taken),
      LifeEvent(at: at, .session, .updated, call: lock, fate: .taken),
      LifeEvent(at: at, .session, .frameworkError, call: .updateConversionValue(5), fate: .taken),
      LifeEvent(at: at, .session, .updated, call: .updateConversionValue(8), fate: .locked),
      LifeEvent(at: at, .session, .updated, call: .updateConversionValue(9), fate: .notHigher),
      LifeEvent(at: at, .session, .noUpdate), LifeEvent(at: at, .session, .transportError),
      LifeEvent(at: at, .event("a"), .noUpdate), LifeEvent(at: at, money[0], .added),
      LifeEvent(at: at, money[1], .added),
      LifeEvent(at: at, .relaunch, .relaunched), LifeEvent(at: at, .update, .set),
    ]
  }()

  private static func random(_ seed: Int, count: Int) -> [StoryItem] {
    var random = SplitMix64(seed: UInt64(seed))
    func one<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
    // Of some all are alike, or have one sign.
    let chosen = [kinds, Array(kinds[0...4]), Array(kinds[7...8]), [one(kinds)], Array(kinds[10...13])][seed % 5]
    let life = TimelineLife(Device(DeviceProfile(idfv: nil)), history: [], postbacks: [], now: .listStart)
    var at: Int64 = 0
    return (0..<count).map { _ in
      at += one([0, 1000, 5_000_000, 3_600_000_000])
      var event = one(chosen)
      event.at = Instant(microseconds: at)
      return StoryItem(event, in: life)
    }
  }

  @Test("A call that locks a window is a lock, if Apple took it")
  func locks() {
    let life = TimelineLife(Device(DeviceProfile(idfv: nil)), history: [], postbacks: [], now: .listStart)
    let calls: [FrameworkCall] = [false, true].flatMap { lock in
      [
        .updatePostbackCoarse(fine: 7, coarse: .high, lock: lock), .updateConversionValue(5),
        .updateAdAttributionKit(fine: 7, coarse: .high, lock: lock),
      ]
    }
    for (index, call) in calls.enumerated() {
      for fate in [CallFate.Kind.taken, .locked] {
        let item = StoryItem(LifeEvent(at: .listStart, .session, .updated, call: call, fate: fate), in: life)
        #expect(item.isLock == ([3, 5].contains(index) && fate == .taken))
      }
    }
    #expect(Self.kinds.map { StoryItem($0, in: life).isLock } == Self.kinds.indices.map { $0 == 3 })
  }

  /// The cost of joining two neighbours: their time together in milliseconds, weighed.
  private static func cost(_ left: [StoryItem], _ right: [StoryItem]) -> Double {
    guard let first = left.first, let one = left.last, let other = right.first, let last = right.last else { return 0 }
    let span = Double(last.at.since(first.at).microseconds / 1000)
    let weighed = span * (one.mark == other.mark ? 1 : 4) * (one.reason == other.reason ? 1 : 2)
    return (left + right).contains { $0.isLock } ? weighed * 16 + 1e9 : weighed
  }

  @Test("Neighbours are joined, those first that lose least", arguments: 0..<24)
  func joined(seed: Int) {
    let items = Self.random(seed, count: [3, 13, 40][seed % 3])
    var groups = items.map { [$0] }
    while groups.count > 12 {
      let costs = zip(groups, groups.dropFirst()).map { Self.cost($0, $1) }
      let index = costs.firstIndex { $0 == costs.min() } ?? 0
      let right = groups.remove(at: index + 1)
      groups[index] += right
    }
    let rows = StoryRow.all(items, most: 12)
    #expect(rows.map(\.count) == groups.map(\.count))
    for (row, group) in zip(rows, groups) {
      #expect(row.first == group.first?.at && row.last == group.last?.at)
      #expect(row.parts == (group.count == 1 ? [] : Array(group.prefix(12))))
    }
  }

  @Test(
    "A row of several says of each kind how many, what the last value was, and why some came to nothing",
    arguments: 0..<40)
  func words(seed: Int) throws {
    let items = Self.random(seed, count: [2, 3, 5, 20][seed % 4])
    let row = try #require(StoryRow.all(items, most: 1).first)
    func count(_ marks: StoryItem.Mark...) -> Int { items.count { marks.contains($0.mark) } }
    let kinds = Set(items.map(\.mark))
    let main: StoryItem.Mark = count(.taken) > 0 ? .taken : count(.ignored) > 0 ? .ignored : .other
    #expect(row.mark == (kinds.count == 1 ? items[0].mark : main))
    let counts: [(Int, String)] = [
      (count(.taken, .ignored, .dropped), "update"), (count(.revenue), "revenue"), (count(.refund), "refund"),
      (count(.other), "other step"),
    ]
    let told = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" + ($0.0 == 1 ? "" : "s") }.joined(separator: ", ")
    let isOne = Set(items.map(\.what)).count == 1
    #expect(row.what == (isOne ? "\(items.count) × \(items[0].what)" : told))
    let valued = items.filter { $0.value != nil }
    let value = (valued.last { $0.mark == .taken } ?? valued.last)?.value
    #expect(row.value == value.map { "last: \($0)" })
    let losses: [(Int, String)] = [(count(.ignored), "ignored by Apple"), (count(.dropped), "not made")]
    let failed = losses.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let reasons = Set(items.map(\.reason))
    #expect(row.reason == (reasons.count == 1 ? items[0].reason : failed.isEmpty ? nil : failed))
  }
}
