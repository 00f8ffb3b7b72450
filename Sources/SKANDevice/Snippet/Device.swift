/// The phone: its profile, what the app keeps, the app's process, and what Apple's framework holds.
///
/// Pure rules. Nothing here reads a clock, does input or output or draws a random number: moments and answers come in
/// as values. An update is two steps because on the phone it is two: ``beginUpdate(at:)`` says whether a request goes out,
/// with the state before the answer (``request(event:)``), ``finishUpdate(_:at:options:)`` makes the state after it.
package struct Device: Sendable, Equatable {
  // In the order of their alignment, so that a phone has no gaps.
  package var kept = KeptState()
  /// Counts the changes after which a request may carry something that it had not before the change: of the profile, by an
  /// answer that came as text, by revenue in odd currencies. An endpoint that has checked a request of one revision need
  /// not check all of the next one again.
  package internal(set) var revision: UInt32 = 0
  /// What Apple holds of the install, which the app cannot see.
  package var framework = AppleFramework()
  /// The odd values beside ``overwritten``.
  var overwrittenOdd: OddValues?
  private var sharedProfile: SharedValue<DeviceProfile>
  package var process = AppProcess()
  /// The app's values before the last answer, except revenue.
  var overwritten = StoredValues()
  /// The facts of the profile that every step needs.
  package private(set) var traits: Traits
  /// Whether an answer overwrote anything.
  var hasOverwritten = false

  package init(_ profile: DeviceProfile) {
    sharedProfile = SharedValue(profile)
    traits = Traits(profile)
  }

  /// Goes on from what another phone's app keeps; what Apple holds of that one is assumed.
  package mutating func start(from kept: KeptState) {
    self.kept = kept
    hasOverwritten = false
    framework = .assumed(from: kept, of: snippet, on: traits.install)
  }

  package var profile: DeviceProfile {
    _read { yield sharedProfile.value }
    set {
      sharedProfile.value = newValue
      traits = Traits(newValue)
      revision &+= 1
    }
  }

  /// The part of a profile that decides what an update does.
  package struct Traits: Sendable, Equatable {
    package let snippet: SnippetVersion
    /// Which version of the endpoint an update asks.
    package let api: EndpointAPI
    /// Whether this iOS is new enough for the snippet to update and to count revenue, and for it to take an answer.
    let canUpdate, canTakeAnswer: Bool
    /// Whether this iOS has coarse values and locks.
    let hasCoarseValueUpdate: Bool
    package let install: InstallTraits
    let hasIDFV: Bool

    init(_ profile: DeviceProfile) {
      snippet = profile.snippet
      api = snippet.rules.api
      canUpdate = snippet.rules.updateMinimum.map { profile.ios >= $0 } ?? true
      canTakeAnswer = snippet.rules.answerMinimum.map { profile.ios >= $0 } ?? true
      hasCoarseValueUpdate = profile.ios >= .coarseValueUpdate
      install = InstallTraits(profile)
      hasIDFV = !(profile.idfv?.isEmpty ?? true)
    }
  }

  // Inlined, as a call would be given a copy of the whole device.
  @inline(__always)
  package var snippet: SnippetVersion { traits.snippet }

  /// Whether a first call to the framework is on record; the snippet takes a first call at 0 for none.
  @inline(__always)
  package var isRegistered: Bool { (kept.firstCall ?? 0) != 0 }

  /// The snippet's window at a moment, nil when there is none open. SKAN 3: P0 while updates are open.
  @inline(__always)
  package func window(at now: Instant) -> ConversionWindow? {
    switch snippet.rules.windows {
    case .fromFirstCall: .at(secondsSinceFirstCall: now.wholeSeconds - (kept.firstCall ?? 0))
    case .fromLastCall: now.wholeSeconds - (kept.lastCall ?? 0) < ConversionWindow.skan3Length ? .p0 : nil
    }
  }

  /// The fine value that the app keeps; nil where it keeps none.
  package var keptValue: Int64? { kept.value(snippet.rules.valueEntry)?.int64 }

  /// The request of an update that begins now.
  package func request(event name: String) -> ConversionRequest { ConversionRequest(self, eventName: name) }

  /// `getSkanDetails`, or why reading it crashes the app.
  package func details() throws(PoisonedEntry) -> SkanDetails { try SkanDetails(of: kept, snippet: snippet) }

  /// A new process of the app: the lock is free again, what is kept stays.
  package mutating func relaunch() {
    process.isLockHeld = false
    process.launches += 1
  }
}

extension Device {
  /// Whether the phones are the same, whatever changes led to them.
  package static func == (left: Device, right: Device) -> Bool {
    left.sharedProfile == right.sharedProfile && left.kept == right.kept && left.process == right.process
      && left.framework == right.framework
  }
}

// MARK: Before the last answer

extension Device {
  /// What the app kept before the last answer, with the revenue of now; nil when that answer changed nothing.
  ///
  /// Set when a device file is read, after ``kept``.
  package var keptBeforeAnswer: KeptState? {
    get {
      guard hasOverwritten else { return nil }
      var before = kept
      before.values = overwritten
      before.odd = overwrittenOdd
      return before == kept ? nil : before
    }
    set {
      hasOverwritten = newValue != nil
      overwritten = newValue?.values ?? StoredValues()
      overwrittenOdd = newValue?.odd
    }
  }

  /// Remembers what the app keeps, as an answer comes.
  @inline(__always)
  mutating func rememberKept() {
    hasOverwritten = true
    overwritten = kept.values
    // Nearly always there are none, and then nothing is counted.
    if overwrittenOdd !== kept.odd { overwrittenOdd = kept.odd }
  }

  /// Whether the app keeps something else than when the answer came, revenue apart.
  @inline(__always)
  var hasChangedKept: Bool {
    kept.values != overwritten || kept.odd !== overwrittenOdd && kept.odd != overwrittenOdd
  }
}

/// What lives and dies with one process of the app.
package struct AppProcess: Sendable, Equatable {
  /// How often the app was started, this time included.
  package var launches: Int64 = 1
  /// The snippet's `NSLock` was leaked: every later update in this process waits for ever.
  package var isLockHeld = false

  package init() {}
}
