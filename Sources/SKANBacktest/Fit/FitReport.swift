import SKANBase
import SKANDevice
import SKANModel

/// The result of a fit, in numbers.
package struct FitReport {
  package private(set) var fit: ModelFit
  private let input: InputTally
  /// The errors against the devices' whole windows.
  private let errors: PerWindow<WindowErrors>
  private let tiers: TierShares?
  /// The end of what was observed.
  private let until: Instant?

  /// - Parameter tiers: the expected shares of tiers, which the model's description states; nil if they are not known.
  package init(
    _ fit: ModelFit, _ input: InputTally, until: Instant?, _ errors: PerWindow<WindowErrors>, tiers: TierShares?
  ) {
    (self.fit, self.input, self.until, self.errors, self.tiers) = (fit, input, until, errors, tiers)
    guard let tiers else { return }
    self.fit.description =
      "Fitted by skan to \(fit.fine.fitted.devices) devices. With \(tiers.text) of the installs in tiers 0, 1, 2, 3 the "
      + "expected total error of all three postbacks is \(tiers.expected(errors).percent(of: errors.gross)) of revenue."
  }

  private var isWeighted: Bool { fit.events.weights != nil }

  private func ladders(_ ranges: ModelFit.Ranges) -> [(name: String, ladder: ModelFit.Ladder)] {
    [("this model", ranges.chosen)] + (ranges.rounded == nil ? [] : [("without rounding", ranges.best)])
      + (fit.fitsRevenue
        ? [("quantiles", ranges.quantiles), ("log-equal", ranges.logEqual), ("k-means", ranges.kMeans)] : [])
  }

  /// Sentences for a person.
  package var headline: [String] {
    let (fitted, heldOut) = (fit.fine.fitted, fit.fine.heldOut)
    let leftOut = input.devices - fitted.devices - heldOut.devices - input.young[.p0]
    let hours = min(fit.hours ?? 48, 48)
    let missing = fit.fitsRevenue ? input.missingRevenue : nil
    return (missing.map { ["\($0): is their column read? 'skan import --check' says which are not"] } ?? []) + [
      "\(fitted.devices) devices fitted, \(heldOut.devices) held out: one of \(DeviceKey.heldOutShare), by a hash of the identifier"
        + (leftOut > 0 ? "; \(leftOut) left out: their beginning is not in the input" : "")
    ] + [input.windowLine(until, of: fitted.devices + heldOut.devices + input.young[.p0])].compactMap(\.self) + [
      "revenue of the first \(hours.counted("hour")): \(fitted.payers + heldOut.payers) devices have some, "
        + "\(Figures.money(fitted.total + heldOut.total)) \(fit.currency.name) in all",
      fit.fitsRevenue
        ? "error: the sum over devices of |decoded - true|; a range is decoded to its middle, the highest value to its "
          + "beginning, and all others to 0"
          + (isWeighted ? "; the weight of each event that a device's value does not report is added" : "")
        : "error: the sum over devices of the weights of events that their values do not report",
      limits,
    ] + withoutValues
  }

  /// The limits of each value.
  private var limits: String {
    let (width, devices) = (fit.limits.width, "at least \(fit.fine.leastDevices.counted("fitted device"))")
    if !fit.fitsRevenue { return "limits: a value that the fit chooses has \(devices)" }
    let least = "\(RevenueLadder.amount(width.amount).jsonText) \(fit.currency.name)"
    let share = "\((Double(width.share) / 10_000).jsonText) % of where it begins"
    return "limits: a range of revenue has \(devices), and a width of at least "
      + (width.share == 0 ? least : "\(share) and \(least)")
  }

  /// Windows whose revenue has no coarse value, because too few devices have some.
  private var withoutValues: [String] {
    ConversionWindow.allCases.compactMap { window in
      guard fit.fitsRevenue, let ranges = fit.coarse?[window], ranges.chosen.count == 0, ranges.fitted.payers > 0 else {
        return nil
      }
      return
        "postback \(window.rawValue) has no coarse values: \(ranges.fitted.payers.counted("fitted device")) with revenue, "
        + "and a value needs \(ranges.leastDevices)"
    }
  }

  private static let errorColumns = [
    "values", "fitted", "% of revenue", "average per device", "held out", "% of revenue", "average per device",
  ]
  private static let weightedColumns = [
    "ranges", "events", "fitted", "of revenue", "of events", "held out", "of revenue", "of events",
  ]

  private var columns: [String] {
    fit.fitsRevenue ? isWeighted ? Self.weightedColumns : Self.errorColumns : ["events", "fitted", "held out"]
  }

  private func figures(_ ladder: ModelFit.Ladder, _ ranges: ModelFit.Ranges) -> [String] {
    let errors = [
      (ladder.fitted, ranges.fitted, ranges.gross.fitted), (ladder.heldOut, ranges.heldOut, ranges.gross.heldOut),
    ]
    let count = ladder.ladder.boundaries.count
    if !fit.fitsRevenue {
      return ["\(ladder.events.count)"] + errors.map { error, _, _ in Figures.money(error.events) }
    }
    if isWeighted {
      return ["\(count)", "\(ladder.events.count)"]
        + errors.flatMap { error, _, _ in [error.total, error.revenue, error.events].map { Figures.money($0) } }
    }
    return ["\(count)"]
      + errors.flatMap { error, sample, gross in
        [
          Figures.money(error.revenue), error.revenue.percent(of: gross),
          Figures.mean(error.revenue, of: sample.devices),
        ]
      }
  }

  /// Tables for a person.
  package var parts: [ReportPart] {
    var errors = ReportPart("Total error", texts: [""], numbers: columns)
    errors.rows = ladders(fit.fine).map { [$0] + figures($1, fit.fine) }
    var values = ReportPart("Values", texts: ["value"], numbers: ["devices", "decoded"], after: ["meaning"])
    values.bars = fit.users
    let model = fit.model
    values.rows = fit.users.enumerated().map { value, users in
      let meaning = value == 0 ? "anything else" : model.fine[value - 1].mapping.displayText
      return ["\(value)", "\(users)", Figures.money(fit.fine.chosen.decoded(value)), meaning]
    }
    return [errors, values] + (fit.coarse.map { coarseParts($0, model) } ?? [])
      + (fit.hours.map { [wholeWindows($0)] } ?? []) + (tiers.map { [expected($0)] } ?? [])
  }

  private func coarseParts(_ coarse: PerWindow<ModelFit.Ranges>, _ model: ConversionModel) -> [ReportPart] {
    var errors = ReportPart("Total error of coarse values", texts: ["postback", ""], numbers: columns)
    var values = ReportPart(
      "Coarse values", texts: ["postback", "value"], numbers: ["devices", "decoded"], after: ["meaning"])
    for window in ConversionWindow.allCases {
      let ranges = coarse[window]
      if ranges.chosen.count > 0 {
        errors.rows += ladders(ranges).map { ["\(window.rawValue)", $0] + figures($1, ranges) }
      }
      let mappings = model.windows[window].coarse
      values.bars += ranges.users
      values.rows += ranges.users.enumerated().map { value, users in
        let (name, meaning) =
          value == 0
          ? ("none", "anything else") : (mappings[value - 1].value.rawValue, mappings[value - 1].mapping.displayText)
        return ["\(window.rawValue)", name, "\(users)", Figures.money(ranges.chosen.decoded(value)), meaning]
      }
    }
    return [errors, values]
  }

  /// The errors of the measured hours against the windows, which go on after them.
  private func wholeWindows(_ hours: Int) -> ReportPart {
    var part = ReportPart(
      "What the first \(hours.counted("hour")) say about whole windows", texts: ["postback"],
      numbers: ["true revenue", "measured", "share", "total error", "% of revenue"])
    part.rows = ConversionWindow.allCases.map { window in
      let errors = errors[window]
      let told = window == .p0 ? errors.fine : errors.coarse
      return [
        "\(window.rawValue)", Figures.money(errors.revenue), Figures.money(errors.measured),
        errors.measured.percent(of: errors.revenue), Figures.money(told), told.percent(of: errors.gross),
      ]
    }
    return part
  }

  /// The error to expect with shares of tiers.
  private func expected(_ tiers: TierShares) -> ReportPart {
    var part = ReportPart(
      "Expected total error with \(tiers.text) of the installs in tiers 0, 1, 2, 3", texts: ["postback"],
      numbers: ["true revenue", "without value", "coarse", "fine", "expected", "% of revenue"])
    part.rows =
      ConversionWindow.allCases.map { window in
        let errors = errors[window]
        let expected = tiers.expected(errors, in: window)
        return [
          "\(window.rawValue)", Figures.money(errors.revenue), Figures.money(errors.none), Figures.money(errors.coarse),
          window == .p0 ? Figures.money(errors.fine) : "", Figures.money(expected),
          expected.percent(of: errors.gross),
        ]
      } + [
        [
          "all", input.young[.p2] > 0 ? "" : Figures.money(errors.revenue), "", "", "",
          Figures.money(tiers.expected(errors)),
          tiers.expected(errors).percent(of: errors.gross),
        ]
      ]
    return part
  }

  /// The errors of several fits, as a table for a person.
  package static func choices(_ reports: [FitReport]) -> ReportPart {
    let first = reports[0]
    let byHours = first.fit.hours != nil
    var part = ReportPart(
      "Total error by \(byHours ? "hours and " : "")number of values",
      numbers: (byHours ? ["hours"] : []) + first.columns + (byHours ? ["of all 48 h", "% of revenue"] : [])
        + (first.tiers == nil ? [] : ["expected", "% of revenue"]))
    part.rows = reports.map { report in
      let errors = report.errors
      return (report.fit.hours.map { ["\($0)"] } ?? []) + report.figures(report.fit.fine.chosen, report.fit.fine)
        + (byHours ? [Figures.money(errors[.p0].fine), errors[.p0].fine.percent(of: errors[.p0].gross)] : [])
        + (report.tiers.map { [Figures.money($0.expected(errors)), $0.expected(errors).percent(of: errors.gross)] }
          ?? [])
    }
    return part
  }
}

/// The report as JSON: money in millionths (`…_micros`), and the model.
extension FitReport {
  /// - Parameter model: the form of a conversion model.
  package static func fields(model: JSONForm) -> JSONFields<FitReport> {
    JSONFields {
      JSONField("format", as: .integer(1...1)) { _ in 1 }
      JSONField("currency") { $0.fit.currency.name }
      JSONField("devices") { $0.input.devices }
      JSONField("devices_without_beginning") { $0.input.withoutBeginning }
      JSONField("until") { report in report.until.map { "\($0)" } }
      JSONField(optional: "hours", as: .integer(1...840)) { $0.fit.hours }
      JSONField("fitted", object: sampleFields) { $0.fit.fine.fitted }
      JSONField("held_out", object: sampleFields) { $0.fit.fine.heldOut }
      JSONField("limits", object: limitFields) { $0.fit.limits }
      JSONField("errors", object: errorFields) { $0.fit.fine }
      JSONField("devices_by_value") { $0.fit.users }
      JSONField(optional: "coarse", list: coarseFields) { report in
        report.fit.coarse.map { coarse in ConversionWindow.allCases.map { ($0, coarse[$0]) } }
      }
      JSONField("whole_windows", list: windowFields) { report in
        ConversionWindow.allCases.map { ($0, report.errors[$0], report.tiers) }
      }
      JSONField(optional: "expected_error_micros") { report in report.tiers.map { $0.expected(report.errors) } }
      JSONField("model", as: model) { $0.fit.model.json }
    }
  }

  private static let sampleFields = JSONFields<RevenueSample> {
    JSONField("devices") { $0.devices }
    JSONField("devices_with_revenue") { $0.payers }
    // Money may be negative.
    JSONField("revenue_micros", as: .integer) { $0.total }
  }

  private static let limitFields = JSONFields<LadderLimits> {
    JSONField("width_share_millionths", as: .integer(0...1_000_000)) { $0.width.share }
    JSONField("width_micros", as: .integer(0...1_000_000_000_000)) { $0.width.amount }
    JSONField("devices_share_millionths", as: .integer(0...1_000_000)) { $0.devices.share }
    JSONField("devices") { $0.devices.amount }
  }

  private static let errorFields = JSONFields<ModelFit.Ranges> {
    JSONField("this_model", object: ladderFields) { $0.chosen }
    JSONField(optional: "without_rounding", object: ladderFields) { $0.rounded == nil ? nil : $0.best }
    JSONField("quantiles", object: ladderFields) { $0.quantiles }
    JSONField("log_equal", object: ladderFields) { $0.logEqual }
    JSONField("k_means", object: ladderFields) { $0.kMeans }
  }

  private static let ladderFields = JSONFields<ModelFit.Ladder> {
    JSONField("boundaries_micros") { $0.ladder.boundaries }
    JSONField("events") { $0.eventNames }
    JSONField("fitted_error_micros") { $0.fitted.revenue }
    JSONField("fitted_events_error_micros") { $0.fitted.events }
    JSONField("held_out_error_micros") { $0.heldOut.revenue }
    JSONField("held_out_events_error_micros") { $0.heldOut.events }
  }

  private static let windowFields = JSONFields<
    (window: ConversionWindow, errors: WindowErrors, tiers: TierShares?)
  > {
    JSONField("postback", as: .integer(0...2)) { $0.window.rawValue }
    JSONField("devices") { $0.errors.devices }
    JSONField("revenue_micros", as: .integer) { $0.errors.revenue }
    JSONField("gross_revenue_micros") { $0.errors.gross }
    JSONField("measured_micros", as: .integer) { $0.errors.measured }
    JSONField("error_without_value_micros") { $0.errors.none }
    JSONField(optional: "fine_error_micros") { $0.window == .p0 ? $0.errors.fine : nil }
    JSONField("coarse_error_micros") { $0.errors.coarse }
    JSONField(optional: "expected_error_micros") { item in
      item.tiers.map { $0.expected(item.errors, in: item.window) }
    }
  }

  /// The errors of several fits.
  package static let choiceFields = JSONFields<[FitReport]> {
    JSONField("format", as: .integer(1...1)) { _ in 1 }
    JSONField("currency") { $0[0].fit.currency.name }
    JSONField("devices") { $0[0].input.devices }
    JSONField("devices_without_beginning") { $0[0].input.withoutBeginning }
    JSONField("until") { reports in reports[0].until.map { "\($0)" } }
    JSONField("choices", list: choiceFieldsOfOne) { $0 }
  }

  private static let choiceFieldsOfOne = JSONFields<FitReport> {
    JSONField(optional: "hours", as: .integer(1...840)) { $0.fit.hours }
    JSONField("values") { $0.fit.fine.chosen.count }
    JSONField("fitted", object: sampleFields) { $0.fit.fine.fitted }
    JSONField("held_out", object: sampleFields) { $0.fit.fine.heldOut }
    JSONField("error", object: ladderFields) { $0.fit.fine.chosen }
    JSONField("first_48_hours_error_micros") { $0.errors[.p0].fine }
    JSONField(optional: "expected_error_micros") { report in report.tiers.map { $0.expected(report.errors) } }
  }

  private static let coarseFields = JSONFields<(window: ConversionWindow, ranges: ModelFit.Ranges)> {
    JSONField("postback", as: .integer(0...2)) { $0.window.rawValue }
    JSONField("errors", object: errorFields) { $0.ranges }
    JSONField("devices_by_value") { $0.ranges.users }
  }
}
