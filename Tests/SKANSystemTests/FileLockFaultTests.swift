import Foundation
import TestSupport
import Testing

@testable import SKANSystem

@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct FileLockFaultTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func whatIsNoRegularFileHasNoLock() throws {
    try #require(mkfifo(directory("pipe.lock"), 0o600) == 0)
    try directory.directory("sub")
    try directory.directory("taken.lock")
    try directory.write("data", "precious")
    try directory.link("linked.lock", to: "data")
    try directory.write("log.lock", String(repeating: "precious\n", count: 4))
    let cases: [(String, FileError)] = [
      ("/dev/null", FileError(.inspect, "/dev/null", notRegular: .characterDevice)),
      (directory("sub"), FileError(.inspect, directory("sub"), notRegular: .directory)),
      (directory("missing/a"), FileError(.findDirectory, directory("missing"), .notFound)),
      (directory("pipe"), FileError(.openLock, directory("pipe.lock"), notRegular: .fifo)),
      (directory("taken"), FileError(.openLock, directory("taken.lock"), .isDirectory)),
      (directory("linked"), FileError(.openLock, directory("linked.lock"), .linkLoop)),
      (directory("log"), FileError(.openLock, directory("log.lock"), .exists)),
    ]
    for (path, error) in cases {
      #expect(throws: LockError.file(error)) { try FileLock.acquire(for: path, timeout: 0) }
    }
    #expect(try directory.text("data") == "precious" && directory.text("log.lock").hasPrefix("precious\n"))
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func directoryWithoutPermission() throws {
    try directory.directory("sub")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory("sub"))
    #expect(throws: LockError.file(FileError(.openLock, directory("sub/a.lock"), .accessDenied))) {
      try FileLock.acquire(for: directory("sub/a"), timeout: 0)
    }
  }

  @Test(arguments: [EACCES, EROFS, ENOSPC])
  func openingFails(_ code: Int32) throws {
    var files = FileOperations.live
    files.openLock = { _ throws(Errno) in throw Errno(code) }
    #expect(throws: LockError.file(FileError(.openLock, directory("a.lock"), Errno(code)))) {
      try FileLock.acquire(for: directory("a"), timeout: 0, files: files)
    }
  }

  @Test func lockingFails() throws {
    let log = DescriptorLog()
    var files = FileOperations.live
    files.tryLock = { _ throws(Errno) in throw Errno(ENOLCK) }
    #expect(throws: LockError.file(FileError(.lock, directory("a.lock"), Errno(ENOLCK)))) {
      try FileLock.acquire(for: directory("a"), timeout: 60, files: log.watching(files))
    }
    files = .live
    files.descriptorStatus = { _ throws(Errno) in throw Errno(EIO) }
    #expect(throws: LockError.file(FileError(.openLock, directory("a.lock"), .inputOutput))) {
      try FileLock.acquire(for: directory("a"), timeout: 60, files: log.watching(files))
    }
    #expect(log.leaked.isEmpty && log.strayCloses == 0)
  }

  @Test func nothingIsLeftOpen() throws {
    let log = DescriptorLog()
    let files = log.watching(.live)
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0, files: files)
    #expect(log.leaked.count == 1)
    #expect(throws: LockError.self) { try FileLock.acquire(for: directory("a"), timeout: 0, files: files) }
    #expect(throws: LockError.interrupted) {
      try FileLock.acquire(for: directory("a"), timeout: 9, files: files) { true }
    }
    #expect(log.leaked.count == 1)
    lock.release()
    #expect(log.leaked.isEmpty && log.strayCloses == 0)
  }

  @Test func aFullDiskDoesNotUndoTheLock() throws {
    var files = FileOperations.live
    files.writeBytes = { _, _ throws(Errno) in throw Errno(ENOSPC) }
    files.truncate = { _ throws(Errno) in throw Errno(EIO) }
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0, files: files)
    #expect(throws: LockError.held(path: directory("a.lock"), by: nil, waited: 0)) {
      try FileLock.acquire(for: directory("a"), timeout: 0, clock: FakeClock().clock)
    }
    lock.release()
    try FileLock.acquire(for: directory("a"), timeout: 0).release()
  }

  @Test func signalsWhileLocking() throws {
    let signals = Counter(3)
    var files = FileOperations.live
    files.tryLock = { descriptor throws(Errno) in
      if signals.takeOne() { throw .interrupted }
      try FileOperations.live.tryLock(descriptor)
    }
    try FileLock.acquire(for: directory("a"), timeout: 0, files: files).release()
    #expect(signals.value == 0)
  }

  @Test(arguments: [
    (LockError.held(path: "/a.lock", by: 42, waited: 1), "/a.lock is held by process 42"),
    (.held(path: "/a.lock", by: nil, waited: 1), "/a.lock is held by another process"),
    (.interrupted, "interrupted while waiting for a lock"),
    (.file(FileError(.openLock, "/a.lock", .accessDenied)), "cannot open the lock file /a.lock: Permission denied"),
  ])
  func descriptions(_ error: LockError, _ text: String) {
    #expect(error.description == text)
  }
}
