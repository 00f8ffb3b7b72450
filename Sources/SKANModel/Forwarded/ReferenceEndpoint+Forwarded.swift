import SKANDevice
import SKANBase

extension ReferenceEndpoint {
  /// Answers a report of the app's server in this process.
  ///
  /// - Parameter memory: of the install's reports, apart from what is remembered of the phone's own requests.
  package func forwardedAnswer(
    to request: ForwardedRequest, at now: Instant, memory: inout InstallMemory
  ) -> ForwardedAnswer {
    let endpoint = ForwardedEndpoint(rawValue: request.path) ?? .launch
    let items = request.queryItems(sdkKey: ConversionRequest.placeholderKey)
    guard let parameters = SentParameters(query: items.strictlyEncoded) else {
      return ForwardedAnswer(explanation: "The parameters cannot be read.")
    }
    return forwardedAnswer(to: parameters, at: endpoint, now, memory: &memory)
  }

  /// Answers a report of an app's server.
  ///
  /// What the value is computed from is inferred: the metadata stands for the parameters that the phone itself sends to
  /// conversion_value, and a session or an event counts once for each kind of endpoint.
  package func forwardedAnswer(
    to parameters: SentParameters, at endpoint: ForwardedEndpoint, _ now: Instant, memory: inout InstallMemory
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
  init?(metadataOf parameters: SentParameters, at endpoint: ForwardedEndpoint) {
    func text(_ entry: StoreEntry, _ api: EndpointAPI) -> String? {
      entry.forwardedName(in: api).flatMap { parameters[$0] }
    }
    let apis: [EndpointAPI] = [.v2, .v1]
    guard let api = apis.first(where: { text(.firstCall, $0) != nil }) else { return nil }
    let identifier = parameters["idfv"] ?? parameters["sdid"] ?? parameters["idfa"]
    var items = [
      QueryItem("a", parameters["a"]), QueryItem("v", parameters["ve"]), QueryItem("i", parameters["i"]),
      QueryItem("app_v", parameters["app_v"] ?? "0"), QueryItem("p", parameters["p"]), QueryItem("idfv", identifier),
      QueryItem("n", endpoint.takesEvents ? parameters["n"] : Device.sessionEventName),
    ]
    for entry in api.forwarded {
      if let name = entry.requestName(in: api), let text = text(entry, api) { items.append(QueryItem(name, text)) }
    }
    self.init(items.strictlyEncoded, api: api, in: JSONDocument())
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
