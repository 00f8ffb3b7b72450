import SKANBase
import SKANCommandLine
import SKANDevice

/// Options for the profile of a new phone. The defaults are those of ``DeviceProfile``.
extension OptionRow {
  static let snippet = Option<SnippetVersion>(
    "snippet", "NAME", .choice, default: "skan4", "skan4 (default), skan4-beta or skan3", hasVariable: true)
  static let ios = Option<IOSVersion>(
    "ios", "VERSION", .iosVersion, default: "17.4", "version of iOS", hasVariable: true)
  static let bundleID = Option<String>(
    "bundle-id", "ID", .text, default: "com.example.app", "the app's bundle identifier", hasVariable: true)
  static let appVersion = Option<String>(
    "app-version", "VERSION", .text, default: "1.0", "the app's version", hasVariable: true)
  static let idfv = Option<String?>(
    "idfv", "ID", .text(or: "none", DeviceProfile.randomIDFVName),
    "identifier for vendors (default derived; none for none; random for a new UUID each time)", hasVariable: true)
  static let idfa = Option<String?>(
    "idfa", "ID", .text(or: "none"), absent: "none", "identifier for advertisers (default none: no consent)",
    hasVariable: true)
  static let organic = Option<Bool>(
    flag: "organic", "no ad brought the install: Apple accepts every call and sends nothing", hasVariable: true)
  /// An example of the framework that the text names.
  @Sendable private static func adAdvice(_ text: String) -> String {
    let example =
      text.contains(AdAttribution.Framework.adattributionkit.rawValue)
      ? #"{"framework":"adattributionkit","tier":1}"# : #"{"version":"3.0","campaign":42}"#
    return "; as in \(example), or --organic for none"
  }

  static let ad = Option<AdAttribution?>(
    "ad", "JSON|@FILE",
    .json("an ad", of: "--ad", advice: adAdvice) { (bytes) throws(SourceProblems) in try AdAttribution(bytes) },
    "the ad that brought the install, as in lists: {\"version\":\"3.0\",\"campaign\":42,\"tier\":1}",
    hasVariable: true)
  static let build = Option<DeviceProfile.Build>(
    "build", "NAME", .choice, default: "appstore", "appstore (default), or development: Apple refuses every call",
    hasVariable: true)
  static let clock = Option<DeviceProfile.ClockPreset>(
    "clock", "NAME", .choice, default: "production",
    "production (default), or developer: Apple's Developer Mode, windows of 3 minutes for development impressions",
    hasVariable: true)
  static let seed = Option<Int64>(
    "seed", "NUMBER", .integer, default: "0", "the seed of the postbacks' random delays", hasVariable: true)
  static let setting = Option<FrameworkSettings>(
    "setting", "NAME=VALUE", .pair,
    values: FrameworkSetting.allCases.flatMap { setting in setting.values.map { "\(setting.name)=\($0)" } },
    folding: FrameworkSettings(),
    "choose what Apple leaves open; 'skan help postbacks' lists the settings (repeatable)",
    hasVariable: true, isOncePerName: true
  ) { (settings, given) throws(CommandError) in
    guard let (name, value) = given.pair else { throw given.mustBe("NAME=VALUE") }
    do throws(FrameworkSettingProblem) { try settings.set(name, to: value) } catch {
      throw given.problem(error.message)
    }
  }
}

/// An option of a new phone's profile, and its value in a profile.
struct ProfileOption: Sendable {
  let row: OptionRow
  /// Reads the option into a profile.
  fileprivate let read: @Sendable (OptionReader, inout DeviceProfile) throws(CommandError) -> Void
  /// The value in a profile, as `skan config` shows it.
  let value: @Sendable (DeviceProfile) -> JSON

  /// The value in a profile, as the option takes it.
  func text(_ profile: DeviceProfile) -> String {
    if case .string(let text) = value(profile) { text } else { JSONWriter.text(value(profile)) }
  }

  /// All options of a profile, in the order of the help.
  static let all: [ProfileOption] = [
    ProfileOption(.snippet, \.snippet) { $0.snippet.rawValue },
    ProfileOption(.ios, \.ios) { $0.ios.text },
    ProfileOption(.bundleID, \.bundleID) { $0.bundleID },
    ProfileOption(.appVersion, \.appVersion) { $0.appVersion },
    ProfileOption(row: .idfv, read: readIDFV) { .string($0.idfv ?? "none") },
    ProfileOption(row: .idfa) { (reader, profile) throws(CommandError) in
      profile.idfa = try reader[.idfa].flatMap { ["", "none"].contains($0) ? nil : $0 }
    } value: {
      .string($0.idfa ?? "none")
    },
    ProfileOption(row: .organic, read: readAd) { .bool($0.ad == nil) },
    ProfileOption(row: .ad, read: readAd) { .string($0.ad.map { JSONWriter.text($0.json) } ?? "none") },
    ProfileOption(.build, \.build) { $0.build.rawValue },
    ProfileOption(.clock, \.clock) { $0.clock.rawValue },
    ProfileOption(.seed, \.seed) { String($0.seed) },
    ProfileOption(.setting, \.settings) { profile in
      let changed = profile.settings.changed.map { "\($0.name)=\($0.value)" }
      return changed.isEmpty ? "none" : changed.joined(separator: " ")
    },
  ]

  private init(
    row: OptionRow, read: @escaping @Sendable (OptionReader, inout DeviceProfile) throws(CommandError) -> Void,
    value: @escaping @Sendable (DeviceProfile) -> JSON
  ) {
    (self.row, self.read, self.value) = (row, read, value)
  }

  /// An option whose value is a part of the profile.
  private init<Value>(
    _ option: Option<Value>, _ path: any WritableKeyPath<DeviceProfile, Value> & Sendable,
    text: @escaping @Sendable (DeviceProfile) -> String
  ) {
    self.init(row: option) { (reader, profile) throws(CommandError) in
      profile[keyPath: path] = try reader[option]
    } value: {
      .string(text($0))
    }
  }

  @Sendable private static func readIDFV(
    _ reader: OptionReader, _ profile: inout DeviceProfile
  ) throws(CommandError) {
    guard let idfv = try reader[.idfv] else { return }
    let invocation = reader.invocation
    let isNew = try invocation.isRandom(idfv: idfv, of: reader.name(of: .idfv))
    profile.idfv = isNew ? invocation.environment.randomIDFV() : idfv == "none" ? nil : idfv
  }

  /// Reads the ad, which `--organic` excludes. The ad of a phone for which none is given depends on its clock.
  @Sendable private static func readAd(_ reader: OptionReader, _ profile: inout DeviceProfile) throws(CommandError) {
    let origin = try reader.oneOf([.organic, .ad])
    profile.ad = try reader.value(of: .ad, if: origin == OptionRow.ad)
    let clock = try reader[.clock]
    if origin == nil { profile.ad = AdAttribution(under: clock) }
  }
}

/// The phone and the app that options describe.
struct ProfileOptions: CommandOptions {
  static let title: OptionTitle? = .profile

  let profile: DeviceProfile
  /// Whether the identifier for vendors is to be generated anew each time.
  let hasRandomIDFV: Bool

  init(_ reader: OptionReader) throws(CommandError) {
    for option in ProfileOption.all { reader.declare(option.row) }
    var profile = DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: ""))
    for option in ProfileOption.all { try option.read(reader, &profile) }
    self.profile = profile
    hasRandomIDFV = try reader[.idfv] == DeviceProfile.randomIDFVName
  }

  /// Compares the options with the profile of an existing phone, which does not change. A different value on the
  /// command line is an error; one from a variable or the project file gets a note.
  ///
  /// - Parameter isAdOfImpressions: whether the command says what brought the install, so that the phone's ad may be any.
  func check(
    against has: DeviceProfile, _ invocation: Invocation, _ output: Output, isAdOfImpressions: Bool = false
  ) throws(CommandError) {
    // A random identifier never differs: the phone's own was new once.
    let others = ProfileOption.all.filter { option in
      invocation.has(option.row) && option.text(has) != option.text(profile)
        && !(hasRandomIDFV && option.row == .idfv)
        && !(isAdOfImpressions && [.ad, .organic].contains(option.row) && !invocation.isGiven(option.row))
    }.map { (option: $0.row, old: $0.text(has), new: $0.text(profile)) }
    for (option, old, new) in others where invocation.isGiven(option) {
      let isUpdatable = UpdateCommand.spec.options.contains(option)
      let update = isUpdatable ? "'skan update \(option.flag) \(new)' changes it; " : ""
      throw invocation.usage(
        "\(option.flag): this phone is installed already with \(old), not \(new); \(update)"
          + "'skan install --force' installs anew and loses what the phone keeps")
    }
    for (option, old, new) in others {
      output.note(
        .remark(
          "\(invocation.name(of: option)): this phone is installed already and keeps \(option.name) \(old), not \(new) "
            + "('skan update' changes iOS, app version and snippet; 'skan install --force' installs anew)"))
    }
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

extension Invocation {
  /// Whether an identifier for vendors is the keyword for a new random one.
  ///
  /// - Parameter name: the name of the option or variable, for messages.
  /// - Throws: an error for a misspelled keyword, which a server would take for the identifier of one phone.
  func isRandom(idfv: String, of name: String) throws(CommandError) -> Bool {
    let random = DeviceProfile.randomIDFVName
    if idfv == random { return true }
    if nearestName(to: idfv, in: [random], atMost: 1) == nil { return false }
    throw usage("\(name): \(JSONWriter.quoted(idfv)) is not an identifier; did you mean \(random)?")
  }

  /// Throws if the profile requires a later iOS.
  func requireIOS(of profile: DeviceProfile) throws(CommandError) {
    guard let (message, key, needed) = profile.iosProblem else { return }
    let option: OptionRow = key == "ad" ? .ad : .clock
    throw usage("\(name(of: option)): \(message); add \(OptionRow.ios.flag) \(needed.text)")
  }
}
