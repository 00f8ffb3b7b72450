import SKANDevice

/// Runs the steps of a list, each on its own phone.
package final class ListRunner {
  private let phones = PhoneTable()
  private let runner: StepRunner
  /// With what an undeclared phone starts.
  private let start: Phone?
  private let keepsNames: Bool
  /// The names of the phones by their index, where they are kept.
  package private(set) var names: [String] = []

  package init(_ runner: StepRunner, keepsNames: Bool = false) {
    self.runner = runner
    self.keepsNames = keepsNames
    start = nil
  }

  /// For a list that goes on with one phone, whatever the list calls it.
  package init(_ runner: StepRunner, everyPhone phone: Phone) {
    self.runner = runner
    keepsNames = false
    start = phone
  }

  /// The phone of a list about one phone, after its steps; nil when it had none.
  package var onlyPhone: Phone? { phones.count == 1 ? phones[0] : nil }

  /// Runs a step on its phone; one that was never declared has the defaults.
  package func complete(_ step: Step, _ report: inout StepReport) throws(StepError) -> Instant {
    let index = index(of: step)
    return try runner.complete(step, on: &phones[index], &report)
  }

  /// The same, with everything that can be shown of it.
  package func run(_ step: Step) throws(StepError) -> StepResult {
    let index = index(of: step)
    return try runner.run(step, on: &phones[index])
  }

  /// The phone of a step as it is now.
  package subscript(step: Step) -> Phone {
    get { phones[index(of: step)] }
    set { phones[index(of: step)] = newValue }
  }

  /// Touches the memory of phones whose steps come next.
  func touch(_ indices: [Int]) { phones.touch(indices) }

  /// A phone as it is now, by its index in ``names``.
  package func phone(at index: Int) -> Phone { phones[index] }

  /// Passes over a step; its phone gets its index all the same.
  package func skip(_ step: Step) { if step.operation.takesPhone { _ = index(of: step) } }

  private func newPhone(for step: Step) -> Phone {
    if let start { return start }
    // It is installed next, so that the defaults are not worth making.
    if case .device(let profile) = step.operation, step.skip == nil {
      return Phone(device: Device(profile), clock: PhoneClock(isVirtual: true))
    }
    return Phone.undeclared(named: step.device)
  }

  private func index(of step: Step) -> Int {
    // Phones get their indices in the order in which they are first met.
    if step.phone == phones.count {
      phones.append(newPhone(for: step))
      if keepsNames { names.append(step.device) }
    }
    return step.phone
  }
}
