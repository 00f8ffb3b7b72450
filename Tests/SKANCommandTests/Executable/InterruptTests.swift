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
}
