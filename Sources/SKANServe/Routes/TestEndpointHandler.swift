import SKANDevice

/// Answers as the test endpoint does, which counts the calls of each phone.
final class TestEndpointHandler {
  private var phones: PhoneMemory<TestEndpoint>
  private let forgotten: ForgottenPhones

  init(_ forgotten: ForgottenPhones) {
    self.forgotten = forgotten
    phones = PhoneMemory(limit: forgotten.limit)
  }

  func answer(_ request: PhoneRequest) -> PhoneAnswer {
    let name = request.query.idfv.map { "idfv \($0)" } ?? "address \(request.peer)"
    if request.isHead {
      var phone = phones.known(name) ?? TestEndpoint()
      return PhoneAnswer(body: phone.body(), explanation: Array("The test endpoint's next answer.".utf8))
    }
    let before = phones.forgotten
    let (body, calls) = phones.with(name, new: TestEndpoint()) { ($0.body(), $0.calls) }
    forgotten.note(before: before, after: phones.forgotten)
    return PhoneAnswer(body: body, explanation: Array("Call \(calls) of the test endpoint for \(name).".utf8))
  }
}
