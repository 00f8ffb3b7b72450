import SKANBase

/// Sockets that are waited for, and what for: one `poll(2)` for all.
///
/// `poll` and neither `epoll` nor `kqueue`: it is the same on Linux and macOS, and at a thousand connections its cost is small
/// beside that of answering.
package struct PollSet {
  /// What a socket is waited for.
  package enum Interest {
    case input
    case output
    /// Whichever is possible first.
    case inputOrOutput
    /// Only time. A hang-up is not reported then either.
    case nothing
  }

  /// What `poll` has said of one socket.
  package struct Readiness {
    /// Something can be read: bytes, the end or an error.
    package let canRead: Bool
    package let canWrite: Bool
    /// Nothing more can come or go.
    package let hasFailed: Bool

    fileprivate init(_ entry: pollfd) {
      let events = Int32(entry.revents)
      let hasHungUp = events & POLLHUP != 0
      let awaitsInput = Int32(entry.events) & POLLIN != 0
      // Where input is awaited, a hang-up may come with bytes that are still to be read, and on macOS instead of POLLIN.
      canRead = awaitsInput && (hasHungUp || events & POLLIN != 0)
      canWrite = events & POLLOUT != 0
      hasFailed = events & (POLLERR | POLLNVAL) != 0 || hasHungUp && !awaitsInput
    }
  }

  /// The first is the listener's; poll passes over it while there is none.
  private var entries = [pollfd(fd: -1, events: 0, revents: 0)]

  package init() {}

  package var count: Int { entries.count }

  /// The new socket is the last.
  package mutating func append(_ descriptor: Int32, _ interest: Interest) {
    entries.append(pollfd(fd: descriptor, events: 0, revents: 0))
    set(interest, at: entries.count - 1)
  }

  /// Another socket, or none when it is negative, which is awaited for input.
  package mutating func replace(_ descriptor: Int32, at index: Int) {
    entries[index] = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }

  package mutating func set(_ interest: Interest, at index: Int) {
    // poll passes over negative numbers; the complement keeps the socket's own.
    let descriptor = entries[index].fd < 0 ? ~entries[index].fd : entries[index].fd
    entries[index].fd = interest == .nothing ? ~descriptor : descriptor
    switch interest {
    case .input: entries[index].events = Int16(POLLIN)
    case .output: entries[index].events = Int16(POLLOUT)
    case .inputOrOutput: entries[index].events = Int16(POLLIN) | Int16(POLLOUT)
    case .nothing: entries[index].events = 0
    }
  }

  /// The last socket moves to the index of the one removed.
  package mutating func remove(at index: Int) {
    entries.swapAt(index, entries.count - 1)
    entries.removeLast()
  }

  /// nil for a socket that is not ready for anything.
  package func readiness(at index: Int) -> Readiness? {
    entries[index].revents == 0 ? nil : Readiness(entries[index])
  }

  /// Waits until a socket is ready, a signal comes or the time is over; gives how many are ready.
  package mutating func wait(seconds: Double) -> Int {
    let milliseconds = Int32(max(0, min(seconds * 1000, 60_000)).rounded(.up))
    let ready = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    // After a failure the events are those of the last time.
    if ready < 0 {
      // Short of memory, it would fail again at once, and again: a moment's rest spares the processor.
      if errno != EINTR { SystemClock.sleep(0.01) }
      return 0
    }
    return Int(ready)
  }
}
