/// An ad of version 4: three windows, each with values and perhaps a lock of its own.
extension AppleFramework {
  mutating func takeInWindow(_ call: FrameworkCall, _ moment: Instant, _ profile: DeviceProfile) -> FrameworkAnswer {
    let settings = profile.settings
    let start = clockStart(on: profile) ?? moment
    guard let window = window(at: moment, from: start, profile) else {
      let end = start.later(by: profile.clock.end(of: .p2))
      return FrameworkAnswer(.windowsOver(since: end), of: call, error: settings.afterWindows.code)
    }
    if let since = held[window].lockedAt {
      return FrameworkAnswer(.locked(window, since: since), of: call, error: settings.afterLock.code)
    }
    let isFirst = !isRegistered
    if isFirst { firstUpdate = moment }
    switch call {
    case .register:
      if isFirst {
        if window == .p0 { update(window, isFineOnly: true, settings) }
        return FrameworkAnswer(.registered, of: call)
      }
      guard window == .p0 else { return FrameworkAnswer(.fineOnly(window), of: call) }
      guard settings.registerAgain == .reset, held[window].fine != nil else {
        return FrameworkAnswer(.alreadyRegistered, of: call)
      }
      held[window].fine = 0
      let effects = setCoarse(nil, in: window, settings).union(.reset)
      return FrameworkAnswer(.taken(window), of: call, effects: effects)
    case .updateConversionValue(let fine), .updatePostback(let fine):
      guard window == .p0 else { return FrameworkAnswer(.fineOnly(window), of: call) }
      update(window, isFineOnly: true, settings)
      held[window].fine = UInt8(truncatingIfNeeded: fine)
      return FrameworkAnswer(.taken(window), of: call, effects: setCoarse(nil, in: window, settings))
    case .updatePostbackCoarse(let fine, let coarse, let lock):
      update(window, isFineOnly: false, settings)
      var effects = setCoarse(coarse, in: window, settings)
      if window == .p0 {
        held[window].fine = UInt8(truncatingIfNeeded: fine)
      } else {
        effects.insert(.fineIgnored)
      }
      if lock {
        held[window].lockedAt = moment
        effects.insert(.locked)
      }
      return FrameworkAnswer(.taken(window), of: call, effects: effects)
    }
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
    case .error10: FrameworkError.unknown
    }
  }
}
