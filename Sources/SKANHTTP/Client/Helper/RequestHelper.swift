import Foundation

/// The process that sends requests for another of this program, to its end.
package enum RequestHelper {
  /// The argument that makes a process one; of no use to a person.
  package static let command = "send-requests-for-parent"

  /// What it ends with when an answer takes too much memory.
  static let memoryExitCode: Int32 = 3

  /// Whether these arguments, without the program's name, ask for it, and standard input is the parent's socket.
  package static func isAsked(_ arguments: [String]) -> Bool {
    var status = stat()
    return unsafe arguments == [command] && fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Sends requests until the parent closes the socket.
  package static func run() -> Never {
    // No copy of the key is to be left by a crash.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
      setrlimit(RLIMIT_CORE, &none)
    #endif
    #if os(Linux)
      // Started as /proc/self/exe, it would be listed as "exe".
      let name = unsafe open("/proc/self/comm", O_WRONLY | O_CLOEXEC)
      _ = unsafe Foundation.write(name, "skan", 4)
      close(name)
    #endif
    // Not sooner: the name can be written no more then.
    CoreFiles.forbid()
    let guardian = HelperGuardian()
    guardian.start()
    let transport = HTTPTransport()
    transport.prepare()
    while let length = read(Frame.headLength), let content = try? FrameReader.length(length).flatMap(read),
      let (request, limits) = try? Frame.request(content)
    {
      guardian.bound(limits.bytes)
      write(Frame.of(transport.send(request, within: limits)))
      guardian.bound(nil)
    }
    _exit(0)
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

extension FrameReader {
  /// The length that a frame begins with; nil for one that none of ours has.
  fileprivate static func length(_ head: [UInt8]) throws(Malformed) -> Int? {
    var reader = FrameReader(head)
    let length = try reader.number()
    return (0...1 << 30).contains(length) ? length : nil
  }
}
