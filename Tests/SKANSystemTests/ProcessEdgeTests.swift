import Foundation
import SKANBase
import TestSupport
import Testing

@testable import SKANSystem

@Suite("Programs, terminals and clocks", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ProcessEdgeTests {
  @Test("Where a shell looks for a program")
  func candidates() {
    for (program, path, found) in [
      ("a/b", "/bin", ["a/b"]), ("", "/bin", [""]), ("x", "/bin:/usr/bin", ["/bin/x", "/usr/bin/x"]),
      ("x", ":/bin::", ["x", "/bin/x", "x", "x"]), ("x", "", ["x"]),
    ] { #expect(ProgramPath.candidates(program, in: path) == found) }
    #expect(ProgramPath.candidates("x", in: nil) == ["/bin/x", "/usr/bin/x"])
  }

  @Test("How a child ended is known once, and one that should ends with its starter")
  func children() throws {
    unblockSignals()
    for endsWithParent in [false, true] {
      var start = ProgramStart("/bin/sh", arguments: ["sh", "-c", "exit 3"], environment: [])
      start.endsWithParent = endsWithParent
      let child = try start.run().child
      #expect(child.wait() == .code(3) && child.end == .unknown && child.wait() == .unknown)
      start.program = "/nowhere/sh"
      #expect(throws: Errno.notFound) { try start.run() }
      start.program = "/bin/sh"
      start.arguments = ["sh", "-c", "kill -15 $$; exec sleep 60"]
      #expect(try start.run().child.wait() == .signal(15))
      start.arguments = ["sh", "-c", "exec sleep 60"]
      start.hasOwnGroup = !endsWithParent
      let sleeping = try start.run().child
      #expect(getpgid(sleeping.number) == (start.hasOwnGroup ? sleeping.number : getpgrp()))
      #expect(sleeping.end == nil && sleeping.kill() == .signal(9))
    }
    #if !canImport(Darwin)
      let child = Monitor<ChildProcess?>(nil)
      _ = WorkerThread.start {
        unblockSignals()
        var start = ProgramStart("/bin/sh", arguments: ["sh", "-c", "exec sleep 60"], environment: [])
        start.endsWithParent = true
        let started = try? start.run().child
        child.change { $0 = started }
      }
      _ = child.wait(seconds: TestTime.patience) { $0 != nil }
      #expect(child.withLock { $0 }?.wait() == .signal(15))
    #endif
  }

  @Test("Ctrl-C is noticed soon while a program says nothing")
  func interruption() {
    let start = SystemClock.seconds
    var asked = 0
    #expect(throws: ProgramRun.Failure.interrupted) {
      try ProgramRun("sleep", ["20"], environment: [], input: [], files: []) {
        asked += 1
        return asked > 2
      }
    }
    #expect(SystemClock.seconds - start < 15)
  }

  @Test(
    "A terminal has the width that it says, or 80; anything else has none",
    .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0 && access("/proc/self/exe", F_OK) == 0))
  func columns() throws {
    let other = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(other >= 0)
    defer { close(other) }
    var isLocked: Int32 = 0
    // TIOCSPTLCK and TIOCGPTPEER of Linux, macros that Swift does not import.
    try #require(ioctl(other, 0x4004_5431, &isLocked) == 0)
    let terminal = ioctl(other, 0x5441, O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    defer { close(terminal) }
    for (width, columns) in [(0, 80), (1, 1), (79, 79), (200, 200)] as [(UInt16, Int)] {
      var size = winsize(ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
      #expect(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
      #expect(StandardStream.columns(of: terminal) == columns)
    }
    #expect(StandardStream.isReady(terminal) && !StandardStream.isPipe(terminal))
    let null = open("/dev/null", O_WRONLY)
    defer { close(null) }
    #expect(StandardStream.columns(of: null) == nil && StandardStream.columns(of: -1) == nil)
  }

  @Test("Clocks go forward, and a sleep takes as long as it is asked for")
  func clocks() {
    for (seconds, whole, nanoseconds) in [(0, 0, 0), (1.25, 1, 250_000_000), (3600, 3600, 0), (0.5, 0, 500_000_000)]
      as [(Double, Int, Int)]
    {
      let interval = SystemClock.interval(seconds)
      #expect(Int(interval.tv_sec) == whole && Int(interval.tv_nsec) == nanoseconds)
    }
    let wall = Double(SystemClock.microsecondsSince1970) / 1e6
    #expect(abs(wall - Date().timeIntervalSince1970) < 5)
    let start = SystemClock.seconds
    SystemClock.sleep(-1)
    SystemClock.sleep(0.02)
    let middle = SystemClock.seconds
    #expect(middle - start >= 0.02)
    SystemClock.sleep(0.12) { false }
    #expect(SystemClock.seconds - middle >= 0.12)
    SystemClock.sleep(3000) { true }
    #expect(SystemClock.seconds - middle < 1000)
  }
}
