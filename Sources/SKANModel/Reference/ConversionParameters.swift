import SKANDevice

/// The parameters of a request, wherever they come from: a query that a server read, or a phone in this process.
///
/// Both are looked at by the same checks in the same order. A phone's are what a server would read of its query.
protocol ConversionParameters {
  /// Nil when it is not there.
  func text(_ parameter: QueryParameter) -> String?
  func number(_ parameter: QueryParameter) -> ReportedNumber?
  /// Currency → sum.
  func revenue(_ parameter: QueryParameter) throws(EndpointError) -> RevenueTable?
  /// Whether nothing can be wrong with optional numbers and sums, as is seen without looking at each.
  var isPlain: Bool { get }
  /// Whether they came from a phone of which nothing is known but its requests.
  var isFromAfar: Bool { get }
}

/// A parameter that should be a whole number.
enum ReportedNumber {
  case number(Int64)
  case text(String)

  /// The number, if it is a whole one.
  @inline(__always)
  var value: Int64? {
    switch self {
    case .number(let number): number
    case .text(let text): Int64(text)
    }
  }

  var text: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }
}

/// What of a request's parameters the model looks at, all of them in form and range.
struct ValidatedRequest {
  var api: EndpointAPI
  /// Unix seconds.
  var firstCall: Int64
  var lastCall: Int64
  /// 0 when there is none yet.
  var currentFine: Int64
  /// Whether there is something that only an answer can have left on the phone.
  func tellsOfAnswers(_ parameters: borrowing some ConversionParameters) -> Bool {
    if currentFine > 0 { return true }
    let left: [QueryParameter] = api == .v2 ? [.previousFine, .p0Coarse, .p1Coarse, .p2Coarse] : [.skan3Value]
    for parameter in left {
      if let text = parameters.text(parameter), !text.isEmpty { return true }
    }
    return false
  }

  /// Characters that are remembered of an identifier; the longest that is accepted.
  static let idLimit = 255

  /// Checks the parameters in the documented order: the platform first, then each by its name.
  ///
  /// The reference calls the coarse values and the totals required; the snippet leaves out what it has not set yet, so
  /// here they are checked only when they are there.
  ///
  /// - Parameter isKnown: whether everything but the event's name and what no request can be without is known to be right:
  ///   it is not looked at again then.
  init(
    _ parameters: borrowing some ConversionParameters, event name: String?, api: EndpointAPI, isKnown: Bool = false
  ) throws(EndpointError) {
    let checks = ParameterChecks(api: api)
    self.api = api
    if !isKnown { try checks.app(parameters) }
    try checks.eventName(name)
    if !isKnown { try checks.identifiers(parameters) }
    currentFine = try checks.fineValue(parameters)
    if !isKnown, !parameters.isPlain {
      if api == .v2 { try checks.optionalNumbers(parameters) }
      for parameter in checks.revenue { _ = try parameters.revenue(parameter) }
    }
    firstCall = try checks.call(parameters, api == .v2 ? .firstCall : .skan3FirstCall)
    lastCall = try checks.call(parameters, api == .v2 ? .lastCall : .skan3LastCall)
  }
}
