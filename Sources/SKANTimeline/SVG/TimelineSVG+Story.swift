import SKANDevice

extension TimelineSVG {
  private static let indent = 34.0

  /// A window: what became of it, and what happened in it.
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

  /// What a browser shows of a row on its own: what is cut from it, and the things that are drawn as one.
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
