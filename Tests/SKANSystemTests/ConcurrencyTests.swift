import Foundation
import TestSupport
import Testing

@testable import SKANSystem

/// Several that read, add one and save: none may be lost.
@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct ConcurrencyTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static func addOne(to path: String) throws {
    let lock = try FileLock.acquire(for: path, timeout: 60)
    defer { lock.release() }
    let file = AtomicFile()
    let old = try file.read(path).map { String(decoding: $0, as: UTF8.self) } ?? "0"
    let sum = try #require(Int(old))
    try file.replace(path, with: Array("\(sum + 1)".utf8))
  }

  @Test func threads() throws {
    let path = directory("a")
    let link = directory("b")
    try directory.link("b", to: "a")
    let failures = Counter(0)
    let group = DispatchGroup()
    for number in 0..<8 {
      group.enter()
      Thread.detachNewThread {
        // Half of them by another name.
        for _ in 0..<25 { do { try Self.addOne(to: number.isMultiple(of: 2) ? path : link) } catch { failures.add(1) } }
        group.leave()
      }
    }
    group.wait()
    #expect(failures.value == 0)
    #expect(try directory.text("a") == "200")
    #expect(try directory.names() == ["a", "b"])
  }

  @Test func tasks() async throws {
    let path = directory("a")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { try Self.addOne(to: path) } }
      try await group.waitForAll()
    }
    #expect(try directory.text("a") == "50")
  }

  /// Without a lock changes are lost, but what is there is always whole, and no temporary stays.
  @Test func savesWithoutALockAreStillWhole() throws {
    let path = directory("a")
    let failures = Counter(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let bytes = [UInt8](repeating: UInt8(number), count: 50_000 + number)
      for _ in 0..<10 { do { try AtomicFile().replace(path, with: bytes) } catch { failures.add(1) } }
    }
    let bytes = try #require(try AtomicFile().read(path))
    #expect(failures.value == 0)
    #expect(bytes == [UInt8](repeating: bytes[0], count: 50_000 + Int(bytes[0])))
    #expect(try directory.names() == ["a"])
  }
}
