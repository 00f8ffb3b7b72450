import Foundation
import Testing

@testable import SKANSystem

@Suite struct AtomicFileReadTests {
  let directory: TemporaryDirectory
  let file = AtomicFile()

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test("Reads every byte", arguments: [0, 1, 4095, 1 << 20, (1 << 20) + 1, 3_000_000])
  func readsEveryByte(_ size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Data(bytes).write(to: URL(fileURLWithPath: directory("a")))
    #expect(try file.read(directory("a")) == bytes)
  }

  @Test("Nothing there is nil") func nothingThereIsNil() throws {
    try directory.link("dangling", to: "nowhere")
    #expect(try file.read(directory("a")) == nil)
    #expect(try file.read(directory("missing/a")) == nil)
    #expect(try file.read(directory("dangling")) == nil)
  }

  @Test("Link is followed") func linkIsFollowed() throws {
    try directory.write("a", "old")
    try directory.link("b", to: "a")
    #expect(try file.read(directory("b")) == Array("old".utf8))
  }

  @Test("Only regular files") func onlyRegularFiles() throws {
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

  @Test("Other errors are not nil") func otherErrorsAreNotNil() throws {
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

  @Test("Without permission", .enabled(if: geteuid() != 0, "root may read everything"))
  func withoutPermission() throws {
    try directory.write("a", "old", mode: 0o200)
    #expect(throws: FileError(.open, directory("a"), .accessDenied)) { try file.read(directory("a")) }
  }

  @Test("Faults") func faults() throws {
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

  @Test("Interrupted and short reads go on") func interruptedAndShortReadsGoOn() throws {
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

  @Test("Other programs do not inherit the descriptor") func otherProgramsDoNotInheritTheDescriptor() throws {
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

@Suite struct AtomicFileReplaceTests {
  let directory: TemporaryDirectory
  let file = AtomicFile()
  let new = Array("new content".utf8)

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test("Creates privately") func createsPrivately() throws {
    try file.replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.mode("a") == 0o600)
    #expect(try directory.names() == ["a"])
  }

  @Test("Creates with the mode asked for") func createsWithTheModeAskedFor() throws {
    try file.replace(directory("a"), with: new, mode: 0o644)
    #expect(try directory.mode("a") == 0o644)
    try directory.write("b", "old", mode: 0o600)
    try file.replace(directory("b"), with: new, mode: 0o644)
    #expect(try directory.mode("b") == 0o600)
  }

  @Test("Asks beforehand") func asksBeforehand() throws {
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

  @Test("Keeps the mode", arguments: [0o600, 0o640, 0o444, 0o755, 0o666])
  func keepsTheMode(_ mode: Int) throws {
    try directory.write("a", "old", mode: mode)
    try file.replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.mode("a") == mode)
    #expect(try directory.names() == ["a"])
  }

  @Test("Any size", arguments: [0, 1, 100_000])
  func anySize(_ size: Int) throws {
    let bytes = [UInt8](repeating: 7, count: size)
    try directory.write("a", "old")
    try file.replace(directory("a"), with: bytes)
    #expect(try file.read(directory("a")) == bytes)
  }

  @Test("Follows links") func followsLinks() throws {
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

  @Test("Writes where a dangling link leads") func writesWhereADanglingLinkLeads() throws {
    try directory.directory("sub")
    try directory.link("sub/next", to: "../real")
    try directory.link("dangling", to: "sub/next")
    try file.replace(directory("dangling"), with: new)
    #expect(try directory.text("real") == "new content")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory("dangling")) == "sub/next")
    #expect(try directory.names() == ["dangling", "real", "sub"])
  }

  @Test("Refuses what is no regular file") func refusesWhatIsNoRegularFile() throws {
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

  @Test("Refuses paths that name no file") func refusesPathsThatNameNoFile() throws {
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

  @Test("Directory without permission", .enabled(if: geteuid() != 0, "root may write everywhere"))
  func directoryWithoutPermission() throws {
    try directory.directory("sub")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory("sub"))
    #expect(throws: FileError(.create, directory("sub/a"), .accessDenied)) {
      try file.replace(directory("sub/a"), with: new)
    }
  }

  @Test("Leftovers do not block") func leftoversDoNotBlock() throws {
    var files = FileOperations.live
    files.processID = { 42 }
    try directory.write("a.42.tmp", "left over")
    try directory.link("a.42.1.tmp", to: "victim")
    try AtomicFile(files: files).replace(directory("a"), with: new)
    #expect(try directory.text("a") == "new content")
    #expect(try directory.text("a.42.tmp") == "left over")
    #expect(try directory.names() == ["a", "a.42.1.tmp", "a.42.tmp"])
  }

  @Test("Bare name is in the working directory") func bareNameIsInTheWorkingDirectory() {
    #expect(FileTarget.split("a") == (".", "a"))
    #expect(FileTarget.split("/a") == ("/", "a"))
    #expect(FileTarget.split("b/c/a") == ("b/c", "a"))
    #expect(FileTarget.split("b/") == ("b", ""))
  }

  @Test("Readers see old or new") func readersSeeOldOrNew() throws {
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

@Suite struct LeftoverTests {
  @Test("Temporary files of processes that are gone") func temporaryFilesOfProcessesThatAreGone() throws {
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

  @Test("Processes") func processes() {
    let files = FileOperations.live
    #expect(files.isRunning(getpid()) && files.isRunning(1))
    #expect(!files.isRunning(999_999_999))
  }

  @Test("Large files are not read") func largeFilesAreNotRead() throws {
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
