import Foundation
import SKANHTTP
import SKANSystem
import Synchronization

/// The program `skan-http`: it sends the requests that its parent writes to the socket that is its standard input.
package enum HelperMain {
  /// Sends requests until the parent closes the socket.
  package static func run() -> Never {
    var status = stat()
    guard unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      let text =
        "\(HelperProtocol.programName): skan starts this program to send its requests; by hand it does nothing\n"
      FileHandle.standardError.write(Data(text.utf8))
      _exit(64)
    }
    // A crash must not leave a copy of the key.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Darwin)
      unsafe setrlimit(RLIMIT_CORE, &none)
    #elseif canImport(Glibc)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
      unsafe setrlimit(RLIMIT_CORE, &none)
    #endif
    System.forbidCoreFiles()
    let guardian = HelperGuardian()
    guardian.start()
    let transport = HTTPTransport()
    transport.prepare()
    if let greeting = frame() {
      if greeting != HelperProtocol.greeting { _exit(HelperProtocol.versionExitCode) }
      write(Frame.of(HelperProtocol.answerToGreeting))
    }
    while let content = frame(), let (request, limits) = try? Frame.request(content) {
      guardian.bound(limits.bytes)
      write(Frame.of(transport.send(request, within: limits)))
      guardian.bound(nil)
    }
    _exit(0)
  }

  /// The content of the next frame; nil at the end of input.
  private static func frame() -> [UInt8]? {
    guard let head = read(Frame.headLength), let length = Frame.length(head), (0...1 << 30).contains(length) else {
      return nil
    }
    return read(length)
  }

  private static func read(_ length: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe Foundation.read(STDIN_FILENO, $0.baseAddress.map { unsafe $0 + filled }, length - filled)
      }
      if count > 0 { filled += count } else if count == 0 || errno != EINTR { return nil }
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { _exit(0) }
    }
  }
}

/// A thread that ends the process when its parent has ended, or when an answer uses too much memory. URLSession cannot
/// be relied on for that: it keeps reading while its delegate has not yet handled earlier data.
final class HelperGuardian: Sendable {
  /// Memory of a request besides its answer: libraries that are loaded for the first one.
  private static let allowance = 32 << 20
  private static let milliseconds: Int32 = 10

  /// The most bytes of memory that the process may use; unlimited between requests.
  private let limit = Atomic<Int>(.max)

  /// Limits the process to four times an answer of `maxBytes` above its current memory.
  func bound(_ maxBytes: Int?) {
    let bytes = maxBytes.map { Self.residentBytes + Self.allowance + 4 * min(max(0, $0), 1 << 40) } ?? .max
    limit.store(bytes, ordering: .relaxed)
  }

  /// Starts the thread. If that fails the process ends, since nothing would limit it.
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

  /// The memory of the process in bytes.
  private static var residentBytes: Int {
    #if canImport(Darwin)
      var usage = rusage()
      unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      // The second number of the line is the count of pages.
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
