import Foundation
import TestSupport
import Testing

@testable import SKANSystem

/// Lets the signals reach this thread and what it starts, which threads of a queue block.
func unblockSignals() {
  var none = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, nil)
}

/// Each in a process of its own, whose signals are nobody else's.
@Suite("Signals", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct InterruptTests {
  /// What blocks until the other end of a pipe is there, or is read or written.
  private enum Blocking: CaseIterable {
    case writeLittle, writeMuch, readLittle, openForReading, openForAppending

    /// More than a pipe holds.
    private static let long = 1 << 20

    /// - Parameters:
    ///   - path: a named pipe.
    ///   - ends: a pipe, which is full if this is ``writeLittle``.
    /// - Returns: "done", or why not.
    func run(_ path: String, _ ends: [Int32]) -> String {
      do {
        switch self {
        case .writeLittle: try StandardStream.write([1], to: ends[1])
        case .writeMuch: try StandardStream.write([UInt8](repeating: 1, count: Self.long), to: ends[1])
        case .readLittle:
          var bytes: [UInt8] = [0]
          let file = InputFile(descriptor: dup(ends[0]))
          guard try bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) == 1 else { return "nothing" }
        case .openForReading: _ = try InputFile(path, waits: true)
        case .openForAppending: _ = try LineFile(path)
        }
        return "done"
      } catch {
        return "\(error)"
      }
    }

    func prepare(_ ends: [Int32]) {
      guard self == .writeLittle else { return }
      _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
      for size in [4096, 1] { while write(ends[1], [UInt8](repeating: 0, count: size), size) > 0 {} }
      _ = fcntl(ends[1], F_SETFL, 0)
    }

    /// Gives it what it waits for.
    func unblock(_ path: String, _ ends: [Int32]) {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      switch self {
      case .writeLittle: _ = read(ends[0], &bytes, bytes.count)
      case .writeMuch:
        var rest = Self.long
        while rest > 0 { rest -= max(1, read(ends[0], &bytes, bytes.count)) }
      case .readLittle: _ = write(ends[1], &bytes, 1)
      case .openForReading: close(open(path, O_WRONLY | O_NONBLOCK))
      case .openForAppending: close(open(path, O_RDONLY | O_NONBLOCK))
      }
    }
  }

  private struct Progress {
    var thread: pthread_t?
    var result: String?
    var isOver = false
  }

  /// What comes of something that blocks while a thread gets a signal: as often as needed, or a few times before it is given
  /// what it waits for.
  private static func result(_ blocking: Blocking, _ signal: Int32, _ path: String) -> (text: String?, signals: Int) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    mkfifo(path, 0o600)
    defer {
      for end in ends { close(end) }
      unlink(path)
    }
    blocking.prepare(ends)
    let state = Monitor(Progress())
    _ = WorkerThread.start { [ends] in
      unblockSignals()
      state.change { $0.thread = pthread_self() }
      let result = blocking.run(path, ends)
      state.change { $0.result = result }
      state.wait(until: { $0.isOver }) { _ in }
    }
    state.wait(until: { $0.thread != nil }) { _ in }
    // A pipe is full once the thread waits for room in it.
    if blocking == .writeMuch { TestTime.wait { !StandardStream.isReady(ends[1]) } }
    var count = 0
    func send(_ seconds: Double) -> Bool {
      count += 1
      state.withLock { if let thread = $0.thread { pthread_kill(thread, signal) } }
      return state.wait(seconds: seconds) { $0.result != nil }
    }
    if signal == SIGINT {
      while count < 500, !send(blocking == .writeMuch ? 10 : 0.01) {}
    } else {
      for _ in 0..<5 where send(0.01) { return ("it did not wait", count) }
      blocking.unblock(path, ends)
      _ = state.wait(seconds: TestTime.patience) { $0.result != nil }
    }
    state.change { $0.isOver = true }
    return (state.withLock { $0.result }, count)
  }

  @Test("Ctrl-C ends whatever blocks, and another signal nothing")
  func blocking() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      for blocking in Blocking.allCases {
        Interrupt.install()
        Interrupt.catchHangups()
        #expect(Self.result(blocking, SIGHUP, directory("pipe")).text == "done", "\(blocking)")
        let (text, signals) = Self.result(blocking, SIGINT, directory("pipe"))
        #expect(text == "interrupted", "\(blocking)")
        // The first one ends it also where a part was written.
        if blocking == .writeMuch { #expect(signals == 1) }
      }
      // Afterwards nothing is read, though there is something to read.
      let zeros = try InputFile("/dev/zero", waits: true)
      var bytes: [UInt8] = [0]
      #expect(throws: InputFile.Failure.interrupted) { try bytes.withUnsafeMutableBytes { try zeros.read(into: $0) } }
    }
  }

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

  @Test("A child handles by default what it is told to, though this process ignores it")
  func defaults() async {
    await #expect(processExitsWith: .success) {
      Interrupt.install()
      unblockSignals()
      for (number, endsWithParent) in [(SIGPIPE, false), (SIGPIPE, true), (SIGXFSZ, false), (SIGXFSZ, true)] {
        let script = "kill -\(number) $$; exit 5"
        var start = ProgramStart("/bin/sh", arguments: ["sh", "-c", script], environment: [])
        start.endsWithParent = endsWithParent
        let ignored = try start.run().child.wait()
        start.defaultSignals = Interrupt.taken
        let taken = try start.run().child.wait()
        #expect(ignored == .code(5) && taken == .signal(number))
      }
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
