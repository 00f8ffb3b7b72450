/// What Apple's framework knows of one install: the truth that the app never sees; see the article "Apple's framework".
///
/// Bytes only and small, since every update of a long list goes through it. What does not change in an install's life
/// (ad, build, clock preset, settings) is passed with each call.
package struct AppleFramework: Sendable, Equatable {
  /// The time of the install, if it is known; nil when the first launch is the same moment.
  @OptionalInstant package internal(set) var installed: Instant?
  /// The app's first launch, if the driver reported it.
  @OptionalInstant package internal(set) var firstLaunch: Instant?
  /// The first update call that was not refused: the install is registered.
  @OptionalInstant package internal(set) var firstUpdate: Instant?
  /// The latest moment at which a call was made; a phone's clock that is set back does not reopen what is over.
  @OptionalInstant package internal(set) var latestCall: Instant?
  /// Versions up to 3: when the timer was started last.
  @OptionalInstant package internal(set) var timerStart: Instant?
  package internal(set) var held = PerWindow<HeldValues>(repeating: HeldValues())
  /// As what the ad counts, fixed by the first update call: a later iOS does not change it.
  package internal(set) var version: AdVersion?

  /// An install without any call yet.
  package init() {}

  /// One of the same install before any call.
  package init(installAndLaunchOf other: AppleFramework) {
    installed = other.installed
    firstLaunch = other.firstLaunch
  }

  /// Whether Apple has taken note of the install.
  package var isRegistered: Bool { firstUpdate != nil }

  /// The app runs: its first launch is remembered, for the setting `clock-start`.
  package mutating func launched(at now: Instant) {
    guard firstLaunch == nil else { return }
    firstLaunch = now
    if installed == now { installed = nil }
  }

  /// The app was installed: a first call that is long after it comes too late.
  package mutating func installed(at now: Instant) { installed = now }

  /// The end of the time in which a first update call counts: 60 days after the install. Nil when that time is not known.
  ///
  /// Where only the first launch is known the install is taken to be no earlier.
  package var lastFirstUpdate: Instant? { (installed ?? firstLaunch)?.later(by: .hours(60 * 24)) }

  /// From when the windows of version 4 count; nil while they do not.
  package func clockStart(on install: InstallTraits) -> Instant? {
    install.settings.clockStart == .firstLaunch ? firstLaunch ?? firstUpdate : firstUpdate
  }

  /// Apple's window of version 4 at a moment; nil before the clock starts and when all are over.
  package func window(at now: Instant, on install: InstallTraits) -> ConversionWindow? {
    clockStart(on: install).flatMap { window(at: moment(now), from: $0, install) }
  }

  /// The end of a window, or of the timer of versions up to 3; nil before the clock starts.
  package func end(of window: ConversionWindow, on install: InstallTraits) -> Instant? {
    if let timerStart { return timerStart.later(by: install.clock.timer(install.settings)) }
    return clockStart(on: install).map { $0.later(by: install.clock.end(of: window)) }
  }

  /// The moment as Apple takes it: never before an earlier call.
  func moment(_ now: Instant) -> Instant { max(now, latestCall ?? now) }

  func window(at moment: Instant, from start: Instant, _ install: InstallTraits) -> ConversionWindow? {
    // One by one: `allCases` would be an array at every call.
    if isOpen(.p0, at: moment, from: start, install) { return .p0 }
    if isOpen(.p1, at: moment, from: start, install) { return .p1 }
    return isOpen(.p2, at: moment, from: start, install) ? .p2 : nil
  }

  private func isOpen(
    _ window: ConversionWindow, at moment: Instant, from start: Instant, _ install: InstallTraits
  ) -> Bool {
    !install.isOver(start.later(by: install.clock.end(of: window)), at: moment)
  }
}

extension InstallTraits {
  /// Whether a window or timer with this end is over.
  func isOver(_ end: Instant, at moment: Instant) -> Bool {
    switch settings.windowEdges {
    case .halfOpen: moment >= end
    case .endIncluded: moment > end
    }
  }
}
