import Foundation
import SKANCommand
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("The executable and an endpoint that means harm", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct HostileEndpointTests {
  private static let key = "Zq7k2Fx9y8z"

  @Test(
    "--max-time bounds what never ends, and the next run finds the phone free",
    arguments: [.trailers(nil), .trailers(20_000), .endlessRedirect(to: "/else")] as [TestServer.Response])
  func deadline(response: TestServer.Response) throws {
    let server = try TestServer { _ in response }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let run = try workspace.run(["session", "--endpoint", server.url(), "--max-time", "1s"])
    #expect(run.code == 69, "\(run)")
    #expect(run.out.hasPrefix("transport-error "))
    #expect(try workspace.run(["session", "--lock-timeout", "100ms"]).code == 0)
  }

  @Test(
    "Signals end it", .disabled(if: Sanitizer.isActive, "what a sanitizer keeps of freed memory is beyond the limit"),
    arguments: [SIGINT, SIGTERM])
  func signals(signal: Int32) throws {
    let asked = DispatchSemaphore(value: 0)
    let server = try TestServer { _ in
      asked.signal()
      return .endlessRedirect(to: "/else")
    }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let running = try workspace.start(["session", "--endpoint", server.url(), "--max-time", "1h"])
    #expect(asked.wait(timeout: .now() + TestTime.patience) == .success)
    running.interrupt(signal)
    #expect(running.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
    #expect(try workspace.run(["session", "--lock-timeout", "100ms"]).code == 0)
  }

  @Test("--max-answer")
  func limit() throws {
    let server = try TestServer { _ in .huge(2000) }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let run = try workspace.run(["session", "--endpoint", server.url(), "--max-answer", "1KiB"])
    #expect(run.code == 69)
    #expect(run.out.contains("(the answer is larger than 1024 bytes (--max-answer): \(server.url())api/v2"), "\(run)")
    #expect(try workspace.run(["session", "--endpoint", server.url(), "--max-answer", "2000", "-q"]).code == 76)
    let twin = try workspace.run(["session", "--endpoint", server.url(), "-q"], environment: ["SKAN_MAX_ANSWER": "9B"])
    #expect(twin.code == 69)
  }

  @Test("-v shows the first 64 KiB of a body")
  func verbose() throws {
    let server = try TestServer { _ in .huge(100_000) }
    defer { server.stop() }
    let run = try Workspace.registered().run(["session", "--endpoint", server.url(), "-v"])
    let body = run.err.split(separator: "\n").first { $0.hasPrefix("< x") }
    #expect(body?.count == 65538)
    #expect(run.err.contains("\n* the first 64 KiB of 100000 bytes are shown\n"))
  }

  @Test("An answer that breaks off in its head fails its own step of a list only")
  func brokenHead() throws {
    let broken = TestServer.Response([.send(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .pause(0.1), .close])
    let server = try TestServer { $0.query.contains("n=bad") ? broken : .status(200, body: #"{"conversion_value":7}"#) }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      "a.jsonl",
      #"""
      {"op":"register","expect":{"outcome":"registered"}}
      {"op":"event","name":"bad","at":"+1m","expect":{"outcome":"transport-error"}}
      {"op":"session","at":"+2m","expect":{"outcome":"updated"}}
      """#)
    let run = try workspace.run(["replay", "a.jsonl", "--endpoint", server.url()])
    #expect(run.code == 0, "\(run)")
  }

  #if os(Linux)
    @Test("The process that sends requests shows no key and does not outlive its parent")
    func helper() throws {
      let asked = DispatchSemaphore(value: 0)
      let server = try TestServer { _ in
        asked.signal()
        return .trailers(nil)
      }
      defer { server.stop() }
      let workspace = try Workspace.registered()
      let running = try workspace.start(
        ["session", "--endpoint", server.url(), "--max-time", "1h"], environment: ["SKAN_SDK_KEY": Self.key])
      #expect(asked.wait(timeout: .now() + TestTime.patience) == .success)
      let children = try text("/proc/\(running.id)/task/\(running.id)/children")
      let helper = try #require(Int32(children.trimmingCharacters(in: .whitespaces)))
      #expect(try text("/proc/\(helper)/cmdline") == "skan-http\0")
      #expect(try !text("/proc/\(helper)/environ").contains(Self.key))
      kill(running.id, SIGKILL)
      _ = running.end()
      #expect(TestTime.wait { kill(helper, 0) != 0 })
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
  #endif

  @Test("A lock file that is removed while the request is under way: 75, and nothing is saved")
  func lostLock() throws {
    let workspace = try Workspace.registered()
    let server = try TestServer { _ in
      try? FileManager.default.removeItem(at: workspace("skan-state.json.lock"))
      return .status(200, body: #"{"conversion_value":7}"#)
    }
    defer { server.stop() }
    let before = workspace.state
    let run = try workspace.run(["session", "--endpoint", server.url()])
    #expect(run.code == 75, "\(run)")
    #expect(workspace.state == before)
  }

  @Test("A missing skan-http is said before anything is read, and one that is started by hand says what it is")
  func missingHelper() throws {
    let workspace = try Workspace()
    let program = workspace("bin/skan")
    try FileManager.default.createDirectory(at: workspace("bin"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Workspace.executable, to: program)
    let run = try workspace.start(["session", "--endpoint", "http://127.0.0.1:9"], program: program).end()
    #expect(run.code == 69, "\(run)")
    let places = HelperProtocol.places(besideProgramIn: workspace("bin").path)
    #expect(
      run.err == "skan: cannot start skan-http, which sends requests: there is none at \(places[0]) or \(places[1]); "
        + "install skan again\n")
  }
}
