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

  @Test(
    "Absolute folders of the PATH alone are looked in",
    arguments: [
      ("/bin:/usr/bin", true), ("", false), (":", false), (".", false), ("bin:../bin:", false),
      ("/nowhere::/bin", true),
      ("/nowhere", false),
    ])
  func path(path: String, isFound: Bool) { #expect((ProgramPath.find("sh", in: path) == "/bin/sh") == isFound) }

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
