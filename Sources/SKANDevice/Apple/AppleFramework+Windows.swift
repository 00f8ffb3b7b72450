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
