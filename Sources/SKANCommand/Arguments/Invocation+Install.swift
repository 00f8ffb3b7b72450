import SKANDevice
import SKANBase

extension Invocation {
  /// Whether an identifier for vendors is to be a new one.
  ///
  /// - Parameter name: of the option or variable.
  /// - Throws: for another spelling: with it a server would see one phone for ever.
  func isRandom(idfv: String, of name: String) throws(CommandError) -> Bool {
    let random = DeviceProfile.randomIDFVName
    if idfv == random { return true }
    if nearestName(to: idfv, in: [random], atMost: 1) == nil { return false }
    throw usage("\(name): \(JSONWriter.quoted(idfv)) is no identifier; did you mean \(random)?")
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
