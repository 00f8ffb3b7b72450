import Foundation
import Testing

@testable import SKANSystem

@Suite struct AtomicFileReplaceTests {
  let directory: TemporaryDirectory
  let file = AtomicFile()
  let new = Array("new content".utf8)

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func createsPrivately() throws {
    try file.replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.mode("a") == 0o600)
    #expect(try directory.names() == ["a"])
  }

  @Test func createsWithTheModeAskedFor() throws {
    try file.replace(directory("a"), with: new, mode: 0o644)
    #expect(try directory.mode("a") == 0o644)
    try directory.write("b", "old", mode: 0o600)
    try file.replace(directory("b"), with: new, mode: 0o644)
    #expect(try directory.mode("b") == 0o600)
  }

  @Test func asksBeforehand() throws {
    try directory.write("a", "old", mode: 0o444)
    for name in ["a", "new"] { try file.requireReplaceable(directory(name)) }
    #expect(try directory.text("a") == "old")
    #expect(try directory.mode("a") == 0o444)
    #expect(try directory.names() == ["a"])
    try directory.directory("sub")
    for name in ["sub", "none/a"] {
      #expect(throws: FileError.self) { try file.requireReplaceable(directory(name)) }
    }
  }

  @Test(arguments: [0o600, 0o640, 0o444, 0o755, 0o666])
  func keepsTheMode(_ mode: Int) throws {
    try directory.write("a", "old", mode: mode)
    try file.replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.mode("a") == mode)
    #expect(try directory.names() == ["a"])
  }

  @Test(arguments: [0, 1, 100_000])
  func anySize(_ size: Int) throws {
    let bytes = [UInt8](repeating: 7, count: size)
    try directory.write("a", "old")
    try file.replace(directory("a"), with: bytes)
    #expect(try file.read(directory("a")) == bytes)
  }

  @Test func followsLinks() throws {
    try directory.directory("sub")
    try directory.write("sub/a", "old", mode: 0o640)
    try directory.link("relative", to: "sub/a")
    try directory.link("absolute", to: directory("sub/a"))
    try directory.link("twice", to: "relative")
    for name in ["relative", "absolute", "twice"] {
      try file.replace(directory(name), with: Array(name.utf8))
      #expect(try directory.text("sub/a") == name)
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory("relative")) == "sub/a")
    #expect(try directory.mode("sub/a") == 0o640)
    #expect(try directory.names() == ["absolute", "relative", "sub", "twice"])
  }

  @Test func writesWhereADanglingLinkLeads() throws {
    try directory.directory("sub")
    try directory.link("sub/next", to: "../real")
    try directory.link("dangling", to: "sub/next")
    try file.replace(directory("dangling"), with: new)
    #expect(try directory.text("real") == "new content")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory("dangling")) == "sub/next")
    #expect(try directory.names() == ["dangling", "real", "sub"])
  }

  @Test func refusesWhatIsNoRegularFile() throws {
    try #require(mkfifo(directory("fifo"), 0o600) == 0)
    try directory.directory("sub")
    let cases: [(String, FileKind)] = [
      (directory("fifo"), .fifo), (directory("sub"), .directory), ("/dev/null", .characterDevice),
    ]
    for (path, kind) in cases {
      #expect(throws: FileError(.inspect, path, notRegular: kind)) { try file.replace(path, with: new) }
    }
    #expect(try directory.names() == ["fifo", "sub"])
  }

  @Test func refusesPathsThatNameNoFile() throws {
    try directory.link("circle", to: "other")
    try directory.link("other", to: "circle")
    try directory.link("astray", to: "missing/a")
    let long = String(repeating: "n", count: 300)
    let cases: [(String, FileError)] = [
      ("", FileError(.resolve, "", .notFound)),
      (directory("missing/a"), FileError(.findDirectory, directory("missing"), .notFound)),
      (directory("astray"), FileError(.findDirectory, directory("missing"), .notFound)),
      (directory("new/"), FileError(.findDirectory, directory("new"), .notFound)),
      (directory("circle"), FileError(.resolve, directory("circle"), .linkLoop)),
      (directory("a\0b"), FileError(.resolve, directory("a\0b"), .invalid)),
      (directory(long), FileError(.resolve, directory(long), .nameTooLong)),
    ]
    for (path, error) in cases {
      #expect(throws: error) { try file.replace(path, with: new) }
    }
    #expect(try directory.names() == ["astray", "circle", "other"])
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func directoryWithoutPermission() throws {
    try directory.directory("sub")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory("sub"))
    #expect(throws: FileError(.create, directory("sub/a"), .accessDenied)) {
      try file.replace(directory("sub/a"), with: new)
    }
  }

  @Test func leftoversDoNotBlock() throws {
    var files = FileOperations.live
    files.processID = { 42 }
    try directory.write("a.42.tmp", "left over")
    try directory.link("a.42.1.tmp", to: "victim")
    try AtomicFile(files: files).replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.text("a.42.tmp") == "left over")
    #expect(try directory.names() == ["a", "a.42.1.tmp", "a.42.tmp"])
  }

  @Test func bareNameIsInTheWorkingDirectory() {
    #expect(FileTarget.split("a") == (".", "a"))
    #expect(FileTarget.split("/a") == ("/", "a"))
    #expect(FileTarget.split("b/c/a") == ("b/c", "a"))
    #expect(FileTarget.split("b/") == ("b", ""))
  }

  @Test func readersSeeOldOrNew() throws {
    let size = 200_000
    let path = directory("a")
    try file.replace(path, with: [UInt8](repeating: 0, count: size))
    let torn = Counter(0)
    let done = DispatchSemaphore(value: 0)
    let stop = Counter(1)
    Thread.detachNewThread {
      while stop.value > 0 {
        let bytes = (try? AtomicFile().read(path)) ?? []
        if bytes.count != size || bytes.contains(where: { $0 != bytes[0] }) { torn.add(1) }
      }
      done.signal()
    }
    for round in 1...50 { try file.replace(path, with: [UInt8](repeating: UInt8(round), count: size)) }
    _ = stop.takeOne()
    done.wait()
    #expect(torn.value == 0)
  }
}
