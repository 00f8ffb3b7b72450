import SKANDevice

extension SettingName {
  /// What the values make of a phone's life.
  var effect: String {
    switch self {
    case .clockStart:
      "With first_launch the windows begin when the app is first opened, which can be before register: Apple's windows then "
        + "end earlier than the snippet's."
    case .windowEdges:
      "With end_included an update at the very second in which a window ends still belongs to it; the snippet takes it for the "
        + "next window."
    case .delayDistribution:
      "uniform draws each delay from the phone's seed; earliest and latest make the times of postbacks easy to reckon."
    case .coarseWithout:
      "With keep a call without a coarse value leaves Apple's as it was while the app removes its own; literal_none puts the text "
        + "none into the postback."
    case .carryOver:
      "With yes a window in which only a call without a coarse value comes still has the one of the window before."
    case .emptyWindow:
      "With send_without_value the second and third postback leave although no update came in their windows."
    case .afterLock:
      "With error_10 the app's handler hears that its update was ignored; the snippet keeps the values all the same."
    case .afterWindows:
      "With error_10 the app's handler hears that its update came too late; the snippet keeps the values all the same."
    case .transactionIDs:
      "With same all postbacks of an install have one transaction id; a receiver that drops known ids then keeps the first only."
    case .tier2Digits:
      "A first postback of tier 2 names its campaign with that many digits: with two, it distinguishes "
        + "a hundred campaigns at most."
    case .tier3Digits: "A first postback of tier 3 names its campaign with that many digits."
    case .identifierDigits:
      "Of 5239 the last two digits are 39, the first 52: a campaign map for short identifiers depends on it."
    case .nonWinner:
      "digits_by_tier gives digits and no source, by_tier digits and a source domain, least two digits only."
    case .oldIOS:
      "With as_4_0 such a phone has three windows, with as_3_0 one value and a timer of 24 hours, with not_attributed no postback."
    case .oldThreshold:
      "With as_4_0 the value shows from tier 2 on and the source app at tier 3; with tier_N both from that tier on."
    case .registerAgain:
      "It matters where an app calls Apple's old register a second time, past the snippet; the snippet itself calls it once."
    case .registerValue:
      "With absent a postback of a phone that only registered with SKAN 3 has no conversion value; with zero it has 0."
    case .fineOnlyCalls:
      "With every_window a call that has no coarse value, as on iOS below 16.1, clears the coarse value of later windows, too."
    case .fineOnlyDelay: "It is about installs whose calls could give no coarse value, as those of SKAN 3."
    case .developerTimer:
      "It is about ads up to version 3 on a phone in Developer Mode: timer, and the delay behind it."
    }
  }
}
