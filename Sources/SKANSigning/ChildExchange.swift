import SKANBase

#if !canImport(Darwin)

  /// What goes to a child and comes from it, all at once: a child that is full of errors still gets its input.
  struct ChildExchange {
    private(set) var output: [UInt8] = []
    private(set) var errors: [UInt8] = []
    /// The exit code; negative when a signal ended it.
    private(set) var status: Int32 = -1
    private let child: RunningChild
    private var rest: ArraySlice<UInt8>
    private let limits: ChildProcess.Limits
    /// Closed ones are negative, which `poll` passes over.
    private var input, outputEnd, errorEnd: Int32
    private var block = [UInt8](repeating: 0, count: 4096)

    init(_ child: RunningChild, input: [UInt8], _ limits: ChildProcess.Limits) {
      self.child = child
      rest = ArraySlice(input)
      self.limits = limits
      self.input = child.input
      outputEnd = child.output
      errorEnd = child.errors
      for descriptor in [child.input, child.output, child.errors] {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      }
      if rest.isEmpty { Self.end(&self.input) }
    }

    /// Until the child has ended; it is killed where that is not waited for.
    mutating func run(_ isInterrupted: () -> Bool) throws(SigningError) {
      defer { for descriptor in [input, outputEnd, errorEnd] where descriptor >= 0 { close(descriptor) } }
      do throws(SigningError) {
        try talk(isInterrupted)
      } catch {
        child.kill()
        throw error
      }
    }

    private mutating func talk(_ isInterrupted: () -> Bool) throws(SigningError) {
      let deadline = Self.now + limits.seconds
      while true {
        if isInterrupted() { throw .interrupted }
        let left = deadline - Self.now
        if left <= 0 { throw .toolFailed("it did not end within \(limits.seconds) seconds") }
        if outputEnd < 0, errorEnd < 0 {
          if let status = child.status {
            self.status = status
            return
          }
          // It has nothing more to say, and ends at any moment.
          _ = poll(nil, 0, 2)
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
        if output.count > limits.bytes { throw .toolFailed("it said more than \(limits.bytes) bytes") }
      }
    }

    /// A child that does not read its input to the end has its reasons.
    private mutating func give() {
      // A socket, so that a child that is gone is an error and no signal.
      let count = unsafe rest.withUnsafeBytes { unsafe send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      rest = count < 0 ? [] : rest.dropFirst(count)
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

    private static var now: Double {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }
#endif
