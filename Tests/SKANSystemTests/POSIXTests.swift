import Foundation
import Testing

@testable import SKANSystem

@Suite("System calls and their errors")
struct POSIXTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("A descriptor that is none, a directory that is none, and a name with a zero in it")
  func errors() {
    let badDescriptor = Errno(EBADF)
    #expect(throws: badDescriptor) { try POSIX.readBytes(-1, 1) }
    #expect(throws: badDescriptor) { try POSIX.readBytes(-1, 1, at: 0) }
    #expect(throws: badDescriptor) { try POSIX.writeBytes(-1, [1]) }
    #expect(throws: Errno.notFound) { try POSIX.names(in: directory("none")) }
    #expect(throws: Errno.invalid) { try POSIX.move("a", "b\0c") }
    #expect(throws: Errno.invalid) { try POSIX.move("a\0c", "b") }
  }

  @Test("What is at a path")
  func kinds() throws {
    let descriptor = socket(AF_UNIX, Platform.streamSocket, 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A short name, since the system has little room for it.
    let name = "/tmp/skan-\(UUID().uuidString.prefix(8))"
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(name.utf8)) }
    let failed = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    defer { unlink(name) }
    try #require(failed == 0)
    #expect(try POSIX.linkStatus(name).kind == .socket)
    #expect(try POSIX.linkStatus("/dev/null").kind == .characterDevice)
    #expect(try POSIX.linkStatus(directory.path).kind == .directory)
  }

  #if !canImport(Darwin)
    @Test("A name on the disk that is not UTF-8 is an error and not another name")
    func names() throws {
      let path = Array(directory("x").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
      try #require(mkdir(path, 0o700) == 0)
      try #require(symlink(path, directory("link")) == 0)
      #expect(throws: Errno.illegalSequence) { try POSIX.canonicalPath(directory("link")) }
      #expect(throws: Errno.illegalSequence) { try POSIX.linkDestination(directory("link")) }
    }
  #endif
}
