import Foundation
import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

/// The steps of a window, and from when each is drawn: never from before one that it replaced.
private func drawn(_ lane: ValueLane, _ band: Band) -> [(step: ValueLane.Step, from: Instant)] {
  let steps = lane.steps.filter { $0.window == band.window }
  return steps.indices.map { index in
    (steps[index], ([band.start] + steps[...index].map(\.at)).max() ?? band.start)
  }
}

/// The row of a lane in a terminal is what the lane says, character by character.
@Suite("The rows of a terminal, read back")
struct StripReadingTests {
  /// What is drawn at each column, labels apart.
  private static func expected(_ lane: ValueLane, _ text: TimelineText, isFine: Bool) -> [Character] {
    var cells = Array(repeating: Character(" "), count: text.chartWidth)
    for band in lane.bands {
      let end = text.column(min(band.end, max(text.timeline.now, band.start)))
      var began = false
      let steps = drawn(lane, band).filter { step, _ in
        let isTold = isFine ? step.values.fine != nil : step.values.coarse != nil || step.values.isLocked || began
        began = began || isTold
        return isTold
      }
      for (index, (step, from)) in steps.enumerated() {
        let start = text.column(from)
        let next = index + 1 < steps.count ? text.column(steps[index + 1].from) : max(end, start + 1)
        let sign = step.isAssumed ? "┄" : step.values.isLocked ? "═" : "─" as Character
        for column in start..<max(start, next) where column < cells.count { cells[column] = sign }
      }
    }
    return cells
  }

  @Test("Of random lives", arguments: Rounds.of(40))
  func random(seed: Int) throws {
    let text = TimelineText(try LivedPhone.random(seed).timeline, width: 90)
    for lane in text.timeline.lanes where !lane.bands.isEmpty {
      let rows = text.chart.drop { !$0.hasPrefix(lane.title) }
      #expect(rows.contains { $0.hasPrefix("  coarse ") } || !lane.hasCoarse)
      for name in ["fine"] + (lane.hasCoarse ? ["coarse"] : []) {
        let row = Array(try #require(rows.first { $0.hasPrefix("  \(name) ") }).dropFirst(TimelineText.gutter))
        let cells = Self.expected(lane, text, isFine: name == "fine")
        for (column, character) in row.enumerated() where "─═┄".contains(character) {
          #expect(character == cells[column], "\(name) \(column) of \(String(row))")
        }
        for (column, character) in cells.enumerated() where character != " " {
          #expect(row[column] != " " || String(row).contains(", locked"), "\(name) \(column) of \(String(row))")
        }
      }
      let windows = Array(try #require(rows.first { $0.hasPrefix("  windows ") }).dropFirst(TimelineText.gutter))
      let axis = text.timeline.axis
      let edges = lane.bands.filter { $0.start < axis.end }.flatMap {
        [$0.start] + ($0.end <= axis.end ? [$0.end] : [])
      }
      #expect(Set(windows.indices.filter { windows[$0] == "│" }).isSubset(of: edges.map(text.column)))
      for band in lane.bands where text.column(band.end) - text.column(band.start) > band.name.count + 2 {
        #expect(String(windows.dropFirst(text.column(band.start) + 1)).hasPrefix(band.name), "\(String(windows))")
      }
    }
  }
}

/// The chart as SVG is what the timeline says, element by element.
@Suite("The chart as SVG, read back")
struct ChartReadingTests {
  /// The rectangles of a class, in order.
  private static func rects(_ text: String, _ kinds: String) throws -> [(
    x: Double, y: Double, width: Double, height: Double
  )] {
    let form = try Regex(
      #"<rect x="(-?[0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"[^>]* class="(?:\#(kinds))""#)
    return text.matches(of: form).compactMap { match in
      let numbers = (1...4).compactMap { match[$0].substring.flatMap { Double($0) } }
      return numbers.count == 4 ? (numbers[0], numbers[1], numbers[2], numbers[3]) : nil
    }
  }

  private static func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 0.11 }

  @Test("Windows, fine values, locks and postbacks of random lives", arguments: Rounds.of(30))
  func random(seed: Int) throws {
    let timeline = try LivedPhone.random(seed).timeline
    let drawing = TimelineSVG(timeline, tellsSteps: false)
    let (axis, text) = (timeline.axis, drawing.text)
    let lanes = timeline.lanes.filter { !$0.bands.isEmpty }
    let bands = try Self.rects(text, "w[0-2]")
    let drawn = lanes.flatMap { lane in lane.bands.filter { $0.start < axis.end } }
    #expect(bands.count == drawn.count)
    for (rect, band) in zip(bands, drawn) {
      let (left, right) = (drawing.position(band.start), drawing.position(band.end))
      #expect(Self.isNear(rect.x, left) && abs(rect.width - (right - left)) < 0.11, "\(band.name)")
    }
    try checkLines(lanes, drawing)
    let locks = lanes.flatMap { lane in
      lane.bands.filter { band in lane.steps.contains { $0.window == band.window && $0.values.isLocked } }
    }
    #expect(try Self.rects(text, "hatch").count == locks.count)
    let bars = timeline.postbacks.filter { $0.sendsAt != nil }
    let rects = try Self.rects(text, "bar")
    #expect(rects.count == bars.count)
    for (rect, bar) in zip(rects, bars) {
      let (left, right) = (drawing.position(try #require(bar.earliest)), drawing.position(try #require(bar.latest)))
      #expect(Self.isNear(rect.width, max(3, right - left)) && rect.x <= left + 0.11, "\(bar.name)")
      #expect(rect.x + rect.width <= TimelineSVG.right + 0.11)
      // Its label is on its line, or on one of its own below.
      let boxes = drawing.textBoxes
      let name = try #require(boxes.first { $0.text == bar.name && $0.right < TimelineSVG.left })
      let below = boxes.filter { $0.text == bar.label }.map { $0.bottom - name.bottom }
      #expect(below.contains { abs($0) < 0.001 || abs($0 - 17) < 0.001 }, "\(bar.label): \(below)")
    }
  }

  /// The line of the fine values, at the middle of each value that is drawn long enough: the value's part of 63.
  private func checkLines(_ lanes: [ValueLane], _ drawing: TimelineSVG) throws {
    for kind in ["la", "lt"] {
      guard let lane = lanes.first(where: { ($0.side == .app) == (kind == "la") }) else { continue }
      let path = drawing.text.firstMatch(of: try Regex(#"<path d="(M[^"]*[HV][^"]*)" class="\#(kind)(?: dots)?""#))
      guard let data = path.flatMap({ $0[1].substring.map(String.init) }) else {
        continue
      }
      // The places of 63 and 0 are those of the labels beside them.
      let names = drawing.textBoxes.filter { $0.right < TimelineSVG.left }
      let title = try #require(drawing.textBoxes.first { $0.text == lane.title && $0.left == TimelineSVG.margin })
      let marks = ["63", "0"].compactMap { name in names.first { $0.text == name && $0.top > title.top } }
      #expect(marks.count == 2)
      let levels = marks.map { $0.bottom - SVGFont.small * 0.25 - 4.5 }
      var pieces: [(left: Double, right: Double, level: Double)] = []
      var (x, level) = (0.0, 0.0)
      for part in data.matches(of: try Regex("([MHV])([-0-9.]+)(?: ([-0-9.]+))?")) {
        let number = try #require(part[2].substring.flatMap { Double($0) })
        switch part[1].substring {
        case "M":
          x = number
          level = try #require(part[3].substring.flatMap { Double($0) })
        case "V": level = number
        default:
          pieces.append((x, number, level))
          x = number
        }
      }
      for band in lane.bands {
        let steps = drawn(lane, band)
        let end = min(band.end, max(drawing.timeline.now, band.start))
        for (index, (step, from)) in steps.enumerated() {
          guard let fine = step.values.fine else { continue }
          let left = drawing.position(from)
          let right = drawing.position(index + 1 < steps.count ? steps[index + 1].from : end)
          guard right - left > 2 else { continue }
          let y = levels[1] - Double(min(63, max(0, fine))) / 63 * (levels[1] - levels[0])
          let middle = (left + right) / 2
          #expect(
            pieces.contains { $0.left <= middle && middle <= $0.right && abs($0.level - y) < 0.11 },
            "\(fine) at \(middle), \(y): \(pieces)")
        }
      }
    }
  }
}
