import Foundation
import SKANBase
import SKANHTTP
import SKANSigning
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// A receiver while more may come, as of `serve --postbacks --forward`.
@Suite("Passing postbacks on while a server runs", .enabled(if: World.canCheckSignatures))
struct ForwarderTests {
  private static let offset = "received.jsonl.crm.offset"
  private static let name = "skan: forward crm (http://localhost:9/): "

  /// Two received postbacks, and what passes them on a million times as fast.
  private func forwarder(_ change: (inout FileAccess) -> Void = { _ in }) throws -> (World, Forwarder) {
    let world = try World.withPostbacks()
    let received = world.run("receive -q --key public.pem 1.json 2.json")
    #expect(received.code == .ok && received.err.isEmpty)
    world.set { $0.variables["TEST_FORWARD_SPEED"] = "1000000" }
    var environment = world.environment
    change(&environment.files)
    let target = ForwardTarget(name: "crm", url: try PostbackURL("http://localhost:9/"))
    let size = world["received.jsonl"]?.utf8.count ?? 0
    return (world, try Forwarder("received.jsonl", size: size, to: target, environment))
  }

  /// Answers with these statuses in turn; after the last nothing more comes.
  private func answer(_ statuses: [Int], _ world: World, _ forwarder: Forwarder) {
    let rest = Mutex(statuses[...])
    world.set {
      $0.post = { post in
        let status = rest.withLock { $0.popFirst() } ?? 200
        if rest.withLock({ $0.isEmpty }) { forwarder.end() }
        return .success(HTTPExchange(HTTPResponse(status: status), url: post.url))
      }
    }
  }

  @Test("What is not accepted is sent again until it is; a problem is said once, and that it is over")
  func again() throws {
    let (world, forwarder) = try forwarder()
    answer([500, 500, 204, 204], world, forwarder)
    let outcome = forwarder.run()
    #expect(outcome.ending == .accepted && outcome.count == 2 && world.posts.count == 4)
    #expect(Set(world.posts.prefix(3).map(\.idempotencyKey)).count == 1)
    #expect(
      world.errors == Self.name
        + "HTTP 500; sent again after 1, 5, 15, 30 and 60 minutes and then every hour, and what comes waits\n"
        + Self.name + "accepts postbacks again\n")
  }

  @Test("Nothing more comes while it waits: what is left comes with the next run")
  func ended() throws {
    let (world, forwarder) = try forwarder()
    answer([503], world, forwarder)
    #expect(forwarder.run().ending == .refused)
    #expect(world.posts.count == 1 && world[Self.offset] == nil)
    #expect(world.errors == Self.name + "HTTP 503; what is left comes with the next run\n")
  }

  @Test("The user stops it, before an attempt and in one")
  func interrupted() throws {
    let (world, forwarder) = try forwarder()
    world.set {
      $0.post = { _ in
        world.set { $0.isInterrupted = true }
        return .failure(.interrupted)
      }
    }
    #expect(forwarder.run().ending == .interrupted && world.posts.count == 1)
    #expect(forwarder.run().ending == .interrupted && world.posts.count == 1)
    world.set { $0.isInterrupted = false }
    world.set {
      $0.post = { _ in
        world.set { $0.isInterrupted = true }
        return .failure(.noSuchHost)
      }
    }
    #expect(forwarder.run().ending == .interrupted && world.posts.count == 2)
  }

  @Test("An offset that cannot be written is written again, and nothing is sent twice in this run")
  func offsetFails() throws {
    let failures = Mutex(3)
    let (world, forwarder) = try forwarder { files in
      files.replace = { [replace = files.replace] (path, bytes) throws(CommandError) in
        if failures.withLock({
          $0 -= 1; return $0 >= 0
        }) {
          throw .cannotWrite(file: path, reason: "full")
        }
        try replace(path, bytes)
      }
    }
    answer([200, 200], world, forwarder)
    #expect(forwarder.run().ending == .accepted && world.posts.count == 2)
    #expect(
      world.errors == Self.name
        + "cannot write \(Self.offset): full; the postback that was accepted last is sent again "
        + "if this run ends before\n" + Self.name + "accepts postbacks again\n")
  }

  @Test("A file that cannot be read, or in which something else stands, ends it")
  func broken() throws {
    for (text, message) in [
      (nil, "cannot read received.jsonl: Input/output error"),
      ("[]\n", "cannot read received.jsonl: line 1 is not of a received postback"),
    ] as [(String?, String)] {
      let (world, forwarder) = try forwarder()
      if let text { world["received.jsonl"] = text + (world["received.jsonl"] ?? "") }
      if text == nil {
        world.set { $0.failures["read received.jsonl"] = .unreadable(file: "", reason: "Input/output error") }
      }
      forwarder.end()
      #expect(forwarder.run().ending == .failed && world.posts.isEmpty)
      #expect(world.errors == Self.name + message + "; nothing more is passed on\n")
    }
  }
}
