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
