/// The parameters of an update's request, of every version of the snippet; see the article "Requests".
///
/// In the order of their names.
package enum QueryParameter: Int, CaseIterable, Sendable {
  case sdkKey, appVersion, skan3Value, skan3FirstCall, bundleID, idfa, idfv, skan3LastCall, eventName, platform
  case p0Coarse, p0PreviousCoarse, p0AdRevenue, p0IAPRevenue, p0Lock
  case p1Coarse, p1PreviousCoarse, p1AdRevenue, p1IAPRevenue, p1Lock
  case p2Coarse, p2PreviousCoarse, p2AdRevenue, p2IAPRevenue, p2Lock
  case previousFine, fine, firstCall, lastCall, adRevenue, iapRevenue, skan3Revenue, iosVersion

  /// As it is sent; case matters.
  package var name: String { Self.names[rawValue] }

  /// The names of all parameters, in the order of the cases.
  package static let names = allCases.map { $0.kept?.name ?? $0.ownName }

  /// The names of all parameters in the order in which requests carry them: of every request, of SKAN 4, of SKAN 3.
  package static let namesAsSent =
    [sdkKey, iosVersion, bundleID, appVersion, eventName, platform, idfv, idfa].map(\.name)
    + KeptKey.skan4.map(\.name) + [skan3Value, skan3Revenue, skan3FirstCall, skan3LastCall].map(\.name)

  /// The entry of the store that a SKAN 4 request carries under its own name.
  package var kept: KeptKey? {
    switch self {
    case .p0Coarse: .coarseValue(.p0)
    case .p1Coarse: .coarseValue(.p1)
    case .p2Coarse: .coarseValue(.p2)
    case .p0PreviousCoarse: .previousCoarseValue(.p0)
    case .p1PreviousCoarse: .previousCoarseValue(.p1)
    case .p2PreviousCoarse: .previousCoarseValue(.p2)
    case .p0Lock: .windowLock(.p0)
    case .p1Lock: .windowLock(.p1)
    case .p2Lock: .windowLock(.p2)
    case .p0AdRevenue: .windowAdRevenue(.p0)
    case .p1AdRevenue: .windowAdRevenue(.p1)
    case .p2AdRevenue: .windowAdRevenue(.p2)
    case .p0IAPRevenue: .windowIAPRevenue(.p0)
    case .p1IAPRevenue: .windowIAPRevenue(.p1)
    case .p2IAPRevenue: .windowIAPRevenue(.p2)
    case .fine: .fineValue
    case .previousFine: .previousFineValue
    case .adRevenue: .adRevenue
    case .iapRevenue: .iapRevenue
    case .firstCall: .firstCall
    case .lastCall: .lastCall
    default: nil
    }
  }

  private var ownName: String {
    switch self {
    case .sdkKey: "a"
    case .appVersion: "app_v"
    case .bundleID: "i"
    case .idfa: "idfa"
    case .idfv: "idfv"
    case .eventName: "n"
    case .platform: "p"
    case .iosVersion: "v"
    case .skan3Value: "conversion_value"
    case .skan3Revenue: "total_revenue_by_currency"
    case .skan3FirstCall: "first_call_to_skadnetwork_timestamp"
    case .skan3LastCall: "last_call_to_skadnetwork_timestamp"
    default: ""
    }
  }
}
