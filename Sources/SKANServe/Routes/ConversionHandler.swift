import SKANBase
import SKANDevice
import SKANModel

/// Answers conversion_value by the model, and remembers the phones that asked.
final class ConversionHandler {
  /// May change while the server runs; what is remembered of phones stays.
  var endpoint: ReferenceEndpoint
  private var phones: PhoneMemory<Remembered<InstallMemory>>
  private let forgotten: ForgottenPhones

  init(_ endpoint: ReferenceEndpoint, _ forgotten: ForgottenPhones) {
    self.endpoint = endpoint
    self.forgotten = forgotten
    phones = PhoneMemory(limit: forgotten.limit)
  }

  /// How many phones are remembered.
  var phoneCount: Int { phones.count }

  func answer(_ request: PhoneRequest) -> PhoneAnswer {
    let query = request.query
    var isRepeated = false
    let reply: ReferenceReply
    if request.isHead {
      var memory = phones.known(query.install)?.value ?? .none
      reply = endpoint.reply(to: query, at: request.time, memory: &memory)
    } else {
      let before = phones.forgotten
      reply = phones.with(query.install, new: Remembered(.none)) {
        isRepeated = $0.repeats(request.request)
        return endpoint.reply(to: query, at: request.time, memory: &$0.value)
      }
      forgotten.note(before: before, after: phones.forgotten)
    }
    var explanation = ByteText()
    reply.writeExplanation(event: query.eventName, to: &explanation)
    if !request.statesTime, let hint = reply.clockHint(query, at: request.time) { explanation.append(" \(hint)") }
    if case .error(.request(.noCurrentValue)) = reply {
      explanation.append(" [\(WarningCode.currentValueMissing.name)]")
    }
    if isRepeated { explanation.append(" The request before was the same: a retry counts as another event.") }
    return PhoneAnswer(body: reply.body, explanation: explanation.array)
  }
}
