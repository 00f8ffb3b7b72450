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

  @inline(__always)
  func number(_ parameter: QueryParameter) -> ReportedNumber? {
    guard let entry = parameter.entry else { return nil }
    if let value = kept.value(entry) { return ReportedNumber(value) }
    // SKAN 3 sends 0 for a call that was not made.
    return parameter == .skan3FirstCall || parameter == .skan3LastCall ? .number(0) : nil
  }

  @inline(__always)
  func hasRevenue(_ parameter: QueryParameter) -> Bool {
    guard let entry = parameter.entry else { return false }
    return kept.hasRevenue(entry)
  }

  @inline(__always)
  func revenue(_ parameter: QueryParameter) throws(RequestProblem) -> RevenueTable? {
    guard let entry = parameter.entry, let table = kept.revenue(entry) else { return nil }
    // Without a + in its text a server reads just what was written.
    return table.hasPlus ? try Self.asServersRead(table, of: parameter) : table
  }

  private static func asServersRead(
    _ table: RevenueTable, of parameter: QueryParameter
  ) throws(RequestProblem) -> RevenueTable {
    try RevenueTable(Array(table.requestText.asServersRead.utf8)[...], of: parameter, in: JSONDocument())
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
