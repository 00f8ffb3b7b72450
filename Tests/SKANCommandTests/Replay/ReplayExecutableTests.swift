import Foundation
import SKANCommand
import Synchronization
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("replay, as an executable", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ReplayExecutableTests {
  private static let list = #"""
    {"op":"register","at":"2026-01-01T00:00:00Z"}
    {"op":"session","after":"1h","expect":{"outcome":"updated"}}
    {"op":"event","name":"purchase","after":"1h","expect":{"handler.fine":7}}

    """#

  /// A server that answers well after this many requests that go wrong.
  private static func server(failing count: Int, _ failure: TestServer.Response) throws -> TestServer {
    let asked = Asked()
    return try TestServer { _ in
      asked.next() <= count ? failure : .status(200, body: #"{"conversion_value":7,"status":"ok"}"#)
    }
  }

  private final class Asked: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }

  @Test(
    "A server that fails twice, and --retry",
    arguments: [.status(503, body: "busy"), .closed, .status(200)] as [TestServer.Response])
  func retry(failure: TestServer.Response) throws {
    let server = try Self.server(failing: 2, failure)
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write("a.jsonl", Self.list)
    let run = try workspace.run(
      ["replay", "--test", "a.jsonl", "--endpoint", server.url(), "--retry", "2", "--retry-interval", "10ms"])
    #expect(run.code == 0)
    #expect(run.err.split(separator: "\n").count == 2 && run.err.contains("asked again after 0.01s (2 of 2)"))
    #expect(server.requests.count == 4)
  }

  @Test("Recorded against a server, run again without one; the key is in neither")
  func record() throws {
    let server = try TestServer { request in
      .status(200, body: #"{"conversion_value":7,"status":"ok","for":"\#(request.query)"}"#)
    }
    let workspace = try Workspace()
    try workspace.write("a.jsonl", Self.list)
    let online = try workspace.run(
      ["replay", "a.jsonl", "--endpoint", server.url(), "--record", "b.jsonl"],
      environment: ["SKAN_SDK_KEY": "my-secret-key"])
    server.stop()
    let offline = try workspace.run(["replay", "b.jsonl"])
    #expect(online.code == 0 && online.err == "")
    #expect(offline.code == 0 && offline.err == "")
    #expect(online.out == offline.out.dropLast() + "; 2 of 2 updates succeeded\n")
    let text = try #require(workspace["b.jsonl"])
    #expect(text.contains("a=REDACTED&") && !text.contains("secret") && !online.out.contains("secret"))
    #expect(try workspace.names() == ["a.jsonl", "b.jsonl"])
  }

  @Test("An interrupt while it waits before asking again: at once, and nothing is recorded")
  func interrupt() throws {
    let server = try Self.server(failing: 100, .status(503))
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write("a.jsonl", Self.list)
    let running = try workspace.start([
      "replay", "--test", "a.jsonl", "--endpoint", server.url(), "--retry", "9", "--retry-interval", "50s", "--record",
      "b.jsonl",
    ])
    TestTime.wait { !server.requests.isEmpty }
    running.interrupt()
    let run = running.end()
    #expect(run.code == 130 && run.err.hasSuffix("skan: interrupted\n"))
    #expect(try workspace.names() == ["a.jsonl"])
  }

  @Test("An interrupt of a list without an end")
  func endless() throws {
    let workspace = try Workspace()
    try workspace.write("step.jsonl", #"{"op":"details"}"#)
    let line = "(timeout -s INT 1 sh -c 'yes \"$(cat step.jsonl)\" | exec \"$0\" replay --test -' \"$SKAN\")"
    // Where there is no such program the test is about nothing.
    guard try workspace.shell("command -v timeout && command -v yes").code == 0 else { return }
    let run = try workspace.shell(line)
    #expect(run.out == "" && run.err.contains("skan: interrupted\n"))
  }

  @Test("A pipe runs up to its mistake")
  func pipe() throws {
    let workspace = try Workspace()
    try workspace.write("a.jsonl", "{\"op\":\"register\"}\n{\"op\":\"sesion\"}\n{\"op\":\"details\"}\n")
    let run = try workspace.shell("cat a.jsonl | \"$SKAN\" replay -")
    #expect(run.code == 65)
    #expect(run.out.split(separator: "\n").count == 1 && run.out.contains("register"))
    #expect(run.err.hasPrefix("-:2:7: there is no op \"sesion\"; did you mean \"session\"?\n"))
  }

  @Test("What is compressed is reported in a pipe, too")
  func compressed() throws {
    let workspace = try Workspace()
    let run = try workspace.shell(#"printf '\037\213\010\000\012\012' | "$SKAN" replay -"#)
    #expect(
      run
        == Workspace.Run(
          code: 65, out: "",
          err: "-:1:1: this is compressed with gzip; unpack it first, as in 'gunzip -c FILE | skan replay -'\n"))
  }

  @Test(
    "A line without an end needs no more memory than any other",
    .disabled(if: Sanitizer.isActive, "a sanitizer's own memory is beyond the limit"))
  func bounded() throws {
    let workspace = try Workspace()
    let line = "head -c 300000000 /dev/zero | tr '\\0' x | (ulimit -v 250000; \"$SKAN\" replay -)"
    let run = try workspace.shell(line)
    #expect(run.code == 65 && run.out == "")
    #expect(run.err.hasPrefix("-:1:1: the line is longer than 1 MiB; each step is one line\n"))
  }

  @Test("What a reader no longer wants is not written")
  func closedOutput() throws {
    let workspace = try Workspace()
    try workspace.write("a.jsonl", String(repeating: #"{"op":"details"}"# + "\n", count: 20_000))
    let run = try workspace.shell("(\"$SKAN\" replay a.jsonl; echo \"code $?\" >&2) | head -n 1")
    #expect(run.out.split(separator: "\n").count == 1 && run.err == "code 0\n")
  }

  @Test("Links: a directory behind one, a list behind two names")
  func links() throws {
    let workspace = try Workspace()
    let files = FileManager.default
    try files.createDirectory(at: workspace("real"), withIntermediateDirectories: true)
    try workspace.write("real/a.jsonl", #"{"op":"include","file":"b.jsonl"}"#)
    try files.createSymbolicLink(at: workspace("link"), withDestinationURL: workspace("real"))
    try files.createSymbolicLink(at: workspace("real/b.jsonl"), withDestinationURL: workspace("real/a.jsonl"))
    let run = try workspace.run(["replay", "link/a.jsonl"])
    #expect(run.code == 65)
    #expect(
      run.err.hasPrefix("link/a.jsonl:1:24: the list includes itself: link/a.jsonl → link/b.jsonl\n"), "\(run.err)")
    try workspace.write("real/a.jsonl", #"{"op":"details"}"#)
    #expect(try workspace.run(["replay", "-q", "link", "link/"]).code == 0)
  }

  @Test("A clean copy of the fixtures passes, as the README tells it for CI")
  func fixtures() throws {
    let workspace = try Workspace()
    let repository = Checkout.root
    try FileManager.default.copyItem(at: repository.appending(path: "fixtures"), to: workspace("fixtures"))
    let run = try workspace.run(["replay", "--test", "fixtures/"])
    #expect(run.code == 0)
    // Some set the clock back on purpose.
    #expect(run.err.split(separator: "\n").allSatisfy { $0.contains("time") && $0.contains(".jsonl") }, "\(run.err)")
    #expect(!run.out.contains("FAIL") && run.out.contains(", 0 failed, 2 for other phones; "))
    #expect(try workspace.names() == ["fixtures"])
  }
}
