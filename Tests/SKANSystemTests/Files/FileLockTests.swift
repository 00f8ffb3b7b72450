import Foundation
import TestSupport
import Testing

@testable import SKANSystem

@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct FileLockTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test("Writes and removes the process number") func writesAndRemovesTheProcessNumber() throws {
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    #expect(lock.path == directory("a.lock"))
    #expect(try directory.text("a.lock") == "\(getpid())\n")
    #expect(try directory.mode("a.lock") == 0o600)
    lock.release()
    lock.release()
    #expect(try directory.names() == [])
  }

  @Test("Only the holder removes the file") func onlyTheHolderRemovesTheFile() throws {
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    #expect(throws: LockError.self) { try FileLock.acquire(for: directory("a"), timeout: 0) }
    #expect(try directory.names() == ["a.lock"])
    // Nor one whose file another program replaced: the new one may be held.
    try FileManager.default.removeItem(atPath: directory("a.lock"))
    let second = try FileLock.acquire(for: directory("a"), timeout: 0)
    lock.release()
    #expect(try directory.names() == ["a.lock"] && second.isInPlace)
    second.release()
    #expect(try directory.names() == [])
  }

  @Test("What cannot be known or removed stays") func whatCannotBeKnownOrRemovedStays() throws {
    var files = FileOperations.live
    files.remove = { _ throws(Errno) in throw .accessDenied }
    try FileLock.acquire(for: directory("a"), timeout: 0, files: files).release()
    #expect(try directory.text("a.lock") == "")
    let calls = Counter(2)
    files = .live
    // The first ones are those of taking it.
    files.descriptorStatus = { descriptor throws(Errno) in
      guard calls.takeOne() else { throw .inputOutput }
      return try FileOperations.live.descriptorStatus(descriptor)
    }
    // The file is the one that was locked before. A process that another test is starting has its descriptor, and with
    // it the lock, until it runs its program.
    try FileLock.acquire(for: directory("a"), timeout: 60, files: files).release()
    #expect(try directory.names() == ["a.lock"])
  }

  @Test("A stale number is overwritten") func aStaleNumberIsOverwritten() throws {
    try directory.write("a.lock", "123456789 and more\n")
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    defer { lock.release() }
    #expect(try directory.text("a.lock") == "\(getpid())\n")
  }

  @Test("One try only") func oneTryOnly() throws {
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    for timeout in [0, -1, Double.nan] {
      let error = #expect(throws: LockError.self) { try FileLock.acquire(for: directory("a"), timeout: timeout) }
      guard case .held(let path, let process, let waited) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(path == directory("a.lock") && process == getpid() && waited >= 0 && waited < 0.5)
    }
    // The one that did not get it leaves the holder's number alone.
    #expect(try directory.text("a.lock") == "\(getpid())\n")
    lock.release()
    try FileLock.acquire(for: directory("a"), timeout: 0).release()
  }

  @Test("Gone with its last reference") func goneWithItsLastReference() throws {
    do { _ = try FileLock.acquire(for: directory("a"), timeout: 0) }
    try FileLock.acquire(for: directory("a"), timeout: 0).release()
  }

  @Test(
    "Holder",
    arguments: [("", nil), ("12\n", 12), ("12", nil), ("x\n", nil), ("-1\n", nil), ("0\n", nil)] as [(String, Int32?)])
  func holder(_ text: String, _ process: Int32?) throws {
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    defer { lock.release() }
    try Data(text.utf8).write(to: URL(fileURLWithPath: directory("a.lock")), options: [])
    #expect(throws: LockError.held(path: directory("a.lock"), by: process, waited: 0)) {
      try FileLock.acquire(for: directory("a"), timeout: 0, clock: FakeClock().clock)
    }
  }

  @Test("Pauses grow") func pausesGrow() throws {
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    defer { lock.release() }
    let fake = FakeClock()
    let error = #expect(throws: LockError.self) {
      try FileLock.acquire(for: directory("a"), timeout: 0.1, clock: fake.clock)
    }
    let milliseconds = fake.sleeps.map { Int(($0 * 1000).rounded()) }
    #expect(milliseconds == [1, 2, 4, 8, 16, 20, 20, 20, 9])
    guard case .held(_, _, let waited) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(abs(waited - 0.1) < 1e-6)
  }

  @Test("Interruption ends the waiting") func interruptionEndsTheWaiting() throws {
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    defer { lock.release() }
    let fake = FakeClock()
    #expect(throws: LockError.interrupted) {
      try FileLock.acquire(for: directory("a"), timeout: .infinity, clock: fake.clock) { fake.sleeps.count == 5 }
    }
    // A lock that is free is got without asking.
    try FileLock.acquire(for: directory("b"), timeout: 0) { true }.release()
  }

  @Test("Got when released") func gotWhenReleased() throws {
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    let fake = FakeClock()
    let second = try FileLock.acquire(for: directory("a"), timeout: 60, clock: fake.clock) {
      if fake.sleeps.count == 3 { lock.release() }
      return false
    }
    defer { second.release() }
    #expect(fake.sleeps.count == 4)
    #expect(try directory.text("a.lock") == "\(getpid())\n")
  }

  @Test("A lock whose file is removed is none") func aLockWhoseFileIsRemovedIsNone() throws {
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    defer { lock.release() }
    #expect(lock.isInPlace)
    try FileManager.default.removeItem(atPath: directory("a.lock"))
    #expect(!lock.isInPlace)
    let second = try FileLock.acquire(for: directory("a"), timeout: 0)
    defer { second.release() }
    #expect(second.isInPlace && !lock.isInPlace)
    second.release()
    #expect(!second.isInPlace)
  }

  @Test("A file that is removed between opening and locking is left")
  func aFileThatIsRemovedBetweenOpeningAndLockingIsLeft() throws {
    let path = directory("a.lock")
    let removals = Counter(2)
    var files = FileOperations.live
    files.tryLock = { descriptor throws(Errno) in
      try FileOperations.live.tryLock(descriptor)
      if removals.takeOne() { try? FileManager.default.removeItem(atPath: path) }
    }
    let lock = try FileLock.acquire(for: directory("a"), timeout: 60, files: files)
    defer { lock.release() }
    #expect(lock.isInPlace)
    #expect(throws: LockError.self) { try FileLock.acquire(for: directory("a"), timeout: 0) }
    // A process that removes it all the time is waited for as long as any other.
    files.tryLock = { descriptor throws(Errno) in
      try FileOperations.live.tryLock(descriptor)
      try? FileManager.default.removeItem(atPath: path)
    }
    lock.release()
    #expect(throws: LockError.self) { try FileLock.acquire(for: directory("a"), timeout: 0.05, files: files) }
  }

  @Test("The real clock waits") func theRealClockWaits() throws {
    let lock = try FileLock.acquire(for: directory("a"), timeout: 0)
    defer { lock.release() }
    let start = Date()
    #expect(throws: LockError.self) { try FileLock.acquire(for: directory("a"), timeout: 0.15) }
    #expect(Date().timeIntervalSince(start) >= 0.14)
  }

  @Test("Two names share one lock") func twoNamesShareOneLock() throws {
    try directory.directory("sub")
    try directory.link("other", to: "sub")
    try directory.link("dangling", to: "sub/a")
    let lock = try FileLock.acquire(for: directory("dangling"), timeout: 0)
    defer { lock.release() }
    for name in ["sub/a", "other/a", "sub/../sub/./a", "dangling"] {
      #expect(throws: LockError.held(path: directory("sub/a.lock"), by: getpid(), waited: 0)) {
        try FileLock.acquire(for: directory(name), timeout: 0, clock: FakeClock().clock)
      }
    }
    // Saving does not change whose lock it is.
    try AtomicFile().replace(directory("dangling"), with: [1])
    #expect(throws: LockError.held(path: directory("sub/a.lock"), by: getpid(), waited: 0)) {
      try FileLock.acquire(for: directory("sub/a"), timeout: 0, clock: FakeClock().clock)
    }
  }
}

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

  @Test("Threads") func threads() throws {
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

  @Test("Tasks") func tasks() async throws {
    let path = directory("a")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { try Self.addOne(to: path) } }
      try await group.waitForAll()
    }
    #expect(try directory.text("a") == "50")
  }

  /// Without a lock changes are lost, but what is there is always whole, and no temporary stays.
  @Test("Saves without a lock are still whole") func savesWithoutALockAreStillWhole() throws {
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

/// A clock that only sleeping moves.
final class FakeClock: @unchecked Sendable {
  private let lock = NSLock()
  private var slept: [Double] = []

  var sleeps: [Double] { lock.withLock { slept } }

  var clock: LockClock {
    LockClock(
      now: { [self] in lock.withLock { slept.reduce(0, +) } },
      sleep: { [self] seconds in lock.withLock { slept.append(seconds) } })
  }
}
