import Foundation
import Testing

@testable import SKANSystem

@Suite struct AtomicFileReadTests {
  let directory: TemporaryDirectory
  let file = AtomicFile()

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: [0, 1, 4095, 1 << 20, (1 << 20) + 1, 3_000_000])
  func readsEveryByte(_ size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Data(bytes).write(to: URL(fileURLWithPath: directory("a")))
    #expect(try file.read(directory("a")) == bytes)
  }

  @Test func nothingThereIsNil() throws {
    try directory.link("dangling", to: "nowhere")
    #expect(try file.read(directory("a")) == nil)
    #expect(try file.read(directory("missing/a")) == nil)
    #expect(try file.read(directory("dangling")) == nil)
  }

  @Test func linkIsFollowed() throws {
    try directory.write("a", "old")
    try directory.link("b", to: "a")
    #expect(try file.read(directory("b")) == Array("old".utf8))
  }

  @Test func onlyRegularFiles() throws {
    try #require(mkfifo(directory("fifo"), 0o600) == 0)
    try directory.link("link", to: "fifo")
    let cases: [(String, FileKind, Errno)] = [
      (directory.path, .directory, .isDirectory), (directory("fifo"), .fifo, .invalid),
      (directory("link"), .fifo, .invalid), ("/dev/null", .characterDevice, .invalid),
    ]
    for (path, kind, code) in cases {
      let error = #expect(throws: FileError.self) { try file.read(path) }
      #expect(error == FileError(.inspect, path, notRegular: kind))
      #expect(error?.errno == code)
    }
  }

  @Test func otherErrorsAreNotNil() throws {
    try directory.write("a", "old")
    try directory.link("circle", to: "circle")
    let cases: [(String, Int32)] = [
      (directory("a/b"), ENOTDIR), (directory("circle"), ELOOP), (directory("a\0b"), EINVAL),
      (directory(String(repeating: "n", count: 300)), ENAMETOOLONG),
    ]
    for (path, code) in cases {
      #expect(throws: FileError(.inspect, path, Errno(code))) { try file.read(path) }
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func withoutPermission() throws {
    try directory.write("a", "old", mode: 0o200)
    #expect(throws: FileError(.open, directory("a"), .accessDenied)) { try file.read(directory("a")) }
  }

  @Test func faults() throws {
    try directory.write("a", "old")
    let path = directory("a")
    let log = DescriptorLog()
    var files = FileOperations.live
    files.pathStatus = { _ throws(Errno) in throw Errno(EACCES) }
    #expect(throws: FileError(.inspect, path, .accessDenied)) { try AtomicFile(files: files).read(path) }
    files = .live
    files.openForReading = { _ throws(Errno) in throw Errno(EACCES) }
    #expect(throws: FileError(.open, path, .accessDenied)) { try AtomicFile(files: files).read(path) }
    // Removed between the question and the opening: it does not exist.
    files.openForReading = { _ throws(Errno) in throw Errno(ENOENT) }
    #expect(try AtomicFile(files: files).read(path) == nil)
    files = .live
    files.descriptorStatus = { _ throws(Errno) in FileStatus(kind: .fifo, permissions: 0, size: 0) }
    #expect(throws: FileError(.inspect, path, notRegular: .fifo)) {
      try AtomicFile(files: log.watching(files)).read(path)
    }
    files = .live
    files.readBytes = { _, _ throws(Errno) in throw Errno(EIO) }
    #expect(throws: FileError(.read, path, .inputOutput)) { try AtomicFile(files: log.watching(files)).read(path) }
    #expect(log.leaked.isEmpty && log.strayCloses == 0)
  }

  @Test func interruptedAndShortReadsGoOn() throws {
    try directory.write("a", "content")
    let signals = Counter(3)
    var files = FileOperations.live
    files.readBytes = { descriptor, _ throws(Errno) in
      if signals.takeOne() { throw .interrupted }
      return try FileOperations.live.readBytes(descriptor, 2)
    }
    #expect(try AtomicFile(files: files).read(directory("a")) == Array("content".utf8))
    #expect(signals.value == 0)
  }

  @Test func otherProgramsDoNotInheritTheDescriptor() throws {
    try directory.write("a", "old")
    let live = FileOperations.live
    let flags = Counter(0)
    var files = live
    files.readBytes = { descriptor, count throws(Errno) in
      flags.add(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 ? 1 : 0)
      return try live.readBytes(descriptor, count)
    }
    _ = try AtomicFile(files: files).read(directory("a"))
    #expect(flags.value == 0)
  }
}
