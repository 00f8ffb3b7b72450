import SKANDevice
import SKANEndpoint

/// A simulated phone in the middle of its life: the device, its clock, and what its endpoint remembers of it.
package struct Phone: Sendable {
  package var device: Device
  package var clock: PhoneClock
  package var testEndpoint: TestEndpoint

  package init(device: Device, clock: PhoneClock, testEndpoint: TestEndpoint = TestEndpoint()) {
    self.device = device
    self.clock = clock
    self.testEndpoint = testEndpoint
  }
}
