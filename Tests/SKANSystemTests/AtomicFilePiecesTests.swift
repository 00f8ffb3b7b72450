import Foundation
import Testing

@testable import SKANSystem

@Suite("A file's new content in pieces")
struct AtomicFilePiecesTests {
  let directory: TemporaryDirectory
  /// As on a file system that has no files without a name.
  static let named: FileOperations = {
    var files = FileOperations.live
    files.createUnnamed = { _ throws(Errno) in throw .notSupported }
    return files
  }()

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("a", "old", mode: 0o640)
  }

  @Test("It takes the place of the old content as a whole", arguments: [true, false])
  func whole(isNamed: Bool) throws {
    let file = AtomicFile(files: isNamed ? Self.named : .live)
    for name in ["a", "b"] {
      try file.replace(directory(name), mode: 0o644) { (write) throws(FileError) in
        for number in 0..<3 { try write(Array("\(number)\n".utf8)) }
        #expect((try? directory.text("a")) == (name == "a" ? "old" : "0\n1\n2\n"))
      }
      #expect(try directory.text(name) == "0\n1\n2\n")
    }
    #expect(try directory.mode("a") == 0o640 && directory.mode("b") == 0o644)
    #expect(try directory.names().sorted() == ["a", "b"])
  }

  #if os(Linux)
    @Test("Nothing is there before it is whole, so that a kill leaves nothing")
    func unnamed() throws {
      try AtomicFile().replace(directory("a")) { (write) throws(FileError) in
        try write([1])
        #expect((try? directory.names()) == ["a"])
      }
    }

    @Test("A file without a name gets another one where the first is taken")
    func taken() throws {
      let process = FileOperations.live.processID()
      try directory.write("a.\(process).tmp", "another's")
      try AtomicFile().replace(directory("a")) { (write) throws(FileError) in try write([0x31]) }
      #expect(try directory.text("a") == "1")
      #expect(try directory.names().sorted() == ["a", "a.\(process).tmp"])
    }
  #endif

  @Test("What the content throws is thrown, and the old file stays", arguments: [true, false])
  func failure(isNamed: Bool) throws {
    let file = AtomicFile(files: isNamed ? Self.named : .live)
    let reason = FileError(.read, "spool", .inputOutput)
    #expect(throws: reason) {
      try file.replace(directory("a")) { (write) throws(FileError) in
        try write([1])
        throw reason
      }
    }
    #expect(try directory.text("a") == "old" && directory.names() == ["a"])
  }

  @Test("A rename that fails leaves nothing behind", arguments: [true, false])
  func rename(isNamed: Bool) throws {
    var files = isNamed ? Self.named : .live
    files.rename = { _, _ throws(Errno) in throw .accessDenied }
    let file = AtomicFile(files: files)
    #expect(throws: FileError(.rename, directory("a"), .accessDenied)) {
      try file.replace(directory("a")) { (write) throws(FileError) in try write([1]) }
    }
    #expect(try directory.text("a") == "old" && directory.names() == ["a"])
  }
}
