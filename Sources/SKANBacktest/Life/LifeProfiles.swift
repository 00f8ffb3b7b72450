import SKANDevice
import SKANSystem

/// The kinds of phones of a backtest: what of a profile decides which values leave.
final class LifeProfiles: Sendable {
  /// With one kind, the usual one.
  private let all = Monitor([reduced(DeviceProfile(idfv: "0"))])

  /// The index of a profile's kind, which is the next one when it did not come yet.
  func index(of profile: DeviceProfile) -> UInt16 {
    let reduced = Self.reduced(profile)
    return all.withLock { all in
      if let index = all.firstIndex(of: reduced) { return UInt16(truncatingIfNeeded: index) }
      // Versions and settings are few; beyond that the usual phone takes their place.
      guard all.count < Int(UInt16.max) else { return 0 }
      all.append(reduced)
      return UInt16(truncatingIfNeeded: all.count - 1)
    }
  }

  subscript(index: UInt16) -> DeviceProfile { all.withLock { $0[Int(index)] } }

  private static func reduced(_ profile: DeviceProfile) -> DeviceProfile {
    var reduced = DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: ""))
    reduced.snippet = profile.snippet
    reduced.ios = profile.ios
    reduced.settings = profile.settings
    return reduced
  }
}
