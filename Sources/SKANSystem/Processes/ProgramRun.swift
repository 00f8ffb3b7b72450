import SKANBase

/// The result of a program that has ended. Its input and output go through descriptors; no file is created.
package struct ProgramRun {
  package var end: ChildProcess.End
  package var output: [UInt8]
  package var errors: String

  /// The limits of a run. A program that exceeds them is killed.
  package struct Limits {
    package var seconds: Double
    /// The most bytes of its output, and of its errors. More output ends the run; further errors are dropped.
    package var bytes: Int

    package init(seconds: Double = 30, bytes: Int = 65_536) {
      self.seconds = seconds
      self.bytes = bytes
    }
  }

  /// Why a program gave no result.
  package enum Failure: Error, Equatable {
    /// The program does not exist or must not be executed.
    case missing
    /// The program could not be started, or was killed because it exceeded a limit.
    case failed(String)
    /// A file has more than ``longestFile`` bytes.
    case fileTooLong
    /// The user asked to stop.
    case interrupted
  }

  /// The path at which the program finds one of its files.
  package static func path(ofFile index: Int) -> String { "/dev/fd/\(firstFile + index)" }

  private static let firstFile = 3
  /// The number of bytes that every pipe holds without a reader.
  package static let longestFile = 4096

  /// Runs a program that is looked up on the `PATH`; see ``ProgramPath``.
  ///
  /// - Parameters:
  ///   - environment: the complete environment, as `NAME=VALUE`.
  ///   - input: the standard input.
  ///   - files: of at most ``longestFile`` bytes each; see ``path(ofFile:)``.
  ///   - isInterrupted: whether the user asked to stop; the program is then killed.
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

/// Exchanges data with a child, all streams at once, so that a full pipe of errors does not block its input.
private struct ProgramExchange {
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  private let child: ChildProcess
  private var rest: ArraySlice<UInt8>
  private let limits: ProgramRun.Limits
  /// Closed ones are negative, which `poll` ignores.
  private var input, outputEnd, errorEnd: Int32
  private var block = [UInt8](repeating: 0, count: 4096)

  init(_ child: ChildProcess, _ ends: [Int32], input: [UInt8], _ limits: ProgramRun.Limits) {
    self.child = child
    rest = ArraySlice(input)
    self.limits = limits
    (self.input, outputEnd, errorEnd) = (ends[0], ends[1], ends[2])
    if rest.isEmpty { Self.end(&self.input) }
  }

  /// Runs until the child has ended; on an error the child is killed.
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
        // The child has closed its output and is about to end.
        SystemClock.sleep(0.002)
        continue
      }
      var waiting = [
        pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: outputEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errorEnd, events: Int16(POLLIN), revents: 0),
      ]
      // A short timeout, so that an interruption is noticed.
      guard unsafe poll(&waiting, 3, Int32(min(0.1, left) * 1000) + 1) > 0 else { continue }
      if waiting[0].revents != 0 { give() }
      if waiting[1].revents != 0 { Self.receive(from: &outputEnd, &block, to: &output, limits.bytes + 1) }
      if waiting[2].revents != 0 { Self.receive(from: &errorEnd, &block, to: &errors, limits.bytes) }
      if output.count > limits.bytes { throw .failed("it said more than \(limits.bytes) bytes") }
    }
  }

  /// Sends input. A child that stops reading its input is not an error.
  private mutating func give() {
    // A socket, so that writing to a child that has ended is an error and not a signal.
    switch unsafe rest.withUnsafeBytes({ unsafe Socket.transmit(input, $0) }) {
    case .bytes(let count): rest = rest.dropFirst(count)
    case .wouldBlock: return
    case .ended, .failed: rest = []
    }
    if rest.isEmpty { Self.end(&input) }
  }

  /// - Parameter most: the number of bytes kept; further ones are dropped.
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
