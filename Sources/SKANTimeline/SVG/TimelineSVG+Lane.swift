import SKANDevice

extension TimelineSVG {
  private static let fineHeight = 62.0
  private static let levelHeight = 15.0

  /// One side's windows as bands, its fine and coarse values as steps on their scales, and its locks.
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
    let top = y + 20
    defer { drawNow(from: top) }
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

  /// From where a value begins to hold to where the next does, in units.
  private func pieces(_ lane: ValueLane) -> [Piece] {
    lane.bands.flatMap { band in
      let steps = lane.steps.filter { $0.window == band.window }
      let end = position(min(band.end, max(timeline.now, band.start)))
      return steps.indices.map { index in
        let left = position(max(steps[index].at, band.start))
        let right = index + 1 < steps.count ? position(steps[index + 1].at) : end
        return Piece(
          step: steps[index], left: left, right: max(left, right), isFirst: index == 0,
          isLast: index + 1 == steps.count)
      }
    }
  }

  private struct Piece {
    let step: ValueLane.Step
    let left: Double
    let right: Double
    /// Whether it is the first or the last of its window.
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
      // Of very many values one for each half unit is drawn.
      if isLastHere {
        data += end == nil || piece.isFirst ? "M\(piece.left.svg) \(level.svg)" : "H\(piece.left.svg)V\(level.svg)"
        data += "H\(max(piece.right, piece.isFirst ? piece.left + 3 : 0).svg)"
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
      guard x >= Self.left, label.x + 1 - x < 14 else { continue }
      canvas.text(label.text, x, label.y - 4, SVGFont.small)
      free = x - 4
    }
    y = bottom + 8
  }

  /// Each level is a row, and a value a bar in it.
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
      // What is shorter than a hair is drawn when the next is not, and the last one always.
      guard piece.isLast || piece.right - piece.left >= 0.5 || piece.left > drawn + 1 else { continue }
      drawn = piece.right
      let middle = y + (3.5 - Double(level)) * Self.levelHeight
      if piece.step.isAssumed {
        let line = lane.side == .app ? "la dots" : "lt dots"
        canvas.line(piece.left, middle, max(piece.left + 3, piece.right), middle, line)
      } else {
        canvas.rect(piece.left, middle - 4, max(3, piece.right - piece.left), 8, kind, round: 1.5)
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
      canvas.rect(left, y + 3, max(4, right - left), 10, "hatch")
    }
    y += 20
  }
}
