import SKANDevice
import SKANBase

/// A backtest for people: the parts of its report, in their order.
package struct BacktestReport {
  let summary: BacktestSummary
  let total: GroupTally

  package init(_ summary: BacktestSummary) {
    self.summary = summary
    total = summary.total
  }

  var header: BacktestHeader { summary.header }
  var tally: BacktestTally { total.model }

  /// The lines above all parts.
  package var headline: [String] {
    let input = summary.input
    var lines = [
      "\(tally.devices.counted("device")) with the model \(header.model.name.oneLine), revenue in \(header.currency)"
    ]
    let span = input.span.map { ", from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    lines.append("\(input.rows.counted("row")) of \(input.devices.counted("device"))\(span)")
    if input.withoutBeginning > 0 {
      let fate = input.devices == tally.devices ? "begins with its first row" : "is left out"
      lines.append(
        "\(input.withoutBeginning.counted("device")) (\(input.withoutBeginning.percent(of: input.devices))): "
          + "the beginning is not in the input; each \(fate)")
    }
    let unfinished = unfinished
    if unfinished > 0 {
      lines.append(
        "\(unfinished.counted("device")) began less than 35 days before the last row: what they do later is not in the input"
      )
    }
    if input.duplicates > 0 { lines.append("\(input.duplicates.counted("repeated row")) left out") }
    if input.furtherInstalls > 0 {
      lines.append("\(input.furtherInstalls.counted("later install")) of the same devices, without effect")
    }
    if input.otherSteps > 0 {
      lines.append("\(input.otherSteps.counted("step")) about something else than values, without effect")
    }
    lines += table(input.rejected, "cannot be used") + table(input.filtered, "left out by the mapping")
    for (currency, count) in input.withoutRate.sorted(by: { $0.key.literallyPrecedes($1.key) }) {
      lines.append(
        "\(count.counted("row")) with revenue in \(currency), for which there is no rate: not in true revenue")
    }
    return lines
  }

  private func table(_ counts: [String: Int], _ what: String) -> [String] {
    counts.sorted { $0.key.literallyPrecedes($1.key) }.map { "\($0.value.counted("row")) \(what): \($0.key)" }
  }

  /// Devices whose 35 days end after the day of the last row.
  var unfinished: Int {
    guard let last = summary.input.span?.upperBound else { return 0 }
    let day = Int(last.wholeSeconds).dividedDown(by: 86_400)
    return summary.input.starts.reduce(0) { $0 + ($1.key + 35 > day ? $1.value : 0) }
  }

  /// Every part that says something.
  package var parts: [ReportPart] {
    [accuracy, comparison, fine, coarse, locks, tiers, events, postbacks, days, groups]
      .filter { !$0.rows.isEmpty }
  }
}
