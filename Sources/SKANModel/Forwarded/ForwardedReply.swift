import SKANBase
import SKANDevice

extension ReferenceEndpoint {
  /// Answers a report of the app's server in this process.
  ///
  /// - Parameter memory: the memory of the install's reports, apart from that of the phone's own requests.
  package func forwardedAnswer(
    to request: ForwardedRequest, at now: Instant, memory: inout InstallMemory
  ) -> ForwardedAnswer {
    let items = request.queryItems(sdkKey: ConversionRequest.placeholderKey)
    guard let parameters = SentParameters(items.strictlyEncoded) else {
      return ForwardedAnswer(explanation: "The parameters cannot be read.")
    }
    return forwardedAnswer(to: parameters, at: request.kind, now, memory: &memory)
  }

  /// Answers a report of an app's server.
  ///
  /// How the value is computed is inferred: the metadata replaces the parameters that the phone itself sends to
  /// conversion_value, and a session or an event counts once for each kind of endpoint.
  package func forwardedAnswer(
    to parameters: SentParameters, at endpoint: EndpointKind, _ now: Instant, memory: inout InstallMemory
  ) -> ForwardedAnswer {
    if let refusal = ForwardedRefusal(of: parameters, at: endpoint) {
      return ForwardedAnswer(
        refusal: refusal, explanation: "\(refusal.reason.capitalizedFirst); do not try again.")
    }
    guard hasModel else {
      return ForwardedAnswer(
        explanation: "Accepted; without a model there is no conversion_value.")
    }
    guard let query = ConversionQuery(metadataOf: parameters, at: endpoint) else {
      return ForwardedAnswer(explanation: "Accepted; without metadata there is no conversion_value.")
    }
    let reply = reply(to: query, at: now, memory: &memory)
    let explanation = reply.explanation(event: query.eventName)
    guard case .values(let values) = reply else {
      return ForwardedAnswer(explanation: "Accepted, without a conversion_value: \(explanation)")
    }
    return ForwardedAnswer(value: values.verdict.fine, explanation: explanation)
  }
}

extension ConversionQuery {
  /// The phone's request that corresponds to the metadata of a report; nil if there is no metadata.
  init?(metadataOf sent: SentParameters, at endpoint: EndpointKind) {
    let apis: [EndpointAPI] = [.v2, .v1]
    guard
      let api = apis.first(where: { StoreEntry.firstCall.forwardedName(in: $0).flatMap { sent[$0] } != nil })
    else { return nil }
    let identifier = ["idfv", "sdid", "idfa"].first { sent[$0] != nil } ?? "idfv"
    var phone = sent
    phone.rename(Self.names + (Self.metadata[api] ?? []) + [(.idfv, identifier)])
    if sent["app_v"] == nil { phone.set(.appVersion, to: "0") }
    if !endpoint.isEvent { phone.set(.eventName, to: Device.sessionEventName) }
    self.init(phone, api: api)
  }

  /// The names in a report for the parameters of the phone's request.
  private static let names: [(parameter: QueryParameter, name: String)] = [
    (.sdkKey, "a"), (.iosVersion, "ve"), (.bundleID, "i"), (.appVersion, "app_v"), (.platform, "p"), (.eventName, "n"),
  ]

  /// The names in a report for the entries of the app's store.
  private static let metadata = Dictionary(
    uniqueKeysWithValues: EndpointAPI.allCases.map { api in (api, names(ofEntries: api)) })

  private static func names(ofEntries api: EndpointAPI) -> [(parameter: QueryParameter, name: String)] {
    api.forwarded.compactMap { entry in
      guard let parameter = entry.parameter(in: api), let name = entry.forwardedName(in: api) else { return nil }
      return (parameter, name)
    }
  }
}

/// The reference endpoint's answer to `launch` or `evt`.
package struct ForwardedAnswer: Sendable, Equatable {
  /// The model's value for the metadata; nil if there is none.
  package var value: Int64?
  /// The refusal, if the request was not accepted.
  package var refusal: ForwardedRefusal?
  /// The reason, in one or more sentences.
  package var explanation: String

  /// The answer's body. Success and errors both have status 200.
  package var body: String {
    if let refusal {
      return JSONWriter.text(.object([("reason", .string(refusal.reason)), ("status", .string("error"))]))
    }
    return JSONWriter.text(
      .object((value.map { [("conversion_value", .integer($0))] } ?? []) + [("status", .string("ok"))]))
  }
}

/// Why the endpoint refuses a request: one of the four errors that Singular documents as permanent.
///
/// The texts are documented (support.singular.net, article 31542603988379). The conditions and their order in
/// ``init(of:at:)`` are inferred.
package enum ForwardedRefusal: Error, Equatable, Sendable {
  /// A parameter that every request needs is missing.
  case missingArgument(String)
  /// `p` is not a platform of the list.
  case invalidPlatform(String)
  /// Neither `idfv` nor `idfa` nor `sdid` is present.
  case noDeviceID
  /// An identifier that this platform must send is missing.
  case platformParameter(platform: String, parameter: String)

  /// The `reason` of the answer.
  package var reason: String {
    switch self {
    case .missingArgument(let name): "missing argument: \(name)"
    case .invalidPlatform(let platform): "invalid platform: \(platform)"
    case .noDeviceID: "no device ID supplied"
    case .platformParameter(let platform, let parameter): "platform: \(platform) should have an \(parameter) param"
    }
  }

  /// Parses the reason of an answer.
  ///
  /// - Returns: nil for any other reason, after which the request may be sent again.
  package init?(reason: String) {
    if let name = reason.behind("missing argument: ") {
      self = .missingArgument(name)
    } else if let platform = reason.behind("invalid platform: ") {
      self = .invalidPlatform(platform)
    } else if reason == "no device ID supplied" {
      self = .noDeviceID
    } else if let rest = reason.behind("platform: "), let range = rest.ranges(of: " should have an ").last,
      rest.hasSuffix(" param")
    {
      self = .platformParameter(
        platform: String(rest[..<range.lowerBound]), parameter: String(rest[range.upperBound...].dropLast(6)))
    } else {
      return nil
    }
  }

  /// The values of `p`; PlayStation has two spellings.
  package static let platforms = [
    "Android", "iOS", "Web", "PC", "Xbox", "Playstation", "PlayStation", "Nintendo", "MetaQuest", "CTV",
  ]

  /// The error with which an endpoint refuses a request; nil if it accepts it.
  ///
  /// It checks "specific parameters, not all required ones", here taken as `a`, `p`, `i`, `n` of an event, the name of
  /// the platform, and the identifiers. ``ParameterCheck`` finds all problems.
  package init?(of parameters: SentParameters, at endpoint: EndpointKind) {
    func isGiven(_ name: String) -> Bool { parameters[name].map { !$0.isEmpty } ?? false }
    let needed = ["a", "p", "i"] + (endpoint.isEvent ? ["n"] : [])
    if let missing = needed.first(where: { !isGiven($0) }) {
      self = .missingArgument(missing)
    } else if let platform = parameters["p"], !Self.platforms.contains(where: platform.isLiterally) {
      self = .invalidPlatform(platform)
    } else if !["idfv", "idfa", "sdid"].contains(where: isGiven) {
      self = .noDeviceID
    } else if parameters["p"] == "iOS", !isGiven(endpoint == .event(.v2) ? "sdid" : "idfv") {
      self = .platformParameter(platform: "iOS", parameter: endpoint == .event(.v2) ? "sdid" : "idfv")
    } else {
      return nil
    }
  }
}

extension String {
  /// The text after a prefix; nil if it does not have the prefix.
  fileprivate func behind(_ beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}

/// The meaning of an answer of launch or evt for its sender. The body decides, because errors have status 200.
///
/// Source: support.singular.net, article 31542603988379. That an unreadable body is a temporary failure is inferred.
package enum ForwardedReply: Equatable, Sendable {
  /// Accepted; with an active model there may be a value that the client must apply.
  case ok(conversionValue: Int64?)
  /// Permanently refused: the same request would be refused again.
  case refused(ForwardedRefusal)
  /// Temporarily failed, for this reason; the request should be sent again.
  case failed(String)

  /// Parses an answer.
  package init(status: Int, body: [UInt8]) {
    if status == 429 || status >= 500 {
      self = .failed("status \(status)")
      return
    }
    guard let answer = (try? JSONReader.read(body))?.value, case .string(let outcome)? = answer["status"] else {
      self = .failed(status == 200 ? "the body has no status" : "status \(status), and the body has none")
      return
    }
    if outcome == "ok" {
      self = .ok(conversionValue: answer["conversion_value"]?.wholeNumber)
      return
    }
    let reason = answer["reason"]?.text
    if let refusal = reason.flatMap(ForwardedRefusal.init(reason:)) {
      self = .refused(refusal)
    } else {
      self = .failed(reason ?? "an error without a reason")
    }
  }

  /// Whether the sender should send the request again.
  package var isRetryable: Bool { if case .failed = self { true } else { false } }

  /// The reason of an error; nil for success.
  package var reason: String? {
    switch self {
    case .ok: nil
    case .refused(let refusal): refusal.reason
    case .failed(let reason): reason
    }
  }
}

extension JSON {
  /// The integer, in any notation; nil for other values.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }
}
