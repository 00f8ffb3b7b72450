import Foundation
import Testing

@testable import SKANSystem

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
