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

/// What Apple's framework knows of an install from its beginning: the part of a profile that decides its answers.
package struct InstallTraits: Sendable, Equatable {
  package let build: DeviceProfile.Build
  package let clock: DeviceProfile.ClockPreset
  package let settings: FrameworkSettings
  /// Whether an ad brought the install.
  package let isAttributed: Bool
  /// As what version the ad counts before the first call has fixed it.
  let adVersion: AdVersion?

  package init(_ profile: DeviceProfile) {
    build = profile.build
    clock = profile.clock
    settings = profile.settings
    isAttributed = profile.ad != nil
    adVersion = profile.adVersion
  }
}

/// Apple's state for one window of an install. Versions up to 3 have one window only, the first.
package struct HeldValues: Sendable, Equatable {
  /// When a call locked the window, and no call after it counts.
  @OptionalInstant package internal(set) var lockedAt: Instant?
  /// The last fine value; nil when none was given, as by `registerAppForAdNetworkAttribution`.
  package internal(set) var fine: UInt8?
  package internal(set) var coarse: HeldCoarse?
  /// Whether a call counted in this window.
  package internal(set) var isUpdated = false
  /// Whether no such call could have given a coarse value and a lock.
  package internal(set) var isFineOnly = false

  package init() {}
}

/// A coarse value as Apple may hold it.
package enum HeldCoarse: String, CaseIterable, Sendable {
  case low, medium, high
  /// No value of Apple's, but seen in postbacks (setting `coarse-without`).
  case literalNone = "none"

  init(_ value: CoarseValue) {
    switch value {
    case .low: self = .low
    case .medium: self = .medium
    case .high: self = .high
    }
  }
}

extension AppleFramework {
  /// Takes a call; see the article "Apple's framework".
  ///
  /// Nothing is allocated here: a long list makes this call a million times a second.
  ///
  /// - Parameter error: a `SKANErrorDomain` code with which the call fails because a tester wants it so; nothing is
  ///   changed then.
  package mutating func apply(
    _ call: FrameworkCall, at now: Instant, on install: InstallTraits, failingWith error: Int64? = nil
  ) -> FrameworkAnswer {
    if let error { return .refused(call, error) }
    if install.build == .development { return .refused(call, SKANErrorCode.unknown.rawValue) }
    guard let version = version ?? install.adVersion, install.isAttributed else {
      return FrameworkAnswer(install.isAttributed ? .unknownVersion : .organic, of: call)
    }
    if let fine = call.fineValue, !(0...63).contains(fine) {
      return .refused(call, SKANErrorCode.invalidConversionValue.rawValue)
    }
    let moment = moment(now)
    let wasRegistered = isRegistered
    if !wasRegistered, let last = lastFirstUpdate, moment > last {
      return FrameworkAnswer(.tooLate(since: last), of: call)
    }
    var answer = version.hasWindows ? applyInWindow(call, moment, install) : applyByTimer(call, moment, install)
    latestCall = moment
    if isRegistered, !wasRegistered {
      self.version = version
      answer.effects.insert(.registered)
    }
    return answer
  }
}

/// An ad of version 4: three windows, each with values and perhaps a lock of its own.
extension AppleFramework {
  mutating func applyInWindow(_ call: FrameworkCall, _ moment: Instant, _ install: InstallTraits) -> FrameworkAnswer {
    let settings = install.settings
    let start = clockStart(on: install) ?? moment
    guard let window = window(at: moment, from: start, install) else {
      let end = start.later(by: install.clock.end(of: .p2))
      return FrameworkAnswer(.windowsOver(since: end), of: call, ignored: settings.afterWindows)
    }
    if let since = held[window].lockedAt {
      return FrameworkAnswer(.locked(window, since: since), of: call, ignored: settings.afterLock)
    }
    let isFirst = !isRegistered
    if isFirst { firstUpdate = moment }
    let fineOnlyCounts = window == .p0 || settings.fineOnlyCalls == .everyWindow
    switch call {
    case .register where isFirst:
      if fineOnlyCounts { update(window, isFineOnly: true, settings) }
      return FrameworkAnswer(.registered, of: call)
    case .register:
      return fineOnlyCounts ? registerAgain(call, in: window, settings) : FrameworkAnswer(.fineOnly(window), of: call)
    case .updateConversionValue(let fine), .updatePostback(let fine):
      guard fineOnlyCounts else { return FrameworkAnswer(.fineOnly(window), of: call) }
      update(window, isFineOnly: true, settings)
      let effects = setFine(fine, in: window).union(setCoarse(nil, in: window, settings))
      return FrameworkAnswer(.taken(window), of: call, effects: effects)
    case .updatePostbackCoarse(let fine, let coarse, let lock):
      update(window, isFineOnly: false, settings)
      var effects = setFine(fine, in: window).union(setCoarse(coarse, in: window, settings))
      if lock {
        held[window].lockedAt = moment
        effects.insert(.locked)
      }
      return FrameworkAnswer(.taken(window), of: call, effects: effects)
    }
  }

  /// `registerAppForAdNetworkAttribution` after the first call: it sets back what is set, and otherwise does nothing.
  private mutating func registerAgain(
    _ call: FrameworkCall, in window: ConversionWindow, _ settings: FrameworkSettings
  ) -> FrameworkAnswer {
    let isSet = held[window].fine != nil || held[window].coarse != nil
    guard settings.registerAgain == .reset, isSet else { return FrameworkAnswer(.alreadyRegistered, of: call) }
    if window == .p0 { held[window].fine = 0 }
    let effects = setCoarse(nil, in: window, settings).union(.reset)
    return FrameworkAnswer(.taken(window), of: call, effects: effects)
  }

  /// The fine value counts in the first window only.
  private mutating func setFine(_ fine: Int64, in window: ConversionWindow) -> CallEffects {
    guard window == .p0 else { return .fineIgnored }
    held[window].fine = UInt8(truncatingIfNeeded: fine)
    return []
  }

  /// A call counts in a window: before the first one it begins empty, or with what the window before left.
  private mutating func update(_ window: ConversionWindow, isFineOnly: Bool, _ settings: FrameworkSettings) {
    if held[window].isUpdated {
      if !isFineOnly { held[window].isFineOnly = false }
      return
    }
    held[window].coarse = carriedCoarse(into: window, settings)
    held[window].isUpdated = true
    held[window].isFineOnly = isFineOnly
  }

  private mutating func setCoarse(
    _ coarse: CoarseValue?, in window: ConversionWindow, _ settings: FrameworkSettings
  ) -> CallEffects {
    if let coarse {
      held[window].coarse = HeldCoarse(coarse)
      return []
    }
    let before = held[window].coarse
    switch settings.coarseWithout {
    case .keep: return []
    case .clear: held[window].coarse = nil
    case .literalNone: held[window].coarse = .literalNone
    }
    return before == nil || before == .literalNone ? [] : .coarseCleared
  }

  /// The coarse value with which a window begins.
  private func carriedCoarse(into window: ConversionWindow, _ settings: FrameworkSettings) -> HeldCoarse? {
    guard settings.carryOver == .yes else { return nil }
    switch window {
    case .p0: return nil
    case .p1: return coarse(of: .p0, settings)
    case .p2: return coarse(of: .p1, settings)
    }
  }

  /// The coarse value that a window has, with or without a call in it.
  func coarse(of window: ConversionWindow, _ settings: FrameworkSettings) -> HeldCoarse? {
    held[window].isUpdated ? held[window].coarse : carriedCoarse(into: window, settings)
  }
}

extension FrameworkSettings.IgnoredCall {
  /// The code that a call gets which is ignored.
  var code: Int64? {
    switch self {
    case .noError: nil
    case .error10: SKANErrorCode.unknown.rawValue
    }
  }
}

/// An ad of version 3.0 or below: one value that only goes upwards, and a timer that each higher value restarts.
extension AppleFramework {
  mutating func applyByTimer(_ call: FrameworkCall, _ moment: Instant, _ install: InstallTraits) -> FrameworkAnswer {
    let settings = install.settings
    let fine = call.fineValue.map { UInt8(truncatingIfNeeded: $0) }
    guard let started = timerStart else {
      firstUpdate = moment
      timerStart = moment
      held[.p0].isUpdated = true
      held[.p0].fine = fine
      return FrameworkAnswer(fine == nil ? .registered : .taken(.p0), of: call, effects: call.partsOfVersion4)
    }
    let end = started.later(by: install.clock.timer(settings))
    guard !install.isOver(end, at: moment) else {
      return FrameworkAnswer(.final(since: end), of: call, ignored: settings.afterWindows)
    }
    let current = held[.p0].fine
    guard let fine else {
      // Only registerAppForAdNetworkAttribution has no value. The timer goes on.
      guard settings.registerAgain == .reset, current != nil else {
        return FrameworkAnswer(.alreadyRegistered, of: call)
      }
      held[.p0].fine = 0
      return FrameworkAnswer(.taken(.p0), of: call, effects: .reset)
    }
    // The first value counts whatever it is: 0 too is more than none.
    if let current, fine <= current { return FrameworkAnswer(.notHigher(than: current), of: call) }
    held[.p0].fine = fine
    timerStart = moment
    return FrameworkAnswer(.taken(.p0), of: call, effects: call.partsOfVersion4)
  }
}

extension FrameworkCall {
  /// What versions up to 3 do not know.
  fileprivate var partsOfVersion4: CallEffects {
    guard case .updatePostbackCoarse(_, let coarse, let lock) = self else { return [] }
    let coarseEffect: CallEffects = coarse == nil ? [] : .coarseIgnored
    return lock ? coarseEffect.union(.lockIgnored) : coarseEffect
  }
}

extension AppleFramework {
  /// Apple's state if it received just what an app's store says: for a phone of which only the store is known.
  ///
  /// What the app keeps does not say when each window was last updated: a lock is taken at its moment, other values at the
  /// last call where that lies in their window, else at the window's beginning.
  package static func assumed(from kept: KeptState, of snippet: SnippetVersion, on install: InstallTraits)
    -> AppleFramework
  {
    var framework = AppleFramework()
    for (call, moment) in kept.assumedCalls(snippet) { _ = framework.apply(call, at: moment, on: install) }
    return framework
  }
}

extension KeptState {
  /// The calls that leave this store, in the order of their moments.
  fileprivate func assumedCalls(_ snippet: SnippetVersion) -> [(call: FrameworkCall, at: Instant)] {
    guard let firstCall, firstCall != 0 else { return [] }
    let fine = fineValue?.int64 ?? 0
    var calls: [(call: FrameworkCall, seconds: Int64)] = [
      (snippet.rules.registrationCall, firstCall)
    ]
    if !snippet.rules.hasCoarseValues {
      if let skan3Value { calls.append((.updateConversionValue(skan3Value), lastCall ?? firstCall)) }
    } else {
      for window in ConversionWindow.allCases where isUpdated(window) {
        calls.append(
          (
            .updatePostbackCoarse(
              fine: fine, coarse: coarseValue[window].flatMap { CoarseValue($0) }, lock: windowLock[window] != nil),
            windowLock[window] ?? moment(in: window, from: firstCall)
          ))
      }
    }
    return calls.sorted { $0.seconds < $1.seconds }.compactMap { call, seconds in
      Instant(unixSeconds: Double(seconds)).map { (call, $0) }
    }
  }

  private func isUpdated(_ window: ConversionWindow) -> Bool {
    let hasFine = window == .p0 && (fineValue?.int64 ?? 0) != 0
    return hasFine || coarseValue[window] != nil || windowLock[window] != nil
  }

  private func moment(in window: ConversionWindow, from firstCall: Int64) -> Int64 {
    if let lastCall, ConversionWindow.at(secondsSinceFirstCall: lastCall - firstCall) == window { return lastCall }
    return switch window {
    case .p0: firstCall
    case .p1: firstCall + ConversionWindow.p0.end
    case .p2: firstCall + ConversionWindow.p1.end
    }
  }
}
