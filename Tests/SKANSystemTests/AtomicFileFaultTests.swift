import Foundation
import Testing

@testable import SKANSystem

@Suite struct AtomicFileFaultTests {
  let directory: TemporaryDirectory
  let new = Array("new content".utf8)

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: Fault.allCases, [ENOSPC, EIO, EROFS, EDQUOT])
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

  @Test(arguments: Fault.allCases)
  func newFileIsWholeOrAbsent(_ fault: Fault) throws {
    let files = fault.operations(failingWith: EIO)
    #expect(throws: FileError.self) { try AtomicFile(files: files).replace(directory("a"), with: new) }
    #expect(try directory.names() == (fault.isAfterRename ? ["a"] : []))
    if fault.isAfterRename { #expect(try directory.text("a") == "new content") }
  }

  @Test(arguments: Fault.allCases)
  func signalsDoNotEndASave(_ fault: Fault) throws {
    try directory.write("a", "old")
    let log = DescriptorLog()
    let files = log.watching(fault.operations(failingWith: EINTR, times: 3))
    try AtomicFile(files: files).replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.names() == ["a"])
    #expect(log.leaked.isEmpty && log.strayCloses == 0)
  }

  @Test func shortWritesGoOn() throws {
    let live = FileOperations.live
    var files = live
    files.writeBytes = { descriptor, bytes throws(Errno) in try live.writeBytes(descriptor, bytes.prefix(1)) }
    try AtomicFile(files: files).replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
  }

  @Test func writingNothingIsAnError() throws {
    var files = FileOperations.live
    files.writeBytes = { _, _ throws(Errno) in 0 }
    #expect(throws: FileError(.write, directory("a"), .inputOutput)) {
      try AtomicFile(files: files).replace(directory("a"), with: new)
    }
    #expect(try directory.names() == [])
  }

  /// What some file systems cannot do, and which loses nothing.
  @Test(arguments: [
    (Fault.setPermissions, EPERM), (.setPermissions, ENOTSUP), (.openDirectory, EACCES),
    (.synchronizeDirectory, EINVAL), (.synchronizeDirectory, ENOTSUP),
  ])
  func toleratedFaults(_ fault: Fault, _ code: Int32) throws {
    try directory.write("a", "old")
    try AtomicFile(files: fault.operations(failingWith: code)).replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.names() == ["a"])
  }

  @Test func everyNameTaken() throws {
    let files = Fault.createTemporary.operations(failingWith: EEXIST)
    #expect(throws: FileError(.create, directory("a"), .exists)) {
      try AtomicFile(files: files).replace(directory("a"), with: new)
    }
  }

  @Test func theFirstErrorIsTheOneReported() throws {
    var files = Fault.rename.operations(failingWith: ENOSPC)
    files.remove = { _ throws(Errno) in throw Errno(EIO) }
    #expect(throws: FileError(.rename, directory("a"), Errno(ENOSPC))) {
      try AtomicFile(files: files).replace(directory("a"), with: new)
    }
  }

  @Test func linkThatChangesIntoSomethingElse() throws {
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

  @Test(arguments: [
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
