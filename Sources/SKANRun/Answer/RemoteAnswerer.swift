import SKANDevice

/// A server on the network.
package struct RemoteAnswerer: Answerer {
  private let endpoint: Endpoint
  /// Nil sends the documents' placeholder.
  private let sdkKey: String?
  /// Sends a GET; called with the whole address, the key in it, and the phone's time where the endpoint may get it
  /// (``Endpoint/takesDeviceTime``) and cannot know it.
  private let send: (_ url: String, _ deviceTime: Instant?) -> EndpointAnswer
  /// The clock that runs by itself.
  private let now: () -> Instant

  package init(
    _ endpoint: Endpoint, sdkKey: String? = nil, now: @escaping () -> Instant = { .listStart },
    send: @escaping (_ url: String, _ deviceTime: Instant?) -> EndpointAnswer
  ) {
    self.endpoint = endpoint
    self.sdkKey = sdkKey
    self.now = now
    self.send = send
  }

  package func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer {
    let key = endpoint.takesSDKKey ? sdkKey : nil
    let items = phone.device.request(event: request.event)
      .queryItems(sdkKey: key ?? ConversionRequest.placeholderKey)
    let isVirtual = phone.clock.isVirtual
    let deviceTime = isVirtual && endpoint.takesDeviceTime ? request.at : nil
    let response = send("\(address(for: phone.device))?\(items.percentEncoded)", deviceTime)
    // By a virtual clock an answer takes no time unless the step says so; by the real one it takes what it took.
    return Answer(.response(response), arrival: isVirtual ? nil : now())
  }

  package func identity(for device: Device) -> AnsweredBy { .remote(endpoint.name(for: device.snippet)) }

  package func address(for device: Device) -> String { endpoint.address(for: device.snippet) }
}
