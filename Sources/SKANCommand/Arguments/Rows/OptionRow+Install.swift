import SKANDevice
import SKANBase

/// The profile of a phone that is installed; the defaults are those of ``DeviceProfile``.
extension OptionRow {
  static let snippet = Option<SnippetVersion>(
    "snippet", "NAME", .choice, default: "skan4", "skan4 (default), skan4-beta or skan3")
  static let ios = Option<IOSVersion>("ios", "VERSION", .iosVersion, default: "17.4", "version of iOS")
  static let bundleID = Option<String>(
    "bundle-id", "ID", .text, default: "com.example.app", "the app's bundle identifier")
  static let appVersion = Option<String>(
    "app-version", "VERSION", .text, default: "1.0", "the app's version")
  static let idfv = Option<String?>(
    "idfv", "ID", .text(or: "none", DeviceProfile.randomIDFVName),
    "identifier for vendors (default derived; none for none; random for a new UUID each time)")
  static let idfa = Option<String?>(
    "idfa", "ID", .text(or: "none"), absent: "none", "identifier for advertisers (default none: no consent)")
  static let organic = Option<Bool>(
    flag: "organic", "no ad brought the install: Apple takes every call and sends nothing")
  static let ad = Option<AdAttribution?>(
    "ad", "JSON|@FILE",
    .json("an ad", of: "--ad", advice: "; as in {\"version\":\"3.0\",\"campaign\":42}, or --organic for none") {
      (bytes) throws(SourceProblems) in try AdAttribution(bytes)
    }, "the ad that brought the install, as in lists: {\"version\":\"3.0\",\"campaign\":42,\"tier\":1}")
  static let build = Option<DeviceProfile.Build>(
    "build", "NAME", .choice, default: "appstore", "appstore (default), or development: Apple refuses every call")
  static let clock = Option<DeviceProfile.ClockPreset>(
    "clock", "NAME", .choice, default: "production",
    "production (default), or developer: Apple's Developer Mode with windows of 3 minutes")
  static let seed = Option<Int64>(
    "seed", "NUMBER", .integer, default: "0", "of the postbacks' random delays")
  static let setting = Option<FrameworkSettings>(
    "setting", "NAME=VALUE", .pair,
    values: FrameworkSetting.all.flatMap { setting in setting.values.map { "\(setting.name)=\($0)" } },
    folding: FrameworkSettings(), "settle what Apple leaves open; 'skan help postbacks' lists them (repeatable)",
    isOncePerName: true
  ) { (settings, given) throws(CommandError) in
    guard let (name, value) = given.pair else { throw given.mustBe("NAME=VALUE") }
    do throws(FrameworkSettingProblem) { try settings.set(name, to: value) } catch {
      throw given.problem(error.message)
    }
  }
}

/// The phone and the app that options describe.
struct ProfileOptions: CommandOptions {
  let profile: DeviceProfile
  /// Whether the identifier for vendors is a new one each time.
  let hasRandomIDFV: Bool

  init(_ reader: OptionReader) throws(CommandError) {
    var profile = DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: ""))
    profile.snippet = try reader[.snippet]
    profile.ios = try reader[.ios]
    profile.bundleID = try reader[.bundleID]
    profile.appVersion = try reader[.appVersion]
    let idfv = try reader[.idfv]
    if let idfv {
      let invocation = reader.invocation
      let isNew = try invocation.isRandom(idfv: idfv, of: reader.name(of: .idfv))
      profile.idfv = isNew ? invocation.environment.randomIDFV() : idfv == "none" ? nil : idfv
    }
    hasRandomIDFV = idfv == DeviceProfile.randomIDFVName
    profile.idfa = try reader[.idfa].flatMap { ["", "none"].contains($0) ? nil : $0 }
    let origin = try reader.oneOf([.organic, .ad])
    profile.ad = try reader.value(of: .ad, if: origin == OptionRow.ad) ?? profile.ad
    profile.build = try reader[.build]
    profile.clock = try reader[.clock]
    profile.seed = try reader[.seed]
    profile.settings = try reader[.setting]
    if origin == OptionRow.organic { profile.ad = nil }
    self.profile = profile
  }
}

extension ValueParser<IOSVersion> {
  static var iosVersion: Self {
    Self(.version) { (given) throws(CommandError) in
      guard let version = IOSVersion(given.text) else { throw given.mustBe("a version of iOS such as 17.4") }
      return version
    }
  }
}
