import SKANBase
import SKANDevice
import SKANModel

/// The report of worths for people.
package struct WorthReport {
  let worth: Worth
  let backtest: BacktestReport

  package init(_ worth: Worth, _ backtest: BacktestSummary) {
    (self.worth, self.backtest) = (worth, BacktestReport(backtest))
  }

  /// The lines above all parts: those of a backtest of the input, and how the worths are learned.
  package var headline: [String] { backtest.headline + notes }

  /// The line about revenue that the input lacks; nil if it lacks none.
  package var missing: String? { backtest.missing }

  private var notes: [String] {
    var notes = [
      "Worth: the mean revenue of the users with a value; the interval of 90 % is from \(worth.resamples) resamples of the "
        + "devices, seed \(worth.seed)."
    ]
    notes.append(
      worth.shrinkBelow > 0
        ? "A value with fewer than \(worth.shrinkBelow) devices is filled up to as many with the mean of its neighbours."
        : "Values with few devices are not filled up: their worths are single users'.")
    if worth.column != nil {
      let small = worth.input.smallGroups
      notes.append(
        "Groups with \(worth.leastDevices) devices of 35 days or more have worths of their own"
          + (small > 0 ? "; \(small) with fewer \(small == 1 ? "has" : "have") none." : "."))
    }
    return notes
  }

  package var parts: [ReportPart] {
    worth.groups.enumerated().flatMap { index, group in
      index == 0 ? [values(group, whole: nil), heldOut(group)] : [values(group, whole: worth.groups[0])]
    }.filter { !$0.rows.isEmpty }
  }

  /// - Parameter whole: all devices, if the group is a part of them; then only first postbacks are shown.
  private func values(_ group: Worth.Group, whole: Worth.Group?) -> ReportPart {
    let name = group.name.map { " · \((worth.column ?? "").oneLine) \($0.isEmpty ? "-" : $0.oneLine)" } ?? ""
    var part = ReportPart(
      "What a value is worth, in \(worth.currency)\(name)", texts: ["postback", "value"],
      numbers: ["users", "day 2", "day 7", "users of 35 d", "day 35", "90 % from", "to", "end", "top 1 %"],
      after: ["meaning"])
    part.barName = "users"
    for value in group.values where whole == nil || value.window == .p0 {
      let last = value[.day35]
      part.rows.append(
        [value.window.name, value.title, "\(value[.day2].devices)"]
          + [value[.day2], value[.day7]].map { Self.money($0.worth) } + ["\(last.devices)"]
          + [last.worth, last.interval?.low, last.interval?.high, value[.end].worth].map(Self.money)
          + [
            value.spread?.topShare.map { "\(Figures.decimal($0 * 100, 1)) %" } ?? "-",
            value.kind == .null ? value.nullMeaning : value.meaning?.oneLine ?? "no mapping",
          ])
    }
    return part
  }

  private func heldOut(_ group: Worth.Group) -> ReportPart {
    var part = ReportPart(
      "Held out: revenue to day 35 of one device in \(DeviceKey.heldOutShare), by the worths of the others",
      texts: ["decoded by"], numbers: ["devices", "true revenue", "told", "told − true", "90 % from", "to"])
    for row in group.heldOut where row.devices > 0 {
      let name =
        switch row.kind {
        case .fine: "fine values"
        case .coarse: "coarse values"
        case .null: "no value"
        }
      part.rows.append(
        [name, "\(row.devices)", Figures.money(row.revenue), Figures.money(row.told)]
          + [row.bias, row.low, row.high].map { $0.map(Self.percent) ?? "-" })
    }
    return part
  }

  private static func money(_ micros: Int?) -> String { micros.map { Figures.money($0, decimals: 4) } ?? "-" }

  private static func percent(_ share: Double) -> String {
    "\(share > 0 ? "+" : "")\(Figures.decimal(share * 100, 1)) %"
  }

  // MARK: - Other forms

  private static let columns =
    ["group", "window", "kind", "value", "tiers"]
    + Worth.Horizon.allCases.flatMap { horizon in
      ["devices", "mean", "worth", "low", "high"].map { "\($0)_\(horizon.key)" }
    } + ["deviation", "skewness", "top_1_percent", "scope"]

  /// The worths as CSV, with a line for each group, window and value; money in units with six decimals.
  package var csv: String {
    let money = Figures.exactMoney
    var rows = [Self.columns]
    for group in worth.groups {
      for value in group.values {
        var row = [group.name ?? "", "\(value.window.rawValue)", value.kind.rawValue, value.name ?? ""]
        row.append(value.tiers.map { "\($0)" }.joined(separator: " "))
        for mean in value.revenue {
          row.append("\(mean.devices)")
          row += [mean.mean, mean.worth, mean.interval?.low, mean.interval?.high].map(money)
        }
        row += [money(value.spread?.deviation), value.spread?.skewness.jsonText ?? ""]
        row += [value.spread?.topShare?.jsonText ?? "", group.name == nil ? "all" : "group"]
        rows.append(row)
      }
    }
    return rows.map(\.csvLine).joined()
  }

  /// The report as an HTML page: one file without scripts and external resources.
  package var html: String {
    let title = "What the values of \(worth.model.oneLine) are worth"
    return HTMLWriter.page(title: title, lines: headline) { main in
      main.add(chart.element)
      for part in parts { main.section(part) }
    }
  }

  /// The worths of first postbacks to day 35 with their intervals.
  private var chart: IntervalChart {
    var chart = IntervalChart("Worth of a first postback to day 35 by value, in \(worth.currency)")
    for value in worth.groups.first?.values ?? [] where value.window == .p0 {
      guard let number = value[.day35].worth, let interval = value[.day35].interval else { continue }
      let text = [number, interval.low, interval.high].map { Figures.money($0) }
      chart.rows.append(
        IntervalChart.Row(
          value.title, Double(number) / 1e6, low: Double(interval.low) / 1e6, high: Double(interval.high) / 1e6,
          "\(text[0]) (\(text[1]) to \(text[2]))"))
    }
    return chart
  }
}

extension Worth.Value {
  /// A name such as `12`, `high` or `null, tier 0`.
  package var title: String { name ?? (window == .p0 ? "null, tier \(tiers.first ?? 0)" : "null") }

  fileprivate var nullMeaning: String {
    tiers == [0] ? "any user" : "no coarse value"
  }
}
