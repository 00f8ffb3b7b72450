import Foundation
import TestSupport
import Testing

@Suite("Several runs on one device file", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ConcurrencyTests {
  @Test("60 at once lose nothing")
  func revenue() throws {
    let workspace = try Workspace.registered()
    let runs = try (1...60).map { _ in try workspace.start(["revenue", "0.25", "USD", "-q"]) }
    for run in runs { #expect(run.end() == Workspace.Run(code: 0, out: "", err: "")) }
    let details = try workspace.run(["details", "--expect", "details.skan_total_revenue_by_currency={\"USD\":15}"])
    #expect(details.code == 0)
    #expect(try workspace.names() == ["skan-state.json"])
  }

  @Test("Two installs at once: one wins, one is reported")
  func install() throws {
    let workspace = try Workspace()
    let runs = try (1...8).map { _ in try workspace.start(["install", "-q"]) }
    #expect(runs.map { $0.end().code }.sorted() == [0] + Array(repeating: 73, count: 7))
  }

  /// A session that waits for its answer, the lock held.
  private func waiting(in workspace: Workspace, for server: TestServer) throws -> Workspace.Running {
    let running = try workspace.start(["session", "--endpoint", server.url(), "--max-time", "30s"])
    for _ in 1...1000 where server.requests.isEmpty { Thread.sleep(forTimeInterval: 0.01) }
    try #require(server.requests.count == 1)
    return running
  }

  @Test("The lock is held over the network call; one that waits in vain names the holder")
  func held() throws {
    let server = try TestServer { _ in .delayed(20, .status(200)) }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let before = workspace.state
    let running = try waiting(in: workspace, for: server)
    let second = try workspace.run(["revenue", "1", "USD", "--lock-timeout", "100ms"])
    #expect(second.code == 75 && second.out == "")
    #expect(second.err.hasPrefix("skan: skan-state.json is in use by process \(running.id); waited 0."))
    #expect(second.err.hasSuffix(" s (--lock-timeout)\n"))
    #expect(try workspace.run(["details", "-q"]).code == 0, "details takes no lock")
    running.interrupt()
    #expect(running.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
    #expect(workspace.state == before, "byte for byte")
    // The lock is free again.
    #expect(try workspace.run(["revenue", "1", "USD", "-q", "--lock-timeout", "0s"]).code == 0)
  }

  @Test("An interrupt ends the waiting for the lock too")
  func interruptedWaiting() throws {
    let server = try TestServer { _ in .delayed(20, .status(200)) }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let first = try waiting(in: workspace, for: server)
    let second = try workspace.start(["relaunch"])
    Thread.sleep(forTimeInterval: 0.3)
    second.interrupt()
    #expect(second.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
    first.interrupt()
    #expect(first.end().code == 130)
  }

  @Test("The second goes on when the first is done")
  func queue() throws {
    let server = try TestServer { _ in .delayed(0.3, .status(200, body: "{\"conversion_value\":5}")) }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let first = try waiting(in: workspace, for: server)
    let second = try workspace.start(["event", "a", "-q", "--expect", "query.skan_current_conversion_value=5"])
    #expect(first.end().code == 0)
    #expect(second.end() == Workspace.Run(code: 0, out: "", err: ""))
  }
}
