/// A simulated phone in the middle of its life: the device, its clock, and what its endpoint remembers of it.
package struct Phone: Sendable {
  package var device: Device
  package var clock: PhoneClock
  package var testEndpoint: TestEndpoint
  /// What an endpoint with a model remembers of this install.
  package var memory: InstallMemory
  /// Whether a model has answered this phone with values, and nothing that a request carries has become odd since: then
  /// not all of it is looked at again.
  package var isKnownToModel = false

  package init(
    device: Device, clock: PhoneClock, testEndpoint: TestEndpoint = TestEndpoint(), memory: InstallMemory = .none
  ) {
    self.device = device
    self.clock = clock
    self.testEndpoint = testEndpoint
    self.memory = memory
  }

  /// Looks at what a step needs of the memory that belongs to the phone; see ``PhoneTable/fetch(_:)``.
  ///
  /// Mutating, as otherwise it would be done on a copy.
  package mutating func fetch() -> UInt64 { device.kept.fetch() &+ memory.counts.fetch() }

  /// The phone of a step that nobody declared.
  package static func undeclared(named name: String) -> Phone {
    Phone(
      device: Device(DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: name))), clock: PhoneClock(isVirtual: true))
  }
}
