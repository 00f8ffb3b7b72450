import SKANRun
import Testing

@testable import SKANBacktest

@Suite("What the beginning of an input says")
struct ExportInputTests {
  /// Everything that an input comes to, as a line.
  private func open(_ source: ByteSource, blockSize: Int = 64) throws(ExportFailure) -> String {
    switch try ExportInput.open(source, file: "x", index: 0, blockSize: blockSize) {
    case .empty: return "empty"
    case .eventList: return "event list"
    case .rows(let blocks):
      var (rows, line) = (0, 0)
      while let block = try blocks.next() { (rows, line) = (rows + 1, block.firstLine) }
      return "\(blocks.layout.columns.map { String($0.prefix(9)) }.joined(separator: " ")): \(rows) from \(line)"
    }
  }

  private func failure(_ source: ByteSource, blockSize: Int = 64) -> ExportFailure? {
    do throws(ExportFailure) {
      _ = try open(source, blockSize: blockSize)
      return nil
    } catch { return error }
  }

  /// Gives some bytes, and then no more.
  private func failing(after bytes: [UInt8]) -> ByteSource {
    var isOver = false
    return ByteSource(isRegular: false) { buffer throws(SourceFailure) in
      if isOver { throw .unreadable("input/output error") }
      isOver = true
      buffer.copyBytes(from: bytes)
      return bytes.count
    }
  }

  private static let long = String(repeating: "n", count: 9000)

  @Test(
    "The first record may be longer than a read",
    arguments: [
      ("device,\(long)\na,1\n", "device nnnnnnnnn: 1 from 2"), ("device,\(long)", "device nnnnnnnnn: 0 from 0"),
      ("{\"a\":1,\"b\":{\"c\":\"\(long)\",\"d\":{}}}", "a b.c b.d: 1 from 1"),
      ("{\"a\":\"\(long)\"}\n{}\n", "a: 1 from 1"), ("{}\n", ": 1 from 1"),
      ("{\"name\":\"\(long)\",\"op\":\"event\"}", "event list"), ("# \(long)\n\n{\"op\":\"event\"}\n", "event list"),
      ("", "empty"), (" \r\n\n", "empty"), ("\n\(long)", "nnnnnnnnn: 0 from 0"),
    ])
  func beginnings(text: String, expected: String) throws { #expect(try open(ByteSource(Array(text.utf8))) == expected) }

  @Test(
    "What is no export",
    arguments: [
      (Array("a,b\n1,2\n3,\0\n".utf8), 3, "this line has a NUL byte: is it a text?"),
      (Array("\0".utf8), 1, "this line has a NUL byte: is it a text?"),
      (Array("{\"a\":1,}\n".utf8), 1, "not JSON: "),
      (Array("# list\n{\"a\":x}\n".utf8), 2, "not JSON: "),
      (Array("{\"a\":1".utf8), 1, "not JSON: the text ends too early"),
      ([0xFF, 0xFE, 0x61, 0], 1, "this is UTF-16: write it as UTF-8"),
      (Array("PK\u{3}\u{4}".utf8), 1, "this is a ZIP archive: unzip -p FILE | skan … reads what is in it"),
    ] as [([UInt8], Int, String)])
  func refused(bytes: [UInt8], line: Int, message: String) {
    guard case .content(line, let said)? = failure(ByteSource(bytes)) else {
      Issue.record("\(String(describing: failure(ByteSource(bytes))))")
      return
    }
    #expect(message.hasSuffix(" ") ? said.hasPrefix(message) : said == message)
  }

  @Test func `The first record ends within a mebibyte`() {
    #expect(
      failure(ByteSource(Array(repeating: 0x61, count: 3 << 20)))
        == .content(line: 1, message: "its first record has more than 1048576 bytes"))
  }

  @Test func `A record that never ends is named by its line`() {
    let text = "a,b\n1,2\n3,\"" + String(repeating: "x\n", count: 1 << 20) + "\"\n4,5\n"
    #expect(
      failure(ByteSource(Array(text.utf8)), blockSize: 1 << 20)
        == .content(line: 3, message: "the record of this line has more than 1048576 bytes: is a quote missing?"))
  }

  @Test func `A record may be longer than a block`() throws {
    let text = "a,b\n" + String(repeating: "\(Self.long)\(Self.long),x\n", count: 3)
    #expect(try open(ByteSource(Array(text.utf8))) == "a b: 3 from 4")
  }

  @Test func `A source that fails is that, and no end`() {
    let reason = ExportFailure.source(.unreadable("input/output error"))
    #expect(failure(failing(after: [])) == nil)
    #expect(failure(failing(after: Array("a,b".utf8))) == reason)
    #expect(failure(failing(after: Array("a,b\n\(String(repeating: "1,2\n", count: 1023))".utf8))) == reason)
  }
}
