import SKANDevice
import SKANBase

/// The walk over a request's parameters in the documented order: the platform first, then each by its name.
///
/// Each problem goes to the sink, which either ends the walk or lets it go on. A check whose parameter is wrong returns
/// nil in the second case.
struct ParameterChecks<Sink: ProblemSink> {
  let api: EndpointAPI
  var sink: Sink

  /// Checks everything. After a problem the result is of no use.
  ///
  /// The reference calls the coarse values and the totals required; the snippet leaves out what it has not set yet, so
  /// here they are checked only when they are there.
  ///
  /// The other parameters: see ``ValidatedRequest/init(_:event:api:isKnown:isUsualName:)``.
  @inline(__always)
  mutating func request(
    _ parameters: borrowing some ConversionParameters, event name: String?, isKnown: Bool, isUsualName: Bool = false
  ) throws(RequestProblem) -> ValidatedRequest {
    if !isKnown { try app(parameters) }
    if !isUsualName { try eventName(name) }
    if !isKnown { try identifiers(parameters) }
    let currentFine = try fineValue(parameters)
    if !isKnown, !parameters.isPlain {
      if api == .v2 { try optionalNumbers(parameters) }
      try sums(parameters)
    }
    let firstCall = try call(parameters, api == .v2 ? .firstCall : .skan3FirstCall)
    let lastCall = try call(parameters, api == .v2 ? .lastCall : .skan3LastCall)
    return ValidatedRequest(
      api: api, firstCall: firstCall ?? 0, lastCall: lastCall ?? 0, currentFine: currentFine ?? 0)
  }

  /// What does not change from event to event, up to the event's name.
  private mutating func app(_ parameters: borrowing some ConversionParameters) throws(RequestProblem) {
    let platform = parameters.text(.platform)
    if platform != "iOS" { try sink.report(.unknownPlatform(platform)) }
    _ = try isGiven(parameters, .sdkKey)
    if api == .v2, try isGiven(parameters, .iosVersion), let version = parameters.text(.iosVersion),
      !IOSVersion.isWellFormed(version)
    {
      try report(.iosVersion, "is not a version of iOS")
    }
    _ = try isIdentifier(parameters, .bundleID)
    _ = try isGiven(parameters, .appVersion)
  }

  private mutating func eventName(_ name: String?) throws(RequestProblem) {
    guard try isGiven(name?.utf8.count, .eventName), let name else { return }
    if !name.hasAtMost(32) {
      try report(.eventName, "has \(name.count) characters, at most 32 are allowed")
    } else if !name.isASCII {
      try report(.eventName, "is not ASCII")
    }
  }

  /// What does not change from event to event, behind the event's name.
  private mutating func identifiers(_ parameters: borrowing some ConversionParameters) throws(RequestProblem) {
    if try isIdentifier(parameters, .idfv), let idfv = parameters.text(.idfv), idfv.standsForNothing {
      try report(.idfv, "is always required, and \(JSONWriter.quoted(idfv)) is none")
    }
    if let idfa = parameters.text(.idfa), idfa.isEmpty || idfa.standsForNothing {
      try report(
        .idfa, "must be left out when there is none, it is \(idfa.isEmpty ? "empty" : JSONWriter.quoted(idfa))")
    }
  }

  private mutating func sums(_ parameters: borrowing some ConversionParameters) throws(RequestProblem) {
    for parameter in QueryParameter.sums(api) {
      do throws(RequestProblem) { _ = try parameters.revenue(parameter) } catch { try sink.report(error) }
    }
  }

  /// Whether there is a text that a request must have and that must not be empty.
  private mutating func isGiven(
    _ parameters: borrowing some ConversionParameters, _ parameter: QueryParameter
  ) throws(RequestProblem) -> Bool {
    try isGiven(parameters.length(parameter), parameter)
  }

  private mutating func isIdentifier(
    _ parameters: borrowing some ConversionParameters, _ parameter: QueryParameter
  ) throws(RequestProblem) -> Bool {
    let length = parameters.length(parameter)
    guard try isGiven(length, parameter) else { return false }
    // The count of bytes is never below that of characters, and costs no text.
    let limit = ConversionQuery.idLimit
    if let length, length <= limit { return true }
    if let text = parameters.text(parameter), text.hasAtMost(limit) { return true }
    try report(parameter, "is longer than \(limit) characters")
    return false
  }

  @inline(__always)
  private mutating func isGiven(_ length: Int?, _ parameter: QueryParameter) throws(RequestProblem) -> Bool {
    if let length, length > 0 { return true }
    try report(parameter, length == nil ? "is missing" : "is empty")
    return false
  }

  mutating func report(_ parameter: QueryParameter, _ why: String) throws(RequestProblem) {
    try sink.report(.badParameter(parameter.name, why: why))
  }
}

extension String {
  /// The texts that programs write for an absent value which they should leave out.
  var standsForNothing: Bool {
    guard utf8.count <= 9, let first = utf8.first, first == UInt8(ascii: "(") || "nu".utf8.contains(first | 0x20) else {
      return false
    }
    return ["null", "(null)", "nil", "none", "undefined"].contains(lowercased())
  }

  /// Whether it has at most `limit` characters; the count of bytes is never lower, and is known at once.
  fileprivate func hasAtMost(_ limit: Int) -> Bool { utf8.count <= limit || count <= limit }
}
