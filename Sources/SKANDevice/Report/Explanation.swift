/// Why a step ended as it did, with the instant or value that decided it; its description is one sentence.
package enum Explanation: Sendable, Equatable {
  // register
  case registered(SnippetVersion, at: Int64)
  case alreadyRegistered(SnippetVersion, since: Int64)
  case registrationNeedsIOS(IOSVersion, has: IOSVersion, SnippetVersion)
  // an update that never goes out
  case neverRegistered
  /// The same, and register would not change it.
  case cannotRegister(IOSVersion, has: IOSVersion, SnippetVersion)
  case windowClosed(window: String, at: Int64, now: Int64)
  case updateNeedsIOS(IOSVersion, has: IOSVersion)
  case lockHeld
  case requestCrashed(PoisonedEntry)
  // an answer
  case noAnswer(String)
  case notJSON(String)
  /// The test endpoint in process has given its three values.
  case testEndpointExhausted
  case answerCrashed(String)
  case nothingToUpdate
  case refused(String)
  /// The same, since the phone never had a fine value.
  case refusedWithoutCurrentValue(String)
  case illegalValue(KeptValue)
  case illegalCoarse(KeptValue)
  case answerNeedsIOS(has: IOSVersion)
  case updated(fine: KeptValue, coarse: KeptValue?, lock: Bool, ConversionWindow?, previous: KeptValue?)
  case frameworkFailed(code: Int64)
  case skan3Updated(Int32, previous: Int64?)
  case notHigher(Int32, current: Int64)
  // the rest
  case revenueAdded(amount: Double, currency: String, isAd: Bool, ConversionWindow?, SnippetVersion)
  case amountIsZero
  case currencyIsMissing
  case revenueNeedsIOS(has: IOSVersion)
  case detailsRead(Int)
  case detailsCrashed(PoisonedEntry)
  case postbacksRead([Postback.State])
  /// The install has no ad, or one of a version that this iOS does not know.
  case noPostbacks(isAttributed: Bool)
  case relaunched(lockWasHeld: Bool)
  indirect case installed(DeviceProfile)
  indirect case appUpdated(from: DeviceProfile, to: DeviceProfile)
  case alreadyCounted(key: String)
  /// What became of a report of the app's server, in one sentence or more.
  case forwarded(String)
  /// The same, but the app passed no completion handler.
  indirect case withoutHandler(Explanation)
}
