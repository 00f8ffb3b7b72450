/// The lengths of Apple's windows, timers and delays; see the article "Apple's framework".
extension DeviceProfile.ClockPreset {
  /// The end of a window of version 4, as time since the start of the clock.
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

  /// The bounds of the delay between the end or lock of a window of version 4 and its postback.
  ///
  /// - Parameter isFineOnly: whether all calls in the window were of the kind that has no coarse value and lock.
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
  package func timer(_ settings: CallSettings) -> TimeSpan {
    switch (self, settings.developerTimer) {
    case (.production, _): .hours(24)
    case (.developer, .fiveMinutes): .minutes(5)
    case (.developer, .threeMinutes): .minutes(3)
    }
  }

  /// The bounds of the delay between the end of the timer and the postback of versions up to 3.
  func delayAfterTimer(_ settings: CallSettings) -> DelayBounds {
    switch (self, settings.developerTimer) {
    case (.production, _): DelayBounds(.zero, .hours(24))
    case (.developer, .fiveMinutes): DelayBounds(.zero, .minutes(5))
    case (.developer, .threeMinutes): DelayBounds(.minutes(5), .minutes(10))
    }
  }
}

/// The shortest and the longest delay of a postback.
package struct DelayBounds: Sendable, Equatable {
  package let shortest: TimeSpan
  package let longest: TimeSpan

  init(_ shortest: TimeSpan, _ longest: TimeSpan) {
    self.shortest = shortest
    self.longest = longest
  }
}

extension AdVersion {
  /// The middle of the delays after which Apple sends a prepared postback, with the default settings; see the article
  /// "Postbacks".
  ///
  /// - Parameters:
  ///   - window: the window of the postback; versions up to 3 have one.
  ///   - isDevelopment: whether it is of a development impression, whose delays are minutes.
  package func middleDelay(of window: ConversionWindow, isDevelopment: Bool) -> TimeSpan {
    let clock = isDevelopment ? DeviceProfile.ClockPreset.developer : .production
    let bounds =
      hasWindows
      ? clock.delay(of: window, isFineOnly: false, FrameworkSettings()) : clock.delayAfterTimer(CallSettings())
    return TimeSpan(microseconds: (bounds.shortest.microseconds + bounds.longest.microseconds) / 2)
  }
}

/// The time from the start of its clock until a postback is sent, as far as the postback tells; see the articles
/// "Postbacks" and "Reports of postbacks".
///
/// A postback contains neither the time of the install nor whether its window was locked: an unlocked window is
/// assumed. For versions up to 3 the time counts from the last higher value, and the install is at least that old.
package struct PostbackAge: Sendable, Equatable {
  package let shortest: TimeSpan
  package let longest: TimeSpan

  /// - Parameters:
  ///   - window: the window of the postback; versions up to 3 have the first only.
  ///   - clock: Apple's, or that of Developer Mode, in which development impressions are tested.
  package init(_ version: AdVersion, _ window: ConversionWindow, clock: DeviceProfile.ClockPreset) {
    let settings = FrameworkSettings()
    let waits =
      version.hasWindows
      ? clock.delay(of: window, isFineOnly: false, settings) : clock.delayAfterTimer(settings.calls)
    let start = version.hasWindows ? clock.end(of: window) : clock.timer(settings.calls)
    shortest = TimeSpan(microseconds: start.microseconds + waits.shortest.microseconds)
    longest = TimeSpan(microseconds: start.microseconds + waits.longest.microseconds)
  }

  /// The middle between the shortest and the longest time.
  package var middle: TimeSpan { TimeSpan(microseconds: (shortest.microseconds + longest.microseconds) / 2) }
}
