import SKANBase
import SKANDevice
import SKANModel

/// The result of a fit, in numbers.
package struct FitReport {
  private let fit: ModelFit
  private let input: InputTally

  package init(_ fit: ModelFit, _ input: InputTally) {
    self.fit = fit
    self.input = input
  }

  private static func ladders(_ ranges: ModelFit.Ranges) -> [(name: String, ladder: ModelFit.Ladder)] {
    [("this model", ranges.chosen)] + (ranges.rounded == nil ? [] : [("without rounding", ranges.best)])
      + [("quantiles", ranges.quantiles), ("equal width", ranges.equalWidth)]
  }

  /// Sentences for a person.
  package var headline: [String] {
    let (fitted, heldOut) = (fit.fine.fitted, fit.fine.heldOut)
    let leftOut = input.devices - fitted.devices - heldOut.devices
    return [
      "\(fitted.devices) devices fitted, \(heldOut.devices) held out: one of \(DeviceKey.heldOutShare), by a hash of the identifier"
        + (leftOut > 0 ? "; \(leftOut) left out: their beginning is not in the input" : ""),
      "revenue of the first 48 hours: \(fitted.payers + heldOut.payers) devices have some, "
        + "\(Figures.money(fitted.total + heldOut.total)) \(fit.currency.name) in all",
      "error: the sum over devices of |decoded - true|; a range is decoded to its middle, the highest value to where it begins, "
        + "all others to 0",
    ]
  }

  private static let errorColumns = [
    "values", "fitted", "% of revenue", "average per device", "held out", "% of revenue", "average per device",
  ]

  private static func errors(_ ladder: ModelFit.Ladder, _ ranges: ModelFit.Ranges) -> [String] {
    [(ladder.fittedError, ranges.fitted), (ladder.heldOutError, ranges.heldOut)].reduce(
      into: ["\(ladder.ladder.boundaries.count)"]
    ) { figures, part in
      let (error, sample) = part
      figures += [Figures.money(error), error.percent(of: sample.total), Figures.mean(error, of: sample.devices)]
    }
  }

  /// Tables for a person.
  package var parts: [ReportPart] {
    var errors = ReportPart("Total error", texts: [""], numbers: Self.errorColumns)
    errors.rows = Self.ladders(fit.fine).map { [$0] + Self.errors($1, fit.fine) }
    var values = ReportPart("Values", texts: ["value"], numbers: ["devices", "decoded"], after: ["meaning"])
    values.bars = fit.users
    let model = fit.model
    values.rows = fit.users.enumerated().map { value, users in
      let range = value - 1 - fit.events.count
      let meaning = value == 0 ? "anything else" : model.fine[value - 1].mapping.displayText
      return ["\(value)", "\(users)", Figures.money(range < 0 ? 0 : fit.fine.chosen.ladder.decoded(range)), meaning]
    }
    return [errors, values] + (fit.coarse.map { coarseParts($0, model) } ?? [])
  }

  private func coarseParts(_ coarse: PerWindow<ModelFit.Ranges>, _ model: ConversionModel) -> [ReportPart] {
    var errors = ReportPart("Total error of coarse values", texts: ["postback", ""], numbers: Self.errorColumns)
    var values = ReportPart(
      "Coarse values", texts: ["postback", "value"], numbers: ["devices", "decoded"], after: ["meaning"])
    for window in ConversionWindow.allCases {
      let ranges = coarse[window]
      if !ranges.chosen.ladder.boundaries.isEmpty {
        errors.rows += Self.ladders(ranges).map { ["\(window.rawValue)", $0] + Self.errors($1, ranges) }
      }
      let mappings = model.windows[window].coarse
      values.bars += ranges.users
      values.rows += ranges.users.enumerated().map { index, users in
        let (value, meaning, decoded) =
          index == 0
          ? ("none", "anything else", 0)
          : (
            mappings[index - 1].value.rawValue, mappings[index - 1].mapping.displayText,
            ranges.chosen.ladder.decoded(index - 1)
          )
        return ["\(window.rawValue)", value, "\(users)", Figures.money(decoded), meaning]
      }
    }
    return [errors, values]
  }

  /// The errors of fits with several numbers of values, as a table for a person.
  package static func choices(_ fits: [ModelFit]) -> ReportPart {
    var part = ReportPart("Total error by number of values", numbers: errorColumns)
    part.rows = fits.map { errors($0.fine.chosen, $0.fine) }
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
      JSONField("fitted", object: sampleFields) { $0.fit.fine.fitted }
      JSONField("held_out", object: sampleFields) { $0.fit.fine.heldOut }
      JSONField("errors", object: errorFields) { $0.fit.fine }
      JSONField("devices_by_value") { $0.fit.users }
      JSONField(optional: "coarse", list: coarseFields) { report in
        report.fit.coarse.map { coarse in ConversionWindow.allCases.map { ($0, coarse[$0]) } }
      }
      JSONField("model", as: model) { $0.fit.model.json }
    }
  }

  private static let sampleFields = JSONFields<RevenueSample> {
    JSONField("devices") { $0.devices }
    JSONField("devices_with_revenue") { $0.payers }
    JSONField("revenue_micros") { $0.total }
  }

  private static let errorFields = JSONFields<ModelFit.Ranges> {
    JSONField("this_model", object: ladderFields) { $0.chosen }
    JSONField(optional: "without_rounding", object: ladderFields) { $0.rounded == nil ? nil : $0.best }
    JSONField("quantiles", object: ladderFields) { $0.quantiles }
    JSONField("equal_width", object: ladderFields) { $0.equalWidth }
  }

  private static let ladderFields = JSONFields<ModelFit.Ladder> {
    JSONField("boundaries_micros") { $0.ladder.boundaries }
    JSONField("fitted_error_micros") { $0.fittedError }
    JSONField("held_out_error_micros") { $0.heldOutError }
  }

  /// The errors of fits with several numbers of values.
  package static let choiceFields = JSONFields<(input: InputTally, fits: [ModelFit])> {
    JSONField("format", as: .integer(1...1)) { _ in 1 }
    JSONField("currency") { $0.fits[0].currency.name }
    JSONField("devices") { $0.input.devices }
    JSONField("devices_without_beginning") { $0.input.withoutBeginning }
    JSONField("fitted", object: sampleFields) { $0.fits[0].fine.fitted }
    JSONField("held_out", object: sampleFields) { $0.fits[0].fine.heldOut }
    JSONField("choices", list: ladderFields) { $0.fits.map(\.fine.chosen) }
  }

  private static let coarseFields = JSONFields<(window: ConversionWindow, ranges: ModelFit.Ranges)> {
    JSONField("postback", as: .integer(0...2)) { $0.window.rawValue }
    JSONField("errors", object: errorFields) { $0.ranges }
    JSONField("devices_by_value") { $0.ranges.users }
  }
}
