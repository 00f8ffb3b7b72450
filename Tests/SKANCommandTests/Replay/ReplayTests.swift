import Foundation
import SKANCommand
import Synchronization
import TestSupport
import Testing

@Suite("replay")
struct ReplayTests {
  private let life = #"""
    # A first day.
    {"op":"device","device":"a","ios":"16.0"}

    {"op":"device","device":"b","snippet":"skan3"}
    {"op":"register","device":"a","at":"2026-01-01T00:00:00Z","expect":{"outcome":"registered"}}
    {"op":"register","device":"b","at":1767225601}
    {"op":"event","device":"a","name":"a b","after":"1h","answer":{"json":{"conversion_value":3}},"took":2,"label":"x"}
    {"op":"session","device":"b","answer":{"json":{"status":"ok"}}}
    {"op":"revenue","device":"a","amount":1.5,"currency":"USD","expect":{"outcome":"added","window":0}}
    {"op":"details","device":"a","expect":{"details.skan_current_conversion_value":"3"}}

    """#
  private let start = "2026-01-01T00:00:00Z"

  private func world(_ list: String) -> World {
    let world = World()
    world["life.jsonl"] = list
    return world
  }

  @Test("One line a step, aligned, and the counts")
  func text() {
    #expect(
      world(life).run("replay life.jsonl")
        == Consequences(
          out: """
             2  2026-01-01T00:00:00Z  a device              set                A fresh install: skan4 on iOS 16.0, \
            com.example.app 1.0.
             4  2026-01-01T00:00:00Z  b device              set                A fresh install: skan3 on iOS 17.4, \
            com.example.app 1.0.
             5  2026-01-01T00:00:00Z  a register            registered         First call to the framework with value \
            0; the three windows count from 2026-01-01T00:00:00Z.
             6  2026-01-01T00:00:01Z  b register            registered         First call to the framework; updates \
            stay open for 24 hours after each call, so until 2026-01-02T00:00:01Z.
             7  2026-01-01T01:00:00Z  a event a b           updated            Updated in P0: conversion value 0 → 3, \
            no coarse value.
             8  2026-01-01T00:00:01Z  b session             no-update          The answer is ok and has no \
            conversion value: nothing to update, and the snippet never calls the handler.
                  finding: A request was sent, and the completion handler was never called: code in it never runs. \
            [handler-not-called]
             9  2026-01-01T01:00:02Z  a revenue 1.5 USD     added              1.5 USD added to the in-app purchase \
            totals: lifetime and P0.
            10  2026-01-01T01:00:02Z  a details             read               6 entries are kept.
            8 steps, 4 expectations, 0 failed; 1 step with findings

            """, err: Line.explainHandler))
  }

  @Test("-q prints nothing, --strict counts findings")
  func options() {
    #expect(world(life).run("replay -q life.jsonl") == Consequences())
    let failed = Consequences(.expectationFailed, err: ExitCode.expectationFailed.line)
    #expect(world(life).run("replay -q --strict life.jsonl") == failed)
    #expect(world(#"{"op":"session"}"#).run("replay -q --strict life.jsonl") == failed)
    #expect(world(#"{"op":"register"}"#).run("replay -q --strict life.jsonl") == Consequences())
  }

  @Test("-v shows the notes and what went over the wire")
  func verbose() {
    let result = world(life).run("replay -v life.jsonl")
    #expect(result.out.contains("[details-stale]\n"))
    #expect(result.err.hasPrefix("* no request: set\n"))
    #expect(
      result.err.contains("\n* answered in process by the step's own answer: no network\n* request   a=REDACTED&"))
    #expect(
      result.err.contains("\n* answer    HTTP 200\n*           {\"conversion_value\":3}\n* updated: Updated in P0"))
    #expect(!result.err.contains("\n>") && !result.err.contains("\n<"))
  }

  @Test("An expectation that fails: file, line, label, expected and actual")
  func failure() {
    let result = world(
      #"{"op":"register","label":"first","expect":{"outcome":"ios-too-old","framework.0.fine":0,"crash":{"reason":[1]}}}"#
        + "\n" + #"{"op":"relaunch"}"#
    ).run("replay life.jsonl")
    #expect(
      result
        == Consequences(
          .expectationFailed,
          out: """
            1  2026-01-01T00:00:00Z  register              registered         First call to the framework with value 0; \
            the three windows count from 2026-01-01T00:00:00Z.
            2  2026-01-01T00:00:00Z  relaunch              relaunched         A new app process; the kept values stay.
            2 steps, 3 expectations, 2 failed

            """,
          err: """
            life.jsonl:1: expectation failed (first): outcome
              expected  "ios-too-old"
              actual    "registered"
              step      registered: First call to the framework with value 0; the three windows count from \(start).
            life.jsonl:1: expectation failed (first): crash
              expected  {"reason":[1]}
              actual    null
              step      registered: First call to the framework with value 0; the three windows count from \(start).

            """))
  }

  @Test("--json prints the results with their locations and verdicts")
  func json() throws {
    let result = world("\n" + #"{"op":"details","label":"l","expect":{"window":1}}"#).run("replay --json life.jsonl")
    #expect(
      result.out
        == #"{"answer":null,"answered_by":null,"apple":{"first_launch":1767225600,"says":null,"window":-1},"at":1767225600,"crash":null,"details":{},"details_before":{},"details_in_handler":null,"device":"","#
        + #""ended_at":1767225600,"expectations":[{"actual":-1,"expected":1,"ok":false,"path":"window"}],"#
        + #""explanation":"Nothing is kept yet.","file":"life.jsonl","forwarded":null,"framework":[],"handler":null,"label":"l","#
        + #""line":2,"lock_held":false,"op":"details","outcome":"read","request":null,"warnings":[],"window":-1}"#
        + "\n")
    #expect(result.code == .expectationFailed)
    #expect(result.err.hasPrefix("life.jsonl:2: expectation failed (l): window\n"))
  }

  @Test("Outcomes never set the code")
  func outcomes() {
    let list = [Answer.illegal, Answer.timedOut, Answer.empty, #"{"json":[]}"#].map {
      #"{"op":"session","answer":\#($0)}"# + "\n"
    }.joined()
    #expect(world(#"{"op":"register"}"# + "\n" + list).run("replay -q life.jsonl") == Consequences())
  }

  @Test("Several files, each with phones of its own, in the order given")
  func severalFiles() {
    let world = World()
    world["a.jsonl"] = #"{"op":"register","expect":{"outcome":"registered"}}"#
    world["b.jsonl"] = #"{"op":"register","device":"x","expect":{"outcome":"registered"}}"# + "\n"
    #expect(
      world.run("replay b.jsonl a.jsonl b.jsonl --json").out.split(separator: "\n").map {
        $0.firstMatch(of: /"file":"([^"]*)","forwarded/).map { String($0.output.1) }
      } == ["b.jsonl", "a.jsonl", "b.jsonl"])
    let text = world.run("replay b.jsonl a.jsonl")
    #expect(text.code == .ok)
    #expect(text.out.hasSuffix("\n2 lists, 2 steps, 2 expectations, 0 failed\n"))
  }

  @Test("The embedded endpoint counts for each install")
  func embedded() {
    let session = #"{"op":"session","device":"a","expect":{"outcome":"updated"}}"# + "\n"
    let device = #"{"op":"device","device":"a"}"# + "\n" + #"{"op":"register","device":"a"}"# + "\n"
    let three = String(repeating: session, count: 3)
    #expect(world(device + three + device + three).run("replay -q life.jsonl") == Consequences())
    #expect(world(device + three + session).run("replay -q life.jsonl").code == .expectationFailed)
  }

  @Test("Pipes run as they arrive")
  func streams() {
    let world = World {
      $0.streams["-"] = [#"{"op":"register"}"#, "# so far", #"{"op":"sesion"}"#, #"{"op":"never"}"#]
      $0.streams["pipe"] = [#"{"op":"relaunch"}"#]
    }
    let result = world.run("replay pipe - -q")
    #expect(
      result
        == Consequences(
          .badData,
          err: """
            -:3:7: there is no op "sesion"; did you mean "session"?
              {"op":"sesion"}
                    ^^^^^^^^

            """))
    world.set { $0.streams["-"] = [#"{"op":"register"}"#, #"{"op":"sesion"}"#] }
    #expect(world.run("replay -").out.hasPrefix("  1  2026-01-01T00:00:00Z  register "))
  }

  @Test("Standard input from a regular file is checked whole")
  func regularInput() {
    let world = World { $0.input = "{\"op\":\"register\"}\n{\"op\":\"sesion\"}\n" }
    let refused = world.run("replay -")
    #expect(refused.code == .badData && refused.out == "")
    #expect(refused.err.hasPrefix("-:2:7: there is no op \"sesion\""))
    world.set { $0.input = #"{"op":"register"}"# }
    #expect(world.run("replay - -q") == Consequences())
  }

  @Test("An empty list")
  func empty() {
    #expect(
      world("").run("replay life.jsonl --allow-empty") == Consequences(out: "0 steps, 0 expectations, 0 failed\n"))
    #expect(world("\n# nothing\n \t\n").run("replay life.jsonl --allow-empty").out.hasPrefix("0 steps"))
  }
}

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
    #expect(!run.out.contains("FAIL") && run.out.contains(" 0 failed; "))
    #expect(try workspace.names() == ["fixtures"])
  }
}
