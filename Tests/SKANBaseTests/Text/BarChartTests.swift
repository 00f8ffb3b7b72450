import SKANBase
import TestSupport
import Testing

@Suite("Charts of reports")
struct BarChartTests {
  private func chart(_ series: [String], _ rows: [(String, [Double])]) -> BarChart {
    var chart = BarChart("Revenue <b>", series: series)
    chart.rows = rows.map { name, sizes in BarChart.Row(name, sizes.map { BarChart.Bar($0, "\($0)") }) }
    return chart
  }

  /// A chart read back from its picture: the bars in their order, and the line at zero.
  private struct Geometry {
    struct Bar { var left, right, y: Double; var color: Int; var title: String }
    var bars: [Bar] = []
    var (zero, top, bottom, height) = (0.0, 0.0, 0.0, 0.0)

    init(_ element: String) throws {
      let bar = /<rect x="([-0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="12" class="c([0-9])"><title>([^<]*)</
      for match in element.matches(of: bar) {
        let (left, y, width) = (
          try #require(Double(match.1)), try #require(Double(match.2)), try #require(Double(match.3))
        )
        bars.append(
          Bar(left: left, right: left + width, y: y, color: try #require(Int(match.4)), title: String(match.5)))
      }
      let line = try #require(element.firstMatch(of: /<path d="M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)" class="rule"/))
      #expect(line.1 == line.3)
      (zero, top, bottom) = (Double(line.1) ?? 0, Double(line.2) ?? 0, Double(line.4) ?? 0)
      height = try #require(element.firstMatch(of: /viewBox="0 0 640 ([0-9.]+)"/).flatMap { Double($0.1) })
    }
  }

  @Test(
    "Each bar begins at one zero and is as long as its number, in the frame; none is left out, moved or added",
    arguments: Rounds.of(40))
  func eachBar(
    seed: Int
  ) throws {
    var random = RandomJSON(seed: UInt64(seed))
    let range = [0.0...900, -300...900, -900...(-1), 500...501][seed % 4]
    let (count, series) = ([1, 3, 20, 64, 70][seed / 4 % 5], 1 + seed % 3)
    let rows = (0..<count).map { row in
      let sizes = (0..<series).map { _ in
        [
          0, .random(in: range, using: &random), .random(in: range, using: &random),
          .random(in: range, using: &random) / 1e5, .nan,
        ]
        .randomElement(using: &random) ?? 0
      }
      return ("row \(row)", sizes)
    }
    let element = chart((0..<series).map { "s\($0)" }, rows).element
    let expected = rows.prefix(64).enumerated().flatMap { row, item in
      item.1.enumerated().filter { $1.isFinite }.map { (row: row, series: $0, size: $1) }
    }
    let sizes = expected.map(\.size)
    guard !element.isEmpty else { return #expect(sizes.count < 2 || Set(sizes).count == 1 && sizes[0] <= 0) }
    let geometry = try Geometry(element)
    let bars = geometry.bars
    try #require(bars.count == expected.count)
    // The whole room from the least to the greatest number, zero among them, is used.
    let (low, high) = (min(0, sizes.min() ?? 0), max(0, sizes.max() ?? 0))
    let left = min(geometry.zero, bars.map(\.left).min() ?? 0)
    let scale = (640 - 90 - left) / (high - low)
    #expect(abs(geometry.zero - (left - low * scale)) < 1.2 && left > 12)
    for (bar, item) in zip(bars, expected) {
      #expect(bar.color == item.series)
      #expect(bar.title == (series > 1 ? "row \(item.row), s\(item.series): " : "row \(item.row): ") + "\(item.size)")
      // A number other than 0 is always seen.
      let length = item.size == 0 ? 0 : max(1, abs(item.size) * scale)
      #expect(abs(bar.right - bar.left - length) < 0.2 + length * 0.003, "\(item)")
      if abs(item.size) * scale > 1 {
        #expect(abs((item.size < 0 ? bar.right : bar.left) - geometry.zero) < 0.2, "\(item)")
      }
      #expect(bar.left > 0 && bar.right < 640 - 88 && bar.y >= geometry.top && bar.y + 12 <= geometry.bottom)
    }
    #expect(zip(bars, bars.dropFirst()).allSatisfy { $1.y >= $0.y + 13.9 } && geometry.bottom <= geometry.height)
    // Its text is behind its end.
    let texts = element.matches(of: /<text x="([-0-9.]+)" y="([0-9.]+)" font-size="11">([^<]*)</)
    #expect(texts.map { String($0.3) } == expected.map { "\($0.size)" })
    for (text, bar) in zip(texts, bars) {
      let (x, y) = (Double(text.1) ?? 0, Double(text.2) ?? 0)
      #expect((bar.right + 3.8...bar.right + 5.2).contains(x) && abs(y - bar.y - 10.5) < 0.11)
    }
  }

  @Test(
    "Nothing is drawn where there is nothing to compare",
    arguments: [[], [("0", [5.0])], [("0", [0]), ("1", [0])], [("0", [.nan]), ("1", [.infinity])]]
      as [[(String, [Double])]])
  func nothingDrawn(rows: [(String, [Double])]) {
    #expect(chart(["users"], rows).element == "")
  }

  @Test("Names are text, a long one is cut and whole in its tooltip, and a picture says what it shows") func namesText()
  {
    let long = String(repeating: "campaign ", count: 20)
    let element = chart(["a", "b"], [("<i>", [1, 2]), (long, [3, 4])]).element
    #expect(!element.contains("<i>") && !element.contains("<b>") && element.contains("<title>\(long)</title>"))
    #expect(element.contains(#"role="img" aria-label="Revenue &lt;b&gt;: a and b""#))
  }

  @Test("In a page's table what explains a row comes before its numbers") func pageTable() {
    var part = ReportPart("Values", numbers: ["value", "users"], after: ["meaning"])
    part.rows = [["1", "7", "a session"]]
    part.bars = [7]
    let page = HTMLWriter.page(title: "x") { $0.section(part) }
    let places = ["value</th>", "meaning</th>", "users</th>", ">1</td>", ">a session</td>", ">7</td>", "class=\"bar\""]
      .map {
        page.firstRange(of: $0)?.lowerBound
      }
    #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
  }
}
