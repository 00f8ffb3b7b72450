import SKANDevice
import SKANJSON

extension StepReader {
  func readOperation(_ name: OperationName, from reader: inout JSONObjectReader, into step: inout Step) {
    switch name {
    case .device:
      let profile = DeviceProfile(from: &reader, phone: step.device)
      if let problem = profile.clockProblem { reader.complain("\(problem); set \"ios\": \"18.0\"", about: "clock") }
      step.operation = .device(profile)
    case .register: step.operation = .register(frameworkError: reader.integer(at: StepKey.frameworkError))
    case .session: step.operation = .session(update(from: &reader))
    case .event:
      // Both are read, so that a bad name does not hide what is wrong with the rest.
      let name = reader.string(at: StepKey.name)
      if name == nil { reader.require(at: StepKey.name) }
      step.operation = .event(name: name ?? "", update(from: &reader))
    case .revenue: step.operation = .revenue(revenue(from: &reader))
    case .details, .include: step.operation = .details
    case .relaunch: step.operation = .relaunch
    case .postbacks: step.operation = .postbacks
    case .update:
      step.operation = .update(
        ios: reader.iosVersion("ios"), appVersion: reader.string("app_version"), snippet: reader.choice("snippet"))
      if !reader.has("ios"), !reader.has("app_version"), !reader.has("snippet") {
        reader.complain("an update needs at least one of \"ios\", \"app_version\", \"snippet\"")
      }
    }
  }

  private func revenue(from reader: inout JSONObjectReader) -> Step.Revenue {
    let amount = reader.number(at: StepKey.amount)
    if amount == nil { reader.require(at: StepKey.amount) }
    if let amount, !Float(amount).isFinite {
      reader.complain("\"amount\" must fit a single-precision number (up to 3.4e38)", about: "amount")
    }
    var currency: String?
    if let node = reader.node(at: StepKey.currency) {
      if !node.isNull { currency = reader.string(at: StepKey.currency) }
    } else {
      reader.complain("a revenue step needs the key \"currency\" (null for none)")
    }
    return Step.Revenue(
      amount: amount ?? 0, currency: currency, isAdMonetization: reader.bool(at: StepKey.adMonetization) ?? false)
  }

  private func update(from reader: inout JSONObjectReader) -> Step.Update {
    var update = Step.Update()
    guard reader.hasAny(of: StepKey.circumstances) else { return update }
    if let node = reader.node(at: StepKey.answer) {
      var answer = JSONObjectReader(node, what: "an answer", known: AnswerForm.keys)
      update.answer = AnswerForm.read(&answer)
      reader.add(answer.problems)
    }
    if reader.has(at: StepKey.took) {
      update.took = span(at: StepKey.took, of: reader)
      if update.took == nil {
        reader.complain(
          at: StepKey.took, expected: "seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d)")
      }
    }
    update.options.hasHandler = !(reader.bool(at: StepKey.noHandler) ?? false)
    update.options.frameworkError = reader.integer(at: StepKey.frameworkError)
    return update
  }
}
