import SKANDevice
import SKANBase

/// The parameters of a request that a phone in this process makes: what a server would read of its query, without
/// writing and reading the query. A test holds the two against each other.
extension Device: ConversionParameters {
  var isPlain: Bool { kept.isPlain }
  var isFromAfar: Bool { false }

  func text(_ parameter: QueryParameter) -> String? {
    switch parameter {
    // The endpoint looks only whether there is one.
    case .sdkKey: ConversionRequest.placeholderKey
    default: profile.text(parameter)?.asServersRead ?? number(parameter)?.text
    }
  }

  // Each entry is read where it is and not looked up by its StoreEntry, which would copy the whole store: 8 % of a step of a
  // list. Inlined, so that of all cases one is left wherever the parameter is known.
  @inline(__always)
  func number(_ parameter: QueryParameter) -> ReportedNumber? {
    switch parameter {
    case .fine: kept.fineValue.map(ReportedNumber.init)
    case .previousFine: kept.previousFineValue.map(ReportedNumber.init)
    case .p0Coarse: kept.coarseValue[.p0].map(ReportedNumber.init)
    case .p1Coarse: kept.coarseValue[.p1].map(ReportedNumber.init)
    case .p2Coarse: kept.coarseValue[.p2].map(ReportedNumber.init)
    case .p0PreviousCoarse: kept.previousCoarseValue[.p0].map(ReportedNumber.init)
    case .p1PreviousCoarse: kept.previousCoarseValue[.p1].map(ReportedNumber.init)
    case .p2PreviousCoarse: kept.previousCoarseValue[.p2].map(ReportedNumber.init)
    case .p0Lock: kept.windowLock[.p0].map(ReportedNumber.number)
    case .p1Lock: kept.windowLock[.p1].map(ReportedNumber.number)
    case .p2Lock: kept.windowLock[.p2].map(ReportedNumber.number)
    case .firstCall: kept.firstCall.map(ReportedNumber.number)
    case .lastCall: kept.lastCall.map(ReportedNumber.number)
    case .skan3Value: kept.skan3Value.map(ReportedNumber.number)
    // SKAN 3 sends 0 for a call that was not made.
    case .skan3FirstCall: .number(kept.firstCall ?? 0)
    case .skan3LastCall: .number(kept.lastCall ?? 0)
    default: nil
    }
  }

  private func table(_ parameter: QueryParameter) -> RevenueTable? {
    switch parameter {
    case .iapRevenue, .skan3Revenue: kept.iapRevenue
    case .adRevenue: kept.adRevenue
    case .p0IAPRevenue: kept.windowIAPRevenue[.p0]
    case .p1IAPRevenue: kept.windowIAPRevenue[.p1]
    case .p2IAPRevenue: kept.windowIAPRevenue[.p2]
    case .p0AdRevenue: kept.windowAdRevenue[.p0]
    case .p1AdRevenue: kept.windowAdRevenue[.p1]
    case .p2AdRevenue: kept.windowAdRevenue[.p2]
    default: nil
    }
  }

  func revenue(_ parameter: QueryParameter) throws(RequestProblem) -> RevenueTable? {
    guard let table = table(parameter) else { return nil }
    // Without a + in its text a server reads just what was written.
    guard table.hasPlus else { return table }
    return try RevenueTable(Array(table.requestText.asServersRead.utf8)[...], of: parameter, in: JSONDocument())
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
