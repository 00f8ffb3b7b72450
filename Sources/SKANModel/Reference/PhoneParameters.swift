import SKANDevice
import SKANBase

/// The parameters of a request that a phone in this process makes: what a server would read of its query, without
/// writing and reading the query. A test holds the two against each other.
extension Device: ConversionParameters {
  var isPlain: Bool { kept.isPlain }
  var isFromAfar: Bool { false }

  func text(_ parameter: QueryParameter) -> String? {
    switch parameter {
    case .platform: "iOS"
    // The endpoint looks only whether there is one.
    case .sdkKey: ConversionRequest.placeholderKey
    case .iosVersion: profile.ios.text
    case .bundleID: profile.bundleID.asServersRead
    case .appVersion: profile.appVersion.asServersRead
    case .idfv: profile.idfv?.asServersRead
    case .idfa: profile.idfa?.asServersRead
    default: number(parameter)?.text
    }
  }

  // Inlined, so that of all cases one is left wherever the parameter is known.
  @inline(__always)
  func number(_ parameter: QueryParameter) -> ReportedNumber? {
    switch parameter {
    case .fine: return kept.fineValue.map(ReportedNumber.init)
    case .previousFine: return kept.previousFineValue.map(ReportedNumber.init)
    case .p0Coarse: return kept.coarseValue[.p0].map(ReportedNumber.init)
    case .p1Coarse: return kept.coarseValue[.p1].map(ReportedNumber.init)
    case .p2Coarse: return kept.coarseValue[.p2].map(ReportedNumber.init)
    case .p0PreviousCoarse: return kept.previousCoarseValue[.p0].map(ReportedNumber.init)
    case .p1PreviousCoarse: return kept.previousCoarseValue[.p1].map(ReportedNumber.init)
    case .p2PreviousCoarse: return kept.previousCoarseValue[.p2].map(ReportedNumber.init)
    case .p0Lock: return kept.windowLock[.p0].map(ReportedNumber.number)
    case .p1Lock: return kept.windowLock[.p1].map(ReportedNumber.number)
    case .p2Lock: return kept.windowLock[.p2].map(ReportedNumber.number)
    case .firstCall: return kept.firstCall.map(ReportedNumber.number)
    case .lastCall: return kept.lastCall.map(ReportedNumber.number)
    case .skan3Value: return kept.skan3Value.map(ReportedNumber.number)
    case .skan3FirstCall: return .number(kept.firstCall ?? 0)
    case .skan3LastCall: return .number(kept.lastCall ?? 0)
    default: return nil
    }
  }

  func revenue(_ parameter: QueryParameter) throws(RequestProblem) -> RevenueTable? {
    guard let table = table(parameter) else { return nil }
    // Without a + in its text a server reads just what was written.
    guard table.hasPlus else { return table }
    return try RevenueTable(Array(table.requestText.asServersRead.utf8)[...], of: parameter, in: JSONDocument())
  }

  private func table(_ parameter: QueryParameter) -> RevenueTable? {
    switch parameter {
    case .iapRevenue, .skan3Revenue: return kept.iapRevenue
    case .adRevenue: return kept.adRevenue
    case .p0IAPRevenue: return kept.windowIAPRevenue[.p0]
    case .p1IAPRevenue: return kept.windowIAPRevenue[.p1]
    case .p2IAPRevenue: return kept.windowIAPRevenue[.p2]
    case .p0AdRevenue: return kept.windowAdRevenue[.p0]
    case .p1AdRevenue: return kept.windowAdRevenue[.p1]
    case .p2AdRevenue: return kept.windowAdRevenue[.p2]
    default: return nil
    }
  }
}

extension ReportedNumber {
  @inline(__always)
  fileprivate init(_ value: KeptValue) {
    if case .integer(let number) = value {
      self = .number(number)
    } else {
      // An exponent is written with a sign: 1e+300.
      self = .text((value.decimalText ?? "").asServersRead)
    }
  }
}

extension String {
  /// A `+` goes out bare, and a server reads a space.
  var asServersRead: String { hasPlus ? replacing("+", with: " ") : self }
}
