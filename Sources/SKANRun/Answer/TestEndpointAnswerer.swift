import SKANDevice

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
