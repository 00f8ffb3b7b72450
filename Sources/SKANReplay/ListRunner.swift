import SKANDevice
import SKANEndpoint

/// Lives the steps of a list, each on its own phone.
package struct ListRunner {
  private var phones: [String: Phone] = [:]
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
  package var onlyPhone: Phone? { phones.count == 1 ? phones.first?.value : nil }

  /// Runs a step on its phone; one that was never declared has the defaults.
  package mutating func run(_ step: Step) throws(StepError) -> StepResult {
    var phone = phones.removeValue(forKey: step.device) ?? start ?? Self.defaultPhone(named: step.device)
    defer { phones[step.device] = phone }
    return try runner.run(step, on: &phone)
  }

  private static func defaultPhone(named name: String) -> Phone {
    Phone(
      device: Device(DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: name))), clock: PhoneClock(isVirtual: true))
  }
}
