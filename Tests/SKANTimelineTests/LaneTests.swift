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

/// What a side holds in the end is what a reader looks for first: it is never left out.
@Suite("The last value of a window is in the drawing")
struct LastValueTests {
  /// The rows "fine" and "coarse" of a lane, without their names.
  private static func rows(_ lane: ValueLane, _ lines: [String]) -> (fine: [Character], coarse: [Character]) {
    let rest = lines.drop { !$0.hasPrefix(lane.title) }
    func row(_ name: String) -> [Character] {
      Array(rest.first { $0.hasPrefix("  \(name) ") || $0 == "  \(name)" } ?? "").dropFirst(TimelineText.gutter)
        + Array(repeating: " ", count: 80)
    }
    return (row("fine"), lane.hasCoarse ? row("coarse") : [])
  }

  /// The last word of a window in a row.
  private static func last(_ row: [Character], _ columns: Range<Int>) -> String? {
    guard row.count >= columns.upperBound else { return nil }
    let words = String(row[columns]).split { "─═┄ ".contains($0) }.map { $0.filter { $0 != "," } }
    return words.last { $0 != "locked" }
  }

  private static func check(_ timeline: Timeline) {
    let text = TimelineText(timeline)
    let lines = text.lines
    for lane in timeline.lanes {
      let rows = rows(lane, lines)
      for (index, band) in lane.bands.enumerated() where band.start < timeline.axis.end {
        let isInner = index + 1 < lane.bands.count && band.end <= timeline.axis.end
        let columns = text.column(band.start)..<(isInner ? text.column(band.end) : text.chartWidth)
        guard columns.count > 4, let values = lane.steps.last(where: { $0.window == band.window })?.values else {
          continue
        }
        // Where the last step took a value away, there is none to be seen.
        if let fine = values.fine { #expect(last(rows.fine, columns) == String(fine), "\(lane.title) \(band.name)") }
        if let coarse = values.coarse, lane.hasCoarse {
          let word = last(rows.coarse, columns) ?? ""
          #expect(!word.isEmpty && coarse.name.hasPrefix(word), "\(lane.title) \(band.name) \(word) \(coarse.name)")
        }
      }
    }
  }

  @Test("Of random lives", arguments: Rounds.of(30))
  func random(seed: Int) throws { try Self.check(LivedPhone.random(seed).timeline) }

  @Test("Right after a step, at the present", arguments: ["+1h", "+47h59m", "+2d", "+6d23h", "+34d"])
  func present(time: String) throws {
    let steps = time == "+1h" ? [] : [Line.session("+1h", 12, 0)]
    let life = try LivedPhone(([Line.register] + steps + [Line.session(time, 20, 2)]).joined(separator: "\n") + "\n")
    Self.check(life.timeline)
    let text = TimelineText(life.timeline).lines
    for lane in life.timeline.lanes {
      #expect(String(Self.rows(lane, text).coarse).contains("hi"), "\(text)")
    }
    #expect(TimelineSVG(life.timeline).text.contains(">12<") == (time != "+1h"))
  }

  @Test("A lock of this very moment")
  func lock() throws {
    let life = try LivedPhone(list(Line.register, Line.session("+1h", 12, 2, lock: true)))
    let text = TimelineText(life.timeline).lines
    for lane in life.timeline.lanes { #expect(String(Self.rows(lane, text).coarse).contains("high, locked")) }
    #expect(TimelineSVG(life.timeline).text.contains("hatch"))
  }

  @Test("More values than columns: the last is there, in a terminal and as SVG")
  func crowded() throws {
    let steps = (1...300).map { Line.session("+\($0 * 9)m", $0 % 61, $0 % 3) } + [Line.session("+47h59m", 1, 1)]
    let life = try LivedPhone(([Line.register] + steps).joined(separator: "\n") + "\n")
    Self.check(life.timeline)
    let drawing = TimelineSVG(life.timeline).text
    // The last fine value, and a bar in the row of its coarse value, which begins at the present.
    let present = drawing.components(separatedBy: "class=\"app\"").dropLast().last ?? ""
    #expect(drawing.contains(">1<") && !present.isEmpty)
  }
}

@Suite("Postbacks in words")
struct PostbackBarTests {
  @Test(
    "Why none leaves",
    arguments: [
      (#""ad":{"tier":0}"#, "+40d", 1, "not sent: tier 0 has a first postback only"),
      (#""ad":{"won":false}"#, "+40d", 1, "not sent: an ad that did not win has a first postback only"),
      (#""build":"development""#, "+40d", 0, "not sent: Apple refuses an app that is not from the App Store"),
    ])
  func reasons(install: String, until: String, index: Int, sentence: String) throws {
    let life = try LivedPhone(
      list(
        Line.install(install), Line.register, Line.session("+1h", 5, 1), #"{"op":"details","at":"\#(until)"}"#))
    let bars = life.timeline.postbacks
    #expect(bars.count > index)
    #expect(bars[index].sentence == sentence && bars[index].sendsAt == nil, "\(bars.map(\.sentence))")
    #expect(bars[index].label == (sentence.hasPrefix("not sent") ? "not sent" : "none as things stand"))
  }
}

@Suite("Why a step or a call came to nothing")
struct OutcomeReasonTests {
  @Test(
    "An update that the snippet dropped says so; others give their reason alone",
    arguments: [
      (.notRegistered, "dropped: the app has not registered"),
      (.notHigher, "dropped: not higher than the value the app keeps"),
      (.windowOver, "dropped: no window of the app is open any more"),
      (.blocked, "dropped: an earlier answer left the snippet's lock held"),
      (.iosTooOld, "dropped: this iOS is too old"),
      (.noUpdate, "the endpoint had no new value"), (.transportError, "no answer came"), (.ignored, "not added"),
      (.alreadyRegistered, "nothing to do: registered before"),
      (.frameworkError, "Apple's call failed; the app still keeps the values"), (.updated, nil),
      (.forwarded, nil),
    ] as [(Outcome, String?)])
  func outcome(outcome: Outcome, reason: String?) {
    #expect(outcome.reason == reason)
    #expect(outcome.cause?.isDrop == reason.map { $0.hasPrefix("dropped: ") })
  }

  @Test(
    "What Apple made of a call",
    arguments: [
      (.taken, nil), (.registered, nil), (.alreadyRegistered, "Apple has the install registered already"),
      (.unknownVersion, "Apple holds nothing: this iOS does not know the ad's version"),
      (.tooLate, "ignored by Apple: 60 days after the install it accepts no first call"),
      (.windowsOver, "ignored by Apple: its windows are over"),
      (.final, "ignored by Apple: its timer ran out, the value is final"),
      (.notHigher, "ignored by Apple: not higher than what it holds"),
      (.fineOnly, "ignored by Apple: after P0 a coarse value is needed"),
    ] as [(CallFate.Kind, String?)])
  func fate(kind: CallFate.Kind, reason: String?) { #expect(kind.reason == reason) }

  @Test(
    "The values of a call that count in its window",
    arguments: [
      (.register, .p0, nil, nil), (.updateConversionValue(5), nil, nil, "fine 5"),
      (.updatePostback(fine: 5), .p0, .p1, "fine 5"), (.updatePostback(fine: 5), .p1, nil, "fine 5"),
      (.updatePostback(fine: 5), .p1, .p1, nil),
      (.updatePostbackCoarse(fine: 5, coarse: .high, lock: true), .p1, .p2, "high, lock"),
      (.updatePostbackCoarse(fine: 5, coarse: nil, lock: false), .p0, .p0, "fine 5, no coarse"),
    ] as [(FrameworkCall, ConversionWindow?, ConversionWindow?, String?)])
  func values(call: FrameworkCall, app: ConversionWindow?, apple: ConversionWindow?, text: String?) {
    #expect(call.displayText(app, apple: apple) == text)
  }
}
