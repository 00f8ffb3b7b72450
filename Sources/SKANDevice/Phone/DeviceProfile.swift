import SKANBase

/// The properties of a phone and its app, apart from what happened to them.
package struct DeviceProfile: Sendable, Equatable {
  package var snippet: SnippetVersion = .skan4
  package var ios = IOSVersion(17, 4)
  /// The app's bundle identifier, case-sensitive.
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
  /// The seed of the random delays of postbacks.
  package var seed: Int64 = 0
  /// The answers to the questions that Apple's documentation leaves open.
  package var settings = FrameworkSettings()
  /// What the app's own Info.plist says; nil where none was given.
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

  /// The warning about an impression that Developer Mode leaves alone; nil if the phone is not in it.
  func productionWarning(about ad: AdAttribution?) -> Warning? {
    guard clock == .developer, let ad, let app = ad.productionApp else { return nil }
    return .productionImpression(app: app, ad.framework)
  }

  /// What this phone's iOS is too old for, the key of the profile that asks for it, and the iOS that it needs; nil if
  /// nothing.
  package var iosProblem: (message: String, key: String, needed: IOSVersion)? {
    let developer = IOSVersion(18, 0)
    if clock == .developer, ios < developer {
      let message = "Developer Mode with its short windows came with iOS 18.0, and this phone has iOS \(ios.text)"
      return (message, "clock", developer)
    }
    if ad?.usesAdAttributionKit ?? false, ios < .adAttributionKit {
      let message = "AdAttributionKit came with iOS 17.4, and this phone has iOS \(ios.text)"
      return (message, "ad", .adAttributionKit)
    }
    return nil
  }

  /// What the app's own Info.plist says; nil where none was given.
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

extension DeviceProfile {
  /// The warnings about a phone that is installed so.
  package var warnings: [Warning] {
    var warnings: [Warning] = []
    if let warning = productionWarning(about: ad) { warnings.append(warning) }
    if let idfv, !idfv.isDeviceIdentifier { warnings.append(.oddProfile(key: "idfv", value: idfv)) }
    if let idfa, !idfa.isDeviceIdentifier { warnings.append(.oddProfile(key: "idfa", value: idfa)) }
    if appVersion.isBlank { warnings.append(.oddProfile(key: "app_version", value: appVersion)) }
    if bundleID.isBlank { warnings.append(.oddProfile(key: "bundle_id", value: bundleID)) }
    if let plist { warnings += plist.warnings }
    return warnings
  }
}

extension String {
  /// Whether the text can be an identifier that iOS gives an app: a UUID that is not all zeros.
  fileprivate var isDeviceIdentifier: Bool {
    isUUID && utf8.contains { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: "-") }
  }

  /// Whether the text is empty or has white space only.
  var isBlank: Bool { utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
}

extension DeviceProfile {
  /// The keys of a profile, the same in the `device` step of an event list and in a device file.
  package static let keys =
    [
      "snippet", "ios", "bundle_id", "app_version", "idfv", "idfa", "build", "ad", "clock", "seed", "settings",
      "attribution_windows", "plist",
    ]
    + ForwardedProfile.keys

  /// Reads a profile. Absent keys keep their default; an absent `idfv` is derived from the phone's name.
  package init(from reader: inout JSONObjectReader, phone name: String) {
    self.init(idfv: Self.derivedIDFV(phone: name))
    snippet = reader.choice("snippet") ?? snippet
    ios = reader.iosVersion("ios") ?? ios
    bundleID = reader.string("bundle_id") ?? bundleID
    appVersion = reader.string("app_version") ?? appVersion
    idfv = reader.nullableString("idfv", default: idfv)
    // Never sent empty: without consent the parameter is omitted.
    idfa = reader.nullableString("idfa", default: nil).flatMap { $0.isEmpty ? nil : $0 }
    build = reader.choice("build") ?? build
    clock = reader.choice("clock") ?? clock
    seed = reader.integer("seed") ?? seed
    if let node = reader.node("ad") {
      if case .bool(false) = node.content {
        ad = nil
      } else if case .bool = node.content {
        reader.complain("\"ad\" must be an object, or false for an organic install", about: "ad")
      } else {
        var adReader = JSONObjectReader(node, what: "an ad", known: JSONKeys(AdAttribution.keys))
        ad = AdAttribution(from: &adReader)
        reader.add(adReader.problems)
      }
    } else {
      ad = AdAttribution(under: clock)
    }
    if ForwardedProfile.keys.contains(where: { reader.has(JSONKey($0)) }) {
      forwarded = ForwardedProfile(from: &reader)
    }
    if let node = reader.node("settings") {
      var settingsReader = JSONObjectReader(node, what: "settings", known: FrameworkSettings.keys)
      settings = FrameworkSettings(from: &settingsReader)
      reader.add(settingsReader.problems)
    }
    if let node = reader.node("plist") { plist = AppPlist(node, in: &reader) }
    if let node = reader.node("attribution_windows") { attributionWindows = AttributionWindows(node, in: &reader) }
  }

  /// All keys, so that a file is complete, except that settings and values of the app's server are included only if
  /// they differ from the default.
  package var json: JSON {
    .object(
      [
        ("snippet", .string(snippet.rawValue)), ("ios", .string(ios.text)), ("bundle_id", .string(bundleID)),
        ("app_version", .string(appVersion)), ("idfv", .optional(idfv)), ("idfa", .optional(idfa)),
        ("build", .string(build.rawValue)), ("ad", ad?.json ?? .bool(false)), ("clock", .string(clock.rawValue)),
        ("seed", .integer(seed)),
      ] + (settings == FrameworkSettings() ? [] : [("settings", settings.json)])
        + (sharedWindows == nil ? [] : [("attribution_windows", attributionWindows.json)])
        + (plist.map { [("plist", $0.json)] } ?? []) + forwarded.members)
  }
}

extension JSONObjectReader {
  /// A name of an enumeration.
  package mutating func choice<Choice: RawRepresentable & CaseIterable>(_ key: JSONKey) -> Choice?
  where Choice.RawValue == String {
    read(key, "one of \(Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))") { content in
      content.text.flatMap { Choice(rawValue: $0) }
    }
  }

  package mutating func iosVersion(_ key: JSONKey) -> IOSVersion? {
    read(key, "an iOS version such as \"17.4\"") { content in
      content.text.flatMap { IOSVersion($0) }
    }
  }

  /// A string or nil for null; the default if the key is absent.
  mutating func nullableString(_ key: JSONKey, default value: String?) -> String? {
    guard let node = node(key) else { return value }
    return node.isNull ? nil : string(key) ?? value
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
  /// Language and country, joined by an underscore.
  package var locale = "en_US"
  /// The build of the operating system.
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
  /// The keys of these values in a profile.
  package static let keys = ["ip", "make", "model", "locale", "os_build", "att_status", "sdid"]

  /// Reads these values from a profile; absent keys keep their default.
  init(from reader: inout JSONObjectReader) {
    self.init()
    ip = reader.string("ip")
    make = reader.string("make") ?? make
    model = reader.string("model") ?? model
    locale = reader.string("locale") ?? locale
    osBuild = reader.string("os_build") ?? osBuild
    attStatus = reader.integer("att_status", in: 0...3)
    sdid = reader.string("sdid")
  }

  /// The members that differ from the default.
  var members: [(key: String, value: JSON)] {
    let usual = ForwardedProfile()
    var members: [(key: String, value: JSON)] = []
    if let ip { members.append(("ip", .string(ip))) }
    if make != usual.make { members.append(("make", .string(make))) }
    if model != usual.model { members.append(("model", .string(model))) }
    if locale != usual.locale { members.append(("locale", .string(locale))) }
    if osBuild != usual.osBuild { members.append(("os_build", .string(osBuild))) }
    if let attStatus { members.append(("att_status", .integer(attStatus))) }
    if let sdid { members.append(("sdid", .string(sdid))) }
    return members
  }
}
