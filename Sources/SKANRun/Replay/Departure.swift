import SKANDevice

/// The postbacks of one phone of a list that have left it, or will with no further step.
package struct Departure: Sendable {
  /// The list, as it was named.
  package let list: String
  /// The phone's name in the list.
  package let device: String
  package let postbacks: [Postback]

  /// What leaves a phone within a year of its last step: every window and every delay is over then.
  ///
  /// - Returns: nil when nothing does.
  package init?(_ phone: Phone, named device: String, of list: String) {
    guard let later = phone.clock.end?.advanced(by: TimeSpan(seconds: 366 * 86_400)) else { return nil }
    postbacks = phone.device.postbacks(phone: device, at: later).filter { $0.state == .sent }
    if postbacks.isEmpty { return nil }
    self.list = list
    self.device = device
  }
}
