import SKANBase
import SKANDevice

/// The report as CSV, with a line for each group, model and value, and one for each tier; money in units with six decimals.
/// All devices together come first, with the scope `all` and no group.
extension BacktestReport {
  private static let columns = [
    "group", "model", "window", "value", "users", "revenue_48h", "revenue_7d", "revenue_35d", "revenue_in_window",
    "decoded", "error", "tier", "users_7d", "users_35d", "scope",
  ]

  /// The report as CSV according to RFC 4180, but with line feeds.
  package var csv: String {
    var rows = [Self.columns]
    func add(_ name: String, _ group: GroupTally, scope: String) {
      for (model, (summary, tally)) in zip(header.modelNames, zip(header.models, group.models)) {
        rows += Self.rows(tally, summary).map { [name, model] + $0 + [scope] }
      }
    }
    add("", total, scope: "all")
    if header.groupColumn != nil {
      for (name, group) in summary.groups.sorted(by: { $0.key.literallyPrecedes($1.key) }) {
        add(name, group, scope: "group")
      }
    }
    return rows.map(\.csvLine).joined()
  }

  private static func rows(_ tally: BacktestTally, _ model: BacktestHeader.ModelSummary) -> [[String]] {
    let money = Figures.exactMoney
    let fine = tally.fine.enumerated().filter { $1.users > 0 || model.fine[$0].meaning != nil }.map { value, cell in
      [
        "0", "\(value)", "\(cell.users)", money(cell.revenue48h), money(cell.revenue7d), money(cell.revenue35d),
        money(cell.revenue48h), money(cell.decoded), money(cell.error), "", "\(cell.users7d)", "\(cell.users35d)",
      ]
    }
    let coarse = ConversionWindow.allCases.flatMap { window in
      zip(coarseNames, tally.coarse[window]).filter { $1.users > 0 }.map { name, cell in
        [
          "\(window.rawValue)", name, "\(cell.users)", "", "", "", money(cell.revenue), money(cell.decoded),
          money(cell.error), "", "", "",
        ]
      }
    }
    let sum = sum(tally)
    let tiers = tally.tiers.enumerated().map { tier, cell in
      [
        "0", "", "\(sum.users)", money(sum.revenue48h), money(sum.revenue7d), money(sum.revenue35d),
        money(sum.revenue48h), money(cell.decoded), money(cell.error), "\(tier)", "\(sum.users7d)",
        "\(sum.users35d)",
      ]
    }
    return fine + coarse + tiers
  }
}
