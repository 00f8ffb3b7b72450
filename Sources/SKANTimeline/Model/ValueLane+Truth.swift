import SKANDevice

extension ValueLane {
  /// What Apple holds: its framework is given the history's calls once more; see the article "Apple's framework".
  init(truth life: Life) {
    side = .apple
    title = "Apple holds"
    bands = life.appleBands
    hasCoarse = life.device.framework.version?.hasWindows ?? true
    emptyText = life.whyAppleHoldsNothing
    var framework = AppleFramework(installAndLaunchOf: life.device.framework)
    let install = life.installAsRegistered
    var values = PerWindow<Values>(repeating: .none)
    var steps: [Step] = []
    for event in life.history {
      guard let call = event.call, event.fate?.isTaken ?? false else { continue }
      _ = framework.apply(call, at: event.at, on: install)
      let held = framework.heldValues
      for window in ConversionWindow.allCases where held[window] != values[window] {
        steps.append(Step(at: event.at, window: window, values: held[window]))
      }
      values = held
    }
    self.steps = steps + bands.corrections(from: values, to: life.held, after: life.history.last?.at)
  }
}

extension Life {
  /// The install as it was when Apple took note of it: a later iOS does not change as what version the ad counts.
  fileprivate var installAsRegistered: InstallTraits {
    var profile = device.profile
    if let version = device.framework.version, profile.adVersion != version {
      profile.ios = version.hasWindows ? IOSVersion(16, 1) : IOSVersion(16, 0)
    }
    return InstallTraits(profile)
  }

  var whyAppleHoldsNothing: String {
    if device.profile.build == .development { return "nothing: it refuses an app that is not from the App Store" }
    if device.profile.ad == nil { return "nothing: no ad brought this install" }
    if device.profile.adVersion == nil { return "nothing: this iOS does not know the ad's version" }
    return "nothing: no call has reached it"
  }
}
