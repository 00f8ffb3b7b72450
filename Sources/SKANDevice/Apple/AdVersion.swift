/// The version with which an ad was signed: it decides how many postbacks there are, when they leave and what is in them.
///
/// From the newest to the oldest.
package enum AdVersion: String, CaseIterable, Sendable {
  case v4 = "4.0"
  case v3 = "3.0"
  case v2_2 = "2.2"
  case v2_1 = "2.1"
  case v2_0 = "2.0"

  /// Whether it has three windows, coarse values and locks.
  package var hasWindows: Bool { self == .v4 }

  /// Whether ads that did not win get a postback too: since 3.0.
  package var hasNonWinners: Bool { self == .v4 || self == .v3 }

  /// The first iOS whose postbacks are of this version.
  private var firstIOS: IOSVersion {
    switch self {
    case .v4: .coarseValueUpdate
    case .v3: IOSVersion(14, 6)
    case .v2_2: IOSVersion(14, 5)
    case .v2_1, .v2_0: IOSVersion(14, 0)
    }
  }

  /// The same, or the newest below it that an iOS knows; nil when it knows none.
  fileprivate func known(to ios: IOSVersion) -> AdVersion? {
    Self.allCases.drop { $0 != self }.first { $0.firstIOS <= ios }
  }
}

extension DeviceProfile {
  /// As what version this phone's framework treats the install's ad; nil = it knows of none.
  ///
  /// An older iOS makes the postback of the newest version that it knows. What one before 16.1 does with an ad of
  /// SKAdNetwork 4 is the setting `old-ios`.
  package var adVersion: AdVersion? {
    guard let ad, let version = AdVersion(rawValue: ad.version), let known = version.known(to: ios) else { return nil }
    guard version.hasWindows, !known.hasWindows else { return known }
    switch settings.oldIOS {
    case .asVersion3: return known
    case .asVersion4: return .v4
    case .notAttributed: return nil
    }
  }
}

/// How long Apple's windows, timers and delays are; see the article "Apple's framework".
extension DeviceProfile.ClockPreset {
  /// When a window of version 4 ends, counted from the start of the clock.
  package func end(of window: ConversionWindow) -> TimeSpan {
    switch (self, window) {
    case (.production, .p0): .hours(48)
    case (.production, .p1): .hours(168)
    case (.production, .p2): .hours(840)
    case (.developer, .p0): .minutes(3)
    case (.developer, .p1): .minutes(6)
    case (.developer, .p2): .minutes(9)
    }
  }

  /// Between which bounds a postback of version 4 leaves after its window's end or lock.
  ///
  /// - Parameter isFineOnly: nothing but calls without a coarse value and a lock was made in the window.
  package func delay(of window: ConversionWindow, isFineOnly: Bool, _ settings: FrameworkSettings) -> DelayBounds {
    switch (self, window) {
    case (.developer, _): DelayBounds(.minutes(5), .minutes(10))
    case (.production, .p0):
      isFineOnly && settings.fineOnlyDelay == .upTo24h
        ? DelayBounds(.zero, .hours(24)) : DelayBounds(.hours(24), .hours(48))
    case (.production, .p1), (.production, .p2): DelayBounds(.hours(24), .hours(144))
    }
  }

  /// The timer of versions up to 3, which every higher value restarts.
  package func timer(_ settings: FrameworkSettings) -> TimeSpan {
    switch (self, settings.developerTimer) {
    case (.production, _): .hours(24)
    case (.developer, .fiveMinutes): .minutes(5)
    case (.developer, .threeMinutes): .minutes(3)
    }
  }

  /// Between which bounds the postback of versions up to 3 leaves after the timer's end.
  func delayAfterTimer(_ settings: FrameworkSettings) -> DelayBounds {
    switch (self, settings.developerTimer) {
    case (.production, _): DelayBounds(.zero, .hours(24))
    case (.developer, .fiveMinutes): DelayBounds(.zero, .minutes(5))
    case (.developer, .threeMinutes): DelayBounds(.minutes(5), .minutes(10))
    }
  }
}

/// The least and the most that a postback waits.
package struct DelayBounds: Sendable, Equatable {
  package let shortest: TimeSpan
  package let longest: TimeSpan

  init(_ shortest: TimeSpan, _ longest: TimeSpan) {
    self.shortest = shortest
    self.longest = longest
  }
}

extension AdVersion {
  /// The middle of the delays after which Apple sends a postback that is prepared, with the default settings; see the
  /// article "Postbacks".
  ///
  /// - Parameters:
  ///   - window: the postback's; versions up to 3 have one.
  ///   - isDevelopment: whether it is of a development impression, whose delays are minutes.
  package func middleDelay(of window: ConversionWindow, isDevelopment: Bool) -> TimeSpan {
    let clock = isDevelopment ? DeviceProfile.ClockPreset.developer : .production
    let bounds =
      hasWindows
      ? clock.delay(of: window, isFineOnly: false, FrameworkSettings()) : clock.delayAfterTimer(FrameworkSettings())
    return TimeSpan(microseconds: (bounds.shortest.microseconds + bounds.longest.microseconds) / 2)
  }
}

/// How long after the start of its clock a postback leaves the phone, as far as the postback says; see the articles
/// "Postbacks" and "Reports of postbacks".
///
/// A postback does not say when the app was installed, nor whether its window was locked: an unlocked one is assumed.
/// One of versions up to 3 is counted from the last higher value, of which the install is at least as old.
package struct PostbackAge: Sendable, Equatable {
  package let shortest: TimeSpan
  package let longest: TimeSpan

  /// - Parameters:
  ///   - window: the one that the postback is about; versions up to 3 have the first only.
  ///   - clock: Apple's, or that of Developer Mode, in which development impressions are tested.
  package init(_ version: AdVersion, _ window: ConversionWindow, clock: DeviceProfile.ClockPreset) {
    let settings = FrameworkSettings()
    let waits =
      version.hasWindows
      ? clock.delay(of: window, isFineOnly: false, settings) : clock.delayAfterTimer(settings)
    let start = version.hasWindows ? clock.end(of: window) : clock.timer(settings)
    shortest = TimeSpan(microseconds: start.microseconds + waits.shortest.microseconds)
    longest = TimeSpan(microseconds: start.microseconds + waits.longest.microseconds)
  }

  /// Half of the way between the two.
  package var middle: TimeSpan { TimeSpan(microseconds: (shortest.microseconds + longest.microseconds) / 2) }
}
