import SKANBase
import SKANDevice

/// The drawing as SVG: one file without scripts and external resources, narrow enough to be readable on a phone.
package struct TimelineSVG {
  static let width = 440.0
  static let margin = 14.0
  /// The left and right ends of the chart; the names of its rows are to the left of it.
  static let left = 96.0
  static let right = 426.0

  let timeline: Timeline
  /// The prefix of the element identifiers.
  private let id: String
  var canvas = SVGCanvas()
  /// The vertical position reached so far.
  var y = 0.0

  /// - Parameters:
  ///   - id: the prefix of the element identifiers; unique for each drawing in a page.
  ///   - tellsSteps: whether the steps of each window follow in words.
  package init(_ timeline: Timeline, id: String = "skan", tellsSteps: Bool = true) {
    self.timeline = timeline
    self.id = id
    drawHead()
    drawChart()
    drawDifferences()
    if tellsSteps { for chapter in timeline.chapters { draw(chapter) } }
    y += Self.margin
  }

  /// The areas of the texts, by the widths of a wide font; for tests.
  package var textBoxes: [(text: String, left: Double, top: Double, right: Double, bottom: Double)] {
    canvas.boxes.map { ($0.text, $0.left, $0.top, $0.right, $0.bottom) }
  }

  package var size: (width: Double, height: Double) { (Self.width, y) }

  /// The complete SVG file.
  package var text: String {
    text(
      definitions: "<style>\(SVGStyle.text)</style>\n\(Self.pattern)\n",
      attributes: " xmlns=\"http://www.w3.org/2000/svg\"")
  }

  /// The drawing as an element of a page that includes ``style(in:)``.
  package var element: String { text(definitions: "", attributes: "") }

  /// The CSS rules for ``element``.
  ///
  /// - Parameter scope: a selector of the elements that contain the drawings.
  package static func style(in scope: String) -> String { SVGStyle.text(in: scope) }

  /// The hatch pattern that the rules refer to.
  private static let pattern =
    "<defs><pattern id=\"skan-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    + "patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" class=\"stripe\"/></pattern></defs>"

  private func text(definitions: String, attributes: String) -> String {
    let (width, height) = (Self.width, y)
    let head = """
      <svg\(attributes) width="\((width * 1.5).svg)" height="\((height * 1.5).svg)" \
      viewBox="0 0 \(width.svg) \(height.svg)" role="img" aria-labelledby="\(id)-title \(id)-desc">
      <title id="\(id)-title">\(timeline.title.xml): a simulated SKAdNetwork life</title>
      <desc id="\(id)-desc">\(description.xml)</desc>
      \(definitions)<rect width="\(width.svg)" height="\(height.svg)" class="paper"/>
      """
    return ([head] + canvas.elements + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// A description of the drawing for people who cannot see it.
  private var description: String {
    let chapters = timeline.chapters.map { chapter in
      let facts = chapter.facts.map { "\($0.name): \($0.text)" }
      let count = chapter.rows.reduce(0) { $0 + $1.count }
      let steps = count == 1 ? "1 step" : "\(count) steps"
      return "\(chapter.name), \(chapter.span): \((facts + [steps]).joined(separator: "; "))."
    }
    let axis = timeline.axis.isLinear ? [] : ["The axis of time is not linear."]
    return ([timeline.subtitle + "."] + timeline.remarks + axis + chapters).joined(separator: " ")
  }

  private mutating func drawHead() {
    y = Self.margin + 18
    let room = Self.right - Self.margin
    let title = SVGFont.cut(timeline.title, SVGFont.title, to: room, isBold: true)
    canvas.text(title, Self.margin, y, SVGFont.title, "b", whole: title == timeline.title ? nil : timeline.title)
    y += 5
    paragraph(timeline.subtitle, x: Self.margin)
    y += 4
    for remark in timeline.remarks { paragraph(remark, x: Self.margin, kind: "m") }
  }

  private mutating func drawDifferences() {
    guard !timeline.differences.isEmpty else { return }
    y += 34
    canvas.text("In the end they differ", Self.margin, y, SVGFont.body, "b")
    for difference in timeline.differences { paragraph("≠ " + difference, x: Self.margin) }
  }

  /// Draws a wrapped text below the current position.
  mutating func paragraph(_ text: String, x: Double, kind: String = "", size: Double = SVGFont.body) {
    for line in SVGFont.lines(text, size, Self.right - x) {
      y += size + 5
      canvas.text(line, x, y, size, kind)
    }
  }

  func position(_ moment: Instant) -> Double { Self.left + timeline.axis.position(moment) * (Self.right - Self.left) }
}

extension TimelineSVG {
  private static let indent = 34.0

  /// Draws a window: its results and its events.
  mutating func draw(_ chapter: Timeline.Chapter) {
    y += 24
    let kind = chapter.window.map { "w\($0.rawValue)" } ?? "w3"
    canvas.rect(Self.margin, y, Self.right - Self.margin, 26, kind, round: 4)
    let nameWidth = SVGFont.width(chapter.name, SVGFont.body, isBold: true)
    canvas.text(chapter.name, Self.margin + 8, y + 18.5, SVGFont.body, "b")
    canvas.text(chapter.span, Self.margin + 8 + nameWidth + 10, y + 18.5, SVGFont.body)
    y += 30
    for fact in chapter.facts { draw(fact) }
    if !chapter.facts.isEmpty, !chapter.rows.isEmpty { y += 6 }
    for row in chapter.rows { draw(row) }
  }

  private mutating func draw(_ fact: (name: String, text: String)) {
    let x = Self.margin + 122
    canvas.text(fact.name, Self.margin + 8, y + 20, SVGFont.body, "m")
    paragraph(fact.text, x: x)
  }

  /// The tooltip of a row: its complete text if it is truncated, and the events that it combines.
  private func title(of row: StoryRow, cut: Bool) -> String? {
    let lines = (cut ? [row.what] : []) + timeline.lines(of: row)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private mutating func draw(_ row: StoryRow) {
    y += 22
    let kind = row.mark == .dropped ? "m" : ""
    canvas.mark(row.mark, Self.margin + 10, y - 5)
    let (first, last) = (timeline.elapsed(row.first), timeline.elapsed(row.last))
    let time = first == last ? first : "\(first) to \(last)"
    canvas.text(time, Self.right, y, SVGFont.small, "m", anchor: .end)
    let room = Self.right - SVGFont.width(time, SVGFont.small) - 10 - Self.indent
    let what = SVGFont.cut(row.what, SVGFont.body, to: room)
    let valueWidth = row.value.map { SVGFont.width($0, SVGFont.body, isBold: true) + 10 } ?? 0
    let isOneLine = SVGFont.width(what, SVGFont.body) + valueWidth <= room
    canvas.text(
      what, Self.indent, y, SVGFont.body, kind, whole: title(of: row, cut: what != row.what),
      then: isOneLine ? row.value : nil, kind: "b")
    var reason = row.reason
    if !isOneLine, let value = row.value {
      y += 20
      let width = SVGFont.width(value, SVGFont.body, isBold: true)
      let isShort = reason.map { width + 10 + SVGFont.width($0, SVGFont.body) <= Self.right - Self.indent } ?? false
      canvas.text(value, Self.indent, y, SVGFont.body, "b", then: isShort ? reason : nil, kind: "m")
      if isShort { reason = nil }
    }
    if let reason { paragraph(reason, x: Self.indent, kind: "m") }
  }
}
