import SKANBase

extension BacktestReport {
  /// The report as an HTML page: one file without scripts and external resources.
  package var html: String {
    let title =
      isComparison
      ? "Comparison of \(header.modelNames.map(\.oneLine).listed())" : "Backtest of \(header.model.name)"
    return HTMLWriter.page(title: title, lines: headline) { main in
      for part in parts { main.section(part) }
      if isComparison { main.section(Self.glossary) }
    }
  }

  /// True and decoded revenue of the users with each fine value of a model that has some.
  func valueChart(_ shown: Shown) -> BarChart {
    var chart = BarChart(
      "Revenue of the first 48 hours by fine value\(isComparison ? " of \(shown.name)" : ""), in \(header.currency)",
      series: ["true", "decoded"])
    for (value, cell) in shown.tally.fine.enumerated() where cell.revenue48h != 0 || cell.decoded != 0 {
      chart.rows.append(
        BarChart.Row("\(value)", [cell.revenue48h, cell.decoded].map { BarChart.Bar(Double($0), Figures.money($0)) }))
    }
    return chart
  }

  /// The total error of the first postback with each tier and model.
  var tierChart: BarChart {
    let models = models(total)
    var chart = BarChart("Total error of the first postback by tier, % of revenue", series: models.map(\.name))
    let gross = tally.gross[.p0]
    for tier in tally.tiers.indices {
      chart.rows.append(
        BarChart.Row("tier \(tier)", models.map { Self.share($0.tally.tiers[tier].error, of: gross) }))
    }
    return chart
  }

  /// The total error of all three postbacks by the models' numbers of values.
  var errorChart: BarChart {
    var chart = BarChart("Total error of all three postbacks, % of revenue", series: ["total error"])
    chart.rows = models(total).map { shown in
      let values = shown.model.fine.count { $0.meaning != nil }
      return BarChart.Row(
        "\(shown.name), \(values.counted("value"))", [Self.share(shown.tally.told.error, of: shown.tally.told.gross)])
    }
    return chart
  }

  private static func share(_ part: Int, of whole: Int) -> BarChart.Bar {
    BarChart.Bar(whole == 0 ? 0 : Double(part) / Double(whole), part.percent(of: whole))
  }

  /// The words of a comparison, for readers of the page.
  static var glossary: ReportPart {
    var part = ReportPart("Words", texts: ["word", "meaning"])
    part.rows = [
      [
        "P0, P1, P2",
        "the first, second and third postbacks: for days 0 to 2, 2 to 7 and 7 to 35 after the first launch",
      ],
      ["fine value", "a number from 0 to 63, which only the first postback has, with tiers 2 and 3"],
      ["coarse value", "low, medium or high: in the first postback with tier 1, in the others with tiers 1 to 3"],
      [
        "tier",
        "how much Apple lets through, from 0 (no value, and only the first postback) to 3; it depends on the number of a "
          + "campaign's installs",
      ],
      ["true revenue", "what the users paid according to the input, minus refunds"],
      [
        "decoded revenue",
        "what the users paid according to the values: the middle of a value's range, the beginning of a range without "
          + "an end, and 0 for a value that says nothing about revenue",
      ],
      ["decoded − true", "how far the sum over all users is off; errors in both directions cancel each other"],
      [
        "average error per user",
        "the mean over all users of the absolute difference between decoded and true revenue",
      ],
      [
        "total error, % of revenue",
        "the sum of these differences, divided by the true revenue before refunds; nothing cancels",
      ],
      ["lock", "ends a window early, so that its postback leaves earlier and later events have no effect on it"],
    ]
    return part
  }
}
