import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANHTTP

@Suite("Bytes of HTTP, each of the 256")
struct HTTPByteTests {
  private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

  @Test("The classes of RFC 9110 and RFC 3986") func classesRFC() {
    for byte in UInt8.min...UInt8.max {
      func isAny(of text: String) -> Bool { text.utf8.contains(byte) }
      #expect(byte.isTokenByte == isAny(of: Self.letters + "!#$%&'*+-.^_`|~"), "\(byte)")
      #expect(byte.isHostByte == isAny(of: Self.letters + "-._~:[]%!$&'()*+,;="), "\(byte)")
      #expect(byte.isBlank == isAny(of: " \t") && byte.isControl == (byte < 32 || byte == 127), "\(byte)")
      #expect(byte.asciiLowercased == (isAny(of: "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ? byte + 32 : byte), "\(byte)")
      let field = HTTPField("A", String(UnicodeScalar(byte & 0x7F)))
      #expect(field.isWellFormed == !(byte & 0x7F < 32 && byte & 0x7F != 9 || byte & 0x7F == 127), "\(byte)")
    }
  }

  @Test("The characters of a URL") func charactersURL() {
    for code in (0x21...0x7E as ClosedRange<UInt8>) where !"#?/@:[]".utf8.contains(code) {
      let character = String(UnicodeScalar(code))
      let (host, path) = (try? URLParts("http://a\(character)b/"), try? URLParts("http://a/b\(character)"))
      #expect((host != nil) == (Self.letters + "-._").contains(character), "\(character)")
      #expect((path != nil) == (Self.letters + "-._~!$&'()*+,;=%").contains(character), "\(character)")
    }
    for text in ["http://a/@:b", "http://[::1]/", "http://[1:2:F]:1/", "http://a:65535"] {
      #expect((try? URLParts(text)) != nil, "\(text)")
    }
    for text in ["http://[:1]/", "http://[a]/", "http://[::g]/", "http://a:65536", "http://a:0", "http://[::1]x/"] {
      #expect((try? URLParts(text)) == nil, "\(text)")
    }
  }
}
