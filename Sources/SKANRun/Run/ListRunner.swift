import SKANDevice

/// Lives the steps of a list, each on its own phone.
package final class ListRunner {
  private let phones = PhoneTable()
  private let runner: StepRunner
  /// With what an undeclared phone starts.
  private let start: Phone?

  package init(_ runner: StepRunner) {
    self.runner = runner
    start = nil
  }

  /// For a list about one phone that has lived already, whatever the list calls it.
  package init(_ runner: StepRunner, everyPhone phone: Phone) {
    self.runner = runner
    start = phone
  }

  /// The phone of a list about one phone, after its steps; nil when it had none.
  package var onlyPhone: Phone? { phones.count == 1 ? phones[0] : nil }

  /// Lives a step on its phone; one that was never declared has the defaults.
  package func live(_ step: Step) throws(StepError) -> LivedStep {
    let place = place(of: step)
    return try runner.live(step, on: &phones[place])
  }

  /// The same, with everything that can be shown of it.
  package func run(_ step: Step) throws(StepError) -> StepResult {
    let place = place(of: step)
    return try runner.run(step, on: &phones[place])
  }

  /// The phone of a step as it is now.
  package subscript(step: Step) -> Phone {
    get { phones[place(of: step)] }
    set { phones[place(of: step)] = newValue }
  }

  /// Makes ready what steps need that come next, by the places of their phones.
  package func fetch(_ places: [Int]) { phones.fetch(places) }

  /// A step is not lived; its phone is met all the same.
  package func skip(_ step: Step) { if step.operation.takesPhone { _ = place(of: step) } }

  private func newPhone(for step: Step) -> Phone {
    if let start { return start }
    // It is installed next, so that the defaults are not worth making.
    if case .device(let profile) = step.operation, step.skip == nil {
      return Phone(device: Device(profile), clock: PhoneClock(isVirtual: true))
    }
    return Phone.undeclared(named: step.device)
  }

  private func place(of step: Step) -> Int {
    // Places are given in the order in which the phones are first met.
    if step.phone == phones.count { phones.append(newPhone(for: step)) }
    return step.phone
  }
}
