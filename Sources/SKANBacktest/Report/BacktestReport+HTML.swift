import SKANBase

extension BacktestReport {
  /// The report as a page for browsers: one file without scripts, which asks for nothing else.
  package var html: String {
    HTMLWriter.page(title: "Backtest of \(header.model.name)") { main in
      main.element("h1", text: "Backtest of \(header.model.name)")
      for line in headline { main.element("p", text: "\(line).") }
      for part in parts { main.section(part) }
    }
  }
}
