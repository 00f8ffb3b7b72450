import SKANBase
import Testing

@Suite("Charts of reports")
struct BarChartTests {
  private func chart(_ series: [String], _ rows: [(String, [Double])]) -> BarChart {
    var chart = BarChart("Revenue <b>", series: series)
    chart.rows = rows.map { name, sizes in BarChart.Row(name, sizes.map { BarChart.Bar($0, "\($0)") }) }
    return chart
  }

  /// The left and right ends of the bars of a series.
  private func bars(_ chart: BarChart, series: Int = 0) throws -> [(left: Double, right: Double)] {
    chart.element.matches(of: /<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)" height="12" class="c([0-9])"><title>/)
      .filter { $0.3 == "\(series)" }.compactMap { match in
        Double(match.1).flatMap { left in Double(match.2).map { (left, left + $0) } }
      }
  }

  @Test func `Bars are as long as their sizes`() throws {
    let chart = chart(["true", "decoded"], [("0", [10, 0]), ("1", [40, 20])])
    let (truth, decoded) = (try bars(chart), try bars(chart, series: 1))
    let widths = (truth + decoded).map { $0.right - $0.left }
    #expect(
      abs(widths[1] - 4 * widths[0]) < 0.5 && widths[2] == 0 && abs(widths[3] - 2 * widths[0]) < 0.5 && widths[0] > 50)
    #expect(Set(truth.map(\.left)).count == 1 && chart.element.contains("<title>1, decoded: 20.0</title>"))
  }

  @Test func `What is negative goes to the other side of zero`() throws {
    let bars = try bars(chart(["lost"], [("tier 0", [-10]), ("tier 3", [30])]))
    let (lost, won) = (bars[0].right - bars[0].left, bars[1].right - bars[1].left)
    #expect(abs(bars[0].right - bars[1].left) < 0.2 && abs(won - 3 * lost) < 0.5 && lost > 50)
  }

  @Test(
    arguments: [[], [("0", [5.0])], [("0", [0]), ("1", [0])], [("0", [.nan]), ("1", [.infinity])]]
      as [[(String, [Double])]])
  func `Nothing is drawn where there is nothing to compare`(rows: [(String, [Double])]) {
    #expect(chart(["users"], rows).element == "")
  }

  @Test func `Names are text, a long one is cut and whole in its tooltip, and a picture says what it shows`() {
    let long = String(repeating: "campaign ", count: 20)
    let element = chart(["a", "b"], [("<i>", [1, 2]), (long, [3, 4])]).element
    #expect(!element.contains("<i>") && !element.contains("<b>") && element.contains("<title>\(long)</title>"))
    #expect(element.contains(#"role="img" aria-label="Revenue &lt;b&gt;: a and b""#))
  }

  @Test func `In a page's table what explains a row comes before its numbers`() {
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
