import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// An endpoint that answers requests; see the article "Endpoints".
package enum Endpoint: Sendable, Equatable {
  /// The test endpoint in process, the default. It uses no network.
  case embedded
  /// Singular's test endpoint.
  case testing
  /// Singular's production endpoint. Only used when it is named.
  case production
  /// An address that the user named, completed for each version of the API.
  case custom(v1: EndpointURL, v2: EndpointURL)

  /// The beginning of every address of Singular's test endpoint.
  static let testOrigin = "https://\(EndpointKind.testHost)/"
  private static let testAddress = "https://\(EndpointKind.testHost)\(EndpointKind.conversionValue(.v1).path)"

  /// The address without its query, for the API version that the snippet calls.
  package func address(for snippet: SnippetVersion) -> String {
    switch self {
    case .embedded, .testing: Self.testAddress
    case .production: Self.productionAddress(for: snippet)
    case .custom(let v1, let v2): (snippet.rules.api == .v1 ? v1 : v2).address.text
    }
  }

  /// The address to send to, for the API version that the snippet calls.
  package func target(for snippet: SnippetVersion) -> HTTPTarget {
    guard case .custom(let v1, let v2) = self else { return HTTPTarget(address(for: snippet)) }
    return (snippet.rules.api == .v1 ? v1 : v2).address.target
  }

  /// The address, without its query, of an endpoint for the app's server. Nil for the test endpoint, and for an address
  /// whose path is not the API's.
  ///
  /// - Parameter kind: the kind of report.
  package func forwardAddress(of kind: EndpointKind) -> String? {
    switch self {
    case .embedded, .production: kind.address
    case .testing: nil
    case .custom(let v1, _): v1.sibling(kind)?.text
    }
  }

  /// The address of Singular's endpoint, shown where the step contains the answer.
  package static func productionAddress(for snippet: SnippetVersion) -> String {
    snippet.rules.api == .v1 ? productionAddresses.v1 : productionAddresses.v2
  }

  private static let productionAddresses = (
    v1: EndpointKind.conversionValue(.v1).address, v2: EndpointKind.conversionValue(.v2).address
  )

  /// The name in results: an address as the user named it, without the path that each version of the API has.
  func name(for snippet: SnippetVersion) -> String {
    switch self {
    case .embedded: return "embedded"
    case .testing: return "testing"
    case .production: return "production"
    case .custom:
      let address = address(for: snippet)
      let path = EndpointKind.conversions.map(\.path).first { address.hasSuffix($0) }
      return path.map { String(address.dropLast($0.count)) } ?? address
    }
  }

  /// Whether requests leave this process.
  package var isRemote: Bool { self != .embedded }

  /// Whether a request may carry the phone's own time, for an endpoint that follows it; never to Singular's hosts.
  package var takesDeviceTime: Bool {
    guard case .custom(let v1, _) = self else { return false }
    return v1.address.host != "singular.net" && !v1.address.host.hasSuffix(".singular.net")
  }

  /// Whether the SDK key is sent, when there is one: to production and to an address that the user named.
  package var takesSDKKey: Bool {
    switch self {
    case .production, .custom: true
    case .embedded, .testing: false
    }
  }
}

/// Why an endpoint failed.
package enum EndpointFailure: UInt8, Sendable {
  /// No answer came.
  case noAnswer = 1
  /// The answer is an error or nonsense, crashes the app, or makes every later call crash.
  case badAnswer = 2
}

/// An unexpected failure of a remote endpoint, which fails the run.
package struct EndpointFault: Sendable, Equatable {
  package var failure: EndpointFailure
  /// The outcome of the answer: `unparsable: The body is …`.
  package var reason: String
}

extension Outcome {
  /// The failure that an outcome shows; nil for an outcome of a working endpoint.
  package var endpointFailure: EndpointFailure? {
    switch self {
    case .transportError: .noAnswer
    case .serverError, .unparsable, .illegalValues, .crashed: .badAnswer
    default: nil
    }
  }
}

extension ForwardedCall {
  /// The failure that a report shows; nil when the server accepted it and the snippet could apply its value, if any.
  fileprivate var endpointFailure: EndpointFailure? {
    switch outcome {
    case .ok: applied?.outcome.endpointFailure
    case .error: .badAnswer
    case .noAnswer: .noAnswer
    }
  }
}

extension StepResult {
  /// The failure for which a command that runs this step alone ends with exit status 69 or 76.
  package var endpointFailure: EndpointFailure? {
    report.outcome.endpointFailure ?? forwarded?.endpointFailure ?? (remotePoison == nil ? nil : .badAnswer)
  }

  /// The failure of a remote endpoint for which a replay fails, if the step's expectations do not state it.
  ///
  /// An answer in the list tests how the app handles it, and so does an answer that an expectation names.
  ///
  /// - Parameter verdicts: the verdicts on the step's expectations.
  package func endpointFault(_ verdicts: [Expectation.Verdict]) -> EndpointFault? {
    let call = forwarded
    // The outcome of op s2s is the outcome of its report.
    let isReport = if case .forward = step.operation { true } else { false }
    let answeredBy = isReport ? call?.answeredBy : exchange?.answeredBy
    if let failure = report.outcome.endpointFailure, answeredBy?.isInProcess == false, !isLastOfTestEndpoint,
      !verdicts.contains(where: { $0.states(["answer", "crash", "explanation", "forwarded", "handler", "outcome"]) })
    {
      return EndpointFault(failure: failure, reason: "\(report.outcome.name): \(report.explanation)")
    }
    if !isReport, let call, !call.answeredBy.isInProcess, let failure = call.endpointFailure,
      !verdicts.contains(where: { $0.states(["forwarded"]) || $0.names(.notForwarded) })
    {
      return EndpointFault(failure: failure, reason: "the server's report: \(call.explanation)")
    }
    if let poison = remotePoison, !verdicts.contains(where: { $0.names(.installPoisoned) }) {
      return EndpointFault(failure: .badAnswer, reason: poison.message)
    }
    return nil
  }

  /// Whether the step is a session, an event or a report of the app's server, and neither the phone nor the server sent
  /// a request.
  package var lacksRequest: Bool {
    switch step.operation {
    case .session, .event, .forward: exchange == nil && forwarded == nil
    default: false
    }
  }

  /// Whether the step asked a remote endpoint, for an update or by a report.
  var isRemoteRequest: Bool { isRemoteUpdate || forwarded?.answeredBy.isInProcess == false }

  /// Whether the step asked a remote endpoint for an update.
  package var isRemoteUpdate: Bool { exchange?.answeredBy.isInProcess == false }

  /// Whether this is the answer of Singular's test endpoint from the fourth call on: an empty body after the third
  /// value, 2.
  private var isLastOfTestEndpoint: Bool {
    guard let exchange, exchange.address.hasPrefix(Endpoint.testOrigin),
      case .response(_, let body) = exchange.answer, body.isEmpty
    else { return false }
    return exchange.request.kept.value(device.snippet.rules.valueEntry)?.int64 == 2
  }

  /// The warning about a remote answer that makes every later call crash.
  private var remotePoison: Warning? {
    let isApplied = forwarded?.applied?.found.contains { $0.kind == .installPoisoned } ?? false
    guard (isApplied ? forwarded?.answeredBy : exchange?.answeredBy)?.isInProcess == false else { return nil }
    return report.found.first { $0.kind == .installPoisoned }
  }
}

extension Expectation.Verdict {
  /// The values that a step without a failure has at these keys.
  private static let good: JSON = .object([
    ("answer", .object([("status", .integer(200))])), ("crash", .null), ("explanation", .string("")),
    ("forwarded", .array([.object([("explanation", .string("")), ("outcome", .string("ok"))])])),
    ("handler", .object([("error", .null)])),
  ])

  /// Whether the expectation is met only by a failure, so that the list asks for the failure.
  ///
  /// - Parameter keys: the keys of a result in which a failure shows.
  fileprivate func states(_ keys: Set<String>) -> Bool {
    guard isMet, let key = path.split(separator: ".").first.map(String.init), keys.contains(key) else { return false }
    let expectation = Expectation(path: path, expected: expected)
    // Several outcomes may be allowed, including a success. An expectation that every outcome meets states no failure.
    if path == "outcome" {
      return Outcome.allCases.contains { !expectation.verdict(on: .object([("outcome", .string($0.name))])).isMet }
    }
    return !expectation.verdict(on: Self.good).isMet
  }

  /// Whether the expectation names a warning.
  fileprivate func names(_ code: WarningCode) -> Bool {
    isMet && path.hasPrefix("warnings") && JSONWriter.text(expected).contains(code.name)
  }
}
