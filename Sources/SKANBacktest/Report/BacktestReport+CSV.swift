import SKANDevice
import SKANBase

/// A line a group, model and value; money in whole units with six decimals.
extension BacktestReport {
  private static let columns = [
    "group", "model", "window", "value", "users", "revenue_48h", "revenue_7d", "revenue_35d", "revenue_in_window",
    "decoded", "error",
  ]

  /// The report in the form of RFC 4180, but with line feeds.
  package var csv: String {
    var rows = [Self.columns]
    for (name, group) in summary.groups.sorted(by: { $0.key.literallyPrecedes($1.key) }) {
      rows += Self.rows(group.model, header.model).map { [name] + $0 }
      if let other = group.other, let model = header.other { rows += Self.rows(other, model).map { [name] + $0 } }
    }
    return rows.map(\.csvLine).joined()
  }

  private static func rows(_ tally: BacktestTally, _ model: BacktestHeader.ModelSummary) -> [[String]] {
    func money(_ micros: Int) -> String { Figures.money(micros, decimals: 6) }
    let fine = tally.fine.enumerated().filter { $1.users > 0 || model.fine[$0].meaning != nil }.map { value, cell in
      [
        model.name, "0", "\(value)", "\(cell.users)", money(cell.revenue48h), money(cell.revenue7d),
        money(cell.revenue35d), money(cell.revenue48h), money(cell.decoded), money(cell.error),
      ]
    }
    let coarse = ConversionWindow.allCases.flatMap { window in
      zip(coarseNames, tally.coarse[window]).filter { $1.users > 0 }.map { name, cell in
        [
          model.name, "\(window.rawValue)", name, "\(cell.users)", "", "", "", money(cell.revenue), money(cell.decoded),
          money(cell.error),
        ]
      }
    }
    return fine + coarse
  }
}
