import Foundation
import SKANBase
import Testing

@Suite("Base64url")
struct Base64URLTests {
  @Test("Of every length, as Foundation encodes it")
  func lengths() throws {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
      let text = Base64URL.encode(bytes)
      let other = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      #expect(text == other.replacing("=", with: ""))
      #expect(Base64URL.decode(text.utf8) == bytes)
    }
  }

  @Test(
    "What no encoder writes is refused",
    arguments: ["A", "AA=", "AA==", "AB", "AAB", "A+A/", "AA AA", "AAAAA", "AA\n", "ÄÄ", "AAA=", "AAAB-_.", "="])
  func refused(text: String) { #expect(Base64URL.decode(text.utf8) == nil) }
}
