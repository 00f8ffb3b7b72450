import Foundation
import Testing

@testable import SKANSystem

@Suite struct LeftoverTests {
  @Test func temporaryFilesOfProcessesThatAreGone() throws {
    let directory = try TemporaryDirectory()
    let gone = ["a.json.7.tmp", "a.json.7.12.tmp"]
    let others = [
      "a.json", "a.json.5.tmp", "a.json.5.1.tmp", "a.json.9.tmp", "b.json.7.tmp", "a.json.tmp", "a.json..tmp",
      "a.json.x.tmp",
      "a.json.7.x.tmp", "a.json.7.1.2.tmp", "a.json.0.tmp", "a.json.-7.tmp", "a.json.7.tmp2", "a.json.99999999999.tmp",
    ]
    for name in gone + others { try directory.write(name, name) }
    try directory.directory("a.json.7.3.tmp")
    try directory.link("a.json.7.4.tmp", to: "a.json")
    var files = FileOperations.live
    files.processID = { 9 }
    files.isRunning = { $0 == 5 }
    AtomicFile(files: files).removeLeftovers(of: directory("a.json"))
    #expect(try directory.names() == (others + ["a.json.7.3.tmp", "a.json.7.4.tmp"]).sorted())
    // Where nothing can be found out, nothing goes wrong.
    AtomicFile(files: files).removeLeftovers(of: directory("missing/a.json"))
  }

  @Test func processes() {
    let files = FileOperations.live
    #expect(files.isRunning(getpid()) && files.isRunning(1))
    #expect(!files.isRunning(999_999_999))
  }

  @Test func largeFilesAreNotRead() throws {
    let directory = try TemporaryDirectory()
    try directory.write("a", "")
    try #require(truncate(directory("a"), off_t(AtomicFile.largestFile)) == 0)
    #expect(try AtomicFile().read(directory("a"))?.count == AtomicFile.largestFile)
    try #require(truncate(directory("a"), off_t(AtomicFile.largestFile) + 1) == 0)
    let error = FileError(.read, directory("a"), .tooLarge)
    #expect(throws: error) { try AtomicFile().read(directory("a")) }
    // Also one that does not say beforehand how large it is.
    var files = FileOperations.live
    files.descriptorStatus = { _ throws(Errno) in FileStatus(kind: .regular, permissions: 0, size: 0) }
    files.readBytes = { _, _ throws(Errno) in [UInt8](repeating: 0, count: 1 << 20) }
    #expect(throws: error) { try AtomicFile(files: files).read(directory("a")) }
  }
}
