import SKANBase

/// What is left to chance in a postback: its delay and its transaction id; see the article "Postbacks".
struct PostbackDraw {
  /// Whole seconds that the postback leaves after the earliest moment.
  let offset: TimeSpan
  /// A version 4 UUID, lower case as in Apple's samples.
  let transactionID: String

  /// The generator is seeded with a hash of all that tells one postback from another: the profile's seed, the phone's
  /// name and identifier for vendors, the moment of its registration and the index. Tier and settings are not in it,
  /// so that two of them can be compared.
  ///
  /// - Parameter registered: in microseconds, so that an app installed again does not repeat its ids.
  init(profile: DeviceProfile, phone name: String, registered: Instant, index: Int, bounds: DelayBounds) {
    let key = { (purpose: String, index: Int) in
      fnv1a(
        "skan \(purpose) 1 \(index)\n\(profile.seed)\n\(registered.microseconds)\n\(profile.idfv ?? "none")\n\(name)")
    }
    let span = UInt64(max(0, (bounds.longest.microseconds - bounds.shortest.microseconds) / 1_000_000))
    var delays = SplitMix64(seed: key("delay", index))
    let seconds: UInt64 =
      switch profile.settings.delayDistribution {
      case .uniform: delays.next(through: span)
      case .earliest: 0
      case .latest: span
      }
    offset = TimeSpan(seconds: Int64(seconds))
    var ids = SplitMix64(seed: key("transaction", profile.settings.transactionIDs == .same ? 0 : index))
    transactionID = Self.uuid(ids.next(), ids.next())
  }

  /// 128 bits with those set that say "version 4, variant 1".
  private static func uuid(_ first: UInt64, _ second: UInt64) -> String {
    let high = first & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return DeviceProfile.uuid(high: high, low: low, uppercase: false)
  }
}
