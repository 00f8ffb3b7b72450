/// A chart of horizontal bars for report pages: a group of bars for each row, a bar for each series.
///
/// The page's style colours it (``HTMLStyle``), and the table beside it has the same numbers.
package struct BarChart: Sendable, Equatable {
  /// The subject, which is shown above the chart and read aloud by screen readers.
  package var title: String
  /// The names of the series. Each has a colour; after the last colour the first follows.
  package var series: [String]
  package var rows: [Row] = []

  /// A row with its name, and for each series its size and its number as shown. A negative size goes to the left.
  package struct Row: Sendable, Equatable {
    package var name: String
    package var bars: [Bar]

    package init(_ name: String, _ bars: [Bar]) {
      self.name = name
      self.bars = bars
    }
  }

  package struct Bar: Sendable, Equatable {
    package var size: Double
    package var text: String

    package init(_ size: Double, _ text: String) {
      self.size = size
      self.text = text
    }
  }

  package init(_ title: String, series: [String]) {
    self.title = title
    self.series = series
  }

  /// The colours of the series: those of Okabe and Ito that can be told from light and dark paper.
  private static let colors = ["var(--bar)", "#d9822b", "#009e73", "#cc79a7", "#a08c1a", "#8a63d2"]

  /// The rules that give the series their colours.
  static var style: String { colors.enumerated().map { ".c\($0){fill:\($1)}" }.joined() }

  private static func color(_ series: Int) -> String { "c\(series % colors.count)" }

  /// The most rows that are drawn; the table has all.
  private static let mostRows = 64
  private static let width = 640.0
  private static let mostNameWidth = 260.0
  private static let textWidth = 90.0
  private static let barHeight = 14.0

  /// The chart as an element with an SVG image; empty where there is nothing to compare.
  package var element: String {
    let rows = rows.prefix(Self.mostRows)
    let sizes = rows.flatMap { $0.bars.map(\.size) }.filter(\.isFinite)
    guard sizes.count > 1, let most = sizes.max(), let least = sizes.min(), most > least || most > 0 else { return "" }
    let nameWidth = min(Self.mostNameWidth, (rows.map { SVGFont.width($0.name, SVGFont.small) }.max() ?? 0) + 12)
    var canvas = SVGCanvas()
    canvas.text(title, 0, 14, SVGFont.small, "b")
    var y = 24.0
    if series.count > 1 {
      var x = nameWidth
      for (index, name) in series.enumerated() {
        let width = 18 + SVGFont.width(name, SVGFont.small) + 20
        if x > nameWidth, x + width > Self.width { (x, y) = (nameWidth, y + 18) }
        canvas.rect(x, y, 12, 12, Self.color(index), round: 2)
        canvas.text(name, x + 18, y + 11, SVGFont.small)
        x += width
      }
      y += 22
    }
    let top = y
    // Zero lies within the extent, so that bars of both signs are compared.
    let (low, high) = (min(0, least), max(0, most))
    let room = Self.width - nameWidth - Self.textWidth
    func position(_ size: Double) -> Double {
      nameWidth + (size - low) / max(high - low, .leastNormalMagnitude) * room
    }
    for row in rows {
      let name = SVGFont.cut(row.name, SVGFont.small, to: nameWidth - 12)
      let middle = y + Self.barHeight * Double(row.bars.count) / 2 + 4.5
      canvas.text(
        name, nameWidth - 8, middle, SVGFont.small, anchor: .end, whole: name == row.name ? nil : row.name)
      for (index, bar) in row.bars.enumerated() where bar.size.isFinite {
        let (left, right) = (position(min(0, bar.size)), position(max(0, bar.size)))
        let what = series.count > 1 ? "\(row.name), \(series[index])" : row.name
        canvas.rect(
          left, y + 1, max(bar.size == 0 ? 0 : 1, right - left), Self.barHeight - 2, Self.color(index),
          title: "\(what): \(bar.text)")
        canvas.text(bar.text, right + 5, y + Self.barHeight - 2.5, 11)
        y += Self.barHeight
      }
      y += 6
    }
    let zero = position(0)
    canvas.line(zero, top, zero, y, "rule")
    let label = series.count > 1 ? "\(title): \(series.joined(separator: " and "))" : title
    let head =
      "<div class=\"wide\">\n<svg class=\"chart\" viewBox=\"0 0 \(Self.width.svg) \(y.svg)\" role=\"img\" aria-label=\"\(label.xml)\">"
    return ([head] + canvas.elements + ["</svg>", "</div>"]).joined(separator: "\n") + "\n"
  }
}
