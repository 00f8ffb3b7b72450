import Foundation
import SKANHTTP
import SKANSystem

/// The whole of `skan-http`: it sends the requests that its parent writes to the socket that is its standard input.
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
    // No copy of the key is to be left by a crash.
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
    if let greeting = frame(), greeting != HelperProtocol.greeting { _exit(HelperProtocol.versionExitCode) }
    while let content = frame(), let (request, limits) = try? Frame.request(content) {
      guardian.bound(limits.bytes)
      write(Frame.of(transport.send(request, within: limits)))
      guardian.bound(nil)
    }
    _exit(0)
  }

  /// The content of the next frame; nil at the end.
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
