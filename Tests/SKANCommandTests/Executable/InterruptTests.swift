import Foundation
import Testing

@Suite("Signals")
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
}
