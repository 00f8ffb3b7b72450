import SKANDevice
import SKANBase
import SKANRun

extension BacktestReport {
  /// All numbers, money in millionths (`…_micros`), time in seconds.
  package var json: JSON {
    var members: [(key: String, value: JSON)] = [
      ("format", .integer(1)), ("currency", .string(header.currency)), ("model", .string(header.model.name)),
      ("compared_with", .optional(header.other?.name)), ("by", .optional(header.groupColumn)),
      (
        "input",
        .object(
          summary.input.members + [
            ("from", .optional(summary.input.span.map { "\($0.lowerBound)" })),
            ("to", .optional(summary.input.span.map { "\($0.upperBound)" })),
            ("devices_unfinished", .integer(Int64(unfinished))),
          ])
      ), ("total", json(of: total)),
    ]
    if header.groupColumn != nil {
      members.append(
        (
          "groups",
          .array(
            summary.groups.sorted { $0.key.literallyPrecedes($1.key) }.map {
              .object([("group", .string($0.key)), ("counts", json(of: $0.value))])
            })
        ))
    }
    return .object(members)
  }

  private func json(of group: GroupTally) -> JSON {
    var members = [("with_model", group.model.json(header, header.model))]
    if let other = group.other, let model = header.other {
      members.append(("with_other", other.json(header, model)))
      members.append(
        (
          "changes",
          .object([
            ("any", group.changes.any.json), ("fine_higher", group.changes.fineHigher.json),
            ("fine_lower", group.changes.fineLower.json),
            ("coarse", .object(ConversionWindow.allCases.map { ($0.key, group.changes.coarse[$0].json) })),
          ])
        ))
    }
    return .object(members)
  }
}

extension BacktestTally {
  fileprivate func json(_ header: BacktestHeader, _ model: BacktestHeader.ModelSummary) -> JSON {
    let sum = BacktestReport.sum(self)
    let windows = ConversionWindow.allCases
    let values = fine.indices.compactMap { fine[$0].json(value: $0, model.fine[$0]) }
    let coarse = windows.map { window in (window.key, Self.json(ofCoarse: self.coarse[window])) }
    let named: [(key: String, value: JSON)] = zip(header.names, names).map { ($0, $1.json) }
    let outcomes: [(key: String, value: JSON)] = Outcome.allCases.compactMap { outcome in
      let count = self.outcomes[Int(outcome.rawValue)]
      return count == 0 ? nil : (outcome.name, count.json)
    }
    let days: [(key: String, value: JSON)] = departures.sorted { $0.key < $1.key }.map {
      (BacktestReport.day($0.key), .array($0.value.map(\.json)))
    }
    return .object([
      ("devices", devices.json), ("revenue_48h_micros", sum.revenue48h.json), ("revenue_7d_micros", sum.revenue7d.json),
      ("revenue_35d_micros", sum.revenue35d.json), ("decoded_micros", sum.decoded.json),
      ("error_micros", sum.error.json), ("at_zero", fine[0].users.json),
      ("at_highest", BacktestReport.top(model).map { fine[$0].users.json } ?? .null), ("fine_values", .array(values)),
      ("coarse_values", .object(coarse)), ("locks", .object(windows.map { ($0.key, locks[$0].json) })),
      ("tiers", .array(tiers.enumerated().map { $1.json(tier: $0) })),
      ("events", .object([("all", events.json)] + named)), ("outcomes", .object(outcomes)),
      ("postbacks", .object(windows.map { ($0.key, postbacks[$0].json) })), ("postbacks_by_day", .object(days)),
    ])
  }

  private static func json(ofCoarse cells: [CoarseCell]) -> JSON {
    .object(zip(BacktestReport.coarseNames, cells).map { ($0, $1.json) })
  }
}

extension BacktestTally.PostbackCell {
  fileprivate var json: JSON { .object([("postbacks", postbacks.json), ("seconds", seconds.json)]) }
}

extension BacktestTally.ValueCell {
  /// Nil for a value that no user has and no mapping gives.
  fileprivate func json(value: Int, _ meaning: BacktestHeader.Value) -> JSON? {
    if users == 0, meaning.meaning == nil { return nil }
    return .object([
      ("value", value.json), ("users", users.json), ("revenue_48h_micros", revenue48h.json),
      ("revenue_7d_micros", revenue7d.json), ("revenue_35d_micros", revenue35d.json), ("decoded_micros", decoded.json),
      ("error_micros", error.json), ("decodes_to_micros", meaning.decoded.map(\.json) ?? .null),
      ("meaning", .optional(meaning.meaning)),
    ])
  }
}

extension BacktestTally.CoarseCell {
  fileprivate var json: JSON {
    .object([
      ("users", users.json), ("revenue_micros", revenue.json), ("decoded_micros", decoded.json),
      ("error_micros", error.json),
    ])
  }
}

extension BacktestTally.LockCell {
  fileprivate var json: JSON {
    .object([
      ("locks", locks.json), ("seconds_gained", secondsGained.json), ("revenue_after_micros", revenueLost.json),
      ("values_changed", valuesLost.json),
    ])
  }
}

extension BacktestTally.TierCell {
  fileprivate func json(tier: Int) -> JSON {
    .object([
      ("tier", tier.json), ("fine", fine.json), ("coarse", coarse.json), ("without_value", withoutValue.json),
      ("decoded_micros", decoded.json), ("error_micros", error.json),
    ])
  }
}

extension BacktestTally.EventCell {
  fileprivate var json: JSON {
    .object(
      ConversionWindow.allCases.map { ("seen_\($0.key)", seen[$0].json) } + [
        ("after_lock", afterLock.json), ("after_windows", afterWindows.json),
      ])
  }
}

extension Int {
  var json: JSON { .integer(Int64(self)) }
}
