import SKANBase
import SKANDevice
import SKANModel
import SKANRun

/// The model among several whose values tell revenue best, and what would be lost with it.
///
/// Compared are the errors of all three postbacks: of the fine value of the first one, and of the coarse values of the
/// others. Of a window only the users who have ended it count, and each window weighs as if all users of the first one had.
struct Recommendation: Sendable, Equatable {
  /// The model's name; nil if no model is better than all others.
  let model: String?
  let sentence: String
  /// In how many of ``ModelResamples/count`` resamples the best model is better than the next one; nil if it is not known.
  let certainty: Int?
  /// The sums of the errors of all three postbacks by model, in millionths.
  let errors: [Int]
  /// The compared errors by model: the sums of the average errors of all three postbacks, in millionths.
  let averages: [Int]

  /// Nil for a report of one model, or without devices.
  init?(_ report: BacktestReport) {
    let models = report.models(report.total)
    let devices = report.tally.devices(in: .p0)
    guard models.count > 1, devices > 0 else { return nil }
    let errors = models.map { $0.tally.told.error }
    self.errors = models.map { shown in
      ConversionWindow.allCases.reduce(0) { $0.adding(shown.tally.told(in: $1).error) }
    }
    averages = errors.map { $0.scaled(from: devices, to: 1) }
    let gross = models[0].tally.told.gross
    let shares = errors.map { $0.percent(of: gross) }
    guard let least = errors.min(), errors.contains(where: { $0 > least }), gross != 0 else {
      model = nil
      certainty = nil
      let sayNothing = models.allSatisfy { $0.tally.told.decoded == 0 }
      sentence =
        if gross == 0 { "No model is recommended: the input has no revenue." } else if sayNothing {
          "No model is recommended: none says anything about revenue."
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
    let ended = ConversionWindow.allCases.filter { report.tally.devices(in: $0) > 0 }
    let places =
      ended.count == 3
      ? "all three postbacks"
      : "\(ended.map(\.name).listed()), since no device has ended \(ended.count == 1 ? "P1" : "P2"),"
    let next = others.min { errors[$0] < errors[$1] }
    let certainty = next.flatMap { next in report.summary.resamples.map { $0.better(best, than: next) } }
    self.certainty = certainty
    var opening = "Choose \(chosen.name)"
    if let certainty, let next, certainty < Self.leastCertainty {
      model = nil
      opening = "\(chosen.name) and \(models[next].name) cannot be told apart"
    } else {
      model = report.header.modelNames[best]
    }
    if let certainty, let next {
      opening +=
        " (better than \(models[next].name) in \(certainty) of \(ModelResamples.count) resamples of the devices)"
    }
    let atZero = chosen.tally.fine[0].users
    let signal =
      atZero == 0
      ? "" : " \(atZero.percent(of: devices)) of its users are left at value 0, which tells nothing."
    sentence =
      "\(opening): over \(places) its average error per user is \(Figures.mean(least, of: devices)) "
      + "\(report.header.currency) (total error \(shares[best]) of revenue), \(otherErrors.listed()); "
      + (lost.isEmpty
        ? "nothing that the others report is lost." : "what is lost with it: \(lost.joined(separator: "; ")).") + signal
  }

  /// The least number of resamples in which a model must be better to be recommended.
  static let leastCertainty = 950

  /// The places where another model has a smaller error, and the events that only others use, as parts of a sentence.
  private static func losses(with chosen: BacktestReport.Shown, _ others: [BacktestReport.Shown]) -> [String] {
    var losses: [String] = []
    func compare(_ place: String, in window: ConversionWindow = .p0, _ error: (BacktestTally) -> Int) {
      let own = error(chosen.tally)
      guard let closest = others.min(by: { error($0.tally) < error($1.tally) }), error(closest.tally) < own else {
        return
      }
      let devices = chosen.tally.devices(in: window)
      losses.append(
        "\(place) \(closest.name) has an average error of \(Figures.mean(error(closest.tally), of: devices)) instead of "
          + Figures.mean(own, of: devices))
    }
    for window in ConversionWindow.allCases {
      compare("in \(window.name)", in: window) { $0.told(in: window).error }
    }
    compare("with tier 1") { tally in
      tally.tiers[1].error.adding(tally.weighed(in: .p1).error).adding(tally.weighed(in: .p2).error)
    }
    let events = Set(others.flatMap(\.model.events)).subtracting(chosen.model.events).sorted()
    // A model of revenue gives a value to every payment, whatever its event; a session is no payment.
    let hasRevenue = chosen.model.fine.contains { ($0.decoded ?? 0) > 0 }
    for paying in [false, true] {
      let names = events.filter { (hasRevenue && $0 != Device.sessionEventName) == paying }
        .map { MappedEvent.displayName(of: $0).oneLine }
      if names.isEmpty { continue }
      losses.append(
        "\(names.listed()) \(names.count == 1 ? "gives" : "give") \(paying ? "a value by revenue alone" : "no value")")
    }
    return losses
  }

  static let fields = JSONFields<Recommendation> {
    JSONField("model") { $0.model }
    JSONField(optional: "better_in") { $0.certainty }
    JSONField("sentence") { $0.sentence }
    JSONField("errors_micros") { $0.errors }
    JSONField("average_errors_micros") { $0.averages }
  }
}

extension BacktestTally {
  /// The revenue that values of postbacks are decoded to, beside the true one; in millionths.
  struct Told: Sendable, Equatable {
    /// Users who count, and those of them with a value.
    var devices = 0, users = 0
    var revenue = 0
    /// The true revenue without refunds.
    var gross = 0
    var decoded = 0
    /// The sum over users of |decoded − true|.
    var error = 0
  }

  /// The sums of a window's postbacks with tier 2 or 3: of fine values in the first window, of coarse values in the others.
  func told(in window: ConversionWindow) -> Told {
    if window == .p0 {
      let sum = BacktestReport.sum(self)
      return Told(
        devices: sum.users, users: sum.users.less(fine[0].users), revenue: sum.revenue48h, gross: gross[.p0],
        decoded: sum.decoded, error: sum.error)
    }
    return coarse[window].enumerated().reduce(into: Told(gross: gross[window])) { told, item in
      let (index, cell) = item
      told.devices.add(cell.users)
      if index > 0 { told.users.add(cell.users) }
      told.revenue.add(cell.revenue)
      told.decoded.add(cell.decoded)
      told.error.add(cell.error)
    }
  }

  /// The sums of a window's postbacks as if as many users had ended the window as the first one.
  func weighed(in window: ConversionWindow) -> Told {
    let told = told(in: window)
    func weighed(_ sum: Int) -> Int { sum.scaled(from: told.devices, to: devices(in: .p0)) }
    return Told(
      devices: told.devices, users: told.users, revenue: weighed(told.revenue), gross: weighed(told.gross),
      decoded: weighed(told.decoded), error: weighed(told.error))
  }

  /// The weighed sums of all three postbacks, without users.
  var told: Told {
    ConversionWindow.allCases.map(weighed(in:)).reduce(into: Told()) { sum, told in
      sum.revenue.add(told.revenue)
      sum.gross.add(told.gross)
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
      "The comparison uses what postbacks with tiers 2 and 3 report: P0 by its fine value, P1 and P2 by their coarse "
        + "values.",
    ]
    if hasYoung {
      part.notes.append(
        "All windows have the same weight, regardless of how many devices have ended them.")
    }
    /// - Parameter isSum: whether the numbers are those of all windows.
    func rows(_ name: String, isSum: Bool = false, _ told: (BacktestTally) -> BacktestTally.Told) {
      for shown in models(total) {
        let told = told(shown.tally)
        // Weighed sums are the revenue of no devices.
        let money = isSum && hasYoung ? ["", ""] : [Figures.money(told.revenue), Figures.money(told.decoded)]
        part.rows.append(
          [name, shown.name, isSum ? "" : told.users.percent(of: told.devices)] + money + [
            Figures.signedPercent(told.decoded.less(told.revenue), of: told.gross),
            Figures.mean(told.error, of: isSum ? tally.devices(in: .p0) : told.devices),
            told.error.percent(of: told.gross),
          ])
      }
    }
    for window in ConversionWindow.allCases { rows(window.name) { $0.told(in: window) } }
    rows("all", isSum: true, \.told)
    part.charts = [errorChart]
    return part
  }
}
