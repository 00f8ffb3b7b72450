import Foundation
import TestSupport
import Testing

@Suite("Signals", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct InterruptTests {
  @Test("An interrupt while a named pipe has no writer yet")
  func unopenedPipe() throws {
    let workspace = try Workspace()
    try #require(mkfifo(workspace("pipe").path, 0o600) == 0)
    let running = try workspace.start(["replay", "pipe"])
    Thread.sleep(forTimeInterval: 0.5)
    running.interrupt()
    #expect(running.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
  }

  @Test("Reports of a list from a pipe that waits")
  func reports() throws {
    let workspace = try Workspace()
    try #require(mkfifo(workspace("pipe").path, 0o600) == 0)
    let running = try workspace.start(["replay", "pipe", "--report-tap", "r.tap"])
    // Opening it waits for the reader.
    let writer = open(workspace("pipe").path, O_WRONLY)
    try #require(writer >= 0)
    defer { close(writer) }
    let line = Array("{\"op\":\"register\"}\n".utf8)
    #expect(write(writer, line, line.count) == line.count)
    Thread.sleep(forTimeInterval: 0.5)
    running.interrupt()
    #expect(running.end().code == 130)
    let report = try String(contentsOf: workspace("r.tap"), encoding: .utf8)
    #expect(report == "TAP version 14\n1..1\nok 1 - pipe:1 register\nBail out! interrupted\n")
  }

  @Test("An interrupt while an expectation's regular expression is searched for")
  func search() throws {
    let workspace = try Workspace()
    let label = String(repeating: "a", count: 60) + "!"
    let line = #"{"op":"register","label":"\#(label)","expect":{"label":{"$matches":"^(a+)+$"}}}"# + "\n"
    try #require(mkfifo(workspace("pipe").path, 0o600) == 0)
    let running = try workspace.start(["replay", "pipe"])
    // Opening it waits for the reader, which listens to signals by then.
    let writer = open(workspace("pipe").path, O_WRONLY)
    try #require(writer >= 0)
    defer { close(writer) }
    #expect(write(writer, line, line.utf8.count) == line.utf8.count)
    Thread.sleep(forTimeInterval: 0.5)
    running.interrupt()
    #expect(running.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
  }

  @Test("An interrupt after the phone is saved says that it is")
  func searchAfterSaving() throws {
    let workspace = try Workspace()
    #expect(try workspace.run(["register", "-q"]).code == 0)
    let before = workspace.state
    let name = String(repeating: "a", count: 60) + "!"
    let running = try workspace.start([
      "event", name, "--answer", #"{"json":{"conversion_value":5}}"#, "--expect",
      #"request.query.n={"$matches":"^(a+)+$"}"#,
    ])
    TestTime.wait { workspace.state != before }
    Thread.sleep(forTimeInterval: 0.3)
    running.interrupt()
    let run = running.end()
    #expect(run.code == 130 && run.out.hasPrefix("updated"))
    #expect(run.err == "skan: interrupted; what was done before is saved in skan-state.json\n")
  }
}
