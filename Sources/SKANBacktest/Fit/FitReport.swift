import SKANBase

/// What a fit found, in numbers.
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
      "Error", texts: [""],
      numbers: ["values", "fitted", "of revenue", "a device", "held out", "of revenue", "a device"])
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

  /// All numbers, money in millionths (`…_micros`), and the model.
  package var json: JSON {
    func integer(_ number: Int) -> JSON { .integer(Int64(number)) }
    func part(_ sample: RevenueSample) -> JSON {
      .object([
        ("devices", integer(sample.devices)), ("devices_with_revenue", integer(sample.payers)),
        ("revenue_micros", integer(sample.total)),
      ])
    }
    let errors = rows.map { name, ladder in
      (
        name.replacing(" ", with: "_"),
        JSON.object([
          ("boundaries_micros", .array(ladder.ladder.boundaries.map(integer))),
          ("fitted_error_micros", integer(ladder.fittedError)), ("held_out_error_micros", integer(ladder.heldOutError)),
        ])
      )
    }
    return .object([
      ("format", .integer(1)), ("currency", .string(fit.currency.name)), ("devices", integer(input.devices)),
      ("devices_without_beginning", integer(input.withoutBeginning)), ("fitted", part(fit.fitted)),
      ("held_out", part(fit.heldOut)), ("errors", .object(errors)),
      ("devices_by_value", .array(fit.users.map(integer))),
      ("model", fit.model.json),
    ])
  }
}
