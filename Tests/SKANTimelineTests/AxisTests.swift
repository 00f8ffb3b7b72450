import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

@Suite("The time axis")
struct AxisTests {
  private static func words(_ timeline: Timeline) -> [String] { timeline.axis.knots.map { timeline.elapsed($0.at) } }

  @Test("A life is drawn to the last moment at which a postback may leave")
  func wholeLife() throws {
    let life = try LivedPhone(list(Line.register, Line.session("+8d", 5, 1)))
    #expect(Self.words(life.timeline) == ["+0s", "+2d", "+7d", "+35d", "+41d"])
    #expect(life.timeline.showsNow)
  }

  @Test("Places rise with time", arguments: 0..<60)
  func isMonotone(seed: Int) throws {
    let axis = try LivedPhone.random(seed).timeline.axis
    #expect(axis.knots.count >= 2 && axis.knots.first?.position == 0 && axis.knots.last?.position == 1)
    for (left, right) in zip(axis.knots, axis.knots.dropFirst()) {
      #expect(left.at < right.at && right.position - left.position > 0.04)
      let middle = Instant(microseconds: (left.at.microseconds + right.at.microseconds) / 2)
      #expect(axis.position(middle) > left.position && axis.position(middle) < right.position)
    }
  }
}
