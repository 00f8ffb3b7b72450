/// A simulated phone in the middle of its life: the device, its clock, and what its endpoint remembers of it.
package struct Phone: Sendable, Equatable {
  package var device: Device
  package var clock: PhoneClock
  package var testEndpoint: TestEndpoint
  /// The memory of an endpoint with a model about this install.
  package var memory: InstallMemory
  /// The memory of the app server's reports; nil for phones without reports, which most are.
  private var sharedForwarding: SharedValue<ForwardingMemory>?

  package init(
    device: Device, clock: PhoneClock, testEndpoint: TestEndpoint = TestEndpoint(), memory: InstallMemory = .none
  ) {
    self.device = device
    self.clock = clock
    self.testEndpoint = testEndpoint
    self.memory = memory
  }

  /// Installs the app anew; only the clock is kept.
  ///
  /// - Parameter time: the time of the install; nil if the next step has it.
  @inline(__always)
  package mutating func install(_ fresh: consuming Device, at time: Instant?) {
    device = fresh
    if let time { device.framework.installed(at: time) }
    testEndpoint = TestEndpoint()
    memory = .none
    sharedForwarding = nil
    clock.startAnew()
  }

  /// The memory of the app server's reports of this install.
  package var forwarding: ForwardingMemory {
    get { sharedForwarding?.value ?? ForwardingMemory() }
    set { sharedForwarding = newValue == ForwardingMemory() ? nil : SharedValue(newValue) }
  }

  /// The phone of a step whose phone was not declared.
  package static func undeclared(named name: String) -> Phone {
    Phone(
      device: Device(DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: name))), clock: PhoneClock(isVirtual: true))
  }
}

/// The memory of an endpoint with a model about an install.
package struct InstallMemory: Sendable, Equatable {
  package var counts: EventCounts
  /// The contents of the install's requests to a server; not recorded for a phone in this process.
  ///
  /// The array has at most one element. It keeps `Past` out of line and shared between copies.
  private var past: [Past] = []
  /// The revision of the device whose request passed the checks; nil if there was none.
  package var checkedRevision: UInt32?

  /// No events and no requests.
  package static let none = InstallMemory(counts: .none)

  package init(counts: EventCounts) { self.counts = counts }

  private struct Past: Sendable, Equatable {
    var at: Instant
    var showsAnswers: Bool
    var totals = PerWindow<Totals?>(repeating: nil)
  }

  /// Whether both remember the same requests; ``checkedRevision`` is ignored.
  package static func == (left: InstallMemory, right: InstallMemory) -> Bool {
    left.counts == right.counts && left.past == right.past
  }

  /// The life-long revenue in a request.
  package struct Totals: Sendable, Equatable {
    package var iap: RevenueTable?
    package var ads: RevenueTable?

    package init(iap: RevenueTable? = nil, ads: RevenueTable? = nil) {
      self.iap = iap
      self.ads = ads
    }
  }

  /// The last totals before a window, and the window in which they came.
  package func totals(before window: ConversionWindow) -> (window: ConversionWindow, totals: Totals)? {
    guard let past = past.first else { return nil }
    for earlier in ConversionWindow.allCases.reversed() where earlier.rawValue < window.rawValue {
      if let totals = past.totals[earlier] { return (earlier, totals) }
    }
    return nil
  }

  /// Whether a request must come from another install with the same first call, as the next run of a test makes it: on
  /// one phone, values from an answer never disappear and time does not go back.
  package func isOfOlderInstall(_ showsAnswers: Bool, at now: Instant) -> Bool {
    guard !past.isEmpty, !showsAnswers else { return false }
    return past[0].showsAnswers || now < past[0].at
  }

  /// Remembers the contents of a request.
  ///
  /// - Parameter showsAnswers: whether it has values that only an answer can have left on the phone.
  package mutating func note(_ totals: Totals, showsAnswers: Bool, in window: ConversionWindow, at now: Instant) {
    if past.isEmpty { past.append(Past(at: now, showsAnswers: showsAnswers)) }
    past[0].at = now
    past[0].showsAnswers = showsAnswers
    past[0].totals[window] = totals
  }
}

/// The memory of the app server's reports of an install.
package struct ForwardingMemory: Sendable, Equatable {
  /// Whether a session was reported and accepted.
  package var hasSession = false
  /// The memory of an endpoint with a model about the reports, apart from the requests of the phone.
  package var memory = InstallMemory.none

  package init() {}
}
