import SKANDevice
import SKANBase

extension ReferenceEndpoint {
  /// Answers a report of the app's server in this process.
  ///
  /// - Parameter memory: of the install's reports, apart from what is remembered of the phone's own requests.
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
  /// What the value is computed from is inferred: the metadata stands for the parameters that the phone itself sends to
  /// conversion_value, and a session or an event counts once for each kind of endpoint.
  package func forwardedAnswer(
    to parameters: SentParameters, at endpoint: EndpointKind, _ now: Instant, memory: inout InstallMemory
  ) -> ForwardedAnswer {
    if let refusal = ForwardedRefusal(of: parameters, at: endpoint) {
      return ForwardedAnswer(
        refusal: refusal, explanation: "\(refusal.reason.capitalizedFirst); not to be tried again.")
    }
    guard hasModel else { return ForwardedAnswer(explanation: "Taken; without a model there is no conversion_value.") }
    guard let query = ConversionQuery(metadataOf: parameters, at: endpoint) else {
      return ForwardedAnswer(explanation: "Taken; without metadata there is no conversion_value.")
    }
    let reply = reply(to: query, at: now, memory: &memory)
    let explanation = reply.explanation(event: query.eventName)
    guard case .values(let values) = reply else {
      return ForwardedAnswer(explanation: "Taken, without a conversion_value: \(explanation)")
    }
    return ForwardedAnswer(value: values.verdict.fine, explanation: explanation)
  }
}

extension ConversionQuery {
  /// The request of the phone for which the metadata of a report stands; nil when there is no metadata.
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

  /// The names in a report of what the phone's request has.
  private static let names: [(parameter: QueryParameter, name: String)] = [
    (.sdkKey, "a"), (.iosVersion, "ve"), (.bundleID, "i"), (.appVersion, "app_v"), (.platform, "p"), (.eventName, "n"),
  ]

  /// The names in a report of what the app keeps.
  private static let metadata = Dictionary(
    uniqueKeysWithValues: EndpointAPI.allCases.map { api in (api, names(ofEntries: api)) })

  private static func names(ofEntries api: EndpointAPI) -> [(parameter: QueryParameter, name: String)] {
    api.forwarded.compactMap { entry in
      guard let parameter = entry.parameter(in: api), let name = entry.forwardedName(in: api) else { return nil }
      return (parameter, name)
    }
  }
}
