import Foundation
import TestSupport
import Testing

@testable import SKANSystem

@Suite("Both sides of every limit", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct LimitTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("They are what others rely on")
  func values() {
    #expect(AtomicFile.largestFile == 67_108_864 && AtomicFile.mostLeftovers == 100 && LockFile.longest == 32)
    #expect(ProgramRun.longestFile == 4096 && ProgramRun.Limits().bytes == 65_536 && ProgramRun.Limits().seconds == 30)
    #expect(ProgramOutput.mostErrors == 65_536 && SpoolFile.defaultLimit == 8_388_608)
  }

  @Test("Names that are taken, links, and the length of a lock file")
  func names() throws {
    expectLimit(AtomicFile.mostLeftovers, "leftover files") { count in
      let taken = Counter(count)
      var files = FileOperations.live
      files.createTemporary = { path throws(Errno) in
        if taken.takeOne() { throw .exists }
        return try FileOperations.live.createTemporary(path)
      }
      return (try? AtomicFile(files: files).replace(directory("a"), with: [1])) != nil
    }
    #if !canImport(Darwin)
      try directory.link("1", to: "target")
      for number in 2...FileOperations.mostLinks + 2 { try directory.link("\(number)", to: "\(number - 1)") }
      // To a file that is there, and to one that is not.
      for _ in 0..<2 {
        expectLimit(FileOperations.mostLinks, "links") { count in
          (try? FileOperations.live.target(of: directory("\(count)")).path) == directory("target")
        }
        try directory.write("target", "")
      }
    #endif
    try expectLimit(LockFile.longest, "bytes of a lock file") { count in
      try directory.write("b.lock", String(repeating: "x", count: count))
      return (try? FileLock.acquire(for: directory("b"), timeout: 0).release()) != nil
    }
  }

  @Test("What a program is given and what it says")
  func programs() throws {
    let environment = ["PATH=\(System.variable("PATH") ?? "/usr/bin:/bin")"]
    func run(_ script: String, _ file: Int = 0) -> ProgramRun? {
      try? ProgramRun(
        "sh", ["-c", script], environment: environment, input: [], files: [[UInt8](repeating: 1, count: file)])
    }
    expectLimit(ProgramRun.longestFile, "bytes of a file") { run("cat /dev/fd/3", $0)?.output.count == $0 }
    let most = ProgramRun.Limits().bytes
    expectLimit(most, "bytes of output") { run("head -c \($0) /dev/zero")?.output.count == $0 }
    expectLimit(most, "bytes of errors") { run("head -c \($0) /dev/zero >&2")?.errors.utf8.count == $0 }
    // Those kept of errors that go on while the output waits.
    try expectLimit(ProgramOutput.mostErrors, "bytes of errors") { count in
      let script = "head -c \(count) /dev/zero >&2; echo x; exit 1"
      let output = try ProgramOutput("/bin/sh", arguments: ["sh", "-c", script], environment: environment)
      var (bytes, length) = ([UInt8](repeating: 0, count: 16), 0)
      do {
        while case let more = try bytes.withUnsafeMutableBytes({ try output.next(into: $0) { false } }), more > 0 {
          length += more
        }
      } catch ProgramOutput.Failure.failed(let errors) {
        #expect(errors.utf8.count == min(count, ProgramOutput.mostErrors) && length == 2)
        return errors.utf8.count == count
      }
      return false
    }
  }

  @Test("What is kept in memory", arguments: [2, 3, 100, SpoolFile.defaultLimit])
  func spool(limit: Int) throws {
    try expectLimit(limit, "bytes in memory") { count in
      let spool = SpoolFile(limit: limit, directory: directory.path)
      let first = try spool.append([7])
      let second = try spool.append([UInt8](repeating: 8, count: count - 1))
      #expect(try spool.read(first) == [7] && spool.read(second).count == count - 1)
      return spool.descriptor == nil
    }
  }
}
