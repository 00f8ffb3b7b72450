import Testing

@testable import SKANBase

/// Mistakes that were mended, so that they stay so.
@Suite("Mended: JSON")
struct JSONReaderRegressionTests {
  @Test(
    "Invalid UTF-8 is reported at its first wrong byte, not at the start of its string",
    arguments: [([0x61, 0x62, 0xFF], 3), ([0xC3, 0xA9, 0xC3], 3), ([0x5C, 0x6E, 0x61, 0xFF], 4)] as [([UInt8], Int)])
  func invalidUTF8Offset(bytes: [UInt8], offset: Int) {
    #expect(throws: JSONError(problem: .invalidUTF8, offset: offset)) {
      try JSONReader.read([0x22] + bytes + [0x22])
    }
  }

  @Test("The line of a location is without its end, CRLF too")
  func crlf() {
    let index = TextLocation(of: 0..<4, in: Array("abc\r\nd\r\n".utf8))
    #expect(Array(index.text.utf8) == Array("abc".utf8))
    #expect(index.length == 3)
  }

  @Test("An object of 2,000 keys takes no longer than its bytes do")
  func manyKeys() throws {
    let text = "{" + (0..<2000).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
    let duration = try ContinuousClock().measure { _ = try JSONReader.read(Array(text.utf8)).value }
    // As an array of the same bytes takes some 20 ms even in a debug build.
    #expect(duration < .milliseconds(500))
  }
}
