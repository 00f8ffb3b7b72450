import SKANDevice

/// The parameters of a request that the model looks at, all of them in form and range.
struct ValidatedRequest {
  var api: EndpointAPI
  /// Unix seconds.
  var firstCall: Int64
  /// Unix seconds.
  var lastCall: Int64
  /// 0 when there is none yet.
  var currentFine: Int64

  /// Checks the parameters in the documented order and throws the first problem.
  ///
  /// - Parameters:
  ///   - isKnown: whether everything but the event's name and what no request can be without is known to be right: it is
  ///     not looked at again then.
  ///   - isUsualName: whether nothing can be wrong with the event's name (`isUsualEventName`).
  init(
    _ parameters: borrowing some ConversionParameters, event name: String?, api: EndpointAPI, isKnown: Bool = false,
    isUsualName: Bool = false
  ) throws(RequestProblem) {
    var checks = ParameterChecks(api: api, sink: FirstProblem())
    self = try checks.request(parameters, event: name, isKnown: isKnown, isUsualName: isUsualName)
  }

  init(api: EndpointAPI, firstCall: Int64, lastCall: Int64, currentFine: Int64) {
    self.api = api
    self.firstCall = firstCall
    self.lastCall = lastCall
    self.currentFine = currentFine
  }

  /// Whether there is something that only an answer can have left on the phone.
  func showsAnswers(_ parameters: borrowing some ConversionParameters) -> Bool {
    if currentFine > 0 { return true }
    for parameter in api == .v2 ? Self.answered : Self.skan3Answered {
      if let number = parameters.number(parameter), !number.isEmpty { return true }
    }
    return false
  }

  private static let answered: [QueryParameter] = [.previousFine, .p0Coarse, .p1Coarse, .p2Coarse]
  private static let skan3Answered: [QueryParameter] = [.skan3Value]
}
