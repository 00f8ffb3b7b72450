import SKANBase

/// The system calls on an open socket, named apart from the C functions, which a member of the same name would hide.
///
/// No socket here ever blocks: every wait is the one in ``HTTPPollSet``.
enum HTTPSocket {
  /// What became of a call that moves bytes.
  enum Transfer: Equatable {
    case bytes(Int)
    /// Nothing can be moved now.
    case wouldBlock
    /// The other side has sent its last byte.
    case ended
    case failed
  }

  static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
    return count == 0 ? .ended : outcome(count)
  }

  static func transmit(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
    unsafe outcome(send(descriptor, bytes.baseAddress, bytes.count, sendFlags))
  }

  private static func outcome(_ count: Int) -> Transfer {
    if count >= 0 { return .bytes(count) }
    // Interrupted, it is tried again when poll says so, which is at once.
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed
  }

  /// Tells the other side that nothing more comes; it can still be read.
  static func endOutput(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes the coming close an RST, which also throws away what was not yet sent.
  static func resetOnClose(_ descriptor: Int32) {
    var choice = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
  }

  static func closeDescriptor(_ descriptor: Int32) {
    _ = close(descriptor)
  }

  /// Sets a choice that is on or off. One that cannot be set makes the socket slower, not wrong.
  static func enable(_ option: Int32, level: Int32, of descriptor: Int32) {
    var yes: Int32 = 1
    _ = unsafe setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Seconds on a clock that only goes forward, from a beginning that means nothing.
  static func now() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
