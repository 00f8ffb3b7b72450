import SKANDevice
import SKANJSON
import SKANText

/// The options of an install that are Apple's framework's business.
extension Invocation {
  func readFrameworkOptions(into profile: inout DeviceProfile) throws(CommandError) {
    let ad = try json(.ad, "an ad", advice: "; as in {\"version\":\"3.0\",\"campaign\":42}, or --organic for none") {
      (bytes) throws(SourceProblems) in try AdAttribution(bytes)
    }
    profile.ad = ad ?? profile.ad
    profile.build = try choice(.build) ?? profile.build
    profile.clock = try choice(.clock) ?? profile.clock
    profile.seed = try integer(.seed) ?? profile.seed
    for text in arguments.all(.setting) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw usage("\(arguments.name(of: .setting)) must be NAME=VALUE, it is \(JSONWriter.quoted(text))")
      }
      do throws(FrameworkSettingProblem) {
        try profile.settings.set(String(parts[0]), to: String(parts[1]))
      } catch {
        throw usage("\(arguments.name(of: .setting)): \(error.words)")
      }
    }
  }

  /// Refuses a clock that came with a later iOS.
  func requireClock(of profile: DeviceProfile) throws(CommandError) {
    guard let problem = profile.clockProblem else { return }
    throw usage("\(arguments.name(of: .clock)): \(problem); add --\(Option.ios.name) 18.0")
  }

  /// One of an enumeration's names; nil when the option is not given.
  func choice<Choice: RawRepresentable & CaseIterable>(_ option: Option) throws(CommandError) -> Choice?
  where Choice.RawValue == String {
    guard let text = arguments.value(option) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue)
      let near = nearestName(to: text, in: names).map { "; did you mean \($0)?" } ?? ""
      throw usage(
        "\(arguments.name(of: option)) must be one of \(names.joined(separator: ", ")), it is "
          + "\(JSONWriter.quoted(text))\(near)")
    }
    return choice
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
