import SKANDevice
import SKANModel

/// What became of a step.
package struct LivedStep {
  package var at: Instant
  package var endedAt: Instant
  package var report: StepReport
  /// Who answered, when a request went out.
  package var answerer: Answerer?

  /// Who answered a request, and what.
  package enum Answerer {
    /// The step itself.
    case step(EndpointAnswer)
    /// The test endpoint in process.
    case testEndpoint(EndpointAnswer)
    /// A conversion model in process.
    case model(ReferenceReply)
    /// The endpoint at an address, without its query.
    case remote(EndpointAnswer, address: String)
  }
}

extension LivedStep.Answerer {
  /// The answer as it came, or as it would have come.
  var answer: EndpointAnswer {
    switch self {
    case .step(let answer), .testEndpoint(let answer), .remote(let answer, _): answer
    case .model(let reply): .response(status: 200, body: Array(reply.body.utf8))
    }
  }

  /// The address without its query to which the request went, or would have gone on a phone.
  func address(for snippet: SnippetVersion) -> String {
    switch self {
    case .step, .model: Endpoint.productionAddress(for: snippet)
    case .testEndpoint: Endpoint.embedded.address(for: snippet)
    case .remote(_, let address): address
    }
  }
}
