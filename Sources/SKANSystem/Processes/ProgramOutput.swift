import SKANBase

/// The standard output of a running program, read as it arrives, in bounded memory. Its standard input is empty.
///
///     let output = try ProgramOutput("/bin/ls", arguments: ["ls"], environment: [])
///     while case let count = try output.next(into: buffer, isInterrupted: { false }), count > 0 { … }
package final class ProgramOutput {
  /// The most bytes of the program's errors that are kept; further ones are dropped.
  static let mostErrors = 65_536

  private let child: ChildProcess
  private var output, errorEnd: Int32
  private var errors: [UInt8] = []
  private var isEnded = false

  /// Why there is no more output.
  package enum Failure: Error, Equatable {
    /// The program did not exit with code 0. The text is what it wrote to its standard error.
    case failed(String)
    /// The user asked to stop.
    case interrupted
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: the arguments, beginning with the program's name.
  ///   - environment: the complete environment, as `NAME=VALUE`.
  package init(_ path: String, arguments: [String], environment: [String]) throws(Errno) {
    var start = ProgramStart(path, arguments: arguments, environment: environment)
    start.streams = [.content([]), .output, .output]
    let (child, ends) = try start.run()
    self.child = child
    (output, errorEnd) = (ends[1], ends[2])
  }

  deinit {
    Self.end(&output)
    Self.end(&errorEnd)
    if !isEnded { child.kill() }
  }

  /// Fills a buffer and returns the number of bytes; 0 once the program has ended.
  package func next(
    into buffer: UnsafeMutableRawBufferPointer, isInterrupted: () -> Bool
  ) throws(Failure) -> Int {
    while output >= 0 {
      if isInterrupted() { throw .interrupted }
      guard wait() else { continue }
      readErrors()
      let count = unsafe read(output, buffer.baseAddress, buffer.count)
      if count > 0 { return count }
      if count == 0 || errno != EAGAIN && errno != EINTR { Self.end(&output) }
    }
    if !isEnded { try finish(isInterrupted) }
    return 0
  }

  /// Waits for output or errors, for a short time so that an interruption is noticed.
  private func wait() -> Bool {
    var waiting = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: errorEnd, events: Int16(POLLIN), revents: 0),
    ]
    return unsafe poll(&waiting, 2, 100) > 0
  }

  private func finish(_ isInterrupted: () -> Bool) throws(Failure) {
    while true {
      if isInterrupted() { throw .interrupted }
      readErrors()
      if let end = child.end {
        isEnded = true
        // What the program wrote last may have arrived since.
        readErrors()
        if end == .code(0) { return }
        throw .failed(String(decoding: errors, as: UTF8.self))
      }
      SystemClock.sleep(0.002)
    }
  }

  /// Reads the errors that have arrived, so that the program is not blocked by a full pipe.
  private func readErrors() {
    var block = [UInt8](repeating: 0, count: 4096)
    while errorEnd >= 0 {
      let count = unsafe block.withUnsafeMutableBytes {
        unsafe read(errorEnd, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else { return Self.end(&errorEnd) }
      errors += block[..<min(count, max(0, Self.mostErrors - errors.count))]
    }
  }

  private static func end(_ descriptor: inout Int32) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
