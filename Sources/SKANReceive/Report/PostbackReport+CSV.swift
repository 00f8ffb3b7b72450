import SKANBase

/// A line a group, conversion value and currency, so that no postback is in two lines. Columns that Singular's raw SKAN report has
/// have its names (article 360056377792 and clients of that API): its P2 and P3 are the postbacks of the windows that
/// Apple counts as 1 and 2.
extension PostbackReport {
  /// The dimensions behind those that are asked for.
  private static let values: [ReportDimension] = [.fineValue, .coarseValue, .currency]

  private static let columns: [(name: String, value: @Sendable (ReportCounts) -> Int)] = [
    ("skan_installs", { $0.installs }), ("skan_conversion_values_count", \.installsWithValue),
    ("skan_p1_postbacks", { $0.windows[0] }), ("skan_p2_postbacks", { $0.windows[1] }),
    ("skan_p3_postbacks", { $0.windows[2] }), ("redownloads", \.redownloads), ("postbacks", \.postbacks),
    ("not_won", \.notWon), ("without_value", \.withoutValue), ("odd_values", \.oddValues), ("decoded", \.decoded),
    ("undecoded", \.undecoded), ("without_model", \.withoutModel), ("duplicates", \.duplicates),
    ("conflicts", \.conflicts), ("invalid", \.invalid), ("not_checked", \.notChecked),
  ]

  /// The report in the form of RFC 4180, but with line feeds.
  package func csv(by date: ReportDate, grouping chosen: [ReportDimension]) -> String {
    let dimensions = chosen.filter { !Self.values.contains($0) } + Self.values
    let head =
      ["signed_by", "skan_validated"] + dimensions.map { $0.columnName(by: date) } + Self.columns.map(\.name)
      + ["revenue_min", "revenue_below", "revenue_open_ended", "events"]
    let rows = tables(by: date, grouping: dimensions).flatMap { table in
      let isVerified = table.kind != .unverified
      return table.rows.map { row in
        [isVerified ? table.kind.rawValue : "", "\(isVerified)"] + row.group
          + Self.columns.map { "\($0.value(row.counts))" } + Self.meaning(of: row.counts)
      }
    }
    return ([head] + rows).map(\.csvLine).joined()
  }

  /// What the row's values stand for; its postbacks have one currency at most.
  private static func meaning(of counts: ReportCounts) -> [String] {
    let revenue = counts.sortedRevenue.first?.sum
    return [
      revenue.map { "\($0.min)" } ?? "", revenue.map { $0.openEnded == $0.postbacks ? "" : "\($0.below)" } ?? "",
      revenue.map { "\($0.openEnded)" } ?? "", counts.events.isEmpty ? "" : counts.eventsText,
    ]
  }
}
