/// A chart of numbers with their intervals for report pages: a dot and a line for each row, over an axis.
///
/// The page's style colours it (``HTMLStyle``), and the table beside it has the same numbers.
package struct IntervalChart: Sendable, Equatable {
  /// The subject, which is shown above the chart and read aloud by screen readers.
  package var title: String
  package var rows: [Row] = []
  /// A number that a line across all rows marks, such as break-even, with its name; nil for none.
  package var mark: Mark?

  package struct Row: Sendable, Equatable {
    package var name: String
    package var number: Double
    package var low: Double
    package var high: Double
    /// The number and its interval as shown.
    package var text: String

    package init(_ name: String, _ number: Double, low: Double, high: Double, _ text: String) {
      (self.name, self.number, self.low, self.high, self.text) = (name, number, low, high, text)
    }
  }

  package struct Mark: Sendable, Equatable {
    package var number: Double
    package var name: String

    package init(_ number: Double, _ name: String) { (self.number, self.name) = (number, name) }
  }

  package init(_ title: String) { self.title = title }

  /// The most rows that are drawn; the table has all.
  private static let mostRows = 64
  private static let width = 640.0
  private static let mostNameWidth = 240.0
  private static let rowHeight = 20.0

  /// The chart as an element with an SVG image; empty without rows.
  package var element: String {
    let rows = rows.prefix(Self.mostRows)
    var ends: [Double] = rows.flatMap { row in [row.low, row.high, row.number] }
    ends += [0, mark?.number ?? 0]
    guard let low = ends.min(), let high = ends.max(), !rows.isEmpty, high > low, (high - low).isFinite else {
      return ""
    }
    let step = Self.step(of: high - low)
    let (first, last) = ((low / step).rounded(.down), (high / step).rounded(.up))
    let names = rows.map { SVGFont.width($0.name, SVGFont.small) }.max() ?? 0
    let nameWidth = min(Self.mostNameWidth, names + 12)
    let textWidth = (rows.map { SVGFont.width($0.text, 11) }.max() ?? 0) + 10
    let room = max(80, Self.width - nameWidth - textWidth)
    func position(_ number: Double) -> Double { nameWidth + (number / step - first) / (last - first) * room }
    var canvas = SVGCanvas()
    canvas.text(title, 0, 14, SVGFont.small, "b")
    let top = 38.0
    let bottom = top + Self.rowHeight * Double(rows.count)
    for tick in Int(first)...Int(last) {
      let x = position(Double(tick) * step)
      canvas.line(x, top, x, bottom, "rule")
      let number = Double(tick) * step
      canvas.text(
        Figures.decimal(number, step < 0.1 ? 3 : step < 1 ? 2 : 0), x, top - 6, 11, anchor: .middle)
    }
    if let mark {
      let x = position(mark.number)
      canvas.rect(x - 1, top, 2, bottom - top, "c1", title: mark.name)
      canvas.text(mark.name, x, bottom + 14, 11, anchor: .middle)
    }
    for (index, row) in rows.enumerated() {
      let y = top + Self.rowHeight * (Double(index) + 0.5)
      let name = SVGFont.cut(row.name, SVGFont.small, to: nameWidth - 12)
      canvas.text(
        name, nameWidth - 8, y + 4.5, SVGFont.small, anchor: .end, whole: name == row.name ? nil : row.name)
      let (left, right) = (position(row.low), position(row.high))
      canvas.rect(left, y - 1.5, max(1, right - left), 3, "c0", title: "\(row.name): \(row.text)")
      canvas.circle(position(row.number), y, 4, "c0")
      canvas.text(row.text, nameWidth + room + 8, y + 4, 11)
    }
    let height = bottom + (mark == nil ? 6 : 22)
    let head =
      "<div class=\"wide\">\n<svg class=\"chart\" viewBox=\"0 0 \((nameWidth + room + textWidth).svg) \(height.svg)\" "
      + "role=\"img\" aria-label=\"\(title.xml)\">"
    return ([head] + canvas.elements + ["</svg>", "</div>"]).joined(separator: "\n") + "\n"
  }

  /// The distance of the axis' numbers: 1, 2 or 5 times a power of ten, for at most eight of them.
  static func step(of extent: Double) -> Double {
    var step = 1.0
    while step * 8 > extent, step > 1e-9 { step /= 10 }
    while step * 8 < extent { step *= 10 }
    for finer in [step / 5, step / 2] where finer * 8 >= extent { return finer }
    return step
  }
}
