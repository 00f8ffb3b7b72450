import SKANDevice
import SKANBase

/// The drawing for a terminal: lines of at most ``width`` columns.
package struct TimelineText {
  /// The width where no terminal has another.
  package static let usualWidth = 80
  /// Below it there is no room for the chart.
  package static let leastWidth = 60
  static let gutter = 14

  let timeline: Timeline
  let glyphs: Glyphs
  let width: Int

  /// - Parameters:
  ///   - isASCII: whether nothing but ASCII may be printed.
  ///   - width: in columns; below ``leastWidth`` that width is taken.
  package init(_ timeline: Timeline, isASCII: Bool, width: Int = usualWidth) {
    self.timeline = timeline
    self.width = max(width, Self.leastWidth)
    glyphs = isASCII ? .ascii : .unicode
  }

  package var lines: [String] {
    var lines = [timeline.title, timeline.subtitle].map { glyphs.text($0).cut(to: width, String(glyphs.ellipsis)) }
    lines.append("")
    lines += timeline.remarks.flatMap { wrapped($0) }
    lines += [""] + chart
    let differences = timeline.differences.flatMap { wrapped($0, indent: 2) }
    if !differences.isEmpty { lines += ["", "In the end they differ:"] + differences }
    for chapter in timeline.chapters { lines += [""] + self.lines(of: chapter) }
    return lines.map { String($0.trimmingSuffix { $0 == " " }) }
  }

  /// A sentence in lines, those after the first with an indent.
  func wrapped(_ text: String, indent: Int = 0, first: String? = nil) -> [String] {
    let space = String(repeating: " ", count: indent)
    let lines = glyphs.text(text).wrapped(width - indent) { $0.columns }
    return lines.enumerated().map { ($0 == 0 ? first ?? space : space) + $1 }
  }
}
