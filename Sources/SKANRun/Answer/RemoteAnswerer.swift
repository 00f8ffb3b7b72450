import SKANDevice
import SKANHTTP

/// A server on the network.
package struct RemoteAnswerer: Answerer {
  private let endpoint: Endpoint
  /// Nil sends the documents' placeholder.
  private let sdkKey: String?
  /// Sends a request, the key in it, with the phone's time where the endpoint may get it (``Endpoint/takesDeviceTime``)
  /// and cannot know it.
  private let send: (_ request: HTTPRequest, _ deviceTime: Instant?) -> EndpointAnswer
  /// Sleeps; false when that was interrupted.
  private let sleep: (TimeSpan) -> Bool
  /// The clock that runs by itself.
  private let now: () -> Instant

  package init(
    _ endpoint: Endpoint, sdkKey: String? = nil, now: @escaping () -> Instant = { .listStart },
    sleep: @escaping (TimeSpan) -> Bool = { _ in true },
    send: @escaping (_ request: HTTPRequest, _ deviceTime: Instant?) -> EndpointAnswer
  ) {
    self.endpoint = endpoint
    self.sdkKey = sdkKey
    self.now = now
    self.sleep = sleep
    self.send = send
  }

  package func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer {
    let items = phone.device.request(event: request.event).queryItems(sdkKey: sentKey)
    var target = endpoint.target(for: phone.device.snippet)
    target.query = items.percentEncoded
    let response = send(HTTPRequest(target: target), deviceTime(request.at, of: phone))
    // By a virtual clock an answer takes no time unless the step says so; by the real one it takes what it took.
    return Answer(.response(response), arrival: phone.clock.isVirtual ? nil : now())
  }

  package func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> EndpointAnswer {
    guard let address = endpoint.forwardAddress(of: request.kind) else { return .failure(Self.noForwarding) }
    var target = HTTPTarget(address)
    let parameters = request.queryItems(sdkKey: sentKey).strictlyEncoded
    var message = HTTPRequest(method: request.method, target: target)
    if request.isPost {
      message.headers.append("Content-Type", "application/x-www-form-urlencoded")
      message.body = Array(parameters.utf8)
    } else {
      target.query = parameters
      message.target = target
    }
    return send(message, deviceTime(now, of: phone))
  }

  package func forwardAddress(of request: ForwardedRequest) -> String {
    endpoint.forwardAddress(of: request.kind) ?? ""
  }

  package func wait(_ span: TimeSpan, for phone: borrowing Phone) -> Bool { phone.clock.isVirtual || sleep(span) }

  private static let noForwarding =
    "this endpoint has no launch and evt: only production, and addresses without a path of their own"

  private var sentKey: String { (endpoint.takesSDKKey ? sdkKey : nil) ?? ConversionRequest.placeholderKey }

  private func deviceTime(_ time: Instant, of phone: borrowing Phone) -> Instant? {
    phone.clock.isVirtual && endpoint.takesDeviceTime ? time : nil
  }

  package func identity(for device: Device) -> AnsweredBy { .remote(endpoint.name(for: device.snippet)) }

  package func address(for device: Device) -> String { endpoint.address(for: device.snippet) }
}
