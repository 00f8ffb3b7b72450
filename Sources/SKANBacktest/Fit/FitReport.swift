import SKANBase

/// The result of a fit, in numbers.
package struct FitReport {
  private let fit: ModelFit
  private let input: InputTally

  package init(_ fit: ModelFit, _ input: InputTally) {
    self.fit = fit
    self.input = input
  }

  private var rows: [(name: String, ladder: ModelFit.Ladder)] {
    [("this model", fit.best), ("quantiles", fit.quantiles), ("equal width", fit.equalWidth)]
  }

  /// Sentences for a person.
  package var headline: [String] {
    let (fitted, heldOut) = (fit.fitted, fit.heldOut)
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

  /// Tables for a person.
  package var parts: [ReportPart] {
    var errors = ReportPart(
      "Total error", texts: [""],
      numbers: [
        "values", "fitted", "% of revenue", "average per device", "held out", "% of revenue", "average per device",
      ])
    errors.rows = rows.map { name, ladder in
      [name, "\(ladder.ladder.boundaries.count)"] + figures(ladder.fittedError, fit.fitted)
        + figures(ladder.heldOutError, fit.heldOut)
    }
    var values = ReportPart("Values", texts: ["value"], numbers: ["devices", "decoded"], after: ["meaning"])
    values.bars = fit.users
    values.rows = fit.users.enumerated().map { value, users in
      let range = value - 1 - fit.events.count
      let meaning = value == 0 ? "anything else" : fit.model.fine[value - 1].mapping.displayText
      return ["\(value)", "\(users)", Figures.money(range < 0 ? 0 : fit.best.ladder.decoded(range)), meaning]
    }
    return [errors, values]
  }

  private func figures(_ error: Int, _ sample: RevenueSample) -> [String] {
    [Figures.money(error), error.percent(of: sample.total), Figures.mean(error, of: sample.devices)]
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
      JSONField("fitted", object: sampleFields) { $0.fit.fitted }
      JSONField("held_out", object: sampleFields) { $0.fit.heldOut }
      JSONField("errors", object: errorFields) { $0.fit }
      JSONField("devices_by_value") { $0.fit.users }
      JSONField("model", as: model) { $0.fit.model.json }
    }
  }

  private static let sampleFields = JSONFields<RevenueSample> {
    JSONField("devices") { $0.devices }
    JSONField("devices_with_revenue") { $0.payers }
    JSONField("revenue_micros") { $0.total }
  }

  private static let errorFields = JSONFields<ModelFit> {
    JSONField("this_model", object: ladderFields) { $0.best }
    JSONField("quantiles", object: ladderFields) { $0.quantiles }
    JSONField("equal_width", object: ladderFields) { $0.equalWidth }
  }

  private static let ladderFields = JSONFields<ModelFit.Ladder> {
    JSONField("boundaries_micros") { $0.ladder.boundaries }
    JSONField("fitted_error_micros") { $0.fittedError }
    JSONField("held_out_error_micros") { $0.heldOutError }
  }
}
