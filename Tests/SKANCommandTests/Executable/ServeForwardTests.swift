import Foundation
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@Suite(
  "serve --forward as an executable", .timeLimit(.minutes(TestTime.minutes)), .waits,
  .enabled(if: World.canCheckSignatures)
)
struct ServeForwardTests {
  private static let options = ["--postbacks", "r.jsonl", "--key", "public.pem", "--forward-speed", "600"]

  private static func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(
      "public.pem", String(contentsOf: folder.appending(path: "simulated-public.pem"), encoding: .utf8))
    return workspace
  }

  private static let folder = Checkout.fixtures.appending(path: "postbacks")

  private static func bodies() throws -> [String] {
    try ["4.0-first", "4.0-second", "4.0-third", "4.0-not-won", "3.0", "3.0-not-won"].map {
      try String(contentsOf: folder.appending(path: "simulated-\($0).json"), encoding: .utf8)
    }
  }

  private static func keys(_ server: TestServer) -> [String] {
    server.requests.compactMap { $0.header("Idempotency-Key") }
  }

  /// Waits until a receiver has had so many requests.
  private static func wait(_ server: TestServer, for count: Int) {
    TestTime.wait { server.requests.count >= count }
  }

  @Test("In order, again until it is accepted, and after a kill from where it was; the server answers meanwhile")
  func order() throws {
    let workspace = try Self.workspace()
    let isDown = Mutex(true)
    let receiver = try TestServer { _ in .status(isDown.withLock { $0 } ? 503 : 202) }
    defer { receiver.stop() }
    let bodies = try Self.bodies()
    let first = try Served(Self.options + ["--forward", "bi=\(receiver.url("/in?key=s"))"], in: workspace)
    for body in bodies[..<3] { #expect(try first.post("/postbacks", body) == 200) }
    // One is sent again, and none behind it.
    Self.wait(receiver, for: 3)
    #expect(Set(Self.keys(receiver)).count == 1 && workspace["r.jsonl.bi.offset"] == nil)
    let refused = first.end(SIGKILL)
    #expect(refused.err.components(separatedBy: "HTTP 503").count == 2 && !refused.err.contains("key=s"))
    let before = receiver.requests.count
    isDown.withLock { $0 = false }
    let second = try Served(Self.options + ["--forward", "bi=\(receiver.url("/in?key=s"))"], in: workspace)
    for body in bodies { #expect(try second.post("/postbacks", body) == 200) }
    // A signal before the last answer is noted would end that request, and the next run would send it again.
    #expect(TestTime.wait { workspace["r.jsonl.bi.offset"]?.hasPrefix(#"{"line":9,"#) ?? false })
    #expect(second.end(SIGTERM).code == 0)
    let keys = Array(Self.keys(receiver)[before...])
    #expect(keys.count == bodies.count && Set(keys).count == keys.count && keys[0] == Self.keys(receiver)[0])
    #expect(receiver.requests.last?.header("Content-Type") == "application/json")
  }

  @Test("A receiver that is slow holds up neither the server nor another; the end waits for what is accepted at once")
  func slow() throws {
    let workspace = try Self.workspace()
    let slow = try TestServer { _ in .delayed(0.3, .status(200)) }
    defer { slow.stop() }
    let quick = try TestServer { _ in .status(200) }
    defer { quick.stop() }
    let server = try Served(
      Self.options + ["--forward", "a=\(slow.url())", "--forward", "b=\(quick.url())", "--once", "6"], in: workspace)
    let start = ContinuousClock.now
    for body in try Self.bodies() { #expect(try server.post("/postbacks", body) == 200) }
    #expect(start.duration(to: .now) < .seconds(1.5))
    let end = server.end()
    #expect(end.code == 0 && slow.requests.count == 6 && quick.requests.count == 6)
    #expect(Self.keys(slow) == Self.keys(quick))
  }

  @Test("An end while nothing is accepted is quick")
  func stopped() throws {
    let workspace = try Self.workspace()
    let receiver = try TestServer { _ in .status(500) }
    defer { receiver.stop() }
    // A minute between attempts.
    let server = try Served(
      ["--postbacks", "r.jsonl", "--key", "public.pem", "--forward", receiver.url()], in: workspace)
    #expect(try server.post("/postbacks", Self.bodies()[0]) == 200)
    Self.wait(receiver, for: 1)
    let start = ContinuousClock.now
    #expect(server.end(SIGINT).code == 0)
    #expect(start.duration(to: .now) < .seconds(30))
  }

  @Test("An address that is taken: nothing is passed on")
  func taken() throws {
    let workspace = try Self.workspace()
    let receiver = try TestServer { _ in .status(200) }
    defer { receiver.stop() }
    try workspace.write("1.json", Self.bodies()[0])
    #expect(try workspace.run(["receive", "1.json", "--into", "r.jsonl", "--key", "public.pem"]).code == 0)
    let run = try workspace.run(
      ["serve", "--port", "\(receiver.port)", "--forward", receiver.url()] + Self.options)
    #expect(run.code == 69 && receiver.requests.isEmpty)
  }
}
