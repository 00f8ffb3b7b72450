import SKANBase

/// A program that was run to its end. What it gets and gives goes through descriptors: no file is made.
package struct ProgramRun {
  package var end: ChildProcess.End
  package var output: [UInt8]
  package var errors: String

  /// The limits of a run. A program that takes more is killed.
  package struct Limits {
    package var seconds: Double
    /// The most bytes of its output, and of its errors; no more are kept.
    package var bytes: Int

    package init(seconds: Double = 30, bytes: Int = 65_536) {
      self.seconds = seconds
      self.bytes = bytes
    }
  }

  /// Why there is no run.
  package enum Failure: Error, Equatable {
    /// There is no such program, or it cannot be started.
    case missing
    /// It cannot be started for another reason, or was killed since it took too much.
    case failed(String)
    /// A file has more than ``longestFile`` bytes.
    case fileTooLong
    /// The user wants no more of it.
    case interrupted
  }

  /// Where the program finds a file that it is given.
  package static func path(ofFile index: Int) -> String { "/dev/fd/\(firstFile + index)" }

  private static let firstFile = 3
  /// What every pipe takes without a reader.
  package static let longestFile = 4096

  /// Runs a program that is looked for on the `PATH`; see ``ProgramPath``.
  ///
  /// - Parameters:
  ///   - environment: `NAME=VALUE`; it gets nothing else.
  ///   - input: its standard input.
  ///   - files: of at most ``longestFile`` bytes each; see ``path(ofFile:)``.
  ///   - isInterrupted: whether the user wants no more of it; it is killed then.
  package init(
    _ program: String, _ arguments: [String], environment: [String], input: [UInt8], files: [[UInt8]],
    limits: Limits = Limits(), isInterrupted: () -> Bool = { false }
  ) throws(Failure) {
    guard files.allSatisfy({ $0.count <= Self.longestFile }) else { throw .fileTooLong }
    guard let path = ProgramPath.find(program) else { throw .missing }
    var start = ProgramStart(path, arguments: [path] + arguments, environment: environment)
    start.streams = [.socket, .output, .output] + files.map { .content($0) }
    let (child, ends): (ChildProcess, [Int32])
    do throws(Errno) { (child, ends) = try start.run() } catch {
      throw [.notFound, .accessDenied, .notDirectory].contains(error) ? .missing : .failed(error.reason)
    }
    var exchange = ProgramExchange(child, ends, input: input, limits)
    end = try exchange.run(isInterrupted)
    (output, errors) = (exchange.output, String(decoding: exchange.errors, as: UTF8.self))
  }
}

/// What goes to a child and comes from it, all at once: a child that is full of errors still gets its input.
private struct ProgramExchange {
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  private let child: ChildProcess
  private var rest: ArraySlice<UInt8>
  private let limits: ProgramRun.Limits
  /// Closed ones are negative, which `poll` passes over.
  private var input, outputEnd, errorEnd: Int32
  private var block = [UInt8](repeating: 0, count: 4096)

  init(_ child: ChildProcess, _ ends: [Int32], input: [UInt8], _ limits: ProgramRun.Limits) {
    self.child = child
    rest = ArraySlice(input)
    self.limits = limits
    (self.input, outputEnd, errorEnd) = (ends[0], ends[1], ends[2])
    if rest.isEmpty { Self.end(&self.input) }
  }

  /// Until the child has ended; it is killed where that is not waited for.
  mutating func run(_ isInterrupted: () -> Bool) throws(ProgramRun.Failure) -> ChildProcess.End {
    defer { for descriptor in [input, outputEnd, errorEnd] where descriptor >= 0 { close(descriptor) } }
    do throws(ProgramRun.Failure) {
      return try talk(isInterrupted)
    } catch {
      child.kill()
      throw error
    }
  }

  private mutating func talk(_ isInterrupted: () -> Bool) throws(ProgramRun.Failure) -> ChildProcess.End {
    let deadline = SystemClock.seconds + limits.seconds
    while true {
      if isInterrupted() { throw .interrupted }
      let left = deadline - SystemClock.seconds
      if left <= 0 { throw .failed("it did not end within \(limits.seconds) seconds") }
      if outputEnd < 0, errorEnd < 0 {
        if let end = child.end { return end }
        // It has nothing more to say, and ends at any moment.
        SystemClock.sleep(0.002)
        continue
      }
      var waiting = [
        pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: outputEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errorEnd, events: Int16(POLLIN), revents: 0),
      ]
      // A short while, so that an interruption is noticed.
      guard unsafe poll(&waiting, 3, Int32(min(0.1, left) * 1000) + 1) > 0 else { continue }
      if waiting[0].revents != 0 { give() }
      if waiting[1].revents != 0 { Self.receive(from: &outputEnd, &block, to: &output, limits.bytes + 1) }
      if waiting[2].revents != 0 { Self.receive(from: &errorEnd, &block, to: &errors, limits.bytes) }
      if output.count > limits.bytes { throw .failed("it said more than \(limits.bytes) bytes") }
    }
  }

  /// A child that does not read its input to the end has its reasons.
  private mutating func give() {
    // A socket, so that a child that is gone is an error and no signal.
    switch unsafe rest.withUnsafeBytes({ unsafe Socket.transmit(input, $0) }) {
    case .bytes(let count): rest = rest.dropFirst(count)
    case .wouldBlock: return
    case .ended, .failed: rest = []
    }
    if rest.isEmpty { Self.end(&input) }
  }

  /// - Parameter most: what is more is read and forgotten.
  private static func receive(
    from descriptor: inout Int32, _ block: inout [UInt8], to bytes: inout [UInt8], _ most: Int
  ) {
    let count = unsafe block.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end(&descriptor) }
    bytes += block[..<min(count, max(0, most - bytes.count))]
  }

  private static func end(_ descriptor: inout Int32) {
    close(descriptor)
    descriptor = -1
  }
}
