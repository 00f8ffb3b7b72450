/// Writes HTML elements and texts. All texts are escaped.
package struct HTMLWriter {
  package private(set) var text = ""

  package init() {}

  /// A complete page for browsers: one file without scripts that loads nothing else.
  ///
  /// - Parameter content: writes the page's main part.
  package static func page(title: String, _ content: (inout HTMLWriter) -> Void) -> String {
    var page = HTMLWriter()
    page.beginPage(title: title)
    content(&page)
    page.endPage()
    return page.text
  }

  /// A complete page whose main part begins with the title and a paragraph for each line.
  ///
  /// - Parameter lines: sentences, each with or without its period.
  package static func page(title: String, lines: [String], _ content: (inout HTMLWriter) -> Void) -> String {
    page(title: title) { main in
      main.element("h1", text: title)
      for line in lines { main.element("p", text: line.hasSuffix(".") ? line : "\(line).") }
      content(&main)
    }
  }

  /// Writes everything before the main part of a page.
  ///
  /// - Parameters:
  ///   - policy: what the page may load and run, as browsers enforce it (Content Security Policy).
  ///   - style: rules in addition to those of every page.
  package mutating func beginPage(title: String, policy: String? = nil, style: String? = nil) {
    let policy = policy.map { "<meta http-equiv=\"Content-Security-Policy\" content=\"\($0.html)\">\n" } ?? ""
    text += """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      \(policy)<meta name="viewport" content="width=device-width">
      <title>\(title.html)</title>
      <style>
      \(HTMLStyle.text)
      \(style.map { "\($0)\n" } ?? "")</style>
      </head>
      <body>
      <main>

      """
  }

  /// Writes everything after the main part of a page.
  package mutating func endPage() { text += "</main>\n</body>\n</html>\n" }

  /// Returns the text written so far and removes it.
  package mutating func takeText() -> String {
    defer { text = "" }
    return text
  }

  /// Writes an element that contains elements.
  package mutating func element(
    _ name: String, _ attributes: [(name: String, value: String)] = [], _ content: (inout HTMLWriter) -> Void
  ) {
    start(name, attributes)
    text += "\n"
    content(&self)
    text += "</\(name)>\n"
  }

  /// Writes an element that contains a text.
  package mutating func element(
    _ name: String, _ attributes: [(name: String, value: String)] = [], text content: String
  ) {
    start(name, attributes)
    text += "\(content.html)</\(name)>\n"
  }

  /// Adds HTML without escaping it; only for HTML that the program itself makes.
  package mutating func add(_ html: String) { text += html }

  /// Writes a bar followed by its number.
  ///
  /// - Parameters:
  ///   - most: the count of the widest bar.
  ///   - name: the name of what is counted.
  package mutating func bar(_ count: Int, of most: Int, _ name: String) {
    element("td", [("class", "bar"), ("title", "\(name): \(count)")]) { cell in
      // A count above 0 always has a visible bar.
      let thousandths = most == 0 ? 0 : max(count > 0 ? 5 : 0, count * 1000 / most)
      let part = "\(thousandths / 1000).\(String(thousandths % 1000).leftPadded(to: 3, with: "0"))"
      cell.element("span", [("style", "width:calc((100% - 4rem)*\(part))")], text: "")
      cell.element("b", text: "\(count)")
    }
  }

  private mutating func start(_ name: String, _ attributes: [(name: String, value: String)]) {
    text += "<\(name)" + attributes.map { " \($0.name)=\"\($0.value.html)\"" }.joined() + ">"
  }
}

extension String {
  /// The text escaped for elements and attributes. Hidden characters and those that change text direction are shown as
  /// `\u202e`.
  package var html: String {
    unicodeScalars.reduce(into: "") { $0 += $1.xmlEntity ?? ($1.isHidden ? $1.hiddenText : String($1)) }
  }
}

/// The style sheet of report pages, light and dark. The colour-blind can tell its colours from the background, as in
/// the time line.
package enum HTMLStyle {
  package static let text = """
    :root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--muted:#59636e;--rule:#d1d9e0;--soft:#f6f8fa;--bar:#58a6d6;\
    --fail:#b3261e}
    @media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--muted:#9aa4b0;--rule:#30363d;--soft:#161b22;\
    --bar:#1f6fa8;--fail:#ff8a80}}
    body{margin:0;background:var(--paper);color:var(--ink);\
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
    main{max-width:74rem;margin:0 auto;padding:1.5rem}
    h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1.2rem;margin:0 0 .75rem}h3{font-size:1rem;margin:1.5rem 0 .5rem}
    p{margin:.25rem 0}p,li,caption{color:var(--muted)}
    section{border:1px solid var(--rule);border-radius:8px;padding:1.25rem;margin:1.5rem 0}
    dl{display:flex;flex-wrap:wrap;gap:.6rem;margin:0 0 .75rem}
    dl div{background:var(--soft);border:1px solid var(--rule);border-radius:6px;padding:.4rem .75rem;min-width:4rem}
    dt{color:var(--muted);font-size:.85rem}dd{margin:0;font-size:1.4rem;font-variant-numeric:tabular-nums}
    .wide{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
    th,td{padding:.3rem .6rem;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
    th{font-weight:600}tbody th{font-weight:400}th.text,td.text{text-align:left}tfoot td,tfoot th{font-weight:600;border-bottom:0}
    td.bar{width:20%;min-width:6rem;text-align:left}.bars td.bar{width:100%}.bars th,.bars td{border:0;padding:.1rem .6rem}
    td.bar span{display:inline-block;height:.9em;background:var(--bar);border-radius:2px;vertical-align:-.1em}
    td.bar b{font-weight:400;padding-left:.5em}
    th{white-space:normal}th.text,td.text{white-space:normal;overflow-wrap:break-word;min-width:5rem}
    .chart{display:block;width:100%;min-width:30rem;max-width:42rem;height:auto;margin:.5rem 0}.chart text{fill:var(--ink)}.chart .b{font-weight:600}\
    .chart .rule{stroke:var(--rule)}\(BarChart.style)
    details{margin:.5rem 0;border-top:1px solid var(--rule);padding-top:.5rem}summary{cursor:pointer}
    """
}

/// A part of a report for people: a title, notes and a table.
package struct ReportPart: Sendable, Equatable {
  package var title: String
  /// Sentences below the title.
  package var notes: [String] = []
  package var columns: [Column] = []
  package var rows: [[String]] = []
  /// One number per row, drawn as a bar; empty if no bars are drawn.
  package var bars: [Int] = []
  /// What the bars count.
  package var barName = "users"
  /// Charts above the table of a page.
  package var charts: [BarChart] = []

  package struct Column: Sendable, Equatable {
    package var name: String
    package var isNumber: Bool

    package init(_ name: String, isNumber: Bool) {
      self.name = name
      self.isNumber = isNumber
    }
  }

  /// - Parameters:
  ///   - texts: the names of the first columns.
  ///   - numbers: the names of the number columns that follow.
  ///   - after: the names of the text columns at the end.
  package init(_ title: String, texts: [String] = [], numbers: [String] = [], after: [String] = []) {
    self.title = title
    columns =
      texts.map { Column($0, isNumber: false) } + numbers.map { Column($0, isNumber: true) }
      + after.map { Column($0, isNumber: false) }
  }
}

extension HTMLWriter {
  /// Writes a part of a report: its title, its notes and its table.
  package mutating func section(_ part: ReportPart) {
    element("section") { section in
      section.element("h2", text: part.title)
      for note in part.notes { section.element("p", text: note) }
      for chart in part.charts { section.add(chart.element) }
      section.element("div", [("class", "wide")]) { $0.table(part) }
    }
  }

  /// Writes the table of a part, with bars if it has them.
  package mutating func table(_ part: ReportPart) {
    let most = part.bars.max() ?? 0
    // Texts come before numbers, and bars after them. A number in the first column is a name.
    let order = part.columns.indices.filter { $0 == 0 || !part.columns[$0].isNumber }
    let columns = order + part.columns.indices.filter { !order.contains($0) }
    element("table") { table in
      table.element("thead") { head in
        head.element("tr") { row in
          for index in columns {
            row.element("th", Self.alignment(part.columns[index]), text: part.columns[index].name)
          }
          if most > 0 { row.element("th", [("class", "text")], text: part.barName) }
        }
      }
      table.element("tbody") { body in
        for (index, cells) in part.rows.enumerated() {
          body.element("tr") { row in
            for column in columns where column < cells.count {
              row.element("td", Self.alignment(part.columns[column]), text: cells[column])
            }
            if most > 0 { row.bar(part.bars[index], of: most, part.barName) }
          }
        }
      }
    }
  }

  private static func alignment(_ column: ReportPart.Column) -> [(name: String, value: String)] {
    column.isNumber ? [] : [("class", "text")]
  }
}
