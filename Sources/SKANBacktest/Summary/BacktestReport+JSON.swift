import SKANBase
import SKANDevice
import SKANRun

/// The report as JSON: money in millionths (`…_micros`), times in seconds.
extension BacktestReport: JSONObjectWritable {
  package static let fields = JSONFields<BacktestReport> {
    JSONField("format", as: .integer(2...2)) { _ in 2 }
    JSONField("currency") { $0.header.currency }
    JSONField("model") { $0.header.model.name }
    JSONField("compared_with") { $0.header.models.dropFirst().map(\.name) }
    JSONField(optional: "recommendation", object: Recommendation.fields) { Recommendation($0) }
    JSONField("by") { $0.header.groupColumn }
    JSONField("input", object: inputFields) { $0 }
    JSONField("total", object: countFields) { ($0.header, $0.total) }
    JSONField(optional: "groups", list: groupFields) { report -> [ShownGroup]? in
      guard report.header.groupColumn != nil else { return nil }
      let groups = report.summary.groups.sorted { $0.key.literallyPrecedes($1.key) }
      return groups.map { ($0.key, (report.header, $0.value)) }
    }
  }

  /// The counts of the input; the keys of tables are currencies or reasons.
  private static let inputFields = JSONFields<BacktestReport> {
    InputTally.fields.rows.map { $0.of { $0.summary.input } }
    JSONField("from") { report in report.summary.input.span.map { "\($0.lowerBound)" } }
    JSONField("to") { report in report.summary.input.span.map { "\($0.upperBound)" } }
    JSONField("until") { report in report.header.until.map { "\($0)" } }
    JSONField("devices_unfinished") { $0.summary.input.young[.p2] }
  }

  private typealias ShownCounts = (header: BacktestHeader, group: GroupTally)
  private typealias ShownGroup = (name: String, counts: ShownCounts)

  private static let groupFields = JSONFields<ShownGroup> {
    JSONField("group") { $0.name }
    JSONField("counts", object: countFields) { $0.counts }
  }

  private static let countFields = JSONFields<ShownCounts> {
    JSONField("with_model", object: ShownTally.fields) { ShownTally.all($0.header, $0.group)[0] }
    JSONField(optional: "with_others", list: ShownTally.fields) { shown in
      let others = ShownTally.all(shown.header, shown.group).dropFirst()
      return others.isEmpty ? nil : Array(others)
    }
    JSONField(optional: "changes", list: changeFields) { $0.group.changes.isEmpty ? nil : $0.group.changes }
  }

  private static let changeFields = JSONFields<GroupTally.Changes> {
    JSONField("any") { $0.any }
    JSONField("fine_higher") { $0.fineHigher }
    JSONField("fine_lower") { $0.fineLower }
    JSONField("coarse") { $0.coarse }
  }
}

/// The counts with one model.
private struct ShownTally {
  let tally: BacktestTally
  let header: BacktestHeader
  let model: BacktestHeader.ModelSummary

  static func all(_ header: BacktestHeader, _ group: GroupTally) -> [ShownTally] {
    zip(header.models, group.models).map { ShownTally(tally: $1, header: header, model: $0) }
  }

  var sum: BacktestTally.ValueCell { BacktestReport.sum(tally) }

  static let fields = JSONFields<ShownTally> {
    JSONField("devices") { $0.tally.devices }
    JSONField("devices_by_window", as: .perWindow(.count)) { shown, writer in
      writer.perWindow { shown.tally.devices(in: $0).write(to: &$1) }
    }
    JSONField("gross_revenue_micros") { $0.tally.gross }
    // Money may be negative.
    JSONField("revenue_48h_micros", as: .integer) { $0.sum.revenue48h }
    JSONField("revenue_7d_micros", as: .integer) { $0.sum.revenue7d }
    JSONField("revenue_35d_micros", as: .integer) { $0.sum.revenue35d }
    JSONField("decoded_micros", as: .integer) { $0.sum.decoded }
    JSONField("error_micros", as: .integer) { $0.sum.error }
    JSONField("at_zero") { $0.tally.fine[0].users }
    JSONField("at_highest") { shown in BacktestReport.top(shown.model).map { shown.tally.fine[$0].users } }
    JSONField("fine_values", list: fineFields) { shown in
      // Leaves out values that no user has and no mapping gives.
      let values = shown.tally.fine.indices.filter {
        shown.tally.fine[$0].users > 0 || shown.model.fine[$0].meaning != nil
      }
      return values.map { ($0, shown.tally.fine[$0], shown.model.fine[$0]) }
    }
    JSONField("coarse_values", as: .perWindow(.each(of: BacktestReport.coarseNames, coarseFields.form))) {
      shown, writer in
      writer.perWindow { window, writer in
        let cells = shown.tally.coarse[window]
        writer.object(count: cells.count, key: { BacktestReport.coarseNames[$0] }) {
          coarseFields.write(cells[$0], to: &$1)
        }
      }
    }
    JSONField("locks", as: .perWindow(lockFields.form)) { shown, writer in
      writer.perWindow { lockFields.write(shown.tally.locks[$0], to: &$1) }
    }
    JSONField("tiers", list: tierFields) { $0.tally.tiers.enumerated().map { ($0, $1) } }
    JSONField("events", as: .object([("all", eventFields.form)], required: ["all"], others: eventFields.form)) {
      shown, writer in
      let (names, cells) = (["all"] + shown.header.names, [shown.tally.events] + shown.tally.names)
      writer.object(count: min(names.count, cells.count), key: { names[$0] }) {
        eventFields.write(cells[$0], to: &$1)
      }
    }
    JSONField("outcomes", as: .each(of: Outcome.allCases.map(\.name), .count, isComplete: false)) { shown in
      let counts = zip(Outcome.allCases, shown.tally.outcomes).map { ($0.name, $1) }
      return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
    }
    JSONField("postbacks", as: .perWindow(postbackFields.form)) { shown, writer in
      writer.perWindow { postbackFields.write(shown.tally.postbacks[$0], to: &$1) }
    }
    JSONField("postbacks_by_day") { shown in
      Dictionary(uniqueKeysWithValues: shown.tally.departures.map { (BacktestReport.day($0.key), $0.value) })
    }
  }

  private static let postbackFields = JSONFields<BacktestTally.PostbackCell> {
    JSONField("postbacks") { $0.postbacks }
    JSONField("seconds", as: .integer) { $0.seconds }
  }

  private static let fineFields = JSONFields<
    (value: Int, cell: BacktestTally.ValueCell, meaning: BacktestHeader.Value)
  > {
    JSONField("value", as: .integer(0...63)) { $0.value }
    JSONField("users") { $0.cell.users }
    JSONField("users_7d") { $0.cell.users7d }
    JSONField("users_35d") { $0.cell.users35d }
    JSONField("revenue_48h_micros", as: .integer) { $0.cell.revenue48h }
    JSONField("revenue_7d_micros", as: .integer) { $0.cell.revenue7d }
    JSONField("revenue_35d_micros", as: .integer) { $0.cell.revenue35d }
    JSONField("decoded_micros", as: .integer) { $0.cell.decoded }
    JSONField("error_micros", as: .integer) { $0.cell.error }
    JSONField("decodes_to_micros", as: JSONForm.integer.orNull) { $0.meaning.decoded }
    JSONField("meaning") { $0.meaning.meaning }
  }

  private static let coarseFields = JSONFields<BacktestTally.CoarseCell> {
    JSONField("users") { $0.users }
    JSONField("revenue_micros", as: .integer) { $0.revenue }
    JSONField("decoded_micros", as: .integer) { $0.decoded }
    JSONField("error_micros", as: .integer) { $0.error }
  }

  private static let lockFields = JSONFields<BacktestTally.LockCell> {
    JSONField("locks") { $0.locks }
    JSONField("seconds_gained", as: .integer) { $0.secondsGained }
    JSONField("revenue_after_micros", as: .integer) { $0.revenueLost }
    JSONField("values_changed") { $0.valuesLost }
  }

  private static let tierFields = JSONFields<(tier: Int, cell: BacktestTally.TierCell)> {
    JSONField("tier", as: .integer(0...3)) { $0.tier }
    JSONField("fine") { $0.cell.fine }
    JSONField("coarse") { $0.cell.coarse }
    JSONField("without_value") { $0.cell.withoutValue }
    JSONField("decoded_micros", as: .integer) { $0.cell.decoded }
    JSONField("error_micros", as: .integer) { $0.cell.error }
  }

  private static let eventFields = JSONFields<BacktestTally.EventCell> {
    ConversionWindow.allCases.map { window in
      JSONField<BacktestTally.EventCell>("seen_\(window.key)") { $0.seen[window] }
    }
    JSONField("after_lock") { $0.afterLock }
    JSONField("after_windows") { $0.afterWindows }
  }
}
