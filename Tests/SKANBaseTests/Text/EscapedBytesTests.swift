import SKANBase
import Testing

@Suite("Bytes as a person reads them")
struct EscapedBytesTests {
  @Test(
    "Text stays as it is, and each byte that is not UTF-8 becomes an escape",
    arguments: [
      ([], ""), (Array("a.jsonl".utf8), "a.jsonl"), (Array("Zürich 日本 🙂".utf8), "Zürich 日本 🙂"),
      ([0x73, 0x74, 0xFF], #"st\xFF"#), ([0xC3], #"\xC3"#), ([0x80, 0x0A], "\\x80\n"),
      // The beginning of a character, an overlong one, and a surrogate.
      ([0xE2, 0x82, 0x61], #"\xE2\x82a"#), ([0xC0, 0xAF], #"\xC0\xAF"#), ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#),
    ] as [([UInt8], String)])
  func escaped(bytes: [UInt8], text: String) { #expect(String(escaping: bytes) == text) }
}
