/// What a phone and its app are, apart from what happened to them.
package struct DeviceProfile: Sendable, Equatable {
  package var snippet: SnippetVersion = .skan4
  package var ios = IOSVersion(17, 4)
  /// The app's bundle identifier; case counts.
  package var bundleID = "com.example.app"
  package var appVersion = "1.0"
  /// Identifier for vendors; nil = none, and then left out of every request.
  package var idfv: String?
  /// Identifier for advertisers; nil = no consent, and then left out of every request.
  package var idfa: String?
  package var build: Build = .appStore
  /// The ad that brought the install, or nil for an organic one.
  package var ad: AdAttribution? = AdAttribution()
  package var clock: ClockPreset = .production
  /// Of the random delays of postbacks.
  package var seed: Int64 = 0
  /// What Apple's documentation leaves open.
  package var settings = FrameworkSettings()
  /// Nil for the many phones that have the defaults.
  private var sharedForwarded: SharedValue<ForwardedProfile>?

  /// Where the app came from; Apple's framework treats other builds than the App Store's differently.
  package enum Build: String, CaseIterable, Sendable { case appStore = "appstore", development }

  /// How long Apple's windows and delays are: as for everyone, or as in Developer Mode.
  package enum ClockPreset: String, CaseIterable, Sendable { case production, developer }

  /// Why this phone cannot have its clock; nil when it can.
  package var clockProblem: String? {
    guard clock == .developer, ios < IOSVersion(18, 0) else { return nil }
    return "Developer Mode with its short windows came with iOS 18.0, and this phone has iOS \(ios.text)"
  }

  /// What only the app's server reports.
  package var forwarded: ForwardedProfile {
    get { sharedForwarded?.value ?? ForwardedProfile() }
    set { sharedForwarded = newValue == ForwardedProfile() ? nil : SharedValue(newValue) }
  }

  package init(idfv: String?) { self.idfv = idfv }
}
