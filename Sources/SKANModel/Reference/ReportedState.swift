import SKANDevice
import SKANBase

extension ConversionQuery {
  /// What the request says that the app kept; what is not a number or a table is left out, and so are timestamps of 0,
  /// which stand for "not set".
  package var reportedState: KeptState {
    var kept = KeptState()
    for parameter in api.parameters {
      guard let entry = parameter.entry else { continue }
      if entry.isRevenue {
        if let table = (try? revenue(parameter)) ?? nil { _ = kept.set(entry, to: .revenue(table)) }
      } else if let number = number(parameter)?.value, number != 0 || !entry.isTimestamp {
        _ = kept.set(entry, to: .value(.integer(number)))
      }
    }
    return kept
  }
}
