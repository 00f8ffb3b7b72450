import SKANDevice

extension ConversionModel {
  /// What a model says differently from another one, by meaning: fine values, then each window's coarse values and lock.
  ///
  /// The spelling of the file, the order of mappings and entries, what is unset or written out as its default, and a mapping
  /// that no user can fulfil make no difference. A threshold and a range that ends where the next value begins do: they are
  /// decoded to other amounts.
  package func differences(from old: ConversionModel) -> [ModelDifference] {
    var differences: [ModelDifference] = []
    func compare(_ subject: ModelDifference.Subject, _ before: String?, _ after: String?) {
      if before != after { differences.append(ModelDifference(subject: subject, before: before, after: after)) }
    }
    compare(.appID, old.appID, appID)
    compare(.measurementHours, old.measurementText, measurementText)
    for value in 0...63 as ClosedRange<Int64> {
      differences += difference(from: old, in: .fine(value)).map { [$0] } ?? []
    }
    for window in ConversionWindow.allCases {
      for value in CoarseValue.allCases {
        differences += difference(from: old, in: .coarse(value, window)).map { [$0] } ?? []
      }
      compare(.lock(window), old.windows[window].lock?.displayText, windows[window].lock?.displayText)
    }
    return differences
  }

  private func difference(from old: ConversionModel, in value: ModelValue) -> ModelDifference? {
    let (before, after) = (old.meaning(of: value), meaning(of: value))
    if before.isSame(as: after) { return nil }
    return ModelDifference(subject: .value(value), before: before.displayText, after: after.displayText)
  }

  private func meaning(of value: ModelValue) -> ValueMeaning {
    switch value {
    case .fine(let number):
      ValueMeaning(fine.filter { $0.value == number }.map(\.mapping), hours: hours(of: .p0, measured: false))
    case .coarse(let number, let window):
      ValueMeaning(
        windows[window].coarse.filter { $0.value == number }.map(\.mapping), hours: hours(of: window, measured: false))
    }
  }

  /// Past the last window nothing is measured anyway.
  private var measurementText: String? {
    measurementHours.flatMap { $0 < hours(of: .p2, measured: false).upperBound ? "\($0) h" : nil }
  }
}
