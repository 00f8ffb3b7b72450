import SKANBase
import SKANDevice
import SKANModel
import SKANRun

/// The model among several whose values tell revenue best, and what would be lost with it.
///
/// Compared are the sums of the errors of all three postbacks of all users: of the fine value of the first one, and of the
/// coarse values of the others.
struct Recommendation: Sendable, Equatable {
  /// The model's name; nil if no model is better than all others.
  let model: String?
  let sentence: String
  /// The compared errors by model, in millionths.
  let errors: [Int]

  /// Nil for a report of one model, or without devices.
  init?(_ report: BacktestReport) {
    let models = report.models(report.total)
    let devices = report.tally.devices
    guard models.count > 1, devices > 0 else { return nil }
    let errors = models.map { $0.tally.told.error }
    self.errors = errors
    let revenue = models[0].tally.told.revenue
    let shares = errors.map { $0.percent(of: revenue) }
    guard let least = errors.min(), errors.contains(where: { $0 > least }), revenue != 0 else {
      model = nil
      let sayNothing = models.allSatisfy { $0.tally.told.decoded == 0 }
      sentence =
        if revenue == 0 { "No model is recommended: the input has no revenue." } else if sayNothing {
          "No model is recommended: none says anything of revenue."
        } else { "No model is better than the others: the total error of each is \(shares[0]) of revenue." }
      return
    }
    let best = errors.firstIndex(of: least) ?? 0
    let chosen = models[best]
    let others = models.indices.filter { $0 != best }
    let otherErrors = others.map {
      "that of \(models[$0].name) \(Figures.mean(errors[$0], of: devices)) (\(shares[$0]))"
    }
    let lost = Self.losses(with: chosen, others.map { models[$0] })
    model = report.header.modelNames[best]
    sentence =
      "Choose \(chosen.name): over all three postbacks its average error per user is \(Figures.mean(least, of: devices)) "
      + "\(report.header.currency) (total error \(shares[best]) of revenue), \(otherErrors.listed()); "
      + (lost.isEmpty
        ? "nothing that the others tell is lost." : "what is lost with it: \(lost.joined(separator: "; ")).")
  }

  /// The places where another model has a smaller error, and the events that only others use, as parts of a sentence.
  private static func losses(with chosen: BacktestReport.Shown, _ others: [BacktestReport.Shown]) -> [String] {
    var losses: [String] = []
    func compare(_ place: String, _ error: (BacktestTally) -> Int) {
      let own = error(chosen.tally)
      guard let closest = others.min(by: { error($0.tally) < error($1.tally) }), error(closest.tally) < own else {
        return
      }
      let devices = chosen.tally.devices
      losses.append(
        "\(place) \(closest.name) has an average error of \(Figures.mean(error(closest.tally), of: devices)) instead of "
          + Figures.mean(own, of: devices))
    }
    for window in ConversionWindow.allCases { compare("in \(window.name)") { $0.told(in: window).error } }
    compare("with tier 1") { tally in
      tally.tiers[1].error.adding(tally.told(in: .p1).error).adding(tally.told(in: .p2).error)
    }
    let events = Set(others.flatMap(\.model.events)).subtracting(chosen.model.events).sorted()
    if !events.isEmpty {
      let names = events.map { MappedEvent.displayName(of: $0).oneLine }.listed()
      losses.append("\(names) \(events.count == 1 ? "gives" : "give") no value")
    }
    return losses
  }

  static let fields = JSONFields<Recommendation> {
    JSONField("model") { $0.model }
    JSONField("sentence") { $0.sentence }
    JSONField("errors_micros") { $0.errors }
  }
}

extension BacktestTally {
  /// The revenue that values of postbacks are decoded to, beside the true one; in millionths.
  struct Told: Sendable, Equatable {
    /// Users with a value.
    var users = 0
    var revenue = 0
    var decoded = 0
    /// The sum over users of |decoded − true|.
    var error = 0
  }

  /// The sums of a window's postbacks with tier 2 or 3: of fine values in the first window, of coarse values in the others.
  func told(in window: ConversionWindow) -> Told {
    if window == .p0 {
      let sum = BacktestReport.sum(self)
      return Told(users: devices.less(fine[0].users), revenue: sum.revenue48h, decoded: sum.decoded, error: sum.error)
    }
    return coarse[window].enumerated().reduce(into: Told()) { told, item in
      let (index, cell) = item
      if index > 0 { told.users.add(cell.users) }
      told.revenue.add(cell.revenue)
      told.decoded.add(cell.decoded)
      told.error.add(cell.error)
    }
  }

  /// The sums of all three postbacks, without users.
  var told: Told {
    ConversionWindow.allCases.map(told(in:)).reduce(into: Told()) { sum, told in
      sum.revenue.add(told.revenue)
      sum.decoded.add(told.decoded)
      sum.error.add(told.error)
    }
  }
}

extension BacktestReport {
  /// The recommendation, and what each model's postbacks tell.
  var recommendation: ReportPart {
    guard let recommendation = Recommendation(self) else { return ReportPart("") }
    var part = ReportPart(
      "Recommendation", texts: ["postback", "model"],
      numbers: [
        "users with a value", "true revenue", "decoded", "decoded − true", "average error per user",
        "total error, % of revenue",
      ])
    part.notes = [
      recommendation.sentence,
      "Compared is what postbacks of tiers 2 and 3 tell: P0 by its fine value, P1 and P2 by their coarse values.",
    ]
    func rows(_ name: String, _ told: (BacktestTally) -> BacktestTally.Told, hasUsers: Bool = true) {
      for shown in models(total) {
        let told = told(shown.tally)
        part.rows.append([
          name, shown.name, hasUsers ? told.users.percent(of: tally.devices) : "", Figures.money(told.revenue),
          Figures.money(told.decoded), Figures.signedPercent(told.decoded.less(told.revenue), of: told.revenue),
          Figures.mean(told.error, of: tally.devices), told.error.percent(of: told.revenue),
        ])
      }
    }
    for window in ConversionWindow.allCases { rows(window.name) { $0.told(in: window) } }
    rows("all", \.told, hasUsers: false)
    part.charts = [errorChart]
    return part
  }
}
