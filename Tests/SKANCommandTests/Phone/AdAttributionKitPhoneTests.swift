import Foundation
import SKANBase
import SKANDevice
import SKANSigning
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("postbacks of a phone with an ad of AdAttributionKit")
struct AdAttributionKitPhoneTests {
  private static let network = "http://localhost:8080/postback"
  private static let developer = "http://localhost:8080/.well-known/appattribution/report-attribution/"
  private static let lost =
    #"[{"network":"a.skadnetwork"},{"framework":"adattributionkit","network":"b.adattributionkit"}]"#

  /// A phone with updates in the first two windows.
  private static func phone(_ more: String = "", _ options: String...) -> World {
    let ad = #"{"framework":"adattributionkit"\#(more)}"#
    return options.isEmpty ? World.measured("--ad", ad) : World.measured("--ad", ad, "--setting", options[0])
  }

  private static func postbacks(_ world: World, _ options: String = "") throws -> [JSON] {
    let run = world.run("postbacks --at +60d --json \(options)")
    guard case .array(let postbacks)? = try JSONReader.read(Array(run.out.utf8)).value["postbacks"] else { return [] }
    return postbacks
  }

  @Test("All go to the network, a copy of the winning ones to Apple's path of the framework, the same bytes")
  func addresses() {
    let world = Self.phone(#","lost":\#(Self.lost)"#)
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +60d --send \(Self.network)").code == .ok)
    let networkPosts = world.posts.filter { $0.url == Self.network }.map(\.body)
    let copies = world.posts.filter { $0.url == Self.developer }.map(\.body)
    #expect(networkPosts.count == 4 && copies.count == 2 && world.posts.count == 6)
    #expect(copies.allSatisfy(networkPosts.contains))
    let skan = World.measured("--ad", #"{"lost":\#(Self.lost)}"#)
    skan.takePostbacks(200)
    skan.run("postbacks --at +60d --send \(Self.network)")
    #expect(!skan.posts.map(\.url).contains(Self.developer))
  }

  @Test(
    "Which answers are a reason to send again",
    arguments: [
      ("aak-retry=500", 503, 1), ("aak-retry=500", 500, 10), ("aak-retry=5xx", 503, 10), ("aak-retry=5xx", 404, 1),
      ("aak-retry=non_200", 404, 10), ("aak-retry-count=9_in_all", 500, 9),
    ])
  func retries(setting: String, status: Int, attempts: Int) {
    let world = Self.phone("", setting)
    world.takePostbacks(status)
    let run = world.run("postbacks --at +60d --send \(Self.network) --developer none")
    #expect(run.code == .badAnswer && world.posts.count == 2 * attempts)
    #expect(run.out.contains("    given up: no attempt to the ad network arrived\n"))
    #expect(world.run("postbacks --at +90d --send \(Self.network) --developer none").code == .badAnswer)
    #expect(world.posts.count == 2 * attempts)
  }

  @Test("The list of deliveries: the attempts of each phone at a receiver that answers 503, and the copies")
  func deliveries() throws {
    let world = World()
    let list = Checkout.fixtures.appending(path: "adattributionkit/deliveries.jsonl")
    world["list.jsonl"] = try String(contentsOf: list, encoding: .utf8)
    world.takePostbacks(503)
    #expect(world.run("replay -q list.jsonl --send \(Self.network)").code == .badAnswer)
    for url in [Self.network, Self.developer] {
      let attempts = Dictionary(grouping: world.posts.filter { $0.url == url }, by: \.body).values.map(\.count)
      #expect(attempts.sorted() == [1, 1, 9, 10], "\(url)")
    }
  }

  @Test("What only the mirror set is shown side by side, and each tier beside the others")
  func text() {
    let world = Self.phone()
    let details = world.run("details --table").out
    #expect(details.contains("the app keeps         AdAttributionKit holds\n"))
    #expect(
      details.contains("P0 coarse value  high                  -                       differs: Apple's page names"))
    #expect(
      world.run("postbacks --at +60d --tier all").out.hasSuffix(
        """
        P0                         tier 0  tier 1              tier 2              tier 3
        state                      sent    sent                sent                sent
        source-identifier          39      39                  5239                5239
        conversion-value           -       -                   12                  12
        publisher-item-identifier  -       -                   -                   1234567891
        marketplace-identifier     -       com.apple.AppStore  com.apple.AppStore  com.apple.AppStore

        P1                      tier 0    tier 1              tier 2              tier 3
        state                   not sent  sent                sent                sent
        source-identifier       -         39                  39                  39
        marketplace-identifier  -         com.apple.AppStore  com.apple.AppStore  com.apple.AppStore

        P2     tier 0    tier 1    tier 2    tier 3
        state  not sent  not sent  not sent  not sent

        """))
  }

  @Test("The drawing has what AdAttributionKit holds, and the impressions that lost")
  func timeline() {
    let drawing = Self.phone(#","lost":\#(Self.lost)"#).run("timeline --at +60d").out
    for line in [
      "SKAN 4 snippet on iOS 17.4, ad of AdAttributionKit (AAK)\n", "\nAAK holds\n", "  lost 1 ", "  lost 2 ",
      "  AAK holds      fine 12\n", "b.adattributionkit: sent between",
    ] {
      #expect(drawing.contains(line), "\(line)")
    }
  }

  @Test("There and back through a device file, with the keys of AdAttributionKit alone in it")
  func deviceFile() throws {
    let world = Self.phone()
    let file = try JSONReader.read(Array(try #require(world["skan-state.json"]).utf8)).value
    #expect(file["framework"]?["aak"]?["p0"]?["fine"] == .integer(12) && file["framework"]?["version"] == nil)
    #expect(file["profile"]?["ad"]?["framework"] == .string("adattributionkit"))
    let before = world.run("postbacks --at +60d --json").out
    world.run("relaunch --at +4d")
    #expect(world.run("postbacks --at +60d --json").out == before)
    let plain = try #require(World.measured()["skan-state.json"])
    #expect(!plain.contains("aak") && !plain.contains("framework\": \"") && !plain.contains("lost\""))
  }

  @Test(
    "What is wrong with --kid",
    arguments: [
      ("--kid x", "--kid belongs to --sign"), ("--sign key.pem --kid", "--kid needs a value: --kid KID"),
      (
        "--sign key.pem --kid=",
        "--kid must be a key's name of at most 100 characters without blanks, such as example.adattributionkit"
      ),
      (
        "--sign key.pem --kid=a\u{7F}",
        "--kid must be a key's name of at most 100 characters without blanks, such as example.adattributionkit"
      ),
      ("--sign key.pem --kid \(String(repeating: "k", count: 101))", "--kid must be a key's name of at most 100"),
    ])
  func badKeyID(options: String, message: String) {
    for command in ["postbacks", "replay list.jsonl --send http://localhost/"] {
      let run = Self.phone().run("\(command) \(options)")
      #expect(run.code == .usage && run.err.contains(message), "\(run.err)")
    }
  }

  @Test("An ad of AdAttributionKit on an iOS that does not have it")
  func oldIOS() {
    let world = World()
    let run = world.run("install --ios 17.3 --ad", #"{"framework":"adattributionkit"}"#)
    #expect(
      run.code == .usage
        && run.err.contains("--ad: AdAttributionKit needs iOS 17.4, and this phone has iOS 17.3; add --ios 17.4"))
  }

  @Test(
    "Signed with the tester's key, it verifies by that key alone, under the name that --kid gives",
    .enabled(if: World.canCheckSignatures))
  func signed() throws {
    let world = Self.phone()
    world.set { $0.signatures = .platform() }
    world["key.pem"] = SigningKey.privatePEM
    for (option, name) in [("", "skan-simulated/0"), ("--kid mine/1", "mine/1")] {
      let bodies = try Self.postbacks(world, "--sign key.pem \(option)").compactMap { $0["body"] }.filter {
        $0 != .null
      }
      #expect(bodies.count == 2)
      world["bodies.jsonl"] = bodies.map { JSONWriter.text($0) + "\n" }.joined()
      let verified = world.run("verify --key \(name)=\(SigningKey.publicBase64) bodies.jsonl")
      #expect(verified.code == .ok && verified.out.hasSuffix("2 postbacks, 2 valid\n"), "\(verified.out)")
      #expect(world.run("verify bodies.jsonl").code == .expectationFailed)
    }
    // With a name of Apple's it is a forgery.
    let forged = try Self.postbacks(world, "--sign key.pem --kid apple-cas-identifier/0")[0]["body"] ?? .null
    world["forged.json"] = JSONWriter.text(forged)
    #expect(world.run("verify --key \(SigningKey.publicBase64) forged.json").out.hasPrefix("invalid "))
  }

  @Test("A direct call and a re-engagement, and what is pending before and after")
  func direct() {
    let world = World.measured("--ios", "18.4", "--ad", #"{"framework":"adattributionkit","tier":1}"#)
    for (command, text) in [
      (
        "aak update 5 --coarse high --at +73h",
        "AdAttributionKit was called directly: fine 5, coarse high for P1 of the install."
      ),
      ("aak update 5 --type reengagement --at +74h", "AdAttributionKit has no pending conversion for the call"),
      (
        "aak reengage https://example.com/sale?a=1 --tag t1 --at +75h",
        "https://example.com/sale?a=1&AdAttributionKitReengagementOpen=t1: re-engagement 1 begins; the install is locked in P1."
      ),
      ("aak update 6 --lock --at +76h", "fine 6, no coarse value, lock for P0 of re-engagement 1."),
      ("aak update 7 --at +77h", "AdAttributionKit ignores the call without an error. re-engagement 1: P0 was locked"),
      ("aak update 7 --tag t1 --at +78h", "conversionTagNotSupported"),
    ] {
      let run = world.run(command)
      #expect(run.code == .ok && run.out.contains(text), "\(command): \(run.out)\(run.err)")
    }
    let states = world.run("postbacks --at +60d").out.split(separator: "\n").filter { $0.hasPrefix("P") }
    #expect(
      states.map { $0.split(separator: "  ")[1] } == ["sent", "sent", "not sent", "sent", "not sent", "not sent"])
    let history = world.run("history").out
    for text in ["direct call of AAK", "an ad opens the app"] { #expect(history.contains(text), "\(history)") }
    #expect(world.run("timeline --at +60d").out.contains("  re-eng 1 P0"))
    #expect(
      world.run("timeline --at +60d").out.contains("Re-engagement 1 began at +3d3h: AAK holds P0 fine 6, locked.\n"))
    #expect(
      world.run("details --table").out.hasSuffix("AdAttributionKit holds of re-engagement 1: P0 fine 6, locked\n"))
    let before = world.run("postbacks --at +60d --json").out
    world.run("relaunch --at +79h")
    #expect(world.run("postbacks --at +60d --json").out == before)
  }

  @Test("Re-engagements are copied to the developer with the app's key only", arguments: ["off", "on"])
  func copies(value: String) {
    let world = World.measured("--ios", "18.4", "--setting", "aak-reengagement-copies=\(value)")
    world.run("aak reengage https://example.com/ --at +80h")
    world.run("aak update 5 --at +81h")
    world.takePostbacks(200)
    world.run("postbacks --at +60d --send \(Self.network)")
    #expect(world.posts.filter { $0.url == Self.developer }.count == (value == "on" ? 1 : 0))
  }

  @Test(
    "What is wrong with aak",
    arguments: [
      ("update", "'skan aak update' needs FINE"), ("update x", "FINE must be a whole number"),
      ("update 5.5", "FINE must be a whole number"),
      ("update 5 --coarse 2", "--coarse must be low, medium or high"), ("update 5 --coarse", "--coarse needs a value"),
      ("update 5 --coarse hihg", "--coarse must be low, medium or high, it is \"hihg\"; did you mean high?"),
      ("update 5 --type re-engagement", "--type must be one of install, reengagement"),
      ("update 5 --type=", "--type must be one of install, reengagement"), ("update 5 --type", "--type needs a value"),
      ("update 5 --tag=", "--tag must be a conversion tag"), ("update 5 --tag a&b", "--tag must be a conversion tag"),
      ("update 5 --tag", "--tag needs a value"), ("update 5 --lock=1", "--lock takes no value"),
      ("update 5 --lokc", "did you mean --lock?"), ("update 5 --lock x", "x"),
      ("reengage", "'skan aak reengage' needs URL"),
      ("reengage http://a.b/", "URL must be a universal link, beginning with https://"),
      ("reengage https://a.b/#c", "URL must be a universal link, beginning with https://"),
      ("reengage https://a.b/ --impression {", "--impression"),
      ("reengage https://a.b/ --impression []", "--impression"),
      (#"reengage https://a.b/ --impression {"tier":4}"#, "\"tier\" must be a whole number from 0 to 3"),
      (#"reengage https://a.b/ --impression {"version":"4.0"}"#, "has no key \"version\""),
      ("reengage https://a.b/ --not-eligible=1", "--not-eligible takes no value"),
      ("reengage https://a.b/ --eligible", "--not-eligible"), ("reengage https://a.b/ --not-eligible x", "x"),
    ])
  func badOptions(options: String, message: String) {
    let run = World.measured("--ios", "18.4").run("aak \(options)")
    #expect(run.code == .usage && run.err.contains(message), "\(run.err)")
  }
}
