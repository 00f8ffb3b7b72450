import SKANDevice

/// Singular's test endpoint in process; see the article "Endpoints".
package struct TestEndpointAnswerer: Answerer {
  package init() {}

  package func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer {
    let response = phone.testEndpoint.answer()
    return Answer(.response(response), explanation: phone.testEndpoint.isExhausted ? .testEndpointExhausted : nil)
  }

  package func identity(for device: Device) -> AnsweredBy { .embedded }

  package func address(for device: Device) -> String { Endpoint.embedded.address(for: device.snippet) }
}
