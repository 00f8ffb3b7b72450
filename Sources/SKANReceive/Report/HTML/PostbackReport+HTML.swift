import SKANDevice
import SKANBase

extension PostbackReport {
  /// The report as a page for browsers: one file without scripts, which asks for nothing else.
  package func html(by date: ReportDate, grouping dimensions: [ReportDimension]) -> String {
    HTMLWriter.page(title: "Received postbacks") { write(into: &$0, date, dimensions) }
  }

  private func write(into main: inout HTMLWriter, _ date: ReportDate, _ dimensions: [ReportDimension]) {
    main.element("h1", text: "Received postbacks")
    let times = span.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    main.element("p", text: "\(received) received\(times).")
    if dimensions.contains(.day) { for sentence in date.explanation { main.element("p", text: sentence) } }
    for table in tables(by: date, grouping: dimensions) {
      main.element("section") { section in
        section.element("h2", text: table.kind.title)
        ReportSection(table, dimensions).write(into: &section)
      }
    }
  }
}
