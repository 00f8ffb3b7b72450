import SKANDevice
import SKANBase

extension TimelineText {
  /// A window: what became of it, and what happened in it.
  func lines(of chapter: Timeline.Chapter) -> [String] {
    let title = "\(chapter.name)  \(chapter.span) "
    var lines = [title + String(repeating: glyphs.line, count: max(0, width - title.columns))]
    for fact in chapter.facts {
      lines += wrapped(fact.text, indent: 17, first: "  " + fact.name.padded(to: 15))
    }
    let timeWidth = chapter.rows.map { time(of: $0).columns }.reduce(15, max) + 2
    if !chapter.facts.isEmpty, !chapter.rows.isEmpty { lines.append("") }
    return lines + chapter.rows.flatMap { self.lines(of: $0, timeWidth: min(24, timeWidth)) }
  }

  private func time(of row: StoryRow) -> String {
    let (first, last) = (timeline.elapsed(row.first), timeline.elapsed(row.last))
    return first == last ? first : "\(first) to \(last)"
  }

  private func lines(of row: StoryRow, timeWidth: Int) -> [String] {
    let head = "  \(glyphs.mark(row.mark)) " + time(of: row).padded(to: timeWidth)
    let room = width - head.columns
    let value = row.value.map { "  " + glyphs.text($0) } ?? ""
    // Where there is no room for both, the value stands below.
    let isBeside = room - value.columns >= 12
    let what = glyphs.text(row.what).cut(to: isBeside ? room - value.columns : room, String(glyphs.ellipsis))
    var lines = [head + what.padded(to: value.isEmpty || !isBeside ? 0 : min(29, room - value.columns))]
    if isBeside { lines[0] += value } else { lines += wrapped(row.value ?? "", indent: head.columns) }
    guard let reason = row.reason else { return lines }
    let text = glyphs.text(reason)
    if lines.count == 1, lines[0].columns + 2 + text.columns <= width { return [lines[0] + "  " + text] }
    return lines + wrapped(reason, indent: head.columns)
  }
}
