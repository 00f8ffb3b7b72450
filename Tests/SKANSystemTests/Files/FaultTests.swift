import Foundation
import TestSupport
import Testing

@testable import SKANSystem

@Suite struct AtomicFileFaultTests {
  let directory: TemporaryDirectory
  let new = Array("new content".utf8)

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test("Old or new is whole", arguments: Fault.allCases, [ENOSPC, EIO, EROFS, EDQUOT])
  func oldOrNewIsWhole(_ fault: Fault, _ code: Int32) throws {
    try directory.write("a", "old", mode: 0o640)
    let log = DescriptorLog()
    let files = log.watching(fault.operations(failingWith: code))
    let path = fault.isAfterRename ? directory.path : directory("a")
    #expect(throws: FileError(fault.operation, path, Errno(code))) {
      try AtomicFile(files: files).replace(directory("a"), with: new)
    }
    #expect(try directory.text("a") == (fault.isAfterRename ? "new content" : "old"))
    #expect(try directory.mode("a") == 0o640)
    #expect(try directory.names() == ["a"])
    #expect(log.leaked.isEmpty && log.strayCloses == 0)
  }

  @Test("New file is whole or absent", arguments: Fault.allCases)
  func newFileIsWholeOrAbsent(_ fault: Fault) throws {
    let files = fault.operations(failingWith: EIO)
    #expect(throws: FileError.self) { try AtomicFile(files: files).replace(directory("a"), with: new) }
    #expect(try directory.names() == (fault.isAfterRename ? ["a"] : []))
    if fault.isAfterRename { #expect(try directory.text("a") == "new content") }
  }

  @Test("Signals do not end a save", arguments: Fault.allCases)
  func signalsDoNotEndASave(_ fault: Fault) throws {
    try directory.write("a", "old")
    let log = DescriptorLog()
    let files = log.watching(fault.operations(failingWith: EINTR, times: 3))
    try AtomicFile(files: files).replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.names() == ["a"])
    #expect(log.leaked.isEmpty && log.strayCloses == 0)
  }

  @Test("Short writes go on") func shortWritesGoOn() throws {
    let live = FileOperations.live
    var files = live
    files.writeBytes = { descriptor, bytes throws(Errno) in try live.writeBytes(descriptor, bytes.prefix(1)) }
    try AtomicFile(files: files).replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
  }

  @Test("Writing nothing is an error") func writingNothingIsAnError() throws {
    var files = FileOperations.live
    files.writeBytes = { _, _ throws(Errno) in 0 }
    #expect(throws: FileError(.write, directory("a"), .inputOutput)) {
      try AtomicFile(files: files).replace(directory("a"), with: new)
    }
    #expect(try directory.names() == [])
  }

  /// What some file systems cannot do, and which loses nothing.
  @Test(
    "Tolerated faults",
    arguments: [
      (Fault.setPermissions, EPERM), (.setPermissions, ENOTSUP), (.openDirectory, EACCES),
      (.synchronizeDirectory, EINVAL), (.synchronizeDirectory, ENOTSUP),
    ])
  func toleratedFaults(_ fault: Fault, _ code: Int32) throws {
    try directory.write("a", "old")
    try AtomicFile(files: fault.operations(failingWith: code)).replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.names() == ["a"])
  }

  @Test("Every name taken") func everyNameTaken() throws {
    let files = Fault.createTemporary.operations(failingWith: EEXIST)
    #expect(throws: FileError(.create, directory("a"), .exists)) {
      try AtomicFile(files: files).replace(directory("a"), with: new)
    }
  }

  @Test("The first error is the one reported") func theFirstErrorIsTheOneReported() throws {
    var files = Fault.rename.operations(failingWith: ENOSPC)
    files.remove = { _ throws(Errno) in throw Errno(EIO) }
    #expect(throws: FileError(.rename, directory("a"), Errno(ENOSPC))) {
      try AtomicFile(files: files).replace(directory("a"), with: new)
    }
  }

  @Test("Link that changes into something else") func linkThatChangesIntoSomethingElse() throws {
    var files = FileOperations.live
    files.linkStatus = { _ throws(Errno) in FileStatus(kind: .link, permissions: 0o777, size: 1) }
    try directory.write("a", "old")
    #expect(throws: FileError(.inspect, directory("a"), notRegular: .link)) {
      try AtomicFile(files: files).replace(directory("a"), with: new)
    }
    files = .live
    files.linkDestination = { _ throws(Errno) in throw Errno(EIO) }
    try directory.link("dangling", to: "nowhere")
    #expect(throws: FileError(.resolve, directory("dangling"), .inputOutput)) {
      try AtomicFile(files: files).replace(directory("dangling"), with: new)
    }
  }

  @Test(
    "Descriptions",
    arguments: [
      (FileError(.write, "/d/a", Errno(ENOSPC)), "cannot write /d/a: No space left on device"),
      (FileError(.create, "/d/a", .accessDenied), "cannot create a temporary file beside /d/a: Permission denied"),
      (FileError(.create, "/d/a", Errno(EROFS)), "cannot create a temporary file beside /d/a: Read-only file system"),
      (FileError(.findDirectory, "/d", .notFound), "cannot find the directory /d: No such file or directory"),
      (FileError(.inspect, "/d", notRegular: .directory), "cannot inspect /d: Is a directory"),
      (FileError(.inspect, "/p", notRegular: .fifo), "cannot inspect /p: Is a named pipe, not a regular file"),
    ])
  func descriptions(_ error: FileError, _ text: String) {
    #expect(error.description == text)
  }
}

@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct FileLockFaultTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test("What is no regular file has no lock") func whatIsNoRegularFileHasNoLock() throws {
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

  @Test("Directory without permission", .enabled(if: geteuid() != 0, "root may write everywhere"))
  func directoryWithoutPermission() throws {
    try directory.directory("sub")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory("sub"))
    #expect(throws: LockError.file(FileError(.openLock, directory("sub/a.lock"), .accessDenied))) {
      try FileLock.acquire(for: directory("sub/a"), timeout: 0)
    }
  }

  @Test("Opening fails", arguments: [EACCES, EROFS, ENOSPC])
  func openingFails(_ code: Int32) throws {
    var files = FileOperations.live
    files.openLock = { _ throws(Errno) in throw Errno(code) }
    #expect(throws: LockError.file(FileError(.openLock, directory("a.lock"), Errno(code)))) {
      try FileLock.acquire(for: directory("a"), timeout: 0, files: files)
    }
  }

  @Test("Locking fails") func lockingFails() throws {
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

  @Test("Nothing is left open") func nothingIsLeftOpen() throws {
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

  @Test("A full disk does not undo the lock") func aFullDiskDoesNotUndoTheLock() throws {
    var files = FileOperations.live
    files.writeBytes = { _, _ throws(Errno) in throw Errno(ENOSPC) }
    files.setSize = { _, _ throws(Errno) in throw Errno(EIO) }
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0, files: files)
    #expect(throws: LockError.held(path: directory("a.lock"), by: nil, waited: 0)) {
      try FileLock.acquire(for: directory("a"), timeout: 0, clock: FakeClock().clock)
    }
    lock.release()
    try FileLock.acquire(for: directory("a"), timeout: 0).release()
  }

  @Test("Signals while locking") func signalsWhileLocking() throws {
    let signals = Counter(3)
    var files = FileOperations.live
    files.tryLock = { descriptor throws(Errno) in
      if signals.takeOne() { throw .interrupted }
      try FileOperations.live.tryLock(descriptor)
    }
    try FileLock.acquire(for: directory("a"), timeout: 0, files: files).release()
    #expect(signals.value == 0)
  }

  @Test(
    "Descriptions",
    arguments: [
      (LockError.held(path: "/a.lock", by: 42, waited: 1), "/a.lock is held by process 42"),
      (.held(path: "/a.lock", by: nil, waited: 1), "/a.lock is held by another process"),
      (.interrupted, "interrupted while waiting for a lock"),
      (.file(FileError(.openLock, "/a.lock", .accessDenied)), "cannot open the lock file /a.lock: Permission denied"),
    ])
  func descriptions(_ error: LockError, _ text: String) {
    #expect(error.description == text)
  }
}

/// One system call of a save that fails.
enum Fault: CaseIterable {
  case canonicalPath, linkStatus, createTemporary, writeBytes, secondWrite, setPermissions, synchronize, close, rename
  case openDirectory, synchronizeDirectory

  /// The operation that the error names.
  var operation: FileOperation {
    switch self {
    case .canonicalPath: .resolve
    case .linkStatus: .inspect
    case .createTemporary: .create
    case .writeBytes, .secondWrite: .write
    case .setPermissions: .setPermissions
    case .synchronize: .synchronize
    case .close: .close
    case .rename: .rename
    case .openDirectory, .synchronizeDirectory: .synchronizeDirectory
    }
  }

  /// Whether the new content is in place already when this call fails.
  var isAfterRename: Bool { operation == .synchronizeDirectory }

  /// Operations of which this call fails, the first so many times (by default always).
  func operations(failingWith code: Int32, times: Int = .max) -> FileOperations {
    let live = FileOperations.live
    let left = Counter(times)
    @Sendable func fail() throws(Errno) {
      if left.takeOne() { throw Errno(code) }
    }
    var files = live
    switch self {
    case .canonicalPath:
      files.canonicalPath = { p throws(Errno) in
        try fail()
        return try live.canonicalPath(p)
      }
    case .linkStatus:
      files.linkStatus = { p throws(Errno) in
        try fail()
        return try live.linkStatus(p)
      }
    case .createTemporary:
      files.createTemporary = { p throws(Errno) in
        try fail()
        return try live.createTemporary(p)
      }
    case .writeBytes:
      files.writeBytes = { d, b throws(Errno) in
        try fail()
        return try live.writeBytes(d, b)
      }
    case .secondWrite:
      let free = Counter(1)
      files.writeBytes = { d, b throws(Errno) in
        if free.takeOne() { return try live.writeBytes(d, b.prefix(3)) }
        try fail()
        return try live.writeBytes(d, b)
      }
    case .setPermissions:
      files.setPermissions = { d, m throws(Errno) in
        try fail()
        try live.setPermissions(d, m)
      }
    case .synchronize:
      files.synchronize = { d throws(Errno) in
        try fail()
        try live.synchronize(d)
      }
    case .close:
      files.close = { d throws(Errno) in
        try live.close(d); try fail()
      }
    case .rename:
      files.rename = { a, b throws(Errno) in
        try fail()
        try live.rename(a, b)
      }
    case .openDirectory:
      files.openDirectory = { p throws(Errno) in
        try fail()
        return try live.openDirectory(p)
      }
    case .synchronizeDirectory:
      files.synchronizeDirectory = { d throws(Errno) in
        try fail()
        try live.synchronizeDirectory(d)
      }
    }
    return files
  }
}
