import SKANSystem
import Foundation
import SKANHTTP
import Synchronization

/// A thread that ends the process that sends requests, whatever URLSession is at, when its parent is gone or an
/// answer takes too much memory: URLSession reads on while what it has read waits for its delegate.
final class HelperGuardian: Sendable {
  /// What a request may take besides its answer: libraries that are loaded with the first one.
  private static let allowance = 32 << 20
  private static let milliseconds: Int32 = 10

  /// The most bytes that the process may hold; unlimited between requests.
  private let limit = Atomic<Int>(.max)

  /// Limits the process to four times an answer of `maxBytes` above what it holds now.
  func bound(_ maxBytes: Int?) {
    let bytes = maxBytes.map { Self.residentBytes + Self.allowance + 4 * min(max(0, $0), 1 << 40) } ?? .max
    limit.store(bytes, ordering: .relaxed)
  }

  /// Starts the thread; without one the process ends, since nothing would bound it.
  func start() {
    let isStarted = WorkerThread.start { [self] in
      while true {
        var polled = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
        if unsafe poll(&polled, 1, Self.milliseconds) > 0 { _exit(0) }
        let limit = limit.load(ordering: .relaxed)
        if limit < .max, Self.residentBytes > limit { _exit(HelperProtocol.memoryExitCode) }
      }
    }
    if !isStarted { _exit(1) }
  }

  /// The memory that the process holds.
  private static var residentBytes: Int {
    #if canImport(Darwin)
      var usage = rusage()
      unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      // The second number of the line: pages.
      let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return 0 }
      defer { close(descriptor) }
      var line = [UInt8](repeating: 0, count: 128)
      let count = unsafe read(descriptor, &line, line.count)
      let fields = line.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
      let pages = fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) : nil
      return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    #endif
  }
}
