import Foundation
import TestSupport
import Testing

@testable import SKANSystem

/// Each in a process of its own, whose signals are nobody else's.
@Suite("Signals", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct InterruptTests {
  @Test("Each signal that asks to stop is known once")
  func signals() async {
    await #expect(processExitsWith: .success) {
      Interrupt.install()
      Interrupt.catchHangups()
      #expect(!Interrupt.wasRequested && Interrupt.consumeSent() == [] && !Interrupt.consumeHangup())
      for number in [SIGTERM, SIGINT] {
        var sent: [Int32] = []
        kill(getpid(), number)
        TestTime.wait {
          sent += Interrupt.consumeSent()
          return !sent.isEmpty
        }
        #expect(sent == [number] && Interrupt.consumeSent() == [] && Interrupt.wasRequested)
      }
      kill(getpid(), SIGHUP)
      #expect(TestTime.wait { Interrupt.consumeHangup() })
      #expect(!Interrupt.consumeHangup())
    }
  }

  @Test("A reader that has gone and a file that is too long are errors of a write, not the end of the process")
  func ignored() async {
    await #expect(processExitsWith: .success) {
      Interrupt.install()
      let directory = try TemporaryDirectory()
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      close(ends[0])
      #expect(throws: StreamFailure.closed) { try StandardStream.write([1], to: ends[1]) }
      var limit = rlimit(rlim_cur: 4, rlim_max: 4)
      try directory.write("a", "1234")
      #if canImport(Glibc)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      #else
        #expect(setrlimit(RLIMIT_FSIZE, &limit) == 0)
      #endif
      let file = try LineFile(directory("a"))
      #expect(throws: StreamFailure.system(.tooLarge)) { try file.append([10]) }
      #expect(throws: FileError(.write, directory("b"), .tooLarge)) {
        try AtomicFile().replace(directory("b"), with: [1, 2, 3, 4, 5])
      }
      #expect(try directory.names() == ["a"])
    }
  }

  @Test("A trap of the runtime is exit status 70")
  func trap() async {
    await #expect(processExitsWith: .exitCode(EX_SOFTWARE)) {
      Interrupt.install()
      raise(SIGTRAP)
    }
  }
}
