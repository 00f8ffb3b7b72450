import SKANBase
import SKANDevice
import SKANRun

/// The report of a backtest for people: its parts in order.
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
      "\(tally.devices.counted("device")) with "
        + (isComparison
          ? "the models \(header.modelNames.map(\.oneLine).listed())" : "the model \(header.model.name.oneLine)")
        + ", revenue in \(header.currency)"
    ]
    if header.isHeldOut {
      lines.append("only the devices that 'skan model fit' holds out count: one of \(DeviceKey.heldOutShare)")
    }
    let span = input.span.map { ", from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    lines.append("\(input.rows.counted("row")) of \(input.devices.counted("device"))\(span)")
    if input.withoutBeginning > 0 {
      let fate = input.devices == tally.devices ? "begins with its first row" : "is left out"
      lines.append(
        "\(input.withoutBeginning.counted("device")) (\(input.withoutBeginning.percent(of: input.devices))): "
          + "the beginning is not in the input; each \(fate)")
    }
    if let line = input.windowLine(header.until, of: tally.devices) { lines.append(line) }
    if input.duplicates > 0 { lines.append("\(input.duplicates.counted("repeated row")) left out") }
    if input.beforeBeginning > 0 {
      lines.append("\(input.beforeBeginning.counted("row")) before the beginning of the device, left out")
    }
    if input.furtherInstalls > 0 {
      lines.append("\(input.furtherInstalls.counted("later install")) of the same devices, without effect")
    }
    if input.otherSteps > 0 {
      lines.append("\(input.otherSteps.counted("step")) about something else than values, without effect")
    }
    if let missing { lines.append(missing) }
    lines += table(input.rejected, "cannot be used") + table(input.filtered, "left out by the mapping")
    for (currency, count) in input.withoutRate.sorted(by: { $0.key.literallyPrecedes($1.key) }) {
      lines.append(
        "\(count.counted("row")) with revenue in \(currency), for which there is no rate: not in true revenue")
    }
    return lines
  }

  /// The line about revenue that the input lacks; nil if it lacks none, or if neither a model nor a purchase needs any.
  package var missing: String? {
    guard header.decodesRevenue || summary.input.purchases > 0 else { return nil }
    return summary.input.missingRevenue.map { "\($0): is their column read? 'skan import --check' says which are not" }
  }

  private func table(_ counts: [String: Int], _ what: String) -> [String] {
    counts.sorted { $0.key.literallyPrecedes($1.key) }.map { "\($0.value.counted("row")) \(what): \($0.key)" }
  }

  /// Whether a device is too young for a window, so that windows count different devices.
  var hasYoung: Bool { summary.input.young[.p2] > 0 }

  /// The parts that are not empty.
  package var parts: [ReportPart] {
    [recommendation, accuracy, changes, fine, coarse, locks, tiers, events, postbacks, days, groups]
      .filter { !$0.rows.isEmpty }
  }
}

extension BacktestReport {
  /// The sum over all fine values.
  static func sum(_ tally: BacktestTally) -> BacktestTally.ValueCell {
    tally.fine.reduce(into: BacktestTally.ValueCell()) { $0.add($1) }
  }

  /// The highest fine value that the model gives.
  static func top(_ model: BacktestHeader.ModelSummary) -> Int? { model.fine.lastIndex { $0.meaning != nil } }

  /// A model with its counts.
  struct Shown {
    /// The name, which no other model of the report has.
    let name: String
    let model: BacktestHeader.ModelSummary
    let tally: BacktestTally
  }

  /// All models with their counts in a group.
  func models(_ group: GroupTally) -> [Shown] {
    zip(header.modelNames, zip(header.models, group.models)).map { Shown(name: $0.oneLine, model: $1.0, tally: $1.1) }
  }

  var isComparison: Bool { header.models.count > 1 }

  /// A table that has rows for each model.
  ///
  /// - Parameter keys: how many of the columns name what the rows are about. With several models, the model's name follows
  ///   them.
  private func table(
    _ title: String, keys: Int = 1, texts: [String] = [], numbers: [String], after: [String] = [],
    _ notes: [String] = []
  ) -> ReportPart {
    var part = ReportPart(title, texts: texts, numbers: numbers, after: after)
    if isComparison { part.columns.insert(ReportPart.Column("model", isNumber: false), at: keys) }
    part.notes = notes
    return part
  }

  /// Adds a row for each model, except those for which `cells` returns nil.
  private func add(
    _ key: String..., to part: inout ReportPart, of group: GroupTally? = nil, bar: ((Shown) -> Int)? = nil,
    _ cells: (Shown) -> [String]?
  ) {
    for shown in models(group ?? total) {
      guard let cells = cells(shown) else { continue }
      part.rows.append(key + (isComparison ? [shown.name] : []) + cells)
      if let bar { part.bars.append(bar(shown)) }
    }
  }

  /// The accuracy of decoded revenue.
  var accuracy: ReportPart {
    let models = models(total)
    var part = ReportPart(
      "Decoded against true revenue of the first 48 hours", texts: [""],
      numbers: isComparison ? models.map(\.name) : [header.currency])
    func row(_ name: String, _ text: (BacktestTally, BacktestHeader.ModelSummary) -> String) {
      part.rows.append([name] + models.map { text($0.tally, $0.model) })
    }
    row("true revenue") { tally, _ in Figures.money(Self.sum(tally).revenue48h) }
    if models.contains(where: { $0.tally.gross[.p0] != Self.sum($0.tally).revenue48h }) {
      row("revenue before refunds") { tally, _ in Figures.money(tally.gross[.p0]) }
    }
    row("decoded revenue") { tally, _ in Figures.money(Self.sum(tally).decoded) }
    row("decoded − true") { tally, _ in
      let sum = Self.sum(tally)
      return Figures.signedPercent(sum.decoded.less(sum.revenue48h), of: tally.gross[.p0])
    }
    row("average error per user") { tally, _ in Figures.mean(Self.sum(tally).error, of: tally.devices(in: .p0)) }
    row("total error, % of revenue") { tally, _ in Self.sum(tally).error.percent(of: tally.gross[.p0]) }
    row("users at 0") { tally, _ in tally.fine[0].users.percent(of: tally.devices(in: .p0)) }
    row("users at the highest value") { tally, model in
      Self.top(model).map { "\(tally.fine[$0].users.percent(of: tally.devices(in: .p0))) (\($0))" } ?? "-"
    }
    part.notes = [
      "A range is decoded to its middle, a range without an end to its beginning, and a value that says nothing about "
        + "revenue to 0."
    ]
    for shown in models where tally.devices > 0 && shown.model.fine.allSatisfy({ ($0.decoded ?? 0) == 0 }) {
      part.notes.append("No fine value of \(shown.name) says anything about revenue.")
    }
    return part
  }

  var fine: ReportPart {
    var part = table(
      "Fine values (first postback)",
      numbers: ["value", "users", "share", "true 48 h"] + (hasYoung ? ["users of 7 d"] : []) + ["7 d"]
        + (hasYoung ? ["users of 35 d"] : []) + ["35 d", "decoded", "average error per user"],
      after: ["meaning"])
    for value in tally.fine.indices {
      add("\(value)", to: &part, bar: { $0.tally.fine[value].users }) { shown in
        let (cell, meaning) = (shown.tally.fine[value], shown.model.fine[value].meaning)
        if cell.users == 0, meaning == nil { return nil }
        return [
          "\(cell.users)", cell.users.percent(of: tally.devices(in: .p0)), Figures.money(cell.revenue48h),
        ] + (hasYoung ? ["\(cell.users7d)"] : []) + [Figures.money(cell.revenue7d)]
          + (hasYoung ? ["\(cell.users35d)"] : [])
          + [
            Figures.money(cell.revenue35d), Figures.money(cell.decoded), Figures.mean(cell.error, of: cell.users),
            meaning?.oneLine ?? "no mapping",
          ]
      }
    }
    part.charts = models(total).map(valueChart)
    return part
  }

  var coarse: ReportPart {
    var part = table(
      "Coarse values", keys: 2, texts: ["window", "value"],
      numbers: ["users", "share", "true revenue", "decoded", "average error per user"], after: ["meaning"])
    for window in ConversionWindow.allCases {
      for (index, name) in Self.coarseNames.enumerated() {
        add(window.name, name, to: &part, bar: { $0.tally.coarse[window][index].users }) { shown in
          if shown.tally.postbacks[window].postbacks == 0 { return nil }
          let cell = shown.tally.coarse[window][index]
          let meaning = index == 0 ? "none" : shown.model.coarse[window][index - 1].meaning
          if cell.users == 0, meaning == nil { return nil }
          return [
            "\(cell.users)", cell.users.percent(of: tally.devices(in: window)),
            Figures.money(cell.revenue), Figures.money(cell.decoded), Figures.mean(cell.error, of: cell.users),
            index == 0 ? "no coarse value" : meaning?.oneLine ?? "no mapping",
          ]
        }
      }
    }
    return part
  }

  static let coarseNames = ["none", "low", "medium", "high"]

  /// The differences between the values of the first model and those of each other.
  private var changes: ReportPart {
    guard isComparison else { return ReportPart("") }
    var part = ReportPart(
      "Users whose values differ from those of \(header.modelNames[0].oneLine)", texts: ["", "model"],
      numbers: ["users", "share"])
    func rows(_ name: String, in window: ConversionWindow = .p0, _ count: (GroupTally.Changes) -> Int) {
      let devices = tally.devices(in: window)
      for (model, changes) in zip(models(total).dropFirst(), total.changes) {
        part.rows.append([name, model.name, "\(count(changes))", count(changes).percent(of: devices)])
      }
    }
    rows("have another value") { $0.any }
    rows("have a higher fine value") { $0.fineHigher }
    rows("have a lower fine value") { $0.fineLower }
    for window in ConversionWindow.allCases {
      rows("have another coarse value of \(window.name)", in: window) { $0.coarse[window] }
    }
    return part
  }
}

extension ConversionWindow {
  /// The name, such as `P0`.
  var name: String { "P\(rawValue)" }
}

/// Aspects besides values: locks, tiers, events, and times of postbacks.
extension BacktestReport {
  private var locks: ReportPart {
    var part = table(
      "Locks", texts: ["window", "trigger"],
      numbers: ["locks", "share", "hours gained", "revenue after", "of the window's", "values changed"],
      [
        "Hours gained: how much earlier a locked postback is prepared. Values changed: those that would differ without "
          + "the lock."
      ])
    for window in ConversionWindow.allCases {
      add(window.name, to: &part) { shown in
        let cell = shown.tally.locks[window]
        guard let trigger = shown.model.locks[window] else { return nil }
        return [
          trigger.oneLine, "\(cell.locks)", cell.locks.percent(of: tally.devices(in: window)),
          Figures.hours(cell.secondsGained, of: cell.locks), Figures.money(cell.revenueLost),
          cell.revenueLost.percent(of: shown.tally.gross[window]), "\(cell.valuesLost)",
        ]
      }
    }
    return part
  }

  private var tiers: ReportPart {
    var part = table(
      "What a postback data tier leaves of the first postback",
      numbers: [
        "tier", "fine", "coarse", "without value", "decoded", "decoded − true", "total error, % of revenue",
      ],
      ["All users with one tier. Apple chooses the tier of a campaign by the number of its installs."])
    let (revenue, gross, devices) = (Self.sum(tally).revenue48h, tally.gross[.p0], tally.devices(in: .p0))
    if devices == 0 { return part }
    for tier in tally.tiers.indices {
      add("\(tier)", to: &part) { shown in
        let cell = shown.tally.tiers[tier]
        return [
          cell.fine.percent(of: devices), cell.coarse.percent(of: devices), cell.withoutValue.percent(of: devices),
          Figures.money(cell.decoded), Figures.signedPercent(cell.decoded.less(revenue), of: gross),
          cell.error.percent(of: gross),
        ]
      }
    }
    part.charts = [tierChart]
    return part
  }

  private var events: ReportPart {
    var part = table(
      "Sessions and events", texts: ["event"],
      numbers: ConversionWindow.allCases.map { "seen in \($0.name)" } + ["after a lock", "after P2"])
    func rows(_ name: String, _ cell: (BacktestTally) -> BacktestTally.EventCell) {
      add(name, to: &part) { shown in
        let cell = cell(shown.tally)
        return ConversionWindow.allCases.map { "\(cell.seen[$0])" } + ["\(cell.afterLock)", "\(cell.afterWindows)"]
      }
    }
    if tally.devices == 0 { return part }
    rows("all", \.events)
    for (index, name) in header.names.enumerated() { rows(name.oneLine) { $0.names[index] } }
    let missing = zip(header.names, tally.names).filter { $1 == BacktestTally.EventCell() }.map { $0.0.oneLine }
    if !missing.isEmpty {
      part.notes = ["Never in \(hasYoung ? "a window that counts" : "the input"): \(missing.joined(separator: ", "))."]
    }
    for shown in models(total) {
      let lost = shown.tally.outcomes(of: [.serverError])
      if lost == 0 { continue }
      part.notes.append(
        "\(lost.counted("update")) got an error from the model\(isComparison ? " \(shown.name)" : ""): a rate is missing, or "
          + "its hours are over.")
    }
    return part
  }

  private var postbacks: ReportPart {
    var part = table(
      "Postbacks", texts: ["window"],
      numbers: ["postbacks", "share of devices", "mean hours after the first call", "most on a day"],
      ["Each leaves in the middle of the time range that Apple allows."])
    for window in ConversionWindow.allCases {
      add(window.name, to: &part) { shown in
        let (cell, days) = (shown.tally.postbacks[window], shown.tally.departures)
        guard cell.postbacks > 0 else { return nil }
        let busiest = days.map { ($0.value[window.rawValue], $0.key) }.max { ($0.0, -$0.1) < ($1.0, -$1.1) }
        return [
          "\(cell.postbacks)", cell.postbacks.percent(of: tally.devices(in: window)),
          Figures.hours(cell.seconds, of: cell.postbacks),
          busiest.map { "\($0.0) on \(Self.day($0.1))" } ?? "-",
        ]
      }
    }
    return part
  }

  private var days: ReportPart {
    var part = table(
      "Postbacks by day (UTC)", texts: ["day"], numbers: ConversionWindow.allCases.map(\.name) + ["all"])
    part.barName = "postbacks"
    for day in Set(total.models.flatMap(\.departures.keys)).sorted() {
      let all = { (shown: Shown) in shown.tally.departures[day, default: []].reduce(0) { $0.adding($1) } }
      add(Self.day(day), to: &part, bar: all) { shown in
        shown.tally.departures[day].map { counts in (counts + [all(shown)]).map { "\($0)" } }
      }
    }
    return part
  }

  /// The date of a day since 1970, such as `2026-05-01`.
  static func day(_ day: Int) -> String { Instant.date(of: day) }

  private var groups: ReportPart {
    guard let column = header.groupColumn else { return ReportPart("") }
    var part = table(
      "By \(column.oneLine)", texts: [column.oneLine],
      numbers: ["users", "at 0", "at the highest", "true 48 h"] + (hasYoung ? ["users of 35 d"] : [])
        + ["35 d", "decoded", "decoded − true", "total error, % of revenue"])
    for (name, group) in summary.groups.sorted(by: {
      ($1.value.model.devices, $0.key) < ($0.value.model.devices, $1.key)
    }) {
      add(name.isEmpty ? "-" : name.oneLine, to: &part, of: group, bar: { Self.sum($0.tally).users }) { shown in
        let (tally, sum) = (shown.tally, Self.sum(shown.tally))
        return [
          "\(sum.users)", tally.fine[0].users.percent(of: sum.users),
          Self.top(shown.model).map { tally.fine[$0].users.percent(of: sum.users) } ?? "-",
          Figures.money(sum.revenue48h),
        ] + (hasYoung ? ["\(sum.users35d)"] : [])
          + [
            Figures.money(sum.revenue35d), Figures.money(sum.decoded),
            Figures.signedPercent(sum.decoded.less(sum.revenue48h), of: tally.gross[.p0]),
            sum.error.percent(of: tally.gross[.p0]),
          ]
      }
    }
    return part
  }
}

extension BacktestTally {
  /// The number of steps with one of these outcomes.
  func outcomes(of kinds: [Outcome]) -> Int { kinds.reduce(0) { $0.adding(outcomes[Int($1.rawValue)]) } }
}
