import SKANBase
import TestSupport
import Testing

@testable import SKANRun

@Suite("Cutting bytes into lines")
struct LineReaderTests {
  /// The lines of some bytes that come in pieces; one that is too long as `>` and its beginning.
  private func lines(_ bytes: [UInt8], pieces size: Int = .max) throws -> (lines: [String], consumed: Int) {
    var rest = bytes[...]
    let source = ByteSource(isRegular: false) { buffer throws(SourceFailure) in
      let piece = rest.prefix(min(size, buffer.count))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    let reader = LineReader(source)
    var lines: [String] = []
    while let line = try reader.next() {
      switch line {
      case .line(let text): lines.append(String(decoding: text, as: UTF8.self))
      case .tooLong(let beginning): lines.append(">" + String(decoding: beginning.prefix(3), as: UTF8.self))
      }
    }
    return (lines, reader.consumed)
  }

  @Test(
    "Lines and what stands behind the last line end",
    arguments: [
      ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\na", ["", "", "a"]),
      ("a\r\nb", ["a\r", "b"]), ("a\rb", ["a\rb"]), ("ä\nß", ["ä", "ß"]), ("a\0b\n", ["a\0b"]),
    ], [1, 2, 3, .max])
  func lines(example: (text: String, lines: [String]), size: Int) throws {
    let read = try lines(Array(example.text.utf8), pieces: size)
    #expect(read.lines == example.lines)
    #expect(read.consumed == example.text.utf8.count)
  }

  @Test(
    "A line of 1 MiB is one; a longer one is passed over, and what follows is read",
    arguments: [-1, 0, 1, 2, 65_535, 65_536, 3 << 20], [.max, 50_000])
  func long(excess: Int, size: Int) throws {
    let length = LineReader.longest + excess
    for end in ["", "\n", "\nnext", "\nnext\n"] {
      let bytes = Array("first\n".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: length) + Array(end.utf8)
      let read = try lines(bytes, pieces: size)
      #expect(read.lines.count == (end.contains("next") ? 3 : 2))
      #expect(read.lines[0] == "first" && (read.lines.count == 2 || read.lines[2] == "next"))
      #expect(excess > 0 ? read.lines[1] == ">xxx" : read.lines[1].utf8.count == length)
      #expect(read.consumed == bytes.count)
    }
  }

  @Test("Two lines that are too long, one behind the other")
  func twice() throws {
    let line = [UInt8](repeating: UInt8(ascii: "y"), count: LineReader.longest + 9) + [0x0A]
    #expect(try lines(line + line + Array("z".utf8), pieces: 4_000).lines == [">yyy", ">yyy", "z"])
  }

  @Test("A line without an end comes to an end", .timeLimit(.minutes(TestTime.minutes)), .waits)
  func endless() throws {
    var count = 0
    let source = ByteSource(isRegular: false) { buffer throws(SourceFailure) in
      if count > LineReader.mostPassedOver * 2 { throw .unreadable("it reads on and on") }
      // As a debug build does it quickly.
      if let start = buffer.baseAddress { memset(start, 0x78, buffer.count) }
      count += buffer.count
      return buffer.count
    }
    let reader = LineReader(source)
    guard case .tooLong? = try reader.next() else {
      Issue.record("it is not too long")
      return
    }
    #expect(try reader.next() == nil)
  }

  @Test("A failure is passed on")
  func failure() throws {
    let reader = LineReader(ByteSource(isRegular: true) { _ throws(SourceFailure) in throw .unreadable("bad disk") })
    #expect(throws: SourceFailure.unreadable("bad disk")) { try reader.next() }
  }
}
