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
