import SKANDevice
import SKANBase

extension ConversionQuery {
  /// What the request says that the app kept; what is not a number or a table is left out, and so are timestamps of 0,
  /// which stand for "not set".
  package var reportedState: KeptState {
    var kept = KeptState()
    for parameter in QueryParameter.allCases {
      guard let key = api == .v2 ? parameter.kept : parameter.keptBySKAN3 else { continue }
      if key.isRevenue {
        if let table = (try? revenue(parameter)) ?? nil { _ = kept.set(key, to: .revenue(table)) }
      } else if let number = number(parameter)?.value, number != 0 || !key.isTimestamp {
        _ = kept.set(key, to: .value(.integer(number)))
      }
    }
    return kept
  }
}

extension QueryParameter {
  /// The entry of the store that a SKAN 3 request carries under a name of its own.
  fileprivate var keptBySKAN3: KeptKey? {
    switch self {
    case .skan3Value: .skan3Value
    case .skan3Revenue: .iapRevenue
    case .skan3FirstCall: .firstCall
    case .skan3LastCall: .lastCall
    default: nil
    }
  }
}
