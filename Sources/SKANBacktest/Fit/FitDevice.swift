/// What a fit knows of a device.
package struct FitDevice: Sendable, Equatable {
  /// Revenue of the first window, 48 hours from the beginning, in millionths of the report's currency.
  package var revenue: Int
  /// The index of the last of the named events that it had in the first window; nil when it had none.
  package var event: Int?
  /// Whether nothing is fitted to it, so that the error on it is one that is to be expected.
  package var isHeldOut: Bool

  package init(revenue: Int, event: Int? = nil, isHeldOut: Bool = false) {
    self.revenue = revenue
    self.event = event
    self.isHeldOut = isHeldOut
  }
}

extension DeviceKey {
  /// Of this number of devices one is held out.
  package static let heldOutShare = 5

  /// Whether a fit leaves the device out: by the hash of its identifier, so that it is the same in any order of the input.
  package var isHeldOut: Bool { high % UInt64(Self.heldOutShare) == 0 }
}
