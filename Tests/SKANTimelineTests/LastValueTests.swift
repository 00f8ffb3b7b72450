import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

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
