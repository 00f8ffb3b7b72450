/// The name of a setting of Apple's framework, as in the key `settings` of a profile; ``FrameworkSetting/all`` has a row
/// for each.
package enum SettingName: String, CaseIterable, Sendable {
  case clockStart = "clock-start"
  case windowEdges = "window-edges"
  case delayDistribution = "delay-distribution"
  case coarseWithout = "coarse-without"
  case carryOver = "carry-over"
  case emptyWindow = "empty-window"
  case afterLock = "after-lock"
  case afterWindows = "after-windows"
  case transactionIDs = "transaction-ids"
  case tier2Digits = "tier2-digits"
  case tier3Digits = "tier3-digits"
  case identifierDigits = "identifier-digits"
  case nonWinner = "non-winner"
  case oldIOS = "old-ios"
  case oldThreshold = "old-threshold"
  case registerAgain = "register-again"
  case registerValue = "register-value"
  case fineOnlyCalls = "fine-only-calls"
  case fineOnlyDelay = "fine-only-delay"
  case developerTimer = "developer-timer"
}
