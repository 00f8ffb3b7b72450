import SKANBase
import SKANDevice

/// Checks a request's parameters in the documented order: the platform first, then the others by name.
///
/// Each problem goes to the sink, which ends the checks or lets them continue. In the second case, the check of a wrong
/// parameter returns nil.
struct RefusalChecks<Sink: ProblemSink> {
  let api: EndpointAPI
  var sink: Sink

  /// Checks all parameters. After a problem the result is meaningless.
  ///
  /// The reference calls the coarse values and the totals required. The snippet omits those that it has not set yet, so
  /// here they are checked only if present.
  ///
  /// For the other arguments see ``ValidatedRequest/init(_:event:api:isKnown:isUsualName:)``.
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

  /// Checks the parameters that do not change between events and precede the event's name.
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

  /// Checks the parameters that do not change between events and follow the event's name.
  private mutating func identifiers(_ parameters: borrowing some ConversionParameters) throws(RequestProblem) {
    if try isIdentifier(parameters, .idfv), let idfv = parameters.text(.idfv), idfv.standsForNothing {
      try report(.idfv, "is always required, and \(JSONWriter.quoted(idfv)) is not one")
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

  /// Whether a required parameter is present and not empty.
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
    // The number of bytes is at least that of characters, and needs no string.
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
  /// Whether the text is a placeholder that programs write for an absent value, such as `null`.
  var standsForNothing: Bool {
    guard utf8.count <= 9, let first = utf8.first, first == UInt8(ascii: "(") || "nu".utf8.contains(first | 0x20) else {
      return false
    }
    return ["null", "(null)", "nil", "none", "undefined"].contains(lowercased())
  }

  /// Whether there are at most `limit` characters. The number of bytes, known at once, is never lower.
  fileprivate func hasAtMost(_ limit: Int) -> Bool { utf8.count <= limit || count <= limit }
}

extension RefusalChecks {
  @inline(__always)
  mutating func fineValue(_ parameters: borrowing some ConversionParameters) throws(RequestProblem) -> Int64? {
    if api == .v1 {
      guard let value = parameters.number(.skan3Value), !value.isEmpty else { return 0 }
      return try small(value, .skan3Value, upTo: 63)
    }
    guard let value = try required(parameters, .fine) else { return nil }
    return try small(value, .fine, upTo: 63)
  }

  mutating func optionalNumbers(_ parameters: borrowing some ConversionParameters) throws(RequestProblem) {
    for (parameter, limit) in QueryParameter.optionalNumbers {
      if let number = parameters.number(parameter) { _ = try small(number, parameter, upTo: limit) }
    }
    for parameter in QueryParameter.locks where parameters.number(parameter) != nil {
      _ = try seconds(parameters, parameter)
    }
  }

  /// The time of a call of the framework in Unix seconds; 0, which means never, is a problem.
  @inline(__always)
  mutating func call(
    _ parameters: borrowing some ConversionParameters, _ parameter: QueryParameter
  ) throws(RequestProblem) -> Int64? {
    guard let value = try seconds(parameters, parameter) else { return nil }
    if value != 0 { return value }
    try report(parameter, "is missing: 0 stands for \"not set\"")
    return nil
  }

  /// Whole Unix seconds.
  @inline(__always)
  private mutating func seconds(
    _ parameters: borrowing some ConversionParameters, _ parameter: QueryParameter
  ) throws(RequestProblem) -> Int64? {
    guard let number = try required(parameters, parameter) else { return nil }
    if let value = number.value, (0...Instant.secondsRange.upperBound).contains(value) { return value }
    try report(parameter, "must be whole Unix seconds, it is \(JSONWriter.quoted(number.text))")
    return nil
  }

  @inline(__always)
  private mutating func required(
    _ parameters: borrowing some ConversionParameters, _ parameter: QueryParameter
  ) throws(RequestProblem) -> ReportedNumber? {
    guard let number = parameters.number(parameter) else {
      try sink.report(parameter == .fine ? .noCurrentValue : .badParameter(parameter.name, why: "is missing"))
      return nil
    }
    if !number.isEmpty { return number }
    try report(parameter, "is empty")
    return nil
  }

  @inline(__always)
  private mutating func small(
    _ number: ReportedNumber, _ parameter: QueryParameter, upTo limit: Int64
  ) throws(RequestProblem) -> Int64? {
    if let value = number.value, (0...limit).contains(value) { return value }
    let text = JSONWriter.quoted(number.text)
    try report(parameter, "must be a whole number from 0 to \(limit), it is \(text)")
    return nil
  }
}

/// The parameters of one kind, in the order of the checks.
extension QueryParameter {
  /// Optional integers, with the largest value of each.
  static let optionalNumbers: [(parameter: QueryParameter, limit: Int64)] =
    [.previousFine, p0Coarse, p0PreviousCoarse, p1Coarse, p1PreviousCoarse, p2Coarse, p2PreviousCoarse].map {
      ($0, $0.entry?.kind.range?.upperBound ?? 0)
    }

  /// The times at which windows were locked.
  static let locks: [QueryParameter] = [.p0Lock, .p1Lock, .p2Lock]

  /// The parameters with revenue by currency.
  static func sums(_ api: EndpointAPI) -> [QueryParameter] { api == .v2 ? skan4Sums : skan3Sums }

  /// The parameter with the sums of one kind of revenue, in a window or in total.
  @inline(__always)
  static func revenue(fromAds: Bool, in window: ConversionWindow?) -> QueryParameter {
    switch window {
    case nil: fromAds ? .adRevenue : .iapRevenue
    case .p0: fromAds ? .p0AdRevenue : .p0IAPRevenue
    case .p1: fromAds ? .p1AdRevenue : .p1IAPRevenue
    case .p2: fromAds ? .p2AdRevenue : .p2IAPRevenue
    }
  }

  private static let skan4Sums: [QueryParameter] = [
    .iapRevenue, .adRevenue, .p0IAPRevenue, .p0AdRevenue, .p1IAPRevenue, .p1AdRevenue, .p2IAPRevenue, .p2AdRevenue,
  ]

  private static let skan3Sums: [QueryParameter] = [.skan3Revenue]
}

/// Receives the problems of a request from a check.
protocol ProblemSink {
  /// Reports a problem. Throws it to end the check.
  mutating func report(_ problem: RequestProblem) throws(RequestProblem)
}

/// Ends the check at the first problem, as the endpoint does.
struct FirstProblem: ProblemSink {
  @inline(__always)
  func report(_ problem: RequestProblem) throws(RequestProblem) { throw problem }
}

/// Collects all problems.
struct AllProblems: ProblemSink {
  private(set) var problems: [RequestProblem] = []

  mutating func report(_ problem: RequestProblem) { problems.append(problem) }
}

/// A problem with a single parameter of a conversion_value request; see the article "Endpoints".
package enum RequestProblem: Error, Equatable, Sendable {
  /// `p` is missing or not iOS.
  case unknownPlatform(String?)
  /// The name of a parameter, and its problem, as in "is missing".
  case badParameter(String, why: String)
  /// `skan_current_conversion_value` is missing, which is typical of a phone that was updated from SKAN 3.
  case noCurrentValue

  /// The parameter's name.
  package var parameter: String {
    switch self {
    case .unknownPlatform: QueryParameter.platform.name
    case .badParameter(let name, _): name
    case .noCurrentValue: QueryParameter.fine.name
    }
  }

  /// The `reason` of the endpoint's answer.
  package var reason: String {
    switch self {
    case .unknownPlatform: "Unknown platform error"
    case .badParameter, .noCurrentValue: "Conversion Management: Invalid parameter \(parameter) given"
    }
  }

  /// The problem in detail, a sentence.
  package var explanation: String {
    switch self {
    case .unknownPlatform(let value): "p must be iOS, it is \(value.map(JSONWriter.quoted) ?? "missing")."
    case .badParameter(let name, let why): "\(name) \(why)."
    case .noCurrentValue:
      "\(parameter) is missing. The API reference requires it; a phone that was updated from SKAN 3 has none until an "
        + "answer brings it one, so it never gets a value."
    }
  }
}

/// The parameters that the model uses, with valid form and range.
struct ValidatedRequest {
  var api: EndpointAPI
  /// The first call, in Unix seconds.
  var firstCall: Int64
  /// The last call, in Unix seconds.
  var lastCall: Int64
  /// 0 if there is none yet.
  var currentFine: Int64

  /// Checks the parameters in the documented order and throws the first problem.
  ///
  /// - Parameters:
  ///   - isKnown: whether everything is known to be valid except the event's name and the parameters that every request
  ///     needs; the rest is then not checked.
  ///   - isUsualName: whether the event's name is known to be valid (`isUsualEventName`).
  init(
    _ parameters: borrowing some ConversionParameters, event name: String?, api: EndpointAPI, isKnown: Bool = false,
    isUsualName: Bool = false
  ) throws(RequestProblem) {
    var checks = RefusalChecks(api: api, sink: FirstProblem())
    self = try checks.request(parameters, event: name, isKnown: isKnown, isUsualName: isUsualName)
  }

  init(api: EndpointAPI, firstCall: Int64, lastCall: Int64, currentFine: Int64) {
    self.api = api
    self.firstCall = firstCall
    self.lastCall = lastCall
    self.currentFine = currentFine
  }

  /// Whether a value exists that only an answer can have left on the phone.
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

/// The check of a conversion_value request that finds all problems with its parameters.
///
///     RequestCheck.problems(of: ConversionQuery("p=iOS&n=a", api: .v1)).map(\.parameter)  // ["a", "i", "app_v", …]
package enum RequestCheck {
  /// All problems in the order of the article "Endpoints", at most one for each parameter. The reference endpoint
  /// refuses a request with the first of them, and accepts the parameters of a request without any.
  package static func problems(of query: ConversionQuery) -> [RequestProblem] {
    var checks = RefusalChecks(api: query.api, sink: AllProblems())
    // This sink never ends the check.
    _ = try? checks.request(query, event: query.text(.eventName), isKnown: false)
    return checks.sink.problems
  }
}
