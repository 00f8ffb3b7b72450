import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// Answers the requests of phones. The answer comes from the step itself, the test endpoint, a conversion model, or a
/// server.
///
/// ``StepRunner`` asks an answerer and knows no concrete one. A new answerer is a new type, and the option that selects
/// it.
package protocol Answerer {
  /// Answers the request of an update.
  ///
  /// - Parameter phone: the phone before the update. An answerer keeps what it remembers of the install in it.
  func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer

  /// Adds what only the answerer knows to the report of an update.
  ///
  /// - Parameter phone: the phone after the update; `inout` because a copy is large.
  func annotate(_ report: inout StepReport, of phone: inout Phone)

  /// Who gives the answers, where they are compared with the published reference; nil for an endpoint in process, whose
  /// answers follow it.
  var contractGiver: ContractBreach.Giver? { get }

  /// The name of the answerer in results.
  func identity(for device: Device) -> AnsweredBy

  /// The address, without its query, to which a phone would send the device's request.
  func address(for device: Device) -> String

  /// Answers a report of the app's server.
  ///
  /// - Parameters:
  ///   - phone: an answerer keeps what it remembers of the install in it.
  ///   - now: the phone's time.
  func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> Answer

  /// The address of a report, without its query.
  func forwardAddress(of request: ForwardedRequest) -> String

  /// Waits before a report is sent again. With a virtual clock there is nothing to wait for.
  ///
  /// - Returns: false when the report is not to be sent again.
  func wait(_ span: TimeSpan, for phone: borrowing Phone) -> Bool
}

extension Answerer {
  package func annotate(_ report: inout StepReport, of phone: inout Phone) {}

  package var contractGiver: ContractBreach.Giver? { nil }

  package func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> Answer {
    Answer(.response(.response(status: 200, body: Array("{\"status\":\"ok\"}".utf8))))
  }

  package func forwardAddress(of request: ForwardedRequest) -> String { request.kind.address }

  package func wait(_ span: TimeSpan, for phone: borrowing Phone) -> Bool { true }
}

/// The request of an update, for its answerer; ``Device/request(event:)`` makes the parameters.
package struct UpdateRequest {
  package let event: String
  /// The phone's time.
  package let at: Instant
}

/// An answer, and when it arrived.
package struct Answer {
  /// The answer, in the answerer's own form.
  package enum Content {
    case response(EndpointAnswer)
    case reply(ReferenceReply)
  }

  package let content: Content
  /// When it arrived, by the real clock; nil where an answer takes no time.
  package let arrival: Instant?
  /// The messages, where they went over the network.
  package let sent: SentRequest?

  package init(_ content: Content, arrival: Instant? = nil, sent: SentRequest? = nil) {
    self.content = content
    self.arrival = arrival
    self.sent = sent
  }
}

/// A request that went over the network, and its exchange.
package final class SentRequest: Sendable {
  package let request: HTTPRequest
  package let exchange: HTTPExchange

  package init(_ request: HTTPRequest, _ exchange: HTTPExchange) {
    self.request = request
    self.exchange = exchange
  }
}

extension Answer.Content {
  /// The answer as HTTP would carry it.
  var response: EndpointAnswer {
    switch self {
    case .response(let response): response
    case .reply(let reply): .response(status: ReferenceReply.status, body: reply.body)
    }
  }

  /// The answer of a model in process; nil for every other answer.
  var reply: ReferenceReply? { if case .reply(let reply) = self { reply } else { nil } }
}

/// Who answered a request, as results name it.
package enum AnsweredBy: Sendable, Equatable {
  /// The step's own answer.
  case list
  /// The test endpoint in process.
  case embedded
  /// A conversion model in process, and its file where that is known.
  case model(file: String?)
  /// An endpoint on the network: `testing`, `production`, or its address.
  case remote(String)

  /// The value of a result's `answered_by`.
  package var name: String { String(writing: { $0.append(self) }) }

  /// Changes the address of an endpoint on the network.
  package mutating func mapAddress(_ transform: (String) -> String) {
    if case .remote(let name) = self { self = .remote(transform(name)) }
  }

  /// The name in messages.
  package var displayText: String {
    switch self {
    case .list: "the step's own answer"
    case .embedded: "the embedded test endpoint"
    case .model(let file): file ?? "a model"
    case .remote(let name): name
    }
  }

  /// The name in messages for a ``name`` read from a file.
  package static func displayText(ofName name: String) -> String {
    [Self.list, .embedded].first { $0.name == name }?.displayText ?? name
  }

  /// Whether the answer needed no network.
  package var isInProcess: Bool { if case .remote = self { false } else { true } }
}

extension ByteText {
  /// Adds the ``AnsweredBy/name`` of who answered.
  mutating func append(_ answeredBy: AnsweredBy) {
    switch answeredBy {
    case .list: append("list")
    case .embedded: append("embedded")
    case .model(nil): append("model")
    case .model(let file?):
      append("model ")
      append(file)
    case .remote(let name): append(name)
    }
  }
}

/// A conversion model in process; see the article "Conversion models".
package struct ModelAnswerer: Answerer {
  private let endpoint: ReferenceEndpoint
  /// The file of the model that answers an app, for results.
  private let file: (_ bundleID: String) -> String?

  package init(_ endpoint: ReferenceEndpoint, file: @escaping (_ bundleID: String) -> String? = { _ in nil }) {
    self.endpoint = endpoint
    self.file = file
  }

  package func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer {
    let isChecked = phone.memory.checkedRevision == phone.device.revision
    let reply = endpoint.reply(
      to: &phone.device, event: request.event, isKnown: isChecked, at: request.at, memory: &phone.memory)
    if case .values = reply { phone.memory.checkedRevision = phone.device.revision }
    return Answer(.reply(reply))
  }

  package func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> Answer {
    let answer = endpoint.forwardedAnswer(to: request, at: now, memory: &phone.forwarding.memory)
    return Answer(.response(.response(status: 200, body: Array(answer.body.utf8))))
  }

  package func identity(for device: Device) -> AnsweredBy { .model(file: file(device.bundleID)) }

  package func address(for device: Device) -> String { Endpoint.productionAddress(for: device.snippet) }
}

/// A server on the network.
package struct RemoteAnswerer: Answerer {
  private let endpoint: Endpoint
  /// Nil sends the placeholder of Singular's documentation.
  private let sdkKey: String?
  /// Sends a request that includes the key. The phone's time is passed where the endpoint may get it
  /// (``Endpoint/takesDeviceTime``) and cannot know it.
  package typealias Send = (_ request: HTTPRequest, _ deviceTime: Instant?) -> (EndpointAnswer, SentRequest?)

  private let send: Send
  /// Sleeps; returns false when interrupted.
  private let sleep: (TimeSpan) -> Bool
  /// The real clock.
  private let now: () -> Instant

  package init(
    _ endpoint: Endpoint, sdkKey: String? = nil, now: @escaping () -> Instant = { .listStart },
    sleep: @escaping (TimeSpan) -> Bool = { _ in true }, send: @escaping Send
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
    let (response, sent) = send(HTTPRequest(target: target), deviceTime(request.at, of: phone))
    // By a virtual clock an answer takes no time unless the step says so; by the real one it takes as long as it did.
    return Answer(.response(response), arrival: phone.clock.isVirtual ? nil : now(), sent: sent)
  }

  package func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> Answer {
    guard let address = endpoint.forwardAddress(of: request.kind) else {
      return Answer(.response(.failure(Self.noForwarding)))
    }
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
    let (response, sent) = send(message, deviceTime(now, of: phone))
    return Answer(.response(response), sent: sent)
  }

  package func forwardAddress(of request: ForwardedRequest) -> String {
    endpoint.forwardAddress(of: request.kind) ?? ""
  }

  package func wait(_ span: TimeSpan, for phone: borrowing Phone) -> Bool { phone.clock.isVirtual || sleep(span) }

  package var contractGiver: ContractBreach.Giver? { .server }

  private static let noForwarding =
    "this endpoint has no launch and evt: only production, and addresses without a path of their own"

  private var sentKey: String { (endpoint.takesSDKKey ? sdkKey : nil) ?? ConversionRequest.placeholderKey }

  private func deviceTime(_ time: Instant, of phone: borrowing Phone) -> Instant? {
    phone.clock.isVirtual && endpoint.takesDeviceTime ? time : nil
  }

  package func identity(for device: Device) -> AnsweredBy { .remote(endpoint.name(for: device.snippet)) }

  package func address(for device: Device) -> String { endpoint.address(for: device.snippet) }
}

/// Singular's test endpoint in process; see the article "Endpoints".
package struct TestEndpointAnswerer: Answerer {
  package init() {}

  package func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer {
    Answer(.response(phone.testEndpoint.answer()))
  }

  package func annotate(_ report: inout StepReport, of phone: inout Phone) {
    if phone.testEndpoint.isExhausted { report.explanation = .testEndpointExhausted }
  }

  package func identity(for device: Device) -> AnsweredBy { .embedded }

  package func address(for device: Device) -> String { Endpoint.embedded.address(for: device.snippet) }
}

/// An answer that a step contains.
struct ScriptedAnswerer: Answerer {
  let response: EndpointAnswer

  func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer { Answer(.response(response)) }

  func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> Answer {
    Answer(.response(response))
  }

  func identity(for device: Device) -> AnsweredBy { .list }

  func address(for device: Device) -> String { Endpoint.productionAddress(for: device.snippet) }
}
