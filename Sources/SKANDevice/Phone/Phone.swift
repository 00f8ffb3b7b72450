/// A simulated phone in the middle of its life: the device, its clock, and what its endpoint remembers of it.
package struct Phone: Sendable, Equatable {
  package var device: Device
  package var clock: PhoneClock
  package var testEndpoint: TestEndpoint
  /// The facts that an endpoint with a model remembers about this install.
  package var memory: InstallMemory
  /// The facts remembered about the app server's reports; nil for the many phones of which there are none.
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

  /// The facts remembered about the app server's reports of this install.
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

/// The facts that an endpoint with a model remembers about an install.
package struct InstallMemory: Sendable, Equatable {
  package var counts: EventCounts
  /// The contents of the install's requests to a server; not kept for a phone in this process.
  ///
  /// None or one: an array is shared by copies until one of them changes, and out of the way of those who do not need it.
  private var past: [Past] = []
  /// The revision of the device whose request was found right; nil when there was none.
  package var checkedRevision: UInt32?

  /// Nothing was seen.
  package static let none = InstallMemory(counts: .none)

  package init(counts: EventCounts) { self.counts = counts }

  private struct Past: Sendable, Equatable {
    var at: Instant
    var showsAnswers: Bool
    var totals = PerWindow<Totals?>(repeating: nil)
  }

  /// Whether the same is remembered of the requests; when they were checked does not count.
  package static func == (left: InstallMemory, right: InstallMemory) -> Bool {
    left.counts == right.counts && left.past == right.past
  }

  /// The life-long revenue as a request had it.
  package struct Totals: Sendable, Equatable {
    package var iap: RevenueTable?
    package var ads: RevenueTable?

    package init(iap: RevenueTable? = nil, ads: RevenueTable? = nil) {
      self.iap = iap
      self.ads = ads
    }
  }

  /// The last totals that came before a window, and the window in which they came.
  package func totals(before window: ConversionWindow) -> (window: ConversionWindow, totals: Totals)? {
    guard let past = past.first else { return nil }
    for earlier in ConversionWindow.allCases.reversed() where earlier.rawValue < window.rawValue {
      if let totals = past.totals[earlier] { return (earlier, totals) }
    }
    return nil
  }

  /// Whether a request can only come from a new install with the first call of the one known here, as the next run of a
  /// test makes it: a phone never forgets that it was answered, and its beginning does not come after its later life.
  package func isOfOlderInstall(_ showsAnswers: Bool, at now: Instant) -> Bool {
    guard !past.isEmpty, !showsAnswers else { return false }
    return past[0].showsAnswers || now < past[0].at
  }

  /// Remembers what a request said.
  ///
  /// - Parameter showsAnswers: whether it has values that only an answer can have left on the phone.
  package mutating func note(_ totals: Totals, showsAnswers: Bool, in window: ConversionWindow, at now: Instant) {
    if past.isEmpty { past.append(Past(at: now, showsAnswers: showsAnswers)) }
    past[0].at = now
    past[0].showsAnswers = showsAnswers
    past[0].totals[window] = totals
  }
}

/// The facts remembered about the app server's reports of an install.
package struct ForwardingMemory: Sendable, Equatable {
  /// Whether a session was reported and taken.
  package var hasSession = false
  /// The facts that an endpoint with a model remembers about the reports, apart from the requests of the phone itself.
  package var memory = InstallMemory.none

  package init() {}
}
