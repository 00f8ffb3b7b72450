import SKANBase

/// The properties of a phone and its app, apart from what happened to them. The rows of ``fields`` describe them.
package struct DeviceProfile: Sendable, Equatable {
  package var snippet: SnippetVersion = .skan4
  package var ios = IOSVersion(17, 4)
  package var bundleID = "com.example.app"
  package var appVersion = "1.0"
  /// The identifier for vendors; nil if there is none. It is then omitted from every request.
  package var idfv: String?
  /// The identifier for advertisers; nil without consent. It is then omitted from every request.
  package var idfa: String?
  package var build: Build = .appStore
  /// The ad that led to the install; nil for an organic one.
  package var ad: AdAttribution? = AdAttribution()
  package var clock: ClockPreset = .production
  package var seed: Int64 = 0
  package var settings = FrameworkSettings()
  /// What the app's own Info.plist says; nil if none was given.
  private var sharedPlist: SharedValue<AppPlist>?
  /// Nil for an app without rules, as most are.
  private var sharedWindows: SharedValue<AttributionWindows>?
  /// Nil for the defaults, which most phones have.
  private var sharedForwarded: SharedValue<ForwardedProfile>?

  /// The source of the app; Apple's framework treats a development build differently.
  package enum Build: String, CaseIterable, Sendable { case appStore = "appstore", development }

  /// The lengths of Apple's windows and delays: the normal ones, or those of Developer Mode.
  package enum ClockPreset: String, CaseIterable, Sendable { case production, developer }

  /// The clock of an impression's conversion: Developer Mode leaves production impressions alone (Apple, "Testing ad
  /// attributions with Developer Mode").
  package func clock(of ad: AdAttribution?) -> ClockPreset { ad?.productionApp == nil ? clock : .production }

  /// What this phone's iOS is too old for, the key of the profile that asks for it, and the iOS that it needs; nil if
  /// nothing.
  package var iosProblem: (message: String, key: String, needed: IOSVersion)? {
    let developer = IOSVersion(18, 0)
    if clock == .developer, ios < developer {
      let message = "Developer Mode with its short windows needs iOS 18.0, and this phone has iOS \(ios.text)"
      return (message, "clock", developer)
    }
    if ad?.usesAdAttributionKit ?? false, ios < .adAttributionKit {
      let message = "AdAttributionKit needs iOS 17.4, and this phone has iOS \(ios.text)"
      return (message, "ad", .adAttributionKit)
    }
    return nil
  }

  /// What the app's own Info.plist says; nil if none was given.
  package var plist: AppPlist? {
    get { sharedPlist?.value }
    set { sharedPlist = newValue.map { SharedValue($0) } }
  }

  /// The app's rules of how long an impression counts.
  package var attributionWindows: AttributionWindows {
    get { sharedWindows?.value ?? AttributionWindows() }
    set { sharedWindows = newValue == AttributionWindows() ? nil : SharedValue(newValue) }
  }

  /// The values that only the app's server reports.
  package var forwarded: ForwardedProfile {
    get { sharedForwarded?.value ?? ForwardedProfile() }
    set { sharedForwarded = newValue == ForwardedProfile() ? nil : SharedValue(newValue) }
  }

  package init(idfv: String?) { self.idfv = idfv }
}

/// A profile in the `device` step of an event list and in a device file. All keys are written, so that a file is complete,
/// except that settings and values of the app's server are written only if they differ from the default.
extension DeviceProfile: JSONObjectWritable {
  package static let fields = JSONFields<DeviceProfile> {
    JSONField("snippet", "the version of the snippet", at: \.snippet)
    JSONField("ios", "the version of iOS", at: \.ios)
    JSONField("bundle_id", "the app's bundle identifier, case-sensitive", at: \.bundleID)
    JSONField("app_version", "the app's version", at: \.appVersion)
    JSONField("idfv", "the identifier for vendors; null for none", at: \.idfv)
    JSONField("idfa", "the identifier for advertisers; null without consent", at: \.idfa)
    JSONField("build", "the source of the app", at: \.build)
    JSONField(
      optional: "ad", "the ad that led to the install; false for an organic one",
      as: .anyOf([AdAttribution.jsonForm, .choice([.bool(false)])]), reading: { $0.ad = $1.ad() }
    ) { if let ad = $0.ad { ad.write(to: &$1) } else { $1.append(false) } }
    JSONField("clock", "the lengths of Apple's windows and delays", at: \.clock)
    JSONField("seed", "the seed of the random delays of postbacks", at: \.seed)
    JSONField(
      "settings", "answers to questions that Apple leaves open", at: \.settings, unless: FrameworkSettings())
    JSONField(
      optional: "attribution_windows", "the app's rules of how long an impression counts, as in its Info.plist",
      as: AttributionWindows.jsonForm,
      reading: {
        if let node = $1.node("attribution_windows") { $0.attributionWindows = AttributionWindows(node, in: &$1) }
      }
    ) { if $0.sharedWindows != nil { $0.attributionWindows.write(to: &$1) } }
    JSONField(
      optional: "plist", "the app's Info.plist: a file, or what was read from it",
      as: .anyOf([.text, AppPlist.jsonForm]),
      reading: { if let node = $1.node("plist") { $0.plist = AppPlist(node, in: &$1) } }
    ) { $0.plist?.write(to: &$1) }
    ForwardedProfile.fields.rows.map { $0.of { $0.forwarded } }
  }

  package static var jsonForm: JSONForm { fields.form(requiring: []) }

  package static let keys = fields.names

  /// Reads a profile. Absent keys keep their default; an absent `idfv` is derived from the phone's name.
  package init(from reader: inout JSONObjectReader, phone name: String) {
    self.init(idfv: Self.derivedIDFV(phone: name))
    Self.fields.read(into: &self, from: &reader)
    // Never sent empty: without consent the parameter is omitted.
    if idfa?.isEmpty ?? false { idfa = nil }
    if !reader.has("ad") { ad = AdAttribution(under: clock) }
    if ForwardedProfile.fields.names.contains(where: { reader.has(JSONKey($0)) }) {
      ForwardedProfile.fields.read(into: &forwarded, from: &reader)
    }
  }
}

extension SnippetVersion: JSONReadable {}

extension DeviceProfile.Build: JSONReadable {}

extension DeviceProfile.ClockPreset: JSONReadable {}

extension JSONObjectReader {
  /// The ad of a profile; nil for an organic install.
  fileprivate mutating func ad() -> AdAttribution? {
    guard let node = node("ad") else { return nil }
    if case .bool(let isAd) = node.content {
      if isAd { complain("\"ad\" must be an object, or false for an organic install", about: "ad") }
      return nil
    }
    var reader = JSONObjectReader(node, what: "an ad", known: AdAttribution.fields.known)
    defer { add(reader.problems) }
    return AdAttribution(from: &reader)
  }
}

extension DeviceProfile {
  /// The identifier for vendors of a phone that was given none; it depends only on the name.
  ///
  /// The two halves are the 64-bit FNV-1a hashes of `skan idfv 1 NAME` and `skan idfv 2 NAME`; the bits that a UUID
  /// reserves are set to version 8 (custom), variant 1.
  package static func derivedIDFV(phone name: String) -> String {
    let high = fnv1a(name, after: firstHash) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
    let low = fnv1a(name, after: secondHash) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return uuid(high: high, low: low, uppercase: true)
  }

  /// The word that stands for a new random identifier.
  package static let randomIDFVName = "random"

  /// The identifier for vendors from 16 random bytes: a UUID of version 4.
  package static func idfv(high: UInt64, low: UInt64) -> String {
    uuid(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000,
      uppercase: true)
  }

  private static let firstHash = fnv1a("skan idfv 1 ")
  private static let secondHash = fnv1a("skan idfv 2 ")

  /// 16 bytes in the form of a UUID.
  static func uuid(high: UInt64, low: UInt64, uppercase: Bool) -> String {
    let letters = UInt8(ascii: uppercase ? "A" : "a")
    return unsafe String(unsafeUninitializedCapacity: 36) { text in
      var length = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          unsafe text[length] = UInt8(ascii: "-")
          length += 1
        }
        let half = digit < 16 ? high : low
        let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - digit % 16 * 4)) & 15
        unsafe text[length] = nibble < 10 ? UInt8(ascii: "0") + nibble : letters + nibble - 10
        length += 1
      }
      return length
    }
  }
}

/// The values that only the app's server reports: the parameters of `launch` and `evt` that the snippet does not send.
///
/// The defaults are the samples in Singular's reference of the two endpoints (articles 31542603988379, 360048588672).
package struct ForwardedProfile: Sendable, Equatable {
  /// The phone's public address; nil for ``derivedIP(_:)``.
  package var ip: String?
  package var make = "Apple"
  package var model = "iPhone10,1"
  package var locale = "en_US"
  package var osBuild = "Build/13D15"
  /// The App Tracking Transparency status, 0 to 3; nil for 3 with an IDFA and 0 without one.
  package var attStatus: Int64?
  /// Singular's device identifier, for version 2; nil for ``derivedSDID(_:)``.
  package var sdid: String?

  package init() {}

  /// The address of a phone that was given none. It depends only on the identifier and lies in 198.18.0.0/15, which no
  /// phone has (RFC 2544).
  package static func derivedIP(_ identifier: String) -> String {
    let hash = fnv1a(identifier, after: fnv1a("skan ip "))
    return "198.\(18 + (hash >> 16 & 1)).\(hash >> 8 & 255).\(1 + hash % 254)"
  }

  /// The device identifier of a phone that was given none, in the form of a random UUID. It depends only on the
  /// identifier.
  package static func derivedSDID(_ identifier: String) -> String {
    let high = fnv1a(identifier, after: fnv1a("skan sdid 1 ")) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = fnv1a(identifier, after: fnv1a("skan sdid 2 ")) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return DeviceProfile.uuid(high: high, low: low, uppercase: false)
  }
}

extension ForwardedProfile {
  package static let fields = JSONFields<ForwardedProfile> {
    JSONField(optional: "ip", "the phone's public address", at: \.ip)
    JSONField("make", "the phone's manufacturer", at: \.make, unless: usual.make)
    JSONField("model", "the phone's model", at: \.model, unless: usual.model)
    JSONField("locale", "language and country, joined by an underscore", at: \.locale, unless: usual.locale)
    JSONField("os_build", "the build of the operating system", at: \.osBuild, unless: usual.osBuild)
    JSONField(optional: "att_status", "the App Tracking Transparency status", as: .integer(0...3), at: \.attStatus)
    JSONField(optional: "sdid", "Singular's device identifier", at: \.sdid)
  }

  private static let usual = ForwardedProfile()
}
