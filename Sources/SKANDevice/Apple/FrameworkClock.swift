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
