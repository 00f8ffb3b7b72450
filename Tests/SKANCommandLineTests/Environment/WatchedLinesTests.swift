import Foundation
import SKANBase
import SKANSystem
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("Lines for a person who may not look")
struct WatchedLinesTests {
  /// A pipe whose both ends never wait.
  private struct Ends {
    let reader, writer: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      (reader, writer) = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    /// All that is in the pipe.
    func drain() -> String {
      var bytes: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 65536)
      while case let count = read(reader, &block, block.count), count > 0 { bytes += block[..<count] }
      return String(decoding: bytes, as: UTF8.self)
    }

    func close() {
      Foundation.close(reader)
      Foundation.close(writer)
    }
  }

  @Test("A full pipe holds nothing up: lines are left out, and how many is said when there is room")
  func full() throws {
    let ends = try Ends()
    defer { ends.close() }
    let lines = WatchedLines(ends.writer, isStyled: false)
    let line = String(repeating: "x", count: 999) + "\n"
    for _ in 0..<200 { lines.write(Array(line.utf8)) }
    let read = ends.drain()
    let count = read.split(separator: "\n").count
    #expect(read == String(repeating: line, count: count) && (1..<200).contains(count))
    lines.write(Array("last\n".utf8))
    #expect(ends.drain() == "skan: \(200 - count) lines left out: nothing read them in time\nlast\n")
    lines.write(Array("more\n".utf8))
    #expect(ends.drain() == "more\n")
  }

  @Test("A long line that is cut ends in a mark")
  func torn() throws {
    let ends = try Ends()
    defer { ends.close() }
    let lines = WatchedLines(ends.writer, isStyled: false)
    lines.write(Array((String(repeating: "y", count: 1 << 20) + "\n").utf8))
    let read = ends.drain()
    #expect(read.allSatisfy { $0 == "y" } && read.count % 4096 == 0 && !read.isEmpty)
    lines.write(Array("next\n".utf8))
    #expect(ends.drain() == "…\nskan: 1 line left out: nothing read them in time\nnext\n")
  }

  @Test("What a terminal would act upon is written visibly, unless the program has made it", arguments: [true, false])
  func escapes(isStyled: Bool) throws {
    let ends = try Ends()
    defer { ends.close() }
    WatchedLines(ends.writer, isStyled: isStyled).write(Array("\u{1B}[1ma\n".utf8))
    #expect(ends.drain().hasPrefix("\u{1B}") == isStyled)
  }
}
