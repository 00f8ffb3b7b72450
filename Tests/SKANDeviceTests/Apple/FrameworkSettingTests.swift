import SKANBase
import Testing

@testable import SKANDevice

@Suite("Settings of what Apple leaves open")
struct FrameworkSettingTests {
  @Test("The table is whole: names once, the default first, every value can be set and read back")
  func table() throws {
    #expect(Set(FrameworkSetting.all.map(\.name)).count == FrameworkSetting.all.count)
    for setting in FrameworkSetting.all {
      #expect(setting.defaultValue == setting.values.first, "\(setting.name)")
      #expect(setting.values.count > 1 && !setting.meaning.isEmpty && !setting.doubt.isEmpty)
      for value in setting.values {
        var settings = FrameworkSettings()
        try settings.set(setting.name, to: value)
        #expect(setting.value(in: settings) == value)
        #expect(settings.changed.map(\.value) == (value == setting.defaultValue ? [] : [value]))
      }
    }
    // One byte each: a setting that is in no row would be missed here.
    #expect(MemoryLayout<FrameworkSettings>.size == FrameworkSetting.all.count)
  }

  @Test(
    "A setting that is not, or has no such value",
    arguments: [
      ("clock-strat", "x", "there is no setting \"clock-strat\"; did you mean \"clock-start\"?"),
      (
        "clock-start", "launch", "\"clock-start\" must be one of \"first_update\", \"first_launch\", this is \"launch\""
      ),
      ("tier2-digits", "5", "\"tier2-digits\" must be one of \"3\", \"2\", \"4\", this is \"5\""),
    ])
  func wrong(name: String, value: String, words: String) {
    var settings = FrameworkSettings()
    var message: String?
    do throws(FrameworkSettingProblem) { try settings.set(name, to: value) } catch { message = error.message }
    #expect(message == words)
    #expect(settings == FrameworkSettings())
  }

  @Test("An unknown name far from all lists them all")
  func farOff() {
    let words = FrameworkSettingProblem.unknown("zzzzzzzzzzzzz").message
    for setting in FrameworkSetting.all { #expect(words.contains(setting.name)) }
  }

  @Test("In a profile: by name, only what is not the default is written")
  func profile() throws {
    #expect(DeviceProfile(idfv: nil).json["settings"] == nil)
    let text = #"{"settings":{"clock-start":"first_launch","tier2-digits":2,"tier3-digits":"3","carry-over":"no"}}"#
    let profile = try Self.read(text)
    #expect(profile.settings.clockStart == .firstLaunch && profile.settings.tier2Digits == .two)
    #expect(profile.settings.changed.map(\.name) == ["clock-start", "tier2-digits", "tier3-digits"])
    let written = JSONWriter.text(profile.json["settings"] ?? .null)
    #expect(written == #"{"clock-start":"first_launch","tier2-digits":"2","tier3-digits":"3"}"#)
    #expect(try Self.read(JSONWriter.text(profile.json)).settings == profile.settings)
  }

  @Test(
    "In a profile: what is wrong",
    arguments: [
      (#"{"settings":[]}"#, "settings must be an object, this is an array"),
      (#"{"settings":{"afterlock":1}}"#, "settings has no key \"afterlock\"; did you mean \"after-lock\"?"),
      (
        #"{"settings":{"after-lock":true}}"#,
        "\"after-lock\" must be one of \"no_error\", \"error_10\", this is true"
      ),
    ])
  func profileProblems(text: String, message: String) {
    var problems: [String] = []
    do throws(SourceProblems) { _ = try Self.read(text) } catch { problems = error.problems.map(\.message) }
    #expect(problems == [message])
  }

  private static func read(_ text: String) throws(SourceProblems) -> DeviceProfile {
    let node = try JSONReader.readSource(Array(text.utf8))
    var reader = JSONObjectReader(node, what: "a profile", known: JSONKeys(DeviceProfile.keys))
    let profile = DeviceProfile(from: &reader, phone: "")
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    return profile
  }
}
