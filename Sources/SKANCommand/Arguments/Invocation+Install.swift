import SKANDevice
import SKANJSON

extension Invocation {
  /// The profile that the options ask for.
  func profile() throws(CommandError) -> DeviceProfile {
    var profile = DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: ""))
    profile.snippet = try self[.snippet]
    profile.ios = try self[.ios]
    profile.bundleID = try self[.bundleID]
    profile.appVersion = try self[.appVersion]
    switch try self[.idfv] {
    case nil: break
    case "none": profile.idfv = nil
    case DeviceProfile.randomIDFVName: profile.idfv = environment.randomIDFV()
    case let idfv: profile.idfv = idfv
    }
    profile.idfa = try self[.idfa].flatMap { ["", "none"].contains($0) ? nil : $0 }
    let origins = preferred([.organic, .ad])
    if origins.count > 1 { throw usage("\(name(of: .organic)) and \(name(of: .ad)) exclude each other") }
    profile.ad = try self[.ad] ?? profile.ad
    profile.build = try self[.build]
    profile.clock = try self[.clock]
    profile.seed = try self[.seed]
    profile.settings = try self[.setting]
    if origins == [.organic] { profile.ad = nil }
    return profile
  }

  /// Refuses a clock that came with a later iOS.
  func requireClock(of profile: DeviceProfile) throws(CommandError) {
    guard let problem = profile.clockProblem else { return }
    throw usage("\(name(of: .clock)): \(problem); add \(OptionRow.ios.flag) 18.0")
  }
}

extension DeviceProfile {
  /// The ad as its option takes it.
  var adText: String { ad.map { JSONWriter.text($0.json) } ?? "none" }

  /// The settings that are not the defaults.
  var settingsText: String {
    settings == FrameworkSettings() ? "none" : settings.changed.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }
}
