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
