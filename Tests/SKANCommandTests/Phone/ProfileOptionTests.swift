import Foundation
import SKANDevice
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The options of a phone's profile")
struct ProfileOptionTests {
  /// A value of each option that takes any text, and that is not its default.
  private static let texts = [
    "ios": "18.4", "bundle-id": "a.b", "app-version": "9", "idfv": "none", "idfa": "A",
    "ad": #"{"version":"3.0","campaign":4}"#, "seed": "7",
  ]

  /// The option with another value than its default.
  private static func given(_ option: ProfileOption) -> String {
    if option.row.placeholder == nil { return option.row.flag }
    // The default is the first of named values.
    return "\(option.row.flag)=\(texts[option.row.name] ?? option.row.values[1])"
  }

  @Test("They are the parts of a profile, and the options of install and register under their title")
  func all() {
    let parts = Mirror(reflecting: DeviceProfile(idfv: nil)).children.compactMap(\.label)
    // A profile without an ad is organic; what its server reports and its app's rules are of lists and files alone.
    let others: Set = ["sharedForwarded", "sharedPlist", "sharedWindows"]
    #expect(ProfileOption.all.count == Set(parts).subtracting(others).union(["organic"]).count)
    for name in [CommandName.install, .register] {
      #expect(name.spec.groups.first { $0.title == .profile }?.rows == ProfileOption.all.map(\.row))
    }
  }

  /// The value of an option, as config shows the phone's.
  private static func shown(_ option: ProfileOption, in world: World) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(world.run("config --json").out.utf8)) as? [String: Any]
    let settings = try #require(object?["settings"] as? [[String: Any]])
    let shown = try #require(settings.first { $0["name"] as? String == option.row.name })
    #expect(shown["source"] as? String == "device" && shown["from"] as? String == Changes.state)
    return try #require(
      option.row.placeholder == nil ? (shown["value"] as? Bool).map(String.init(_:)) : shown["value"] as? String)
  }

  @Test(
    "config shows the phone's, and register refuses another one with both values", arguments: ProfileOption.all.indices)
  func value(index: Int) throws {
    let option = ProfileOption.all[index]
    let given = Self.given(option)
    let other = World()
    let installed = other.run("install \(option.row == .ios ? "" : "--ios=18.4 ")\(given)")
    #expect(installed.code == .ok, "\(installed)")
    #expect(other.run("register \(given)").code == .ok, "the same value is fine")
    let new = try Self.shown(option, in: other)

    let world = World.registered()
    let old = try Self.shown(option, in: world)
    let isUpdatable = CommandName.update.spec.declares(option.row)
    let update = isUpdatable ? "'skan update \(option.row.flag) \(new)' changes it; " : ""
    #expect(
      world.run("register \(given)")
        == .usage(
          "\(option.row.flag): this phone is installed already with \(old), not \(new); \(update)"
            + "'skan install --force' installs anew and loses what the phone keeps", command: "register"))
    // The text of an ad has all of its members.
    if option.row != .ad { #expect(given == option.row.flag ? new == "true" : given.hasSuffix("=\(new)"), "\(new)") }
  }
}
