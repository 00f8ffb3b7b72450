import SKANDevice

/// The answer that a step brings itself.
struct ScriptedAnswerer: Answerer {
  let response: EndpointAnswer

  func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer { Answer(.response(response)) }

  func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> EndpointAnswer { response }

  func identity(for device: Device) -> AnsweredBy { .list }

  func address(for device: Device) -> String { Endpoint.productionAddress(for: device.snippet) }
}
