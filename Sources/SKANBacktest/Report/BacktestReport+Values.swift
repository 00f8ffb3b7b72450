import SKANDevice
import SKANBase

extension BacktestReport {
  /// The sum of all fine values.
  static func sum(_ tally: BacktestTally) -> BacktestTally.ValueCell {
    tally.fine.reduce(into: BacktestTally.ValueCell()) { sum, cell in
      sum.users.add(cell.users)
      sum.revenue48h.add(cell.revenue48h)
      sum.revenue7d.add(cell.revenue7d)
      sum.revenue35d.add(cell.revenue35d)
      sum.decoded.add(cell.decoded)
      sum.error.add(cell.error)
    }
  }

  /// The highest fine value that the model gives.
  static func top(_ model: BacktestHeader.ModelSummary) -> Int? { model.fine.lastIndex { $0.meaning != nil } }

  /// How near the decoded revenue comes to the true one.
  var accuracy: ReportPart {
    var part = ReportPart("Decoded against true revenue of the first 48 hours", texts: [""], numbers: models)
    func row(_ name: String, _ text: (BacktestTally, BacktestHeader.ModelSummary) -> String) {
      part.rows.append([name] + tallies.map(text))
    }
    row("true revenue") { tally, _ in Figures.money(Self.sum(tally).revenue48h) }
    row("decoded revenue") { tally, _ in Figures.money(Self.sum(tally).decoded) }
    row("decoded − true") { tally, _ in
      let sum = Self.sum(tally)
      return Figures.signedPercent(sum.decoded - sum.revenue48h, of: sum.revenue48h)
    }
    row("mean error a user") { tally, _ in Figures.mean(Self.sum(tally).error, of: tally.devices) }
    row("errors of all users to true revenue") { tally, _ in
      let sum = Self.sum(tally)
      return sum.error.percent(of: sum.revenue48h)
    }
    row("users at 0") { tally, _ in tally.fine[0].users.percent(of: tally.devices) }
    row("users at the highest value") { tally, model in
      Self.top(model).map { "\(tally.fine[$0].users.percent(of: tally.devices)) (\($0))" } ?? "-"
    }
    part.notes = [
      "A range is decoded to its middle, one without an end to its beginning, a value that says nothing of revenue to 0."
    ]
    if tally.devices > 0, header.model.fine.allSatisfy({ ($0.decoded ?? 0) == 0 }) {
      part.notes.append("No fine value of \(header.model.name.oneLine) says anything of revenue.")
    }
    return part
  }

  /// The names of the models, as columns.
  var models: [String] {
    guard let other = header.other else { return [header.currency] }
    return header.model.name == other.name
      ? ["\(header.model.name.oneLine) (1)", "\(other.name.oneLine) (2)"]
      : [header.model.name.oneLine, other.name.oneLine]
  }

  /// What was counted with each model.
  var tallies: [(BacktestTally, BacktestHeader.ModelSummary)] {
    [(total.model, header.model)] + (total.other.flatMap { tally in header.other.map { [(tally, $0)] } } ?? [])
  }

  var fine: ReportPart {
    var part = ReportPart(
      "Fine values (first postback)",
      numbers: ["value", "users", "share", "true 48 h", "7 d", "35 d", "decoded", "error a user"], after: ["meaning"])
    for (value, cell) in tally.fine.enumerated() {
      let meaning = header.model.fine[value].meaning
      if cell.users == 0, meaning == nil { continue }
      part.rows.append([
        "\(value)", "\(cell.users)", cell.users.percent(of: tally.devices), Figures.money(cell.revenue48h),
        Figures.money(cell.revenue7d), Figures.money(cell.revenue35d), Figures.money(cell.decoded),
        Figures.mean(cell.error, of: cell.users), meaning?.oneLine ?? "no mapping",
      ])
      part.bars.append(cell.users)
    }
    return part
  }

  var coarse: ReportPart {
    var part = ReportPart(
      "Coarse values", texts: ["window", "value"],
      numbers: ["users", "share", "true revenue", "decoded", "error a user"], after: ["meaning"])
    for window in ConversionWindow.allCases where total.model.postbacks[window].postbacks > 0 {
      for (index, cell) in tally.coarse[window].enumerated() {
        let meaning = index == 0 ? "none" : header.model.coarse[window][index - 1].meaning
        if cell.users == 0, meaning == nil { continue }
        part.rows.append([
          window.name, Self.coarseNames[index], "\(cell.users)", cell.users.percent(of: tally.devices),
          Figures.money(cell.revenue), Figures.money(cell.decoded), Figures.mean(cell.error, of: cell.users),
          index == 0 ? "no coarse value" : meaning?.oneLine ?? "no mapping",
        ])
        part.bars.append(cell.users)
      }
    }
    return part
  }

  static let coarseNames = ["none", "low", "medium", "high"]

  /// What each model's values would say less or more of.
  var comparison: ReportPart {
    guard let other = total.other, let second = header.other else { return ReportPart("") }
    let changes = total.changes
    var part = ReportPart(
      "\(header.model.name.oneLine) compared with \(second.name.oneLine)", texts: [""], numbers: ["users", "share"])
    func row(_ name: String, _ count: Int) {
      part.rows.append([name, "\(count)", count.percent(of: tally.devices)])
    }
    row("have another value", changes.any)
    row("have a higher fine value", changes.fineHigher)
    row("have a lower fine value", changes.fineLower)
    for window in ConversionWindow.allCases {
      row("have another coarse value of \(window.name)", changes.coarse[window])
    }
    let (first, then) = (Self.sum(tally).error, Self.sum(other).error)
    part.notes = [
      "With \(second.name.oneLine) the errors of all users come to \(Figures.money(then)) \(header.currency) instead of "
        + "\(Figures.money(first)) (\(Figures.signedPercent(then - first, of: first)))."
    ]
    return part
  }
}

extension ConversionWindow {
  /// `P0`.
  var name: String { "P\(rawValue)" }
}
