@testable import SKANDevice

/// A life told in short: an install by an ad, and updates at hours after its registration.
struct Belief: Sendable {
  var snippet: SnippetVersion = .skan4
  var ios = IOSVersion(17, 4)
  /// Version of the ad; nil is an organic install.
  var ad: String? = "4.0"
  var build: DeviceProfile.Build = .appStore
  var clock: DeviceProfile.ClockPreset = .production
  /// `NAME=VALUE`.
  var settings: [String] = []
  /// With which code the register's call fails.
  var registerError: Int64?
  /// When the app is launched first, in hours; as it registers when nil.
  var launch: Double?
  var updates: [Update] = []

  struct Update: Sendable {
    var hours: Double
    var answer: String
    var arriving: Double?
    var error: Int64?
  }

  /// An update at an hour, and the `SKANErrorDomain` code with which its call fails.
  func update(
    _ fine: Int, _ coarse: Int? = nil, lock: Bool = false, at hours: Double, arriving: Double? = nil,
    error: Int64? = nil
  ) -> Belief {
    var copy = self
    let answer = good("\(fine)", coarse: coarse.map { "\($0)" }, lock: lock ? "true" : nil)
    copy.updates.append(Update(hours: hours, answer: answer, arriving: arriving, error: error))
    return copy
  }

  var profile: DeviceProfile {
    var profile = DeviceProfile(idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")
    profile.snippet = snippet
    profile.ios = ios
    profile.build = build
    profile.clock = clock
    if let ad {
      profile.ad?.version = ad
      if ad != "4.0" { profile.ad?.campaign = .campaignID(42) }
    } else {
      profile.ad = nil
    }
    for setting in settings {
      let parts = setting.split(separator: "=").map(String.init)
      try? profile.settings.set(parts[0], to: parts[1])
    }
    return profile
  }

  /// The phone after it all, the report of the registration, and those of the updates.
  func live() -> (device: Device, register: StepReport, updates: [StepReport]) {
    var device = Device(profile)
    device.framework.launched(at: h(launch ?? 0))
    let register = device.register(at: h(0), frameworkError: registerError)
    let reports = updates.map { update -> StepReport in
      switch device.beginUpdate(at: h(update.hours)) {
      case .ended(let report): report
      case .request:
        device.finishUpdate(
          SnippetAnswer(.response(status: 200, body: Array(update.answer.utf8))),
          at: h(update.arriving ?? update.hours), options: UpdateOptions(frameworkError: update.error))
      }
    }
    return (device, register, reports)
  }
}

extension StepReport {
  /// The warnings about Apple, by code.
  var codesOfApple: [String] {
    warnings.map(\.code).filter { Self.aboutApple.contains($0) }.sorted()
  }

  private static let aboutApple: Set = [
    "organic-install", "windows-differ", "ignored-by-apple", "fine-ignored", "coarse-ignored", "lock-ignored",
    "ignored-after-lock", "framework-error-kept",
  ]
}
