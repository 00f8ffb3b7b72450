/// A simulated phone in the middle of its life: the device, its clock, and what its endpoint remembers of it.
package struct Phone: Sendable, Equatable {
  package var device: Device
  package var clock: PhoneClock
  package var testEndpoint: TestEndpoint
  /// What an endpoint with a model remembers of this install.
  package var memory: InstallMemory
  /// What is remembered of the server's reports; nil for the many phones of which there are none.
  private var sharedForwarding: SharedValue<ForwardingMemory>?

  package init(
    device: Device, clock: PhoneClock, testEndpoint: TestEndpoint = TestEndpoint(), memory: InstallMemory = .none
  ) {
    self.device = device
    self.clock = clock
    self.testEndpoint = testEndpoint
    self.memory = memory
  }

  /// A fresh install of the app: nothing is left of the one before but the clock.
  ///
  /// - Parameter time: of the install; nil when the first step that follows has it.
  @inline(__always)
  package mutating func install(_ fresh: consuming Device, at time: Instant?) {
    device = fresh
    if let time { device.framework.installed(at: time) }
    testEndpoint = TestEndpoint()
    memory = .none
    sharedForwarding = nil
    clock.startAnew()
  }

  /// What is remembered of the reports of the app's server about this install.
  package var forwarding: ForwardingMemory {
    get { sharedForwarding?.value ?? ForwardingMemory() }
    set { sharedForwarding = newValue == ForwardingMemory() ? nil : SharedValue(newValue) }
  }

  /// The phone of a step that no step declared.
  package static func undeclared(named name: String) -> Phone {
    Phone(
      device: Device(DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: name))), clock: PhoneClock(isVirtual: true))
  }
}
