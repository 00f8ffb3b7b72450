import SKANBase
import Testing

@Suite("FNV-1a")
struct FNV1aTests {
  /// The vectors of the authors' own test program.
  @Test(
    "64 bits",
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func vectors(text: String, hash: UInt64) {
    #expect(fnv1a(text) == hash)
    #expect(fnv1a(Array(text.utf8)) == hash)
    #expect(fnv1a(text.dropFirst().utf8, after: fnv1a(text.prefix(1).utf8)) == hash)
  }
}
