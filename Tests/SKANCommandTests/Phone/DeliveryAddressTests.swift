import Foundation
import SKANDevice
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("postbacks --send: who gets what")
struct DeliveryAddressTests {
  private static let send = "--send http://localhost:8080/postback?x=1"

  @Test(
    "The developer's copy",
    arguments: [
      (
        "", ["http://localhost:8080/postback?x=1", "http://localhost:8080/.well-known/skadnetwork/report-attribution/"]
      ),
      ("--developer none", ["http://localhost:8080/postback?x=1"]),
      ("--developer https://example.com/copy", ["http://localhost:8080/postback?x=1", "https://example.com/copy"]),
    ])
  func developer(options: String, urls: [String]) {
    let world = World.measured()
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +4d \(Self.send) \(options)").code == .ok)
    #expect(world.posts.map(\.url) == urls)
    #expect(!(world["skan-state.json"] ?? "").contains("x=1"), "a query may hold a secret")
  }

  @Test(
    "By version and winner: which postbacks, and whether the developer gets a copy",
    arguments: [
      ("{}", ["network 0", "developer 0", "network 1", "developer 1"]),
      (#"{"won":false}"#, ["network 0"]), (#"{"tier":0}"#, ["network 0", "developer 0"]),
      (#"{"version":"3.0"}"#, ["network -", "developer -"]), (#"{"version":"3.0","won":false}"#, ["network -"]),
      (#"{"version":"2.2"}"#, ["network -", "developer -"]), (#"{"version":"2.1","won":false}"#, []),
      (#"{"version":"2.0"}"#, ["network -", "developer -"]),
    ])
  func versions(ad: String, sent: [String]) {
    let world = World.measured("--ad", ad)
    world.takePostbacks(200)
    #expect(world.run("postbacks --at +60d \(Self.send)").code == .ok)
    let posts = world.posts.map { post in
      let index = post.body.firstRange(of: "\"postback-sequence-index\":").map { post.body[$0.upperBound] } ?? "-"
      return "\(post.recipient ?? "") \(index)"
    }
    #expect(posts == sent)
  }

  @Test(
    "Organic installs and development builds send nothing", arguments: [["--organic"], ["--build", "development"]])
  func nothing(options: [String]) {
    let world = World()
    world.run("install --at \(World.start)", arguments: options)
    world.run("register")
    #expect(world.run("postbacks --at +60d \(Self.send)").code == .ok)
    #expect(world.posts == [] && world.deliveries == [])
  }

  @Test("Postbacks of one transaction id are all delivered")
  func sameIDs() {
    let world = World.measured("--setting", "transaction-ids=same")
    world.takePostbacks(200)
    let run = world.run("postbacks --at +60d \(Self.send)")
    #expect(world.deliveries == ["0 network 89 200", "0 developer 89 200", "1 network 203 200", "1 developer 203 200"])
    // Each is listed under its own postback.
    #expect(run.out.components(separatedBy: ": HTTP 200\n").count == 5)
  }

  @Test("Installed anew, the phone has other postbacks, and the old attempts are gone")
  func reset() {
    let world = World.measured()
    world.takePostbacks(200)
    world.run("postbacks --at +60d \(Self.send)")
    world.run("reset")
    #expect(world.deliveries == [])
    world.run("register")
    world.run("postbacks --after 60d \(Self.send)")
    #expect(world.posts.count == 6 && Set(world.posts.map(\.body)).count == 3)
  }

  @Test("What is sent is what is shown", .enabled(if: World.canCheckSignatures))
  func signed() throws {
    let world = World.measured()
    world["key.pem"] = SigningKey.privatePEM
    world["public.pem"] = """
      -----BEGIN PUBLIC KEY-----
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhAT
      HdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P+Q46ig==
      -----END PUBLIC KEY-----

      """
    world.set { $0.signatures = .platform() }
    world.takePostbacks(200)
    let run = world.run("postbacks --at +60d \(Self.send) --sign key.pem")
    #expect(world.posts.count == 4)
    for post in world.posts {
      #expect(run.out.contains("    simulated, signed with your key, not Apple's: \(post.body)\n"))
    }
    world["received.jsonl"] = world.posts.map { "\($0.body)\n" }.joined()
    #expect(world.run("verify received.jsonl --key public.pem").out.hasSuffix("\n4 postbacks, 4 valid\n"))
    #expect(!(world["skan-state.json"] ?? "").contains("signature"), "neither key nor signature is kept")
  }
}
