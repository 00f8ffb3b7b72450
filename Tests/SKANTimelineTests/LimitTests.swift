import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

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
