import SKANDevice

/// Everything that outlives a command: one phone, as its file has it; see the manual, "The device file".
package struct DeviceFile: Sendable, Equatable {
  package var phone: Phone
  /// Who answered last, but for the test endpoint in process and answers of steps: an address, or a model.
  package var answerer: KnownAnswerer?
  /// Calls into Apple's framework from before there was a ``history``, in order; all others are in it.
  package var callsBeforeHistory: [RecordedCall] = []
  /// What happened so far, in order.
  package var history: [LifeEvent] = []
  /// Attempts to deliver postbacks, in order.
  package var deliveries: [Delivery] = []
  /// Keys under which revenue was counted.
  package var idempotencyKeys: [String] = []

  /// The newest format that this program reads, and the one that it writes.
  ///
  /// Format 1 had neither history nor deliveries, nor what Apple holds, which is worked out from the calls then. Format 2
  /// had every call twice: in `framework_calls`, and without its error in the history.
  package static let format: Int64 = 3

  package init(device: Device, clock: PhoneClock = PhoneClock(isVirtual: false)) {
    phone = Phone(device: device, clock: clock)
  }
}

/// A call into Apple's framework, when it was made and what came of it.
package struct RecordedCall: Sendable, Equatable {
  package var at: Instant
  package var call: FrameworkCall
  /// `SKANErrorDomain` code, nil when the call went well.
  package var error: Int64?

  package init(at: Instant, call: FrameworkCall, error: Int64?) {
    self.at = at
    self.call = call
    self.error = error
  }
}
