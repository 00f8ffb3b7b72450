import SKANDevice

extension TimelineSVG {
  /// The axis, the two lanes, the calls and the postbacks, one under the other.
  mutating func drawChart() {
    y += 30
    drawTicks()
    for lane in timeline.lanes { draw(lane) }
    drawCalls()
    drawPostbacks()
  }

  /// What comes later is a forecast.
  mutating func drawNow(from top: Double) {
    if timeline.showsNow { canvas.line(position(timeline.now), top, position(timeline.now), y, "now") }
  }

  private mutating func drawTicks() {
    name("time", y)
    var taken: [(left: Double, right: Double)] = []
    func room(_ middle: Double, _ text: String) -> Double? {
      let half = SVGFont.width(text, SVGFont.small) / 2
      let x = min(max(middle, Self.left + half), Self.right - half)
      if taken.contains(where: { x - half < $0.right + 4 && $0.left - 4 < x + half }) { return nil }
      taken.append((x - half, x + half))
      return x
    }
    var labels: [(x: Double, text: String)] = []
    // The borders first: without them the scale could not be read.
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
    // The row beneath has room before the chart.
    if !timeline.axis.isLinear { name("not linear", y + 8) }
    guard timeline.showsNow else { return }
    y += 16
    let x = min(max(position(timeline.now), Self.left + 18), Self.right - 18)
    canvas.text("now", x, y, SVGFont.small, "b", anchor: .middle)
    y -= 12
  }

  /// What a row shows, before the chart.
  mutating func name(_ text: String, _ base: Double, _ kind: String = "m") {
    canvas.text(text, Self.left - 8, base, SVGFont.small, kind, anchor: .end)
  }

  private mutating func drawCalls() {
    let (text, rows) = timeline.signRows
    guard !rows.isEmpty else { return }
    heading(text)
    let top = y + 6
    defer { drawNow(from: top) }
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
      canvas.rect(left, y - 10, max(3, right - left), 11, "bar", round: 3)
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

/// Signs that would touch, counted together.
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
