import Foundation
import SKANDevice

/// The kinds of phones of a backtest: what of a profile decides which values leave.
final class LifeProfiles: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [DeviceProfile]

  /// With one kind, the usual one.
  init() { all = [Self.reduced(DeviceProfile(idfv: "0"))] }

  /// The index of a profile's kind, which is the next one when it did not come yet.
  func index(of profile: DeviceProfile) -> UInt16 {
    let reduced = Self.reduced(profile)
    lock.lock()
    defer { lock.unlock() }
    if let index = all.firstIndex(of: reduced) { return UInt16(truncatingIfNeeded: index) }
    // Versions and settings are few; beyond that the usual phone takes their place.
    guard all.count < Int(UInt16.max) else { return 0 }
    all.append(reduced)
    return UInt16(truncatingIfNeeded: all.count - 1)
  }

  subscript(index: UInt16) -> DeviceProfile {
    lock.lock()
    defer { lock.unlock() }
    return all[Int(index)]
  }

  private static func reduced(_ profile: DeviceProfile) -> DeviceProfile {
    var reduced = DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: ""))
    reduced.snippet = profile.snippet
    reduced.ios = profile.ios
    reduced.settings = profile.settings
    return reduced
  }
}
