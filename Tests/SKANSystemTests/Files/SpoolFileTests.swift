import Foundation
import Testing

@testable import SKANSystem

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
