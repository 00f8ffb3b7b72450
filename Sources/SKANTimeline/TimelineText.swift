import SKANBase
import SKANDevice

/// The drawing for a terminal, in lines of at most ``width`` columns.
package struct TimelineText {
  /// The default width in columns.
  package static let usualWidth = 80
  /// The least width, below which the chart does not fit.
  package static let leastWidth = 60
  static let gutter = 14

  let timeline: Timeline
  let width: Int

  /// - Parameter width: the columns; at least ``leastWidth`` are used.
  package init(_ timeline: Timeline, width: Int = usualWidth) {
    self.timeline = timeline
    self.width = max(width, Self.leastWidth)
  }

  package var lines: [String] {
    var lines = [timeline.title, timeline.subtitle].map { $0.cut(to: width, "…") }
    lines.append("")
    lines += timeline.remarks.flatMap { wrapped($0) }
    lines += [""] + chart
    let differences = timeline.differences.flatMap { wrapped($0, indent: 2) }
    if !differences.isEmpty { lines += ["", "In the end they differ:"] + differences }
    for chapter in timeline.chapters { lines += [""] + self.lines(of: chapter) }
    return lines.map { String($0.trimmingSuffix { $0 == " " }) }
  }

  /// Wraps a sentence, with an indent from the second line on.
  func wrapped(_ text: String, indent: Int = 0, first: String? = nil) -> [String] {
    let space = String(repeating: " ", count: indent)
    let lines = text.wrapped(width - indent) { $0.columns }
    return lines.enumerated().map { ($0 == 0 ? first ?? space : space) + $1 }
  }
}

extension TimelineText {
  var chartWidth: Int { width - Self.gutter }

  /// The lines of the axis, the two lanes, the calls and the postbacks.
  var chart: [String] {
    var lines = axis
    for lane in timeline.lanes { lines += self.lines(of: lane) }
    return lines + calls + updates + postbacks
  }

  func column(_ moment: Instant) -> Int { Int(timeline.axis.position(moment) * Double(chartWidth - 1) + 0.5) }

  /// Each group of updates that overlap on a scale of its own.
  private var updates: [String] {
    guard !timeline.updates.isEmpty else { return [] }
    let signs = UpdateBar.Part.allCases.map { "\(Glyphs.part($0))\(Glyphs.part($0)) \($0.name)" }
    var lines = heading("Updates that overlap (\(signs.joined(separator: ", ")))")
    for group in timeline.updates.prefix(UpdateGroup.most) { lines += self.lines(of: group) }
    let more = timeline.updates.count - UpdateGroup.most
    return lines + (more > 0 ? ["  and \(more) more"] : [])
  }

  private func lines(of group: UpdateGroup) -> [String] {
    let length = max(1, group.end.since(group.start).seconds)
    // The last column is for a completion that follows at once.
    func column(_ moment: Instant) -> Int {
      Int(moment.since(group.start).seconds / length * Double(chartWidth - 2) + 0.5)
    }
    var lines = ["  " + timeline.spanText(of: group)]
    for bar in group.bars {
      var line = strip
      var end = column(bar.start)
      for span in bar.spans {
        let start = max(end, column(span.start))
        end = max(start + 1, column(span.end))
        line.fill(start..<end, with: Glyphs.part(span.part))
      }
      if let ending = bar.ending {
        // Behind the bar, before it, or else on its end.
        let places = [end + 1, column(bar.start) - 1 - ending.count, max(0, chartWidth - ending.count)]
        _ = places.contains { line.label(ending, at: $0) }
      }
      lines.append(row(bar.name.cut(to: Self.gutter - 3, "…"), line))
    }
    if group.more > 0 { lines.append("  and \(group.more) more") }
    for values in group.values {
      var line = strip
      for change in values.changes.reversed() {
        let start = column(change.at)
        let texts = change.texts
        if texts.contains(where: { line.label($0, at: start) }) { continue }
        // A value at the very end has its label before it.
        if let short = texts.last, start + short.count > chartWidth, line.label(short, at: chartWidth - short.count) {
          continue
        }
        line.put(Glyphs.edge, at: start)
      }
      lines.append(row(values.name, line))
    }
    return lines
  }

  func row(_ name: String, _ strip: TextStrip) -> String {
    ("  " + name).padded(to: Self.gutter) + strip.text
  }

  /// A heading above rows of the chart, wrapped if it is too long.
  private func heading(_ text: String) -> [String] {
    text.columns <= width ? [text] : wrapped(text, indent: 2, first: "")
  }

  private var strip: TextStrip { TextStrip(width: chartWidth) }

  private var axis: [String] {
    var labels = strip
    var ticks = strip
    // The ends come first: the scale cannot be read without them.
    let knots = timeline.axis.knots
    for knot in [knots[0], knots[knots.count - 1]] + knots.dropFirst().dropLast() {
      let text = timeline.elapsed(knot.at)
      let position = column(knot.at)
      ticks.put(Glyphs.edge, at: position)
      labels.label(text, at: min(position, chartWidth - text.count))
    }
    if timeline.showsNow {
      let position = column(timeline.now)
      for start in [position, position - 2] where labels.label("now", at: start) {
        ticks.put(Glyphs.edge, at: position)
        break
      }
    }
    return [row("time", labels), row(timeline.axis.isLinear ? "" : "not linear", ticks)]
  }

  private func lines(of lane: ValueLane) -> [String] {
    guard !lane.bands.isEmpty else {
      return wrapped(lane.emptyText, indent: Self.gutter + 1, first: lane.title.padded(to: Self.gutter) + " ")
    }
    var windows = strip
    for band in lane.bands where band.start < timeline.axis.end {
      let (start, end) = (column(band.start), column(band.end))
      windows.fill(start..<max(start + 1, end), with: Glyphs.line)
      windows.put(Glyphs.edge, at: start)
      if band.end <= timeline.axis.end { windows.put(Glyphs.edge, at: end) }
      windows.label(band.name, at: start + 1, before: max(end, start + 1 + band.name.count))
    }
    var signs: [String] = []
    if lane.steps.contains(where: { $0.values.isLocked }) { signs.append("\(Glyphs.locked)\(Glyphs.locked) locked") }
    if lane.steps.contains(where: \.isAssumed) {
      signs.append("\(Glyphs.unknown)\(Glyphs.unknown) start not known")
    }
    let title = lane.title + (signs.isEmpty ? "" : " (\(signs.joined(separator: ", ")))")
    var lines = heading(title) + [row("windows", windows)]
    lines.append(row("fine", strip(of: lane) { _, step in step.values.fine.map { [String($0)] } ?? [] }))
    if lane.hasCoarse {
      lines.append(row("coarse", strip(of: lane) { hadValue, step in step.values.coarseLabels(after: hadValue) }))
    }
    return lines
  }

  /// Draws each value until the next one, the window's end, or the present.
  ///
  /// - Parameter labels: the possible labels of a step, longest first; none where there is no value.
  private func strip(
    of lane: ValueLane, _ labels: (_ hadValue: Bool, ValueLane.Step) -> [String]
  ) -> TextStrip {
    var strip = strip
    var written: [LaneLabel] = []
    for (number, band) in lane.bands.enumerated() {
      let end = column(min(band.end, max(timeline.now, band.start)))
      let next = number + 1 < lane.bands.count && band.end <= timeline.axis.end ? column(band.end) : chartWidth
      let room = column(band.start)..<max(next, column(band.start) + 1)
      var hadValue = false
      var pieces: [(step: ValueLane.Step, from: Instant, texts: [String])] = []
      for (step, from) in lane.drawn(in: band) {
        let texts = labels(hadValue, step)
        hadValue = hadValue || !texts.isEmpty
        if !texts.isEmpty { pieces.append((step, from, texts)) }
      }
      for (index, piece) in pieces.enumerated() {
        let start = column(piece.from)
        let isLast = index + 1 == pieces.count
        let next = isLast ? max(end, start + 1) : column(pieces[index + 1].from)
        strip.fill(start..<max(start, next), with: Glyphs.line(piece.step))
        // A label may extend beyond the next value, whose own label is then left out: of many values on few columns,
        // only some are labeled.
        written.append(LaneLabel(texts: piece.texts, start: start, end: end, room: isLast ? room : nil))
      }
    }
    // Later values matter more, and the last one of a window most: its label is placed first and never left out.
    for label in written.reversed() where label.room != nil { label.put(on: &strip) }
    for label in written.reversed() where label.room == nil { label.put(on: &strip) }
    return strip
  }

  private var calls: [String] {
    let (heading, rows) = timeline.signRows
    var lines: [String] = []
    for (mark, name) in rows {
      let positions = timeline.moments.filter { $0.mark == mark }.map { column($0.at) }
      var line = strip
      for position in Set(positions) {
        let count = positions.count { $0 == position }
        line.put(count == 1 ? Glyphs.mark(mark) : count < 10 ? Character(String(count)) : "#", at: position)
      }
      lines.append(row("\(Glyphs.mark(mark)) \(name)", line))
    }
    return lines.isEmpty ? [] : self.heading(heading + (hasCounts ? " (2-9: the count; #: more)" : "")) + lines
  }

  private var postbacks: [String] {
    guard !timeline.postbacks.isEmpty else { return [] }
    let sign = "\(Glyphs.left)\(Glyphs.line)\(Glyphs.line)\(Glyphs.right)"
    let hasBars = timeline.postbacks.contains { $0.sendsAt != nil }
    let text = hasBars ? ": \(sign) when it may leave, \(Glyphs.drawn) the moment drawn" : ""
    return heading("Postbacks (simulated)\(text)")
      + timeline.postbacks.map { bar in
        var line = strip
        guard let earliest = bar.earliest, let latest = bar.latest, let sends = bar.sendsAt else {
          line.label(bar.sentence.columns > chartWidth ? bar.label : bar.sentence, at: 0)
          return row(bar.name, line)
        }
        let (left, right) = (column(earliest), column(latest))
        line.fill(left..<right + 1, with: Glyphs.line)
        line.put(Glyphs.left, at: left)
        line.put(Glyphs.right, at: right)
        line.put(Glyphs.drawn, at: column(sends))
        if !line.label(bar.label, at: right + 2) { line.label(bar.label, at: left - 1 - bar.label.count) }
        return row(bar.name, line)
      }
  }

  /// Whether several calls share a column.
  private var hasCounts: Bool {
    timeline.signRows.rows.contains { row in
      let columns = timeline.moments.filter { $0.mark == row.mark }.map { column($0.at) }
      return Set(columns).count < columns.count
    }
  }
}

extension Glyphs {
  fileprivate static func part(_ part: UpdateBar.Part) -> Character {
    switch part {
    case .lock: unknown
    case .answer: line
    case .completion: locked
    }
  }

  fileprivate static func line(_ step: ValueLane.Step) -> Character {
    step.isAssumed ? unknown : step.values.isLocked ? locked : line
  }
}

extension ValueLane.Values {
  /// The possible labels, longest first; empty before there is a value.
  fileprivate func coarseLabels(after hadValue: Bool) -> [String] {
    guard let coarse else { return isLocked ? ["none, locked", "none"] : hadValue ? ["none"] : [] }
    let short = coarse.level == 3 ? "hi" : String(coarse.name.prefix(3))
    return (isLocked ? ["\(coarse.name), locked"] : []) + [coarse.name, short]
  }
}

extension Timeline {
  /// A time relative to the origin, such as `+1d8h`.
  package func elapsed(_ moment: Instant) -> String { moment.since(origin).signedText }

  /// When a group of updates began, and how long it lasted.
  func spanText(of group: UpdateGroup) -> String {
    "\(elapsed(group.start)), for \(group.end.since(group.start).displayText)"
  }
}

extension TimelineText {
  /// The lines of a window: its results and its events.
  func lines(of chapter: Timeline.Chapter) -> [String] {
    let title = "\(chapter.name)  \(chapter.span) "
    var lines = [title + String(repeating: Glyphs.line, count: max(0, width - title.columns))]
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
    let head = "  \(Glyphs.mark(row.mark)) " + time(of: row).padded(to: timeWidth)
    let room = width - head.columns
    let value = row.value.map { "  " + $0 } ?? ""
    // The value goes on the next line if there is no space beside the event.
    let isBeside = room - value.columns >= 12
    let what = row.what.cut(to: isBeside ? room - value.columns : room, "…")
    var lines = [head + what.padded(to: value.isEmpty || !isBeside ? 0 : min(29, room - value.columns))]
    if isBeside { lines[0] += value } else { lines += wrapped(row.value ?? "", indent: head.columns) }
    guard let reason = row.reason else { return lines }
    let text = reason
    if lines.count == 1, lines[0].columns + 2 + text.columns <= width { return [lines[0] + "  " + text] }
    return lines + wrapped(reason, indent: head.columns)
  }
}

/// One line of the terminal's chart: characters at columns, and labels where there is space.
struct TextStrip {
  private var cells: [Character]
  /// The columns taken by labels, including one on each side.
  private var taken: [Bool]

  init(width: Int) {
    cells = Array(repeating: " ", count: width)
    taken = Array(repeating: false, count: width)
  }

  var width: Int { cells.count }

  var text: String { String(cells) }

  mutating func put(_ character: Character, at column: Int) {
    if cells.indices.contains(column) { cells[column] = character }
  }

  mutating func fill(_ columns: Range<Int>, with character: Character) {
    for column in columns { put(character, at: column) }
  }

  /// Writes a label, unless it would touch another one or exceed the strip.
  ///
  /// - Returns: whether there was space.
  @discardableResult
  mutating func label(_ text: String, at column: Int, before end: Int? = nil) -> Bool {
    let last = column + text.count
    guard column >= 0, last <= min(width, end ?? width), !text.isEmpty,
      !taken[column..<last].contains(true)
    else { return false }
    for (offset, character) in text.enumerated() { cells[column + offset] = character }
    for position in max(0, column - 1)..<min(width, last + 1) { taken[position] = true }
    return true
  }
}

/// The label of a value in a row of the terminal's chart.
struct LaneLabel {
  /// The possible texts, longest first.
  let texts: [String]
  /// The columns where the value begins, and where it ends at the window's end or the present.
  let start: Int
  let end: Int
  /// The columns of the window, in which the label of its last value finds a place at its own column; nil for other
  /// values.
  let room: Range<Int>?

  func put(on strip: inout TextStrip) {
    if texts.contains(where: { strip.label($0, at: start, before: end) }) { return }
    guard let room, let short = texts.last else { return }
    // Place it after the present, or else so that it ends at the value's own column, or right before it.
    if texts.contains(where: { strip.label($0, at: start, before: room.upperBound) }) { return }
    let least = max(room.lowerBound, min(start, room.upperBound - 1) - short.count)
    for column in stride(from: min(start, room.upperBound - short.count), through: least, by: -1)
    where strip.label(short, at: column, before: room.upperBound) {
      return
    }
  }
}

/// The characters of a terminal drawing.
enum Glyphs {
  static let (line, locked, edge, left, right): (Character, Character, Character, Character, Character) =
    ("─", "═", "│", "├", "┤")
  static let (drawn, unknown): (Character, Character) = ("●", "┄")
  private static let marks: [Character] = ["●", "○", "×", "+", "·", "−"]

  static func mark(_ mark: StoryItem.Mark) -> Character { marks[mark.rawValue] }
}
