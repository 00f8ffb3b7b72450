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
