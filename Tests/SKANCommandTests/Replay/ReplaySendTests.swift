import SKANBase
import SKANCommand
import SKANHTTP
import SKANSigning
import Testing

@testable import SKANCommandLine

@Suite("replay --send")
struct ReplaySendTests {
  /// Two phones, of which the second is measured first.
  private static let list = #"""
    {"device":"a","op":"device","seed":1}
    {"device":"b","op":"device","seed":2}
    {"device":"b","op":"register","at":"2026-01-01T00:00:00Z"}
    {"device":"a","op":"register","at":"2026-01-03T00:00:00Z"}
    {"device":"c","op":"device","seed":3}
    {"device":"a","op":"session","at":"+1h","answer":{"json":{"conversion_value":5}}}

    """#

  private func world(_ list: String = list) -> World { World { $0.files["list.jsonl"] = Array(list.utf8) } }

  /// Transaction and recipient of what was sent.
  private func sent(_ world: World) throws -> [String] {
    try world.posts.map { post in
      let body = try JSONReader.read(Array(post.body.utf8)).value
      return "\(body["transaction-id"] ?? .null) \(post.recipient ?? "")"
    }
  }

  @Test("Those of all phones in the order of their departure, and copies of winning ones")
  func order() throws {
    let world = world()
    world.takePostbacks(200)
    let run = world.run("replay list.jsonl --send http://localhost:9/in?x=1")
    #expect(run.code == .ok && run.err.isEmpty)
    let lines = run.out.split(separator: "\n").map(String.init)
    let attempts = lines.filter { $0.contains("HTTP 200") }
    #expect(attempts == attempts.sorted { $0.prefix(20) < $1.prefix(20) } && attempts.count == world.posts.count)
    #expect(Set(attempts.map { $0.split(separator: " ")[1] }) == ["a", "b"])
    #expect(attempts.first?.contains("  b P0  to the ad network at http://localhost:9/in: HTTP 200") ?? false)
    #expect(
      lines.last == "\(world.posts.count / 2) postbacks of 2 phones: \(world.posts.count) of \(world.posts.count) "
        + "deliveries arrived, in \(world.posts.count) attempts")
    #expect(world.posts.map(\.url).first == "http://localhost:9/in?x=1")
    #expect(run.changes.isEmpty)
  }

  @Test("What is sent is what 'skan postbacks' of one phone sends")
  func same() throws {
    let one = World.measured()
    one.takePostbacks(200)
    one.run("postbacks --at +60d --send http://localhost:9/")
    let list = World { world in
      world.files["list.jsonl"] = Array(
        #"""
        {"op":"register","at":\#(World.start)}
        {"op":"session","at":"+1h","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":2}}}
        {"op":"session","at":"+3d","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":2}}}

        """#.utf8)
    }
    list.takePostbacks(200)
    #expect(list.run("replay list.jsonl --send http://localhost:9/ -q").code == .ok)
    #expect(list.posts.count == 4 && one.posts.count == 4)
    #expect(list.posts.map(\.recipient) == one.posts.map(\.recipient))
  }

  @Test("Again every day of the phone's time, ten times in all; the exit code; an expectation that fails comes first")
  func retries() throws {
    let world = world()
    world.takePostbacks(503, 200)
    let run = world.run("replay --test list.jsonl --developer none --send http://localhost:9/")
    #expect(run.code == .ok && world.posts.count == Set(world.posts.map(\.body)).count + 1)
    let refused = self.world()
    refused.takePostbacks(404)
    #expect(refused.run("replay -q list.jsonl --developer none --send http://localhost:9/").code == .badAnswer)
    let count = refused.posts.count
    #expect(count == 10 * Set(refused.posts.map(\.body)).count)
    refused.takeNoPostbacks(.connectionRefused(proxy: nil))
    #expect(refused.run("replay -q list.jsonl --send http://localhost:9/").code == .unavailable)
    refused.takeNoPostbacks(.interrupted)
    #expect(refused.run("replay -q list.jsonl --send http://localhost:9/").code == .interrupted)
    let failing = self.world(Self.list.replacing(#""answer""#, with: #""expect":{"outcome":"window-over"},"answer""#))
    failing.takePostbacks(404)
    #expect(failing.run("replay -q list.jsonl --send http://localhost:9/").code == .expectationFailed)
    #expect(!failing.posts.isEmpty)
  }

  @Test("Nothing is sent of lists with a mistake, and without --send; none of a phone that never called the framework")
  func nothing() {
    let world = world(Self.list + "{\n")
    #expect(world.run("replay list.jsonl --send http://localhost:9/").code == .badData && world.posts.isEmpty)
    let other = self.world()
    #expect(other.run("replay list.jsonl -q").code == .ok && other.posts.isEmpty)
    other["list.jsonl"] = #"{"op":"details"}"# + "\n"
    let run = other.run("replay list.jsonl --send http://localhost:9/")
    #expect(run.code == .ok && run.out.hasSuffix("0 postbacks of 0 phones: 0 of 0 deliveries arrived, in 0 attempts\n"))
  }

  @Test("Several lists: merged by time, each attempt with its list; as JSON with file and phone")
  func several() throws {
    let world = world()
    world["b.jsonl"] = Self.list.replacing("2026-01-01", with: "2026-01-02")
    world.takePostbacks(200)
    let run = world.run("replay list.jsonl b.jsonl --developer none --send http://localhost:9/ --jobs 2")
    let attempts = run.out.split(separator: "\n").filter { $0.contains("HTTP 200") }
    #expect(
      attempts.contains { $0.contains("  list.jsonl b P0  to") }
        && attempts.contains { $0.contains("  b.jsonl b P0  to") })
    #expect(attempts.map { $0.prefix(20) } == attempts.map { $0.prefix(20) }.sorted())
    let json = world.run("replay --json b.jsonl --developer none --send http://localhost:9/")
    let last = try JSONReader.read(Array(json.out.split(separator: "\n").last.map(String.init)?.utf8 ?? "".utf8)).value
    #expect(
      last["file"] == .string("b.jsonl") && last["status"] == .integer(200) && last["recipient"] == .string("network"))
  }

  @Test("Signed with the tester's key, each body once", .enabled(if: World.canCheckSignatures))
  func signed() throws {
    let world = world()
    world.set { $0.signatures = .platform() }
    world["key.pem"] = SigningKey.privatePEM
    world.takePostbacks(503, 200)
    #expect(
      world.run("replay -q list.jsonl --developer none --sign key.pem --send http://localhost:9/").code == .ok)
    #expect(world.posts.allSatisfy { $0.body.contains("attribution-signature") })
    #expect(Set(world.posts.map(\.body)).count == world.posts.count - 1)
  }

  @Test(
    "Wrong options",
    arguments: [
      ("--developer none", "--developer goes with --send"), ("--sign key.pem", "--sign goes with --send"),
      ("--send none", "--send: it must begin with http:// or https://"),
      (
        "--send http://a/ --state phone.json", "--state and --send exclude each other: 'skan postbacks --send' delivers"
      ),
      ("--send http://a/ --tier 1", "'skan replay' has no option --tier"),
    ])
  func usage(options: String, message: String) {
    let run = world().run("replay list.jsonl \(options)")
    #expect(run.code == .usage && run.err.contains(message), "\(run.err)")
  }
}
