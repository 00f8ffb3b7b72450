extension FrameworkSetting {
  /// Every open point, in the order of help and manual.
  package static let all: [FrameworkSetting] = [
    FrameworkSetting(
      .clockStart, \.clockStart, "from when the windows of version 4 count",
      doubt: "Apple: the first launch; Apple's AdAttributionKit pages: the first update call"),
    FrameworkSetting(
      .windowEdges, \.windowEdges, "whether the very instant of a window's or timer's end still belongs to it",
      doubt: "not in Apple's documentation; public SDKs differ"),
    FrameworkSetting(
      .delayDistribution, \.delayDistribution, "where between its bounds a random delay falls",
      doubt: "Apple: random, nothing more"),
    FrameworkSetting(
      .coarseWithout, \.coarseWithout, "what a call without a coarse value does to the one that is set",
      doubt: "not in Apple's documentation; partners report a coarse value \"none\""),
    FrameworkSetting(
      .carryOver, \.carryOver, "whether a window begins with the coarse value of the one before",
      doubt: "not in Apple's documentation; SDKs count by window"),
    FrameworkSetting(
      .emptyWindow, \.emptyWindow, "the postback of a window that ends without an update call",
      doubt: "Apple: an app needs to update in each window to be eligible; the case itself is not described"),
    FrameworkSetting(
      .afterLock, \.afterLock, "what the handler of an update in a locked window gets",
      doubt: "Apple: ignored, and names no error but the one for values out of range"),
    FrameworkSetting(
      .afterWindows, \.afterWindows, "what the handler of an update after the last window or the timer gets",
      doubt: "Apple: no effect, and names no error but the one for values out of range"),
    FrameworkSetting(
      .transactionIDs, \.transactionIDs, "whether the postbacks of one install have ids of their own",
      doubt: "not in Apple's documentation; receivers are to drop an id seen before"),
    FrameworkSetting(
      .tier2Digits, \.tier2Digits, "digits of the source identifier in a first postback of tier 2",
      doubt: "Apple: two, three or four"),
    FrameworkSetting(
      .tier3Digits, \.tier3Digits, "digits of the source identifier in a first postback of tier 3",
      doubt: "Apple: two, three or four"),
    FrameworkSetting(
      .identifierDigits, \.identifierDigits, "which digits of the source identifier a shorter one keeps",
      doubt: "Apple's samples show the last, 5239 and 39; Singular's FAQ says the first"),
    FrameworkSetting(
      .nonWinner, \.nonWinner, "what a postback of version 4 that did not win says of its source",
      doubt: "Apple: without values and source app; digits and domain are not described"),
    FrameworkSetting(
      .oldIOS, \.oldIOS, "what iOS before 16.1 makes of an ad of version 4.0",
      doubt: "not in Apple's documentation"),
    FrameworkSetting(
      .oldThreshold, \.oldThreshold, "the tier from which versions up to 3 show conversion value and source app",
      doubt: "Apple: above a privacy threshold, which is not published"),
    FrameworkSetting(
      .registerAgain, \.registerAgain, "what registerAppForAdNetworkAttribution does after the first update",
      doubt: "Apple: resets the value to 0, said of iOS 15.4 and earlier"),
    FrameworkSetting(
      .registerValue, \.registerValue, "the conversion value when only registerAppForAdNetworkAttribution was called",
      doubt: "Apple: the default value is 0, said of another call"),
    FrameworkSetting(
      .fineOnlyCalls, \.fineOnlyCalls, "where in version 4 a call without coarse value and lock to give counts",
      doubt: "Apple: in the first window; partners report that such calls clear what later windows hold"),
    FrameworkSetting(
      .fineOnlyDelay, \.fineOnlyDelay, "the first delay of version 4 when no call could give a coarse value",
      doubt: "Apple: 24-48 hours on one page, 0-24 hours on that call's own"),
    FrameworkSetting(
      .developerTimer, \.developerTimer, "timer and delay of versions up to 3 in Developer Mode",
      doubt: "Apple: 24-48 hours become 5-10 minutes; the timer is not described"),
  ]
}
