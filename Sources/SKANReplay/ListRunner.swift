import SKANDevice
import SKANEndpoint
import SKANJSON

/// Lives the steps of a list, each on its own phone.
package struct ListRunner {
  private var phones: ContiguousArray<Phone> = []
  /// The phones of steps without a place.
  private let names = NameTable()
  private let runner: StepRunner
  /// With what an undeclared phone starts.
  private var start: Phone?

  package init(_ runner: StepRunner) { self.runner = runner }

  /// For a list about one phone that has lived already, whatever the list calls it.
  package init(_ runner: StepRunner, everyPhone phone: Phone) {
    self.runner = runner
    start = phone
  }

  /// The phone of a list about one phone, after its steps; nil when it had none.
  package var onlyPhone: Phone? { phones.count == 1 ? phones.first : nil }

  /// Lives a step on its phone; one that was never declared has the defaults.
  package mutating func live(_ step: Step) throws(StepError) -> LivedStep {
    let place = place(of: step)
    return try runner.live(step, on: &phones[place])
  }

  /// The same, with everything that can be shown of it.
  package mutating func run(_ step: Step) throws(StepError) -> StepResult {
    let place = place(of: step)
    return try runner.run(step, on: &phones[place])
  }

  private mutating func place(of step: Step) -> Int {
    let place = step.phone ?? names.insert(step.device)
    // Places are given in the order in which the phones are first met.
    if place == phones.count { phones.append(start ?? Phone.undeclared(named: step.device)) }
    return place
  }
}
