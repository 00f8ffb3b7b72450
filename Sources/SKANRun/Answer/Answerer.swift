import SKANDevice
import SKANModel

/// Answers the requests of phones: a step's own answer, the test endpoint, a conversion model, or a server.
///
/// ``StepRunner`` asks one and knows none of them. A new answerer is a new type here, and the option that chooses it.
package protocol Answerer {
  /// Answers the request of an update.
  ///
  /// - Parameter phone: before the update; an answerer keeps in it what it remembers of the install.
  func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer

  /// Adds to the report of an update what only the answerer knows.
  ///
  /// - Parameter phone: after the update; in place, as a copy of it is large.
  func annotate(_ report: inout StepReport, of phone: inout Phone)

  /// Who answers a device, as results name it.
  func identity(for device: Device) -> AnsweredBy

  /// The address without its query to which the request of a device goes, or would go on a phone.
  func address(for device: Device) -> String

  /// Answers a report of the app's server.
  ///
  /// - Parameters:
  ///   - phone: an answerer keeps in it what it remembers of the install.
  ///   - now: by the phone's clock.
  func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> EndpointAnswer

  /// The address without its query to which a report goes.
  func forwardAddress(of request: ForwardedRequest) -> String

  /// Lets time pass before a report is sent again; a virtual clock needs no waiting.
  ///
  /// - Returns: false when it is not to be sent again.
  func wait(_ span: TimeSpan, for phone: borrowing Phone) -> Bool
}

extension Answerer {
  package func annotate(_ report: inout StepReport, of phone: inout Phone) {}

  package func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> EndpointAnswer {
    .response(status: 200, body: Array("{\"status\":\"ok\"}".utf8))
  }

  package func forwardAddress(of request: ForwardedRequest) -> String { request.kind.address }

  package func wait(_ span: TimeSpan, for phone: borrowing Phone) -> Bool { true }
}

/// The request of an update, as its answerer gets it; ``Device/request(event:)`` makes the parameters.
package struct UpdateRequest {
  package let event: String
  /// By the phone's clock.
  package let at: Instant
}

/// What came back.
package struct Answer {
  /// In the form in which the answerer has it.
  package enum Content {
    case response(EndpointAnswer)
    case reply(ReferenceReply)
  }

  package let content: Content
  /// When it arrived, by the clock that runs by itself; nil where an answer takes no time.
  package let arrival: Instant?

  package init(_ content: Content, arrival: Instant? = nil) {
    self.content = content
    self.arrival = arrival
  }
}

extension Answer.Content {
  /// As it came, or would have come, over the wire.
  var response: EndpointAnswer {
    switch self {
    case .response(let response): response
    case .reply(let reply): .response(status: ReferenceReply.status, body: reply.body)
    }
  }

  /// The answer of a model in process; nil for every other answer.
  var reply: ReferenceReply? { if case .reply(let reply) = self { reply } else { nil } }
}
