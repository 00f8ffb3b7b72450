/// The state of Apple's framework for one install, which the app cannot read; see the article "Apple's framework".
///
/// One ad brings an install, and its framework holds the state: SKAdNetwork, or AdAttributionKit with the windows of
/// version 4. The other one holds nothing. A re-engagement has a state of its own.
///
/// It is small and contains only plain values, because every update of a long list goes through it. Ad, build, clock
/// preset and settings do not change during an install and are passed with each call.
package struct AppleFramework: Sendable, Equatable {
  /// The time of the install; nil if it is unknown or equal to the first launch.
  @OptionalInstant package internal(set) var installed: Instant?
  /// The app's first launch, if the driver reported it.
  @OptionalInstant package internal(set) var firstLaunch: Instant?
  /// The first update call that Apple accepted, which registers the install.
  @OptionalInstant package internal(set) var firstUpdate: Instant?
  /// The time of the latest call. Setting the phone's clock back does not reopen a window that has ended.
  @OptionalInstant package internal(set) var latestCall: Instant?
  /// The last start of the timer of versions up to 3.
  @OptionalInstant package internal(set) var timerStart: Instant?
  package internal(set) var held = PerWindow<HeldValues>(repeating: HeldValues())
  /// The version by which the ad counts. The first update call fixes it; a later iOS does not change it.
  package internal(set) var version: AdVersion?

  /// An install before any call.
  package init() {}

  /// Another framework's install, before any call.
  package init(installAndLaunchOf other: AppleFramework) {
    installed = other.installed
    firstLaunch = other.firstLaunch
  }

  /// Whether Apple has registered the install.
  package var isRegistered: Bool { firstUpdate != nil }

  /// Records the first launch, for the setting `clock-start`.
  package mutating func launched(at now: Instant) {
    guard firstLaunch == nil else { return }
    firstLaunch = now
    if installed == now { installed = nil }
  }

  /// Records the install: a first call long after it comes too late.
  package mutating func installed(at now: Instant) { installed = now }

  /// The deadline for the first update call, 60 days after the install or 2 days after a re-engagement; nil if the time
  /// of the install is unknown.
  ///
  /// If only the first launch is known, it stands for the install.
  package func lastFirstUpdate(on install: InstallTraits) -> Instant? {
    (installed ?? firstLaunch)?.later(by: .hours(install.isReEngagement ? 2 * 24 : 60 * 24))
  }

  /// The start of the windows of version 4; nil before the clock starts.
  package func clockStart(on install: InstallTraits) -> Instant? {
    install.settings.clockStart == .firstLaunch ? firstLaunch ?? firstUpdate : firstUpdate
  }

  /// Apple's window of version 4 at a moment; nil before the clock starts and after the last window.
  package func window(at now: Instant, on install: InstallTraits) -> ConversionWindow? {
    clockStart(on: install).flatMap { window(at: moment(now), from: $0, install) }
  }

  /// The end of a window, or of the timer of versions up to 3; nil before the clock starts.
  package func end(of window: ConversionWindow, on install: InstallTraits) -> Instant? {
    if let timerStart { return timerStart.later(by: install.clock.timer(install.settings)) }
    return clockStart(on: install).map { $0.later(by: install.clock.end(of: window)) }
  }

  /// The time that Apple uses: never before an earlier call.
  func moment(_ now: Instant) -> Instant { max(now, latestCall ?? now) }

  func window(at moment: Instant, from start: Instant, _ install: InstallTraits) -> ConversionWindow? {
    // One by one: `allCases` would allocate an array at every call.
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

/// The unchanging facts of an install: the part of a profile that decides the framework's answers.
package struct InstallTraits: Sendable, Equatable {
  package let build: DeviceProfile.Build
  /// The clock of the conversion, which is not the phone's where the impression is a production one.
  package let clock: DeviceProfile.ClockPreset
  package let settings: CallSettings
  /// Whether an ad led to the install.
  package let isAttributed: Bool
  /// Whether that ad is of AdAttributionKit, into which Apple mirrors the calls of SKAdNetwork.
  package let isAdAttributionKit: Bool
  /// Whether the conversion is a re-engagement.
  let isReEngagement: Bool
  /// The version by which the ad counts until the first call fixes it.
  let adVersion: AdVersion?

  package init(_ profile: DeviceProfile) {
    build = profile.build
    clock = profile.clock(of: profile.ad)
    isAttributed = profile.ad != nil
    isAdAttributionKit = profile.ad?.isAdAttributionKit ?? false
    settings = isAdAttributionKit ? profile.settings.forAdAttributionKit.calls : profile.settings.calls
    adVersion = profile.adVersion
    isReEngagement = false
  }

  /// The facts of a conversion after the install. One that a tester made is also there for an app from Xcode.
  init(of conversion: ReEngagement, on profile: DeviceProfile) {
    let development = conversion.development
    build = development == nil ? profile.build : .appStore
    clock = profile.clock(of: conversion.ad)
    settings = profile.settings.forAdAttributionKit.calls
    isReEngagement = (development?.conversion ?? .reEngagement) == .reEngagement
    (isAttributed, isAdAttributionKit, adVersion) = (true, true, .v4)
  }
}

/// Apple's state for one window of an install. Versions up to 3 have only the first window.
package struct HeldValues: Sendable, Equatable {
  /// The time at which a call locked the window; later calls do not count.
  @OptionalInstant package internal(set) var lockedAt: Instant?
  /// The last fine value; nil if no call had one, as with `registerAppForAdNetworkAttribution`.
  package internal(set) var fine: UInt8?
  package internal(set) var coarse: HeldCoarse?
  /// Whether a call counted in this window.
  package internal(set) var isUpdated = false
  /// Whether all those calls were of the kind that has no coarse value and lock.
  package internal(set) var isFineOnly = false

  package init() {}
}

/// A coarse value that Apple may hold.
package enum HeldCoarse: String, CaseIterable, Sendable {
  case low, medium, high
  /// Not a value of Apple's API, but seen in postbacks (setting `coarse-without`).
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
  /// Applies a call; see the article "Apple's framework".
  ///
  /// It allocates nothing, because a long list calls it a million times a second.
  ///
  /// - Parameter error: a `SKANErrorDomain` code with which the call fails at a tester's request; it then changes
  ///   nothing.
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
    return install.isAdAttributionKit ? mirror(call, at: now, on: install) : take(call, version, at: now, on: install)
  }

  /// Applies a call of SKAdNetwork, or of AdAttributionKit itself, to AdAttributionKit, whose ad brought the install.
  ///
  /// Apple's page "AdAttributionKit and SKAdNetwork interoperability" names the call with fine value and lock as the one
  /// that a call of SKAdNetwork becomes.
  @inline(never)
  private mutating func mirror(_ call: FrameworkCall, at now: Instant, on install: InstallTraits) -> FrameworkAnswer {
    guard let mirrored = call.mirrored(install.settings) else { return FrameworkAnswer(.notMirrored, of: call) }
    var answer = take(mirrored, .v4, at: now, on: install)
    guard answer.fate.isTaken else { return answer }
    if case .updateAdAttributionKit = call { return answer }
    answer.effects.insert(.mirrored)
    if install.settings.kitMirrorCoarse == .none, answer.effects.contains(.coarseCleared) {
      answer.effects.insert(.directCoarseCleared)
    }
    if call.coarse != nil, mirrored.coarse == nil { answer.effects.insert(.coarseNotMirrored) }
    return answer
  }

  /// Applies a call that the framework of the ad accepts.
  @inline(__always)
  private mutating func take(
    _ call: FrameworkCall, _ version: AdVersion, at now: Instant, on install: InstallTraits
  ) -> FrameworkAnswer {
    let moment = moment(now)
    let wasRegistered = isRegistered
    if !wasRegistered, let last = lastFirstUpdate(on: install), moment > last {
      return FrameworkAnswer(install.isReEngagement ? .reEngagementOver(since: last) : .tooLate(since: last), of: call)
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

/// Ads of version 4: three windows, each with values and possibly a lock.
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
    case .updatePostbackCoarse(let fine, let coarse, let lock), .updateAdAttributionKit(let fine, let coarse, let lock):
      update(window, isFineOnly: false, settings)
      var effects = setFine(fine, in: window).union(setCoarse(coarse, in: window, settings))
      if lock {
        held[window].lockedAt = moment
        effects.insert(.locked)
      }
      return FrameworkAnswer(.taken(window), of: call, effects: effects)
    }
  }

  /// Applies `registerAppForAdNetworkAttribution` after the first call: resets values that are set, or does nothing, by
  /// the setting `register-again`.
  private mutating func registerAgain(
    _ call: FrameworkCall, in window: ConversionWindow, _ settings: CallSettings
  ) -> FrameworkAnswer {
    let isSet = held[window].fine != nil || held[window].coarse != nil
    guard settings.registerAgain == .reset, isSet else { return FrameworkAnswer(.alreadyRegistered, of: call) }
    if window == .p0 { held[window].fine = 0 }
    let effects = setCoarse(nil, in: window, settings).union(.reset)
    return FrameworkAnswer(.taken(window), of: call, effects: effects)
  }

  /// Sets the fine value, which counts in the first window only.
  private mutating func setFine(_ fine: Int64, in window: ConversionWindow) -> CallEffects {
    guard window == .p0 else { return .fineIgnored }
    held[window].fine = UInt8(truncatingIfNeeded: fine)
    return []
  }

  /// Begins a window at its first call: without a coarse value, or with the one carried over from the window before.
  private mutating func update(_ window: ConversionWindow, isFineOnly: Bool, _ settings: CallSettings) {
    if held[window].isUpdated {
      if !isFineOnly { held[window].isFineOnly = false }
      return
    }
    held[window].coarse = carriedCoarse(into: window, settings)
    held[window].isUpdated = true
    held[window].isFineOnly = isFineOnly
  }

  private mutating func setCoarse(
    _ coarse: CoarseValue?, in window: ConversionWindow, _ settings: CallSettings
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
  private func carriedCoarse(into window: ConversionWindow, _ settings: CallSettings) -> HeldCoarse? {
    guard settings.carryOver == .yes else { return nil }
    switch window {
    case .p0: return nil
    case .p1: return coarse(of: .p0, settings)
    case .p2: return coarse(of: .p1, settings)
    }
  }

  /// The coarse value of a window, with or without a call in it.
  func coarse(of window: ConversionWindow, _ settings: CallSettings) -> HeldCoarse? {
    held[window].isUpdated ? held[window].coarse : carriedCoarse(into: window, settings)
  }
}

extension FrameworkSettings.IgnoredCall {
  /// The error code of an ignored call.
  var code: Int64? {
    switch self {
    case .noError: nil
    case .error10: SKANErrorCode.unknown.rawValue
    }
  }
}

/// Ads of version 3.0 or below: a value that only increases, and a timer that each higher value restarts.
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
      // Only `registerAppForAdNetworkAttribution` has no value. It does not restart the timer.
      guard settings.registerAgain == .reset, current != nil else {
        return FrameworkAnswer(.alreadyRegistered, of: call)
      }
      held[.p0].fine = 0
      return FrameworkAnswer(.taken(.p0), of: call, effects: .reset)
    }
    // The first value always counts, even 0.
    if let current, fine <= current { return FrameworkAnswer(.notHigher(than: current), of: call) }
    held[.p0].fine = fine
    timerStart = moment
    return FrameworkAnswer(.taken(.p0), of: call, effects: call.partsOfVersion4)
  }
}

extension FrameworkCall {
  /// The coarse value of the call, if it has one.
  fileprivate var coarse: CoarseValue? {
    if case .updatePostbackCoarse(_, let coarse, _) = self { coarse } else { nil }
  }

  /// The call of AdAttributionKit that this one becomes; nil if it is not mirrored.
  fileprivate func mirrored(_ settings: CallSettings) -> FrameworkCall? {
    switch (self, settings.kitMirror) {
    case (.updateAdAttributionKit, _): return self
    case (_, .off): return nil
    case (.updatePostbackCoarse(let fine, let coarse, let lock), _):
      let carried = settings.kitMirrorCoarse == .carried ? coarse : nil
      return .updatePostbackCoarse(fine: fine, coarse: carried, lock: lock)
    case (_, .multiArgument): return nil
    // Registering sets the value 0.
    case (_, .allCalls): return .updatePostbackCoarse(fine: fineValue ?? 0, coarse: nil, lock: false)
    }
  }

  /// The parts of the call that versions up to 3 ignore.
  fileprivate var partsOfVersion4: CallEffects {
    guard case .updatePostbackCoarse(_, let coarse, let lock) = self else { return [] }
    let coarseEffect: CallEffects = coarse == nil ? [] : .coarseIgnored
    return lock ? coarseEffect.union(.lockIgnored) : coarseEffect
  }
}

extension AppleFramework {
  /// Apple's state if it received exactly what an app's store says, for a phone of which only the store is known.
  ///
  /// The store does not say when each window was last updated. Locks count at their time, other values at the last call
  /// if it lies in their window, else at the start of the window.
  package static func assumed(from kept: KeptState, of snippet: SnippetVersion, on install: InstallTraits)
    -> AppleFramework
  {
    var framework = AppleFramework()
    for (call, moment) in kept.assumedCalls(snippet) { _ = framework.apply(call, at: moment, on: install) }
    return framework
  }
}

extension KeptState {
  /// The calls that produce this store, in chronological order.
  fileprivate func assumedCalls(_ snippet: SnippetVersion) -> [(call: FrameworkCall, at: Instant)] {
    guard let firstCall, firstCall != 0 else { return [] }
    let fine = fineValue?.int64 ?? 0
    var calls: [(call: FrameworkCall, seconds: Int64)] = [
      (snippet.registrationCall, firstCall)
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
