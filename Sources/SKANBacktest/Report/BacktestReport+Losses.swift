import SKANDevice
import SKANRun
import SKANBase

/// What a value cannot say: locks, tiers, events, and when it comes.
extension BacktestReport {
  var locks: ReportPart {
    var part = ReportPart(
      "Locks", texts: ["window", "trigger"],
      numbers: ["locks", "share", "hours gained", "revenue after", "of the window's", "values changed"])
    for window in ConversionWindow.allCases {
      let cell = tally.locks[window]
      guard let trigger = header.model.locks[window] else { continue }
      let revenue = tally.coarse[window].reduce(0) { $0 + $1.revenue }
      part.rows.append([
        window.name, trigger.oneLine, "\(cell.locks)", cell.locks.percent(of: tally.devices),
        Figures.hours(cell.secondsGained, of: cell.locks), Figures.money(cell.revenueLost),
        cell.revenueLost.percent(of: revenue), "\(cell.valuesLost)",
      ])
    }
    part.notes = [
      "Hours gained are those by which a locked postback is prepared earlier; values changed are those that would be "
        + "others without the lock."
    ]
    return part
  }

  var tiers: ReportPart {
    var part = ReportPart(
      "What a postback data tier leaves of the first postback", numbers: ["tier"], after: [])
    part.columns += ["fine", "coarse", "without value", "decoded", "decoded − true", "errors to true revenue"].map {
      ReportPart.Column($0, isNumber: true)
    }
    let revenue = Self.sum(tally).revenue48h
    if tally.devices == 0 { return part }
    for (tier, cell) in tally.tiers.enumerated() {
      part.rows.append([
        "\(tier)", cell.fine.percent(of: tally.devices), cell.coarse.percent(of: tally.devices),
        cell.withoutValue.percent(of: tally.devices), Figures.money(cell.decoded),
        Figures.signedPercent(cell.decoded - revenue, of: revenue), cell.error.percent(of: revenue),
      ])
    }
    part.notes = ["All users with one tier. Which tier a campaign gets is Apple's, by the number of its installs."]
    return part
  }

  var events: ReportPart {
    var part = ReportPart(
      "Sessions and events", texts: ["event"],
      numbers: ConversionWindow.allCases.map { "seen in \($0.name)" } + ["after a lock", "after P2"])
    func row(_ name: String, _ cell: BacktestTally.EventCell) {
      part.rows.append(
        [name] + ConversionWindow.allCases.map { "\(cell.seen[$0])" } + ["\(cell.afterLock)", "\(cell.afterWindows)"])
    }
    if tally.devices == 0 { return part }
    row("all", tally.events)
    for (name, cell) in zip(header.names, tally.names) { row(name.oneLine, cell) }
    let missing = zip(header.names, tally.names).filter { $1 == BacktestTally.EventCell() }.map { $0.0.oneLine }
    if !missing.isEmpty {
      part.notes = ["Never in the input: \(missing.joined(separator: ", "))."]
    }
    let lost = tally.outcomes(of: [.serverError])
    if lost > 0 {
      part.notes.append(
        "\(lost.counted("update")) got an error from the model: a rate is missing, or its hours are over.")
    }
    return part
  }

  var postbacks: ReportPart {
    var part = ReportPart(
      "Postbacks", texts: ["window"],
      numbers: ["postbacks", "share of devices", "mean hours after the first call", "most on a day"])
    for window in ConversionWindow.allCases {
      let cell = tally.postbacks[window]
      guard cell.postbacks > 0 else { continue }
      let busiest = tally.departures.map { ($0.value[window.rawValue], $0.key) }.max { ($0.0, -$0.1) < ($1.0, -$1.1) }
      part.rows.append([
        window.name, "\(cell.postbacks)", cell.postbacks.percent(of: tally.devices),
        Figures.hours(cell.seconds, of: cell.postbacks),
        busiest.map { "\($0.0) on \(Self.day($0.1))" } ?? "-",
      ])
    }
    part.notes = ["Each leaves in the middle of the time in which Apple lets it leave."]
    return part
  }

  var days: ReportPart {
    var part = ReportPart(
      "Postbacks by day (UTC)", texts: ["day"], numbers: ConversionWindow.allCases.map(\.name) + ["all"])
    part.barName = "postbacks"
    for (day, counts) in tally.departures.sorted(by: { $0.key < $1.key }) {
      let all = counts.reduce(0, +)
      part.rows.append([Self.day(day)] + counts.map { "\($0)" } + ["\(all)"])
      part.bars.append(all)
    }
    return part
  }

  /// `2026-05-01`.
  static func day(_ day: Int) -> String { String("\(Instant(microseconds: Int64(day) * 86_400_000_000))".prefix(10)) }

  var groups: ReportPart {
    guard let column = header.groupColumn else { return ReportPart("") }
    var part = ReportPart(
      "By \(column.oneLine)", texts: [column.oneLine],
      numbers: [
        "users", "at 0", "at the highest", "true 48 h", "35 d", "decoded", "decoded − true", "errors to true revenue",
      ])
    let top = Self.top(header.model)
    for (name, group) in summary.groups.sorted(by: {
      ($1.value.model.devices, $0.key) < ($0.value.model.devices, $1.key)
    }) {
      let (tally, sum) = (group.model, Self.sum(group.model))
      part.rows.append([
        name.isEmpty ? "-" : name.oneLine, "\(tally.devices)", tally.fine[0].users.percent(of: tally.devices),
        top.map { tally.fine[$0].users.percent(of: tally.devices) } ?? "-", Figures.money(sum.revenue48h),
        Figures.money(sum.revenue35d), Figures.money(sum.decoded),
        Figures.signedPercent(sum.decoded - sum.revenue48h, of: sum.revenue48h),
        sum.error.percent(of: sum.revenue48h),
      ])
      part.bars.append(tally.devices)
    }
    return part
  }
}

extension BacktestTally {
  /// How many steps had one of these outcomes.
  func outcomes(of kinds: [Outcome]) -> Int { kinds.reduce(0) { $0 + outcomes[Int($1.rawValue)] } }
}
