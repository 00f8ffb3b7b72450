import SKANDevice

extension HelpTopic {
  static var aboutWindows: [HelpSection] {
    let ends = ConversionWindow.allCases.map { TimeSpan(seconds: $0.end) }
    let starts = [TimeSpan.zero] + ends.dropLast()
    return [
      HelpSection(
        "As the app counts (SKAN 4)",
        "By whole seconds since the first call that the app keeps, half-open: the very end belongs to the next window.",
        rows: zip(zip(starts, ends), ConversionWindow.allCases).map { bounds, window in
          ("P\(window.rawValue)", "from \(bounds.0) to \(bounds.1) after the first call")
        } + [
          ("over", "from \(ends[ends.count - 1]) on: updates are dropped without a word"),
          ("never registered", "counts as over, since the first call reads as 0"),
          ("clock set back", "before the first call it is P0"),
        ]),
      HelpSection(
        "SKAN 3",
        "One window, until \(TimeSpan(seconds: ConversionWindow.skan3Length)) after the last call; each higher value extends it."
      ),
      HelpSection(
        "As Apple counts (ads of version 4)",
        "From the first call that it took (setting clock-start). An update in a locked window is ignored.",
        rows: DeviceProfile.ClockPreset.allCases.flatMap { clock in
          ConversionWindow.allCases.map { window in
            let delay = clock.delay(of: window, isFineOnly: false, FrameworkSettings())
            return (
              "\(clock.rawValue) P\(window.rawValue)",
              "ends \(clock.end(of: window)) after the start; the postback leaves \(delay.shortest) to \(delay.longest) later"
            )
          }
        }),
      HelpSection(
        "What counts",
        "A fine value counts in P0 only, a coarse value in all three. Ads up to version 3 have one value, only upwards, and a "
          + "timer of \(DeviceProfile.ClockPreset.production.timer(FrameworkSettings())) that each higher value restarts."
      ),
      HelpSection(
        "iOS that each snippet needs to register",
        rows: SnippetVersion.allCases.map { ($0.rawValue, $0.rules.registrationMinimum.text) }),
    ]
  }
}
