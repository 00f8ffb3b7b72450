import SKANDevice
import SKANEndpoint

/// A simulated phone in the middle of its life: the device, its clock, and what its endpoint remembers of it.
package struct Phone: Sendable {
  package var device: Device
  package var clock: PhoneClock
  package var testEndpoint: TestEndpoint
  /// What a conversion model remembers of this install's events.
  package var eventCounts: EventCounts

  package init(
    device: Device, clock: PhoneClock, testEndpoint: TestEndpoint = TestEndpoint(), eventCounts: EventCounts = .none
  ) {
    self.device = device
    self.clock = clock
    self.testEndpoint = testEndpoint
    self.eventCounts = eventCounts
  }

  /// The phone of a step that nobody declared.
  static func undeclared(named name: String) -> Phone {
    Phone(
      device: Device(DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: name))), clock: PhoneClock(isVirtual: true))
  }
}
