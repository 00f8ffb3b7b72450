import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

@Suite("Belief and truth as lanes")
struct LaneTests {
  @Test("A lock parts the app's belief from what Apple holds")
  func lock() throws {
    let life = try LivedPhone(
      list(Line.register, Line.session("+1h", 5, 0, lock: true), Line.session("+2h", 9, 2), Line.session("+3d", 9, 1)))
    let app = try life.lane(.app).steps.map(\.values.displayText)
    let apple = try life.lane(.apple).steps.map(\.values.displayText)
    #expect(app == ["fine 0", "fine 5, low, locked", "fine 9, high, locked", "medium"])
    #expect(apple == ["fine 0", "fine 5, low, locked", "medium"])
    let words = "(locked at +1h: Apple keeps the values from that moment)"
    #expect(
      life.timeline.differences == [
        "fine value: the app 9, Apple 5 \(words)", "P0 coarse value: the app high, Apple low \(words)",
      ])
  }

  @Test("By the developer clock Apple's windows are minutes, and the app's days all the same")
  func developerClock() throws {
    let life = try LivedPhone(
      list(
        Line.install(#""ios":"18.0","clock":"developer""#), Line.register, Line.session("+4m", 9, 2),
        Line.session("+7m", 9, 1)))
    #expect(try life.lane(.app).steps.map(\.window) == [.p0, .p0, .p0])
    #expect(try life.lane(.apple).steps.map(\.window) == [.p0, .p1, .p2])
    #expect(try life.lane(.apple).bands.map { $0.end.since(life.timeline.origin).displayText } == ["3m", "6m", "9m"])
    #expect(life.timeline.chapters.map(\.span) == ["+0s to +3m", "+3m to +6m", "+6m to +9m"])
  }

  @Test("The timer of an ad of version 3 is drawn to its end, and nothing coarse")
  func timer() throws {
    let life = try LivedPhone(
      list(
        Line.install(#""snippet":"skan3","ad":{"version":"3.0","campaign":4}"#), Line.register,
        Line.session("+1h", 5), Line.session("+2h", 5), Line.session("+3h", 9)))
    let apple = try life.lane(.apple)
    #expect(apple.bands.map(\.name) == ["timer"] && !apple.hasCoarse)
    #expect(apple.bands[0].end.since(life.timeline.origin).displayText == "1d3h")
    #expect(life.timeline.chapters.map(\.name) == ["Open for updates"])
    let fine: [Int64?] = [5, 9]
    #expect(apple.steps.map(\.values.fine) == fine)
  }

  @Test("What only its end is known of has no known moment", arguments: [ValueLane.Side.app, .apple])
  func withoutHistory(side: ValueLane.Side) throws {
    var life = try LivedPhone(list(Line.register, Line.session("+1h", 5, 1), Line.session("+3d", 9, 2, lock: true)))
    life.history = []
    let steps = try life.lane(side).steps
    #expect(steps.map(\.isAssumed) == [true, true])
    #expect(steps.map(\.values.displayText) == ["fine 5, medium", "high, locked"])
    #expect(life.timeline.remarks.contains { $0.hasPrefix("The steps of this life are not known") })
  }

  @Test(
    "Why Apple holds nothing",
    arguments: [
      (#""ad":false"#, "no ad brought this install"), (#""build":"development""#, "not from the App Store"),
    ])
  func nothing(install: String, words: String) throws {
    let life = try LivedPhone(list(Line.install(install), Line.register, Line.session("+1h", 5, 1)))
    let apple = try life.lane(.apple)
    #expect(apple.bands.isEmpty && apple.steps.isEmpty && apple.emptyText.contains(words))
    #expect(try life.lane(.app).steps.count == 2)
  }

  @Test(
    "A coarse value that is none is shown as what it is",
    arguments: [
      (KeptValue.integer(0), "low", 1), (.integer(2), "high", 3), (.integer(7), "7", 0), (.string("1"), "medium", 2),
      (.string("7"), "text", 0),
    ])
  func coarse(value: KeptValue, name: String, level: Int) {
    let shown = ShownCoarse(value)
    #expect(shown.name == name && shown.level == level)
  }
}
