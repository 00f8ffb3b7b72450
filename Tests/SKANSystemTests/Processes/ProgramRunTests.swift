import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SKANSystem

@Suite("Programs that are run to their end", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ProgramRunTests {
  @Test("Input, files, output, errors and code")
  func all() throws {
    let run = try sh("cat; cat /dev/fd/4 /dev/fd/3; echo bad >&2; exit 3", input: [0x61], files: [[0x62], [0x63]])
    #expect(run.output == Array("acb".utf8) && run.errors == "bad\n" && run.end == .code(3))
    #expect(ProgramRun.path(ofFile: 0) == "/dev/fd/3")
  }

  @Test("A signal that ends it, and input that it does not read")
  func ends() throws {
    #expect(try sh("kill -9 $$").end == .signal(9))
    #expect(try sh("exit 0", input: [UInt8](repeating: 0, count: 5_000_000)).end == .code(0))
  }

  @Test("Errors without end are read beside the output, and no more is kept than the limit")
  func manyErrors() throws {
    let script = "head -c 3000000 /dev/zero >&2; cat; head -c 3000000 /dev/zero >&2; echo end"
    let run = try sh(script, input: Array(repeating: 0x61, count: 60_000))
    #expect(run.output.count == 60_004 && run.errors.utf8.count == 65_536 && run.end == .code(0))
  }

  @Test("Output without end is not read to its end")
  func muchOutput() {
    #expect(throws: ProgramRun.Failure.failed("it said more than 65536 bytes")) {
      try sh("cat /dev/zero")
    }
  }

  @Test(
    "A deadline for one that does not end, whatever it does about it",
    arguments: ["sleep 60", "trap '' TERM; sleep 60", "exec >&- 2>&-; sleep 60", "while :; do echo x >&2; done"])
  func deadline(script: String) {
    #expect(throws: ProgramRun.Failure.failed("it did not end within 0.3 seconds")) {
      try sh(script, .init(seconds: 0.3))
    }
    #expect(throws: ProgramRun.Failure.interrupted) { try sh(script, isInterrupted: { true }) }
  }

  @Test(
    "A program that is there and cannot be started",
    arguments: [
      ([0, 1, 2, 3], ProgramRun.Failure.failed("Exec format error")), (Array("#!/nowhere/sh\n".utf8), .missing),
    ])
  func notStarted(content: [UInt8], error: ProgramRun.Failure) throws {
    let name = "skan-\(UUID().uuidString)"
    let path = "/tmp/\(name)"
    // By another process: one that is started meanwhile would hold this one's descriptor, and the text be busy.
    _ = try sh("cat >\(path) && chmod 700 \(path)", input: content)
    defer { unlink(path) }
    // From any folder of the PATH.
    let program = String(repeating: "../", count: 20) + "tmp/\(name)"
    #expect(throws: error) { try ProgramRun(program, [], environment: [], input: [], files: [[1], [2]]) }
  }

  /// UP leads to /bin from any folder.
  @Test(
    "Absolute folders of the PATH alone are looked in",
    arguments: [
      ("/bin:/usr/bin", true), ("/nowhere::/bin", true), ("UP:/bin", true), ("", false), (":", false), (".", false),
      ("UP", false), (":UP:.", false), ("/nowhere", false),
    ])
  func path(path: String, isFound: Bool) {
    let path = path.replacing("UP", with: String(repeating: "../", count: 20) + "bin")
    #expect(ProgramPath.find("sh", in: path) == (isFound ? "/bin/sh" : nil))
  }

  @Test("What is no program is none")
  func noProgram() {
    #expect(ProgramPath.find("usr", in: "/") == nil)
    #expect(ProgramPath.find("passwd", in: "/etc") == nil)
  }

  @Test("A program that is not there, and a file that is too long")
  func missing() {
    #expect(throws: ProgramRun.Failure.missing) {
      _ = try ProgramRun("skan-no-such-program", [], environment: [], input: [], files: [])
    }
    #expect(throws: ProgramRun.Failure.fileTooLong) {
      _ = try sh("true", files: [[UInt8](repeating: 0, count: 4097)])
    }
  }

  // In a process of its own, since other tests open files in the tests' process at the same time.
  @Test("Each child has the descriptors that it is given and no others, whatever starts at the same time")
  func descriptors() async {
    await #expect(processExitsWith: .success) {
      let counts = Mutex<[String: Int]>([:])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<5 {
          let run = try? sh("ls -1 /dev/fd/ | sort -n | tr '\\n' ' '", files: [[1]])
          counts.withLock { $0[run.map { String(decoding: $0.output, as: UTF8.self) } ?? "none", default: 0] += 1 }
        }
      }
      #expect(counts.withLock { $0.count } == 1, "\(counts.withLock { $0 })")
    }
  }
}

private func sh(
  _ script: String, input: [UInt8] = [], files: [[UInt8]] = [], _ limits: ProgramRun.Limits = .init(),
  isInterrupted: () -> Bool = { false }
) throws -> ProgramRun {
  try ProgramRun(
    "sh", ["-c", script], environment: ["PATH=\(System.variable("PATH") ?? "/usr/bin:/bin")"], input: input,
    files: files,
    limits: limits, isInterrupted: isInterrupted)
}

@Suite("System calls and their errors")
struct POSIXTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("A descriptor that is none, a directory that is none, and a name with a zero in it")
  func errors() {
    let badDescriptor = Errno(EBADF)
    #expect(throws: badDescriptor) { try POSIX.readBytes(-1, 1) }
    #expect(throws: badDescriptor) { try POSIX.readBytes(-1, 1, at: 0) }
    #expect(throws: badDescriptor) { try POSIX.writeBytes(-1, [1]) }
    #expect(throws: Errno.notFound) { try POSIX.names(in: directory("none")) }
    #expect(throws: Errno.invalid) { try POSIX.move("a", "b\0c") }
    #expect(throws: Errno.invalid) { try POSIX.move("a\0c", "b") }
  }

  @Test("What is at a path")
  func kinds() throws {
    let descriptor = socket(AF_UNIX, Platform.streamSocket, 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A short name, since the system has little room for it.
    let name = "/tmp/skan-\(UUID().uuidString.prefix(8))"
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(name.utf8)) }
    let failed = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    defer { unlink(name) }
    try #require(failed == 0)
    #expect(try POSIX.linkStatus(name).kind == .socket)
    #expect(try POSIX.linkStatus("/dev/null").kind == .characterDevice)
    #expect(try POSIX.linkStatus(directory.path).kind == .directory)
  }

  #if !canImport(Darwin)
    @Test("A name on the disk that is not UTF-8 is an error and not another name")
    func names() throws {
      let path = Array(directory("x").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
      try #require(mkdir(path, 0o700) == 0)
      try #require(symlink(path, directory("link")) == 0)
      #expect(throws: Errno.illegalSequence) { try POSIX.canonicalPath(directory("link")) }
      #expect(throws: Errno.illegalSequence) { try POSIX.linkDestination(directory("link")) }
    }
  #endif
}

#if !canImport(Darwin)
  @Suite struct CoreFilesTests {
    @Test("A process can forbid its own") func processCan() {
      guard Platform.areCoreFilesAllowed else { return }
      System.forbidCoreFiles()
      #expect(!Platform.areCoreFilesAllowed)
      #expect(Platform.control(4, 1) == 0 && Platform.areCoreFilesAllowed)
    }
  }
#endif

@Suite("Patterns for names")
struct GlobTests {
  @Test(
    "Matches",
    arguments: [
      ("", "", true), ("", "a", false), ("*", "", true), ("*", "anything", true), ("a*", "a", true),
      ("a*", "abc", true), ("a*", "ba", false), ("*a", "ba", true), ("*a", "ab", false), ("a*b", "ab", true),
      ("a*b", "axxbxxb", true), ("a*b", "axxbxx", false), ("?", "a", true), ("?", "", false), ("?", "ab", false),
      ("a?c", "abc", true), ("*?", "", false), ("**", "ab", true), ("*a*a*", "xaya", true), ("*a*a*", "xay", false),
      ("abc", "abc", true), ("abc", "ABC", false), ("a.c", "abc", false),
      ("[ab]", "a", true), ("[ab]", "c", false), ("[ab]", "[ab]", false), ("[ab]", "", false), ("[a-c]x", "bx", true),
      ("[a-c]x", "dx", false), ("[!a-c]", "d", true), ("[!a-c]", "b", false), ("[^a]", "b", true), ("[^a]", "", false),
      ("[]a]", "]", true), ("[]a]", "a", true), ("[!]]", "]", false), ("[!]]", "a", true), ("[a-]", "-", true),
      ("[-a]", "-", true), ("[a-]", "b", false), ("[z-a]", "m", false), ("[z-a]", "z", false), ("[0-9a]", "a", true),
      ("*[0-9]", "purchase 7", true), ("*[0-9]", "purchase", false), ("[*?]", "*", true), ("[*?]", "x", false),
      // What no bracket ends stands for itself.
      ("[ab", "[ab", true), ("[ab", "a", false), ("a[", "a[", true), ("[", "[", true), ("[]", "[]", true),
      ("[!", "[!", true), ("]", "]", true),
      // One character is a Unicode scalar, whatever the locale of the process.
      ("[é-ü]", "ö", true), ("gr??e", "größe", true), ("?", "😀", true), ("[é]", "e\u{301}", false),
      ("\\*", "*", true), ("\\*", "a", false), ("*/b", ".a/b", true), ("a\0b", "a", false), ("a", "a\0b", false),
    ] as [(String, String, Bool)])
  func matches(pattern: String, text: String, isMatch: Bool) {
    #expect(Glob(pattern).matches(text) == isMatch)
  }

  @Test("Many stars end soon")
  func stars() {
    let pattern = String(repeating: "a*", count: 30) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 2_000)))
  }
}
