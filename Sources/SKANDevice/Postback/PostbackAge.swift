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
