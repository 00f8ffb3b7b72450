import SKANDevice

/// The conversion values of one side over time: those the app keeps, or those Apple holds.
package struct ValueLane: Sendable {
  package enum Side: Sendable { case app, apple }

  package let side: Side
  package let title: String
  package let bands: [Band]
  /// The steps of each window in the order in which they happened.
  package let steps: [Step]
  /// The text if there are no windows.
  package let emptyText: String
  /// Whether this side knows coarse values.
  package let hasCoarse: Bool

  /// The values of a window from a time on.
  package struct Step: Sendable, Equatable {
    package let at: Instant
    package let window: ConversionWindow
    package let values: Values
    /// Whether only the final values are known, not the time.
    package var isAssumed = false
  }

  package struct Values: Sendable, Equatable {
    package var fine: Int64?
    package var coarse: ShownCoarse?
    package var lockedAt: Instant?

    package var isLocked: Bool { lockedAt != nil }

    package static let none = Values()
  }
}

extension ValueLane {
  /// The steps of a window, each with the time from which it is drawn. Where the clock was set back, a value is drawn from
  /// the time of the one that it replaced.
  func drawn(in band: Band) -> [(step: Step, from: Instant)] {
    var latest = band.start
    return steps.filter { $0.window == band.window }.map { step in
      latest = max(latest, step.at)
      return (step, latest)
    }
  }
}

/// A coarse value, for display.
package struct ShownCoarse: Sendable, Equatable {
  package let name: String
  /// 1 to 3; 0 for a text that is not a coarse value.
  package let level: Int

  private init(name: String, level: Int) {
    self.name = name
    self.level = level
  }

  init(_ value: CoarseValue) {
    name = value.rawValue
    level = Int(value.number) + 1
  }

  init(_ value: HeldCoarse) {
    name = value.rawValue
    level =
      switch value {
      case .literalNone: 0
      case .low: 1
      case .medium: 2
      case .high: 3
      }
  }

  init(_ value: KeptValue) {
    if let coarse = CoarseValue(value) {
      self.init(coarse)
    } else {
      self.init(name: (value.decimalText ?? "text").visible, level: 0)
    }
  }
}

extension ValueLane {
  /// The values that Apple holds. The history's calls are applied again to its framework; see the article "Apple's
  /// framework".
  init(truth life: TimelineLife) {
    side = .apple
    title = life.device.traits.install.isAdAttributionKit ? "AAK holds" : "Apple holds"
    bands = life.appleBands
    hasCoarse = life.device.framework.version?.hasWindows ?? true
    emptyText = life.whyAppleHoldsNothing
    var framework = AppleFramework(installAndLaunchOf: life.device.framework)
    let install = life.installAsRegistered
    var values = PerWindow<Values>(repeating: .none)
    var steps: [Step] = []
    for event in life.history.inOrder(of: \.appleCalledAt) {
      let at = event.appleCalledAt
      guard let call = event.call, event.fate?.isTaken ?? false, life.reachesInstall(call, at: at) else { continue }
      _ = framework.apply(call, at: at, on: install)
      let held = framework.heldValues
      for window in ConversionWindow.allCases where held[window] != values[window] {
        steps.append(Step(at: at, window: window, values: held[window]))
      }
      values = held
    }
    self.steps = steps + bands.corrections(from: values, to: life.held, after: life.history.last?.at)
  }
}

extension TimelineLife {
  /// The install as it was registered with Apple: a later iOS does not change the ad's version.
  fileprivate var installAsRegistered: InstallTraits {
    var profile = device.profile
    if let version = device.framework.version, profile.adVersion != version {
      profile.ios = version.hasWindows ? IOSVersion(16, 1) : IOSVersion(16, 0)
    }
    return InstallTraits(profile)
  }

  /// Whether a call reaches the conversion of the install, rather than re-engagements alone.
  fileprivate func reachesInstall(_ call: FrameworkCall, at moment: Instant) -> Bool {
    if let replaced = device.engagements?.installReplaced, moment >= replaced { return false }
    guard case .updateAdAttributionKit = call else { return true }
    return device.traits.install.isAdAttributionKit || device.profile.settings.kitToSKAN == .on
  }

  var whyAppleHoldsNothing: String {
    if device.profile.build == .development { return "nothing: it refuses an app that is not from the App Store" }
    if device.profile.ad == nil { return "nothing: no ad brought this install" }
    if device.profile.adVersion == nil { return "nothing: this iOS does not know the ad's version" }
    return "nothing: no call has reached it"
  }
}

extension ValueLane {
  /// The values that the app keeps; see the article "Kept state".
  init(belief life: TimelineLife) {
    side = .app
    title = "The app keeps"
    bands = life.appBands
    hasCoarse = life.device.snippet.rules.hasCoarseValues
    emptyText = "nothing: the app has not registered"
    var steps: [Step] = []
    var values = PerWindow<Values>(repeating: .none)
    for event in life.history.inOrder(of: \.storedAt) {
      let at = event.storedAt
      guard let call = event.call, event.isKept, let window = life.appWindow(at: at) else { continue }
      var now = values[window]
      if window == .p0, let fine = call.fineValue { now.fine = fine }
      // A call without a coarse value does not show what the answer contained.
      if case .updatePostbackCoarse(_, let coarse, let lock) = call, hasCoarse {
        now.coarse = coarse.map { ShownCoarse($0) }
        // The app keeps the latest lock, in whole seconds.
        if lock { now.lockedAt = TimelineLife.instant(at.wholeSeconds) }
      }
      guard now != values[window] else { continue }
      values[window] = now
      steps.append(Step(at: at, window: window, values: now))
    }
    self.steps = steps + bands.corrections(from: values, to: life.kept, after: life.history.last?.at)
  }
}

extension LifeEvent {
  /// Whether the app keeps the values with which it called Apple.
  fileprivate var isKept: Bool {
    // A direct call to AdAttributionKit leaves nothing in the app's store.
    if kind == .adAttributionKit { return false }
    return switch outcome {
    case .registered, .updated, .frameworkError: true
    default: false
    }
  }
}

extension TimelineLife {
  /// The values that the app finally keeps.
  var kept: PerWindow<ValueLane.Values> {
    let store = device.kept
    var values = PerWindow<ValueLane.Values>(repeating: .none)
    values[.p0].fine = device.keptValue
    guard device.snippet.rules.hasCoarseValues else { return values }
    for window in ConversionWindow.allCases {
      values[window].coarse = store.coarseValue[window].map { ShownCoarse($0) }
      values[window].lockedAt = TimelineLife.instant(store.windowLock[window])
    }
    return values
  }

  /// The values that Apple finally holds.
  var held: PerWindow<ValueLane.Values> { device.framework.heldValues }
}

extension AppleFramework {
  var heldValues: PerWindow<ValueLane.Values> {
    var values = PerWindow<ValueLane.Values>(repeating: .none)
    for window in ConversionWindow.allCases {
      let held = held[window]
      values[window] = ValueLane.Values(
        fine: held.fine.map(Int64.init), coarse: held.coarse.map { ShownCoarse($0) }, lockedAt: held.lockedAt)
    }
    return values
  }
}

extension [Band] {
  /// Steps to the final values where the history does not lead to them: it is unknown, or it began after part of the
  /// phone's life.
  func corrections(
    from last: PerWindow<ValueLane.Values>, to end: PerWindow<ValueLane.Values>, after moment: Instant?
  ) -> [ValueLane.Step] {
    compactMap { band in
      guard last[band.window] != end[band.window] else { return nil }
      let isUnknown = last[band.window] == .none
      let at = isUnknown ? band.start : Swift.min(Swift.max(moment ?? band.start, band.start), band.end)
      return ValueLane.Step(at: at, window: band.window, values: end[band.window], isAssumed: true)
    }
  }
}
