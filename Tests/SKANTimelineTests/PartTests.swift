import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

@Suite("Parts of a terminal's chart")
struct StripTests {
  @Test("A label has a free column on each side, stays within the strip and before its end")
  func labels() {
    var strip = TextStrip(width: 10)
    for (text, column, end, fits) in [
      ("", 1, nil, false), ("abc", -1, nil, false), ("abc", 8, nil, false), ("abc", 2, 4, false), ("abc", 2, 5, true),
      ("x", 1, nil, false), ("x", 5, nil, false), ("y", 0, nil, true), ("ab", 8, 20, true), ("z", 7, nil, false),
      ("z", 6, nil, true),
    ] as [(String, Int, Int?, Bool)] {
      #expect(strip.label(text, at: column, before: end) == fits, "\(text) \(column)")
    }
    #expect(strip.text == "y abc z ab" && strip.width == 10)
    strip.fill(-2..<1, with: "-")
    strip.fill(9..<12, with: "=")
    strip.put("!", at: 10)
    #expect(strip.text == "- abc z a=")
  }

  @Test(
    "The last value of a window has its label at its column, after the present, or as near before it as there is space",
    arguments: [
      (["high", "hi"], 2, 8, nil, "", "  high      "), (["high", "hi"], 2, 6, nil, "", "  high      "),
      (["high", "hi"], 2, 5, nil, "", "  hi        "), (["high", "hi"], 2, 3, nil, "", "            "),
      (["high", "hi"], 2, 3, 0..<12, "", "  high      "), (["high", "hi"], 2, 3, 0..<6, "", "  high      "),
      (["high", "hi"], 2, 3, 0..<5, "", "  hi        "), (["high", "hi"], 2, 3, 0..<4, "", "  hi        "),
      (["high", "hi"], 2, 3, 0..<3, "", " hi         "), (["high", "hi"], 2, 3, 1..<3, "", " hi         "),
      (["high", "hi"], 2, 3, 2..<3, "", "            "), (["hi"], 5, 6, 0..<12, "      x", "   hi x     "),
      (["hi"], 5, 6, 0..<12, "     x", "     x      "),
      (["hi"], 20, 21, 0..<12, "", "          hi"),
    ] as [([String], Int, Int, Range<Int>?, String, String)])
  func last(texts: [String], start: Int, end: Int, room: Range<Int>?, taken: String, text: String) {
    var strip = TextStrip(width: 12)
    if let column = taken.firstIndex(of: "x") {
      strip.label("x", at: taken.distance(from: taken.startIndex, to: column))
    }
    LaneLabel(texts: texts, start: start, end: end, room: room).put(on: &strip)
    #expect(strip.text == text)
  }

  @Test("Every sign is one of a kind")
  func glyphs() { #expect(Set(StoryItem.Mark.allCases.map(Glyphs.mark)).count == 6) }
}

@Suite("Symbols that would touch")
struct ClusterTests {
  @Test(
    "They are a count where less than two units are between them",
    arguments: [
      ([], []), ([5], [1]), ([0, 12], [1, 1]), ([0, 11.9], [2]), ([0, 1, 2, 60], [3, 1]), ([0, 60, 61], [1, 2]),
      ([0, 11, 24, 36], [2, 1, 1]), ([0, 11, 22, 33], [3, 1]), ([0, 12, 22], [3]), ([0, 12, 23], [1, 2]),
    ] as [([Double], [Int])])
  func counts(positions: [Double], counts: [Int]) {
    let clusters = SVGCluster.all(positions)
    #expect(clusters.map(\.count) == counts)
    var rest = positions[...]
    for cluster in clusters {
      let own = rest.prefix(cluster.count)
      rest = rest.dropFirst(cluster.count)
      #expect(cluster.middle == ((own.first ?? 0) + (own.last ?? 0)) / 2)
      #expect(
        cluster.width == (cluster.count == 1 ? 10 : SVGFont.width("\(cluster.count)", SVGFont.small) + 12))
    }
    for (left, right) in zip(clusters, clusters.dropFirst()) {
      #expect(left.middle + left.width / 2 + 2 <= right.middle - right.width / 2)
    }
  }
}

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

@Suite("Spans and scales at their limits")
struct LimitTests {
  @Test(
    "A span is rounded to a grain that grows with it",
    arguments: [
      (499, "+0s"), (500, "+0.001s"), (-499, "+0s"), (-500, "-0.001s"), (9_998_500, "+9.999s"), (9_999_500, "+10s"),
      (10_000_000, "+10s"), (10_499_999, "+10s"), (10_500_000, "+11s"), (3_599_499_999, "+59m59s"),
      (3_599_999_999, "+1h"), (3_629_999_999, "+1h"), (3_630_000_000, "+1h1m"), (86_369_999_999, "+23h59m"),
      (86_400_000_000, "+1d"), (88_199_999_999, "+1d"), (88_200_000_000, "+1d1h"), (8_638_199_999_999, "+99d23h"),
      (8_639_999_999_999, "+100d"), (8_640_000_000_000, "+100d"), (8_683_199_999_999, "+100d"),
      (8_683_200_000_000, "+101d"), (-86_400_000_000, "-1d"),
      (-2_000_000, "-2s"), (598_000_000, "+9m58s"), (40_000_000_000_000, "+463d"),
    ])
  func spans(microseconds: Int64, words: String) {
    #expect(TimeSpan(microseconds: microseconds).signedText == words)
  }

  /// The ticks of a life that registers at 0 and has a session at each of these seconds.
  private static func ticks(_ seconds: [Double], isRegistered: Bool = true) throws -> [String] {
    let first = isRegistered ? [Line.register] : []
    let steps = seconds.map { Line.session("\(Instant(microseconds: 1_767_225_600_000_000 + Int64($0 * 1e6)))", 5) }
    let life = try LivedPhone((first + steps).joined(separator: "\n") + "\n")
    return life.timeline.axis.knots.map { life.timeline.elapsed($0.at) }
  }

  @Test("What is drawn as one tells its first parts, and the width of a terminal has a least")
  func most() throws {
    #expect(StoryRow.mostParts == 12 && TimelineText.leastWidth == 60 && TimelineText.usualWidth == 80)
    let life = try LivedPhone(list(Line.register, Line.session("+1h", 5, 1)))
    let item = life.timeline.moments[1]
    try expectRest(beyond: StoryRow.mostParts, "parts of a row") { count in
      let row = try #require(StoryRow.all(Array(repeating: item, count: count), most: 1).first)
      let lines = life.timeline.lines(of: row)
      #expect(lines.count == (count == 1 ? 0 : min(count, 13)))
      #expect(lines.first == (count == 1 ? nil : "+1h session fine 5, medium"))
      return lines.joined(separator: "\n")
    }
  }

  @Test(
    "A busy beginning has its own scale up to the next round span",
    arguments: [10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600])
  func busy(span: Int) throws {
    let text = TimeSpan(seconds: Int64(span)).signedText
    #expect(try Self.ticks([1, 2, Double(span) - 1])[1] == text)
    #expect(try Self.ticks([1, 2, Double(span)])[1] != text)
  }

  @Test("A beginning is busy with three early events, which are at least half of the window's")
  func isBusy() throws {
    // The call to register is one of them.
    #expect(try Self.ticks([1])[1] == "+2d" && Self.ticks([1, 2])[1] == "+10s")
    let late = [50_000.0, 60_000, 70_000, 80_000]
    #expect(try Self.ticks([1, 2] + late.prefix(3))[1] == "+10s" && Self.ticks([1, 2] + late)[1] == "+2d")
    // Outside the window nothing counts; within it the first eighth is early.
    #expect(try Self.ticks([1, 2, 172_800, 172_800, 172_800, 172_800])[1] == "+10s")
    #expect(try Self.ticks([1, 21_599])[1] == "+6h" && Self.ticks([1, 21_600])[1] == "+2d")
    // Nor is a scale more than a third of the window.
    #expect(try Self.ticks([0, 1, 60, 900], isRegistered: false) == ["+0s", "+15m"])
    #expect(try Self.ticks([0, 1, 60, 901], isRegistered: false) == ["+0s", "+5m", "+15m1s"])
  }

  @Test("The chart is at least a minute long, and a period below a 5000th of it has no place of its own")
  func least() throws {
    #expect(try Self.ticks([0, 7], isRegistered: false) == ["+0s", "+1m"])
    #expect(try Self.ticks([0, 60], isRegistered: false) == ["+0s", "+1m"])
    #expect(try Self.ticks([0, 61], isRegistered: false) == ["+0s", "+1m1s"])
    // A 5000th of 35 days and x seconds is x where x is 604.921 seconds.
    #expect(try Self.ticks([3600, 3_024_604.9]).suffix(2) == ["+7d", "+35d"])
    #expect(try Self.ticks([3600, 3_024_604.95]).suffix(2) == ["+35d", "+35d"])
  }

  @Test("More events make a period longer, up to twelve")
  func weight() {
    func middle(_ events: Int) -> Double {
      let moments = [0, 100, 200].map { Instant(microseconds: $0 * 1_000_000) }
      let marks = (0..<events).map { Instant(microseconds: Int64($0) * 1_000_000) }
      return TimeAxis(moments, marks: marks).knots[1].position
    }
    #expect(abs(middle(0) - 0.5) < 1e-9 && middle(12) == middle(13))
    for count in 0..<12 { #expect(middle(count) < middle(count + 1)) }
    // Of two periods of one length, the part of what is left beside the least is 1 + 12 / 4 to 1.
    #expect(abs(middle(12) - (0.08 + 0.84 * 4 / 5)) < 1e-9)
    let axis = TimeAxis([0, 16_000_000, 17_000_000].map { Instant(microseconds: $0) }, marks: [])
    let roots: [Double] = [16, 1].map { ($0 / 17).squareRoot().squareRoot() }
    let expected = 0.08 + 0.84 * roots[0] / (roots[0] + roots[1])
    #expect(abs(axis.knots[1].position - expected) < 1e-9)
    // An event at a knot belongs to the period that it begins.
    let edge = TimeAxis(
      [0, 100, 200].map { Instant(microseconds: $0 * 1_000_000) }, marks: [Instant(microseconds: 100_000_000)])
    #expect(edge.knots[1].position < 0.5 && !edge.isLinear)
    #expect(edge.position(edge.start) == 0 && edge.position(edge.end) == 1)
    #expect(edge.position(Instant(microseconds: -5)) == 0 && edge.position(Instant(microseconds: 900_000_000)) == 1)
  }

  @Test(
    "Money is rounded to cents between one and a thousand millions, and has no noise of single precision",
    arguments: [
      (4.989999771118164, "4.99"), (134.09003, "134.09"), (5, "5"), (-4.99, "-4.99"), (0.05000000074505806, "0.05"),
      (0, "0"), (0.0012, "0.0012"),
      (0.999, "0.999"), (1, "1"), (1.006, "1.01"), (999_999_999, "999999999"), (1e9, "1e+09"), (-1.006, "-1.01"),
    ])
  func money(amount: Double, words: String) {
    #expect(amount.money("EUR") == "\(words) EUR" && amount.money("") == "\(words) \"\"")
  }
}
