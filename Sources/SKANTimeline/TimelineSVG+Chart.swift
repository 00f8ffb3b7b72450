import SKANBase
import SKANDevice

extension TimelineSVG {
  /// Draws the axis, the two lanes, the calls and the postbacks, from top to bottom.
  mutating func drawChart() {
    y += 30
    drawTicks()
    for lane in timeline.lanes { draw(lane) }
    drawCalls()
    drawUpdates()
    drawPostbacks()
  }

  /// Draws the line after which everything is a forecast, below the elements drawn since there were this many: it crosses no
  /// symbol and no text.
  private mutating func drawNow(from top: Double, below count: Int) {
    guard timeline.showsNow else { return }
    let x = position(timeline.now)
    canvas.insert(at: count) { $0.line(x, top, x, y, "now") }
  }

  private mutating func drawTicks() {
    name("time", y)
    var taken: [(left: Double, right: Double)] = []
    // A label that has no place above its tick is left out: anywhere else it would name another moment.
    func room(_ middle: Double, _ text: String) -> Double? {
      let half = SVGFont.width(text, SVGFont.small) / 2
      func distance(_ x: Double) -> Double { abs(x - middle) }
      func isFree(_ x: Double) -> Bool {
        x >= Self.left + half && x <= Self.right - half && distance(x) <= half + 0.001
          && !taken.contains { x - half < $0.right + 3.999 && $0.left - 3.999 < x + half }
      }
      // The end of the last window is close to the end of the chart.
      var places = [min(max(middle, Self.left + half), Self.right - half)]
      for other in taken { places += [other.left - 4 - half, other.right + 4 + half] }
      guard let x = places.filter(isFree).min(by: { distance($0) < distance($1) }) else { return nil }
      taken.append((x - half, x + half))
      return x
    }
    var labels: [(x: Double, text: String)] = []
    // The ends come first: the scale cannot be read without them.
    let knots = timeline.axis.knots
    for knot in [knots[0], knots[knots.count - 1]] + knots.dropFirst().dropLast() {
      let text = timeline.elapsed(knot.at)
      canvas.line(position(knot.at), y + 4, position(knot.at), y + 9, "rule")
      if let x = room(position(knot.at), text) { labels.append((x, text)) }
    }
    for label in labels {
      canvas.text(label.text, label.x, y, SVGFont.small, anchor: .middle)
    }
    y += 8
    // The next row has space to the left of the chart.
    if !timeline.axis.isLinear { name("not linear", y + 8) }
    guard timeline.showsNow else { return }
    y += 16
    let half = SVGFont.width("now", SVGFont.small, isBold: true) / 2
    let x = min(max(position(timeline.now), Self.left + half), Self.right - half)
    canvas.text("now", x, y, SVGFont.small, "b", anchor: .middle)
    y -= 12
  }

  /// Draws a row's name to the left of the chart.
  mutating func name(_ text: String, _ base: Double, _ kind: String = "m") {
    canvas.text(text, Self.left - 8, base, SVGFont.small, kind, anchor: .end)
  }

  private mutating func drawCalls() {
    let (text, rows) = timeline.signRows
    guard !rows.isEmpty else { return }
    heading(text)
    let (top, count) = (y + 6, canvas.elements.count)
    defer { drawNow(from: top, below: count) }
    for (mark, text) in rows {
      let items = timeline.moments.filter { $0.mark == mark }.sorted { $0.at < $1.at }
      let positions = items.map { position($0.at) }
      y += 21
      name(text, y)
      canvas.line(Self.left, y - 4.5, Self.right, y - 4.5, "grid")
      var next = 0
      for cluster in SVGCluster.all(positions) {
        let joined = items[next..<next + cluster.count]
        next += cluster.count
        let x = min(max(cluster.middle, Self.left + cluster.width / 2), Self.right - cluster.width / 2)
        guard cluster.count > 1 else {
          canvas.mark(mark, x, y - 4.5)
          continue
        }
        let lines = timeline.lines(of: Array(joined.prefix(StoryRow.mostParts)), count: cluster.count)
        let title = lines.joined(separator: "\n")
        canvas.rect(x - cluster.width / 2, y - 14, cluster.width, 18, "pill", round: 9, title: title)
        canvas.text(
          String(cluster.count), x, y, SVGFont.small, mark == .dropped ? "m" : "", anchor: .middle, whole: title)
      }
    }
  }

  mutating func heading(_ text: String, _ kind: String = "b") {
    y += 28
    canvas.text(text, Self.margin, y, SVGFont.body, kind)
  }

  /// Draws each group of updates that overlap on a scale of its own.
  private mutating func drawUpdates() {
    guard !timeline.updates.isEmpty else { return }
    heading("Updates that overlap")
    paragraph(
      "outline: waits for the lock; gray: request under way; color: until Apple's completion", x: Self.margin,
      kind: "m", size: SVGFont.small)
    for group in timeline.updates.prefix(UpdateGroup.most) { draw(group) }
    let more = timeline.updates.count - UpdateGroup.most
    if more > 0 { paragraph("and \(more) more", x: Self.margin, kind: "m") }
  }

  private mutating func draw(_ group: UpdateGroup) {
    paragraph(timeline.spanText(of: group), x: Self.margin)
    let length = max(1, group.end.since(group.start).seconds)
    func position(_ moment: Instant) -> Double {
      Self.left + moment.since(group.start).seconds / length * (Self.right - Self.left)
    }
    for bar in group.bars {
      y += 20
      let room = Self.left - 8 - Self.margin
      let text = SVGFont.cut(bar.name, SVGFont.small, to: room)
      canvas.text(
        text, Self.left - 8, y, SVGFont.small, "m", anchor: .end, whole: text == bar.name ? nil : bar.name)
      canvas.line(Self.left, y - 4.5, Self.right, y - 4.5, "grid")
      for span in bar.spans {
        let width = max(3, position(span.end) - position(span.start))
        let title = "\(span.part.name): \(span.end.since(span.start).displayText)"
        canvas.rect(
          min(position(span.start), Self.right - width), y - 10, width, 11, span.part.style, round: 2, title: title)
      }
      guard let ending = bar.ending else { continue }
      let width = SVGFont.width(ending, SVGFont.small)
      if position(bar.end) + 6 + width <= Self.right {
        canvas.text(ending, position(bar.end) + 6, y, SVGFont.small)
      } else {
        y += 16
        canvas.text(ending, Self.right, y, SVGFont.small, anchor: .end)
      }
    }
    if group.more > 0 { paragraph("and \(group.more) more", x: Self.left, kind: "m", size: SVGFont.small) }
    for values in group.values {
      y += 20
      name(values.name, y, values.side == .app ? "app" : "apple")
      var free = Self.right
      for change in values.changes.reversed() {
        let start = position(change.at)
        canvas.line(min(start, Self.right - 1), y - 12, min(start, Self.right - 1), y + 3, "rule")
        let places = change.texts.map { (text: $0, x: min(start + 3, free - SVGFont.width($0, SVGFont.small))) }
        guard let place = places.first(where: { $0.x >= Self.left && $0.x + 12 > start }) else { continue }
        canvas.text(place.text, place.x, y, SVGFont.small)
        free = place.x - 4
      }
    }
    y += 4
  }

  private mutating func drawPostbacks() {
    guard !timeline.postbacks.isEmpty else { return }
    heading("Postbacks (simulated)")
    if timeline.postbacks.contains(where: { $0.sendsAt != nil }) {
      paragraph("bar: when it may leave; dot: the moment drawn", x: Self.margin, kind: "m", size: SVGFont.small)
    }
    for bar in timeline.postbacks {
      y += 22
      name(bar.name, y)
      guard let earliest = bar.earliest, let latest = bar.latest, let sends = bar.sendsAt else {
        let isLong = SVGFont.width(bar.sentence, SVGFont.small) > Self.right - Self.left
        canvas.text(isLong ? bar.label : bar.sentence, Self.left, y, SVGFont.small, "m")
        continue
      }
      let (left, right) = (position(earliest), position(latest))
      let extent = max(3, right - left)
      canvas.rect(min(left, Self.right - extent), y - 10, extent, 11, "bar", round: 3)
      canvas.circle(position(sends), y - 4.5, 4.5, "dot")
      let width = SVGFont.width(bar.label, SVGFont.small)
      if right + 8 + width <= Self.right {
        canvas.text(bar.label, right + 8, y, SVGFont.small)
      } else if left - 8 - width >= Self.left {
        canvas.text(bar.label, left - 8, y, SVGFont.small, anchor: .end)
      } else {
        y += 17
        canvas.text(bar.label, Self.right, y, SVGFont.small, anchor: .end)
      }
    }
  }
}

extension UpdateBar.Part {
  /// The class of its bar.
  fileprivate var style: String {
    switch self {
    case .lock: "pill"
    case .answer: "bar"
    case .completion: "apple"
    }
  }
}

/// Symbols that would touch, drawn as a count.
struct SVGCluster {
  var middle: Double
  var count: Int
  private var first, last: Double

  var width: Double { count == 1 ? 10 : SVGFont.width(String(count), SVGFont.small) + 12 }

  static func all(_ positions: [Double]) -> [SVGCluster] {
    var clusters: [SVGCluster] = []
    for position in positions {
      clusters.append(SVGCluster(middle: position, count: 1, first: position, last: position))
      while clusters.count > 1, clusters[clusters.count - 2].touches(clusters[clusters.count - 1]) {
        let right = clusters.removeLast()
        clusters[clusters.count - 1].join(right)
      }
    }
    return clusters
  }

  private func touches(_ right: SVGCluster) -> Bool { middle + width / 2 + 2 > right.middle - right.width / 2 }

  private mutating func join(_ right: SVGCluster) {
    last = right.last
    count += right.count
    middle = (first + last) / 2
  }
}

extension TimelineSVG {
  private static let fineHeight = 62.0
  private static let levelHeight = 15.0

  /// Draws one side's windows as bands, its fine and coarse values as steps, and its locks.
  mutating func draw(_ lane: ValueLane) {
    y += 30
    let kind = lane.side == .app ? "app" : "apple"
    canvas.text(lane.title, Self.margin, y, SVGFont.body, "b \(kind)")
    let titleEnd = Self.margin + SVGFont.width(lane.title, SVGFont.body, isBold: true) + 12
    guard !lane.bands.isEmpty else {
      y -= SVGFont.body + 5
      paragraph(lane.emptyText, x: titleEnd)
      return
    }
    y += 8
    let hasLock = lane.steps.contains { $0.values.isLocked }
    let height =
      20 + Self.fineHeight + 22 + (lane.hasCoarse ? 3 * Self.levelHeight + 8 : 0) + (hasLock ? 20 : 0)
    drawBands(lane, height: height)
    let (top, count) = (y + 20, canvas.elements.count)
    defer { drawNow(from: top, below: count) }
    y += 20
    drawFine(lane)
    if lane.hasCoarse { drawCoarse(lane) }
    if hasLock { drawLocks(lane) }
  }

  private mutating func drawBands(_ lane: ValueLane, height: Double) {
    for (index, band) in lane.bands.enumerated() where band.start < timeline.axis.end {
      let (left, right) = (position(band.start), position(band.end))
      canvas.rect(left, y, right - left, height, "w\(index)")
      canvas.line(left, y, left, y + height, "rule")
      canvas.line(right, y, right, y + height, "rule")
      let long = "\(band.name) \(band.end.since(band.start).displayText)"
      for text in [long, band.name] where SVGFont.width(text, SVGFont.small, isBold: true) <= right - left - 6 {
        canvas.text(text, left + 4, y + 15, SVGFont.small, "b")
        break
      }
    }
    name("window", y + 15)
  }

  /// The drawn extent of each value, until the next value begins.
  private func pieces(_ lane: ValueLane) -> [Piece] {
    lane.bands.flatMap { band in
      let steps = lane.drawn(in: band)
      let end = position(min(band.end, max(timeline.now, band.start)))
      return steps.indices.map { index in
        let left = position(steps[index].from)
        let right = index + 1 < steps.count ? position(steps[index + 1].from) : end
        return Piece(
          step: steps[index].step, left: left, right: max(left, right), limit: max(left, position(band.end)),
          isFirst: index == 0, isLast: index + 1 == steps.count)
      }
    }
  }

  private struct Piece {
    let step: ValueLane.Step
    let left: Double
    let right: Double
    /// The end of its window.
    let limit: Double
    /// Whether the piece is the first or the last of its window.
    let isFirst: Bool
    let isLast: Bool
  }

  private mutating func drawFine(_ lane: ValueLane) {
    let top = y + 18
    let bottom = top + Self.fineHeight - 4
    func height(_ fine: Int64) -> Double { bottom - Double(min(63, max(0, fine))) / 63 * (bottom - top) }
    canvas.line(Self.left, top, Self.right, top, "grid")
    canvas.line(Self.left, bottom, Self.right, bottom, "grid")
    name("63", top + 4.5)
    name(lane.bands.count > 1 ? "fine, in P0" : "fine", (top + bottom) / 2 + 4.5)
    name("0", bottom + 4.5)
    var data = ""
    var end: Double?
    var labels: [(x: Double, y: Double, text: String)] = []
    let pieces = pieces(lane)
    for (index, piece) in pieces.enumerated() {
      guard let fine = piece.step.values.fine else { continue }
      let isLastHere = index + 1 == pieces.count || position(pieces[index + 1].step.at) - piece.left >= 0.5
      let level = height(fine)
      // Of very many values, only one for each half unit is drawn.
      if isLastHere {
        data += end == nil || piece.isFirst ? "M\(piece.left.svg) \(level.svg)" : "H\(piece.left.svg)V\(level.svg)"
        data += "H\(max(piece.right, piece.isFirst ? min(piece.left + 3, piece.limit) : 0).svg)"
        end = piece.right
      }
      labels.append((piece.left, level, String(fine)))
    }
    let isAssumed = pieces.contains { $0.step.isAssumed && $0.step.values.fine != nil }
    if !data.isEmpty { canvas.path(data, (lane.side == .app ? "la" : "lt") + (isAssumed ? " dots" : "")) }
    var free = (lane.bands.count > 1 ? position(lane.bands[0].end) : Self.right) + 1
    for label in labels.reversed() {
      let width = SVGFont.width(label.text, SVGFont.small)
      let x = min(label.x + 1, free - 1 - width)
      guard x >= Self.left, label.x + 1 - x < min(14, width + 1) else { continue }
      canvas.text(label.text, x, label.y - 4, SVGFont.small)
      free = x - 4
    }
    y = bottom + 8
  }

  /// Draws a row for each level, with values as bars.
  private mutating func drawCoarse(_ lane: ValueLane) {
    let kind = lane.side == .app ? "app" : "apple"
    let levels = ["low", "medium", "high"]
    for (index, text) in levels.enumerated() {
      let middle = y + (2.5 - Double(index)) * Self.levelHeight
      canvas.line(Self.left, middle, Self.right, middle, "grid")
      name(text, middle + 4.5)
    }
    var drawn = -1.0
    for piece in pieces(lane) {
      guard let level = piece.step.values.coarse?.level, level > 0 else { continue }
      // A very short piece is drawn only if there is space beside the last one drawn, or if it is the last.
      guard piece.isLast || piece.right - piece.left >= 0.5 || piece.left > drawn + 1 else { continue }
      drawn = piece.right
      let middle = y + (3.5 - Double(level)) * Self.levelHeight
      if piece.step.isAssumed {
        let line = lane.side == .app ? "la dots" : "lt dots"
        canvas.line(
          min(piece.left, piece.limit - 3), middle, max(min(piece.left + 3, piece.limit), piece.right), middle, line)
      } else {
        let width = max(3, piece.right - piece.left)
        canvas.rect(min(piece.left, piece.limit - width), middle - 4, width, 8, kind, round: 1.5)
      }
    }
    y += 3 * Self.levelHeight + 8
  }

  private mutating func drawLocks(_ lane: ValueLane) {
    name("lock", y + 12)
    for band in lane.bands {
      guard let step = lane.steps.first(where: { $0.window == band.window && $0.values.isLocked }) else { continue }
      let left = position(max(step.values.lockedAt ?? step.at, band.start))
      let right = position(min(band.end, max(timeline.now, band.start)))
      let width = max(4, right - left)
      canvas.rect(min(left, position(band.end) - width), y + 3, width, 10, "hatch")
    }
    y += 20
  }
}
