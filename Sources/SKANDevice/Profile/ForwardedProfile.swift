import SKANBase

/// What only the app's server reports of a phone: the parameters of `launch` and `evt` that the snippet does not send.
///
/// The defaults are the samples of Singular's reference of the two endpoints (articles 31542603988379, 360048588672).
package struct ForwardedProfile: Sendable, Equatable {
  /// The phone's public address; nil stands for ``derivedIP(_:)``.
  package var ip: String?
  package var make = "Apple"
  package var model = "iPhone10,1"
  /// Language and country, with an underscore.
  package var locale = "en_US"
  /// The build of the operating system.
  package var osBuild = "Build/13D15"
  /// What App Tracking Transparency says, 0 to 3; nil stands for 3 with an IDFA and 0 without one.
  package var attStatus: Int64?
  /// Singular's device identifier, for version 2; nil stands for ``derivedSDID(_:)``.
  package var sdid: String?

  package init() {}

  /// The address of a phone that was given none: the same for the same identifier, in 198.18.0.0/15, which no phone has
  /// (RFC 2544).
  package static func derivedIP(_ identifier: String) -> String {
    let hash = fnv1a(identifier, after: fnv1a("skan ip "))
    return "198.\(18 + (hash >> 16 & 1)).\(hash >> 8 & 255).\(1 + hash % 254)"
  }

  /// The identifier of a phone that was given none, in the form of a random UUID: the same for the same identifier.
  package static func derivedSDID(_ identifier: String) -> String {
    let high = fnv1a(identifier, after: fnv1a("skan sdid 1 ")) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = fnv1a(identifier, after: fnv1a("skan sdid 2 ")) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return DeviceProfile.uuid(high: high, low: low, uppercase: false)
  }
}
