import SKANDevice

/// The parameters of a request, wherever they come from: a query that a server read, or a phone in this process.
///
/// Both go through the same checks in the same order. A phone's are what a server would read of its query.
protocol ConversionParameters {
  /// The decoded text; nil when the parameter is missing.
  func text(_ parameter: QueryParameter) -> String?
  /// How many bytes of UTF-8 the text has; nil when the parameter is missing.
  func length(_ parameter: QueryParameter) -> Int?
  /// The parameter as a number, when it should be a whole one.
  func number(_ parameter: QueryParameter) -> ReportedNumber?
  /// Whether there is such a parameter of revenue.
  func hasRevenue(_ parameter: QueryParameter) -> Bool
  /// Currency → sum; nil when the parameter is missing.
  func revenue(_ parameter: QueryParameter) throws(RequestProblem) -> RevenueTable?
  /// Whether nothing can be wrong with optional numbers and sums, as is seen without looking at each.
  var isPlain: Bool { get }
  /// Whether they came from a phone of which nothing is known but its requests.
  var isFromAfar: Bool { get }
}

extension ConversionParameters {
  func length(_ parameter: QueryParameter) -> Int? { text(parameter)?.utf8.count }
}
