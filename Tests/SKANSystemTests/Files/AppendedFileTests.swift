import Foundation
import Testing

@testable import SKANSystem

@Suite("A file to which lines are added")
struct AppendedFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ size: Int, _ files: FileOperations = .live) throws -> AppendedFile {
    try AppendedFile(directory("f"), size: size, files: files)
  }

  @Test("It is made, added to, and synchronized after each call")
  func append() throws {
    let synchronized = Counter(0)
    var files = FileOperations.live
    files.synchronize = { descriptor throws(Errno) in
      synchronized.add(1)
      try FileOperations.live.synchronize(descriptor)
    }
    let file = try open(0, files)
    #expect(synchronized.value == 0)
    try file.append(Array("a\n".utf8))
    #expect(synchronized.value == 1)
    try file.append(Array("b\n".utf8))
    #expect(synchronized.value == 2)
    #expect(try directory.text("f") == "a\nb\n")
    #expect(try directory.mode("f") == 0o600)
  }

  @Test("A disk that takes nothing is an error and no endless loop; a pipe is no such file")
  func refused() throws {
    var files = FileOperations.live
    files.writeBytes = { _, _ throws(Errno) in 0 }
    let file = try open(0, files)
    #expect(throws: FileError(.write, directory("f"), .inputOutput)) { try file.append([1]) }
    try directory.write("f", "")
    files = .live
    files.descriptorStatus = { _ throws(Errno) in FileStatus(kind: .fifo, permissions: 0, size: 0) }
    #expect(throws: FileError(.inspect, directory("f"), notRegular: .fifo)) { try open(0, files) }
  }

  @Test("What stands behind the whole lines is cut; a file that is shorter is another")
  func torn() throws {
    try directory.write("f", "a\nhalf")
    #expect(throws: FileError(.inspect, directory("f"), .invalid)) { try open(7) }
    try open(2).append(Array("b\n".utf8))
    #expect(try directory.text("f") == "a\nb\n")
  }

  @Test(
    "A write that fails, whole or half, leaves nothing, and the next one works",
    arguments: [
      Fault.writeBytes, .secondWrite, .synchronize,
    ])
  func failing(fault: Fault) throws {
    try directory.write("f", "a\n")
    let file = try open(2, fault.operations(failingWith: 28, times: 1))
    #expect(throws: FileError(fault.operation, directory("f"), Errno(28))) { try file.append(Array("bbbb\n".utf8)) }
    try file.append(Array("c\n".utf8))
    #expect(try directory.text("f") == "a\nc\n")
  }

  @Test("What cannot be cut at once is cut before the next line")
  func cutLater() throws {
    let full = Counter(1)
    let stuck = Counter(1)
    var files = FileOperations.live
    files.writeBytes = { descriptor, bytes throws(Errno) in
      if full.takeOne() { return try FileOperations.live.writeBytes(descriptor, bytes.prefix(3)) }
      return try FileOperations.live.writeBytes(descriptor, bytes)
    }
    files.synchronize = { _ throws(Errno) in if stuck.takeOne() { throw .inputOutput } }
    let cuts = Counter(1)
    files.setSize = { descriptor, size throws(Errno) in
      if cuts.takeOne() { throw .inputOutput }
      try FileOperations.live.setSize(descriptor, size)
    }
    let file = try open(0, files)
    #expect(throws: FileError(.synchronize, directory("f"), .inputOutput)) { try file.append(Array("lost\n".utf8)) }
    #expect(try directory.text("f") == "lost\n")
    try file.append(Array("kept\n".utf8))
    #expect(try directory.text("f") == "kept\n")
  }

  @Test("Nothing is added to a file that was moved, removed or changed by another")
  func elsewhere() throws {
    let file = try open(0)
    try FileManager.default.moveItem(atPath: directory("f"), toPath: directory("old"))
    #expect(throws: FileError(.inspect, directory("f"), .notFound)) { try file.append([10]) }
    try directory.write("f", "")
    #expect(throws: FileError(.inspect, directory("f"), .notFound)) { try file.append([10]) }
    #expect(try directory.text("old").isEmpty)
    let other = try open(0)
    try directory.write("f", "another's\n")
    #expect(throws: FileError.self) { try other.append([10]) }
    #expect(try directory.text("f") == "another's\n")
  }

  @Test("A directory or a pipe is refused, and a link followed")
  func kinds() throws {
    try directory.directory("d")
    #expect(throws: FileError(.inspect, directory("d"), notRegular: .directory)) {
      try AppendedFile(directory("d"), size: 0)
    }
    try directory.write("real", "")
    try directory.link("f", to: "real")
    try open(0).append(Array("a\n".utf8))
    #expect(try directory.text("real") == "a\n")
  }
}

@Suite("Bytes that are set aside")
struct SpoolFileTests {
  @Test(
    "They come back, in any order, whether they are in memory or in the file", arguments: [0, 1, 10, 1000, 1 << 20])
  func roundTrip(limit: Int) throws {
    let directory = try TemporaryDirectory()
    let spool = SpoolFile(limit: limit, directory: directory.path)
    let parts = (0..<200).map { number in [UInt8](repeating: UInt8(number), count: number * 7 % 50) }
    let ranges = try parts.map { try spool.append($0) }
    for index in parts.indices.reversed() { #expect(try spool.read(ranges[index]) == parts[index]) }
    #expect(try spool.read(try spool.append([1, 2])) == [1, 2])
    #expect(try directory.names() == [], "the file has no name")
  }

  @Test("A directory that cannot be written is named")
  func failure() throws {
    let spool = SpoolFile(limit: 0, directory: "/dev/null/x")
    _ = try spool.append([1])
    let error = #expect(throws: FileError.self) { try spool.append([2]) }
    #expect(error?.description == "cannot create a temporary file in /dev/null/x: Not a directory")
  }
}

@Suite("Lines added to a file")
struct LineWriterTests {
  @Test(
    "As many whole lines as there is room for, and at least one",
    arguments: [
      ("ab\ncd\n", 6, "ab\ncd\n"), ("ab\ncd\n", 5, "ab\n"), ("ab\ncd\n", 3, "ab\n"), ("ab\ncd\n", 2, "ab\n"),
      ("ab\ncd\n", 1, "ab\n"), ("abcdef", 2, "abcdef"), ("ab\ncd\nef\n", 8, "ab\ncd\n"), ("\n\n\n", 2, "\n\n"),
    ])
  func pieces(lines: String, room: Int, piece: String) {
    #expect(Array(LineWriter.firstPiece(of: Array(lines.utf8)[...], room: room)) == Array(piece.utf8))
  }
}

@Suite("Files and streams of a program")
struct StandardStreamTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("Lines behind a torn one begin on a line of their own, and what a pipe takes is not looked at again")
  func torn() throws {
    let path = directory("lines")
    try Data("{\"a\":".utf8).write(to: URL(fileURLWithPath: path))
    let file = try LineFile(path)
    #expect(file.wasTorn)
    try file.append(Array("1\n".utf8))
    try file.append(Array("2\n".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"a\":\n1\n2\n")
    #expect(try !LineFile(path).wasTorn)
    #expect(throws: StreamFailure.system(.isDirectory)) { try LineFile(directory.path) }
  }

  @Test("A disk that is full, and what a descriptor leads to")
  func descriptors() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(StandardStream.isPipe(ends[1]) && StandardStream.columns(of: ends[1]) == nil)
    #expect(StandardStream.isReady(ends[1]))
    // Linux alone has it.
    let full = open("/dev/full", O_WRONLY)
    if full < 0 { return }
    defer { close(full) }
    #expect(throws: StreamFailure.system(Errno(ENOSPC))) { try StandardStream.write([1], to: full) }
    #expect(!StandardStream.isPipe(full))
  }

  // In a process of its own, whose standard streams are nobody else's.
  @Test("What is written to a closed standard stream is in no file that is opened later")
  func closed() async {
    await #expect(processExitsWith: .success) {
      for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { close(descriptor) }
      StandardStream.reserve()
      let file = open("/dev/zero", O_RDWR)
      var byte: UInt8 = 0
      let fails = [
        read(STDIN_FILENO, &byte, 1), write(STDOUT_FILENO, &byte, 1), write(STDERR_FILENO, &byte, 1),
      ]
      exit(file > STDERR_FILENO && fails == [-1, -1, -1] ? 0 : 1)
    }
  }

  @Test("A pattern's characters are Unicode scalars, and a name with a NUL matches none")
  func globs() {
    #expect(Glob("?").matches("é") && !Glob("?").matches("e\u{301}") && Glob("[é-ê]").matches("ê"))
    #expect(Glob("a*").matches("a") && !Glob("a*").matches("a\0b") && !Glob("a\0*").matches("a"))
  }

  @Test("A regular file is read from its beginning, a pipe as it comes, and a directory not at all")
  func input() throws {
    let path = directory("input")
    try Data("abcdef".utf8).write(to: URL(fileURLWithPath: path))
    let file = try InputFile(path, waits: true)
    #expect(file.isRegular && file.status?.size == 6)
    var bytes = [UInt8](repeating: 0, count: 4)
    let counts = try (0..<3).map { _ in try bytes.withUnsafeMutableBytes { try file.read(into: $0) } }
    #expect(counts == [4, 2, 0])
    #expect(throws: InputFile.Failure.system(.isDirectory)) { try InputFile(directory.path, waits: true) }
    #expect(throws: InputFile.Failure.missing) { try InputFile(directory("none"), waits: true) }
    #expect(throws: InputFile.Failure.missing) { try InputFile("\(path)/below", waits: true) }
  }

  @Test("Files and directories of a directory; a link counts as what it leads to, though never as a directory")
  func entries() throws {
    try Directory.make(directory("a/b"))
    try Directory.make(directory("a/b"))
    for name in ["a/.hidden", "a/..."] { try Data().write(to: URL(fileURLWithPath: directory(name))) }
    try #require(symlink("b", directory("a/link")) == 0 && symlink("none", directory("a/dangling")) == 0)
    try #require(mkfifo(directory("a/pipe"), 0o600) == 0)
    let entries = try #require(try Directory.entries(of: directory("a")))
      .map { "\(String(decoding: $0.name, as: UTF8.self))\($0.isDirectory ? "/" : "")" }
    #expect(entries.sorted() == ["...", ".hidden", "b/", "dangling"])
    #expect(try Directory.entries(of: directory("a/.hidden")) == nil)
    #expect(throws: Errno.notDirectory) { try Directory.make(directory("a/.hidden/c")) }
  }

  @Test("Names that a pattern stands for, and a name that is a pattern")
  func paths() throws {
    for name in ["x1", "x2", "x[1]"] { try Data().write(to: URL(fileURLWithPath: directory(name))) }
    func paths(_ pattern: String) -> [String] {
      Directory.paths(matching: directory(pattern)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(paths("x?") == [directory("x1"), directory("x2")])
    #expect(paths("x[1]") == [directory("x[1]")] && paths("y*").isEmpty)
  }
}
