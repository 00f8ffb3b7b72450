import SKANDevice
import SKANModel

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

  package func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> EndpointAnswer {
    let answer = endpoint.forwardedAnswer(to: request, at: now, memory: &phone.forwarding.memory)
    return .response(status: 200, body: Array(answer.body.utf8))
  }

  package func identity(for device: Device) -> AnsweredBy { .model(file: file(device.profile.bundleID)) }

  package func address(for device: Device) -> String { Endpoint.productionAddress(for: device.snippet) }
}
