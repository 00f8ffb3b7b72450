import SKANBase
import Testing

@Suite("Classes of ASCII")
struct ASCIITests {
  @Test(
    "Of all bytes exactly these",
    arguments: [
      (\UInt8.isASCIIDigit, "0123456789"), (\.isASCIICapital, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
      (\.isASCIILetter, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
      (\.isASCIILetterOrDigit, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
      (\.isLineSpace, "\t\r "),
    ] as [(any KeyPath<UInt8, Bool> & Sendable, String)])
  func bytes(of path: any KeyPath<UInt8, Bool> & Sendable, are expected: String) {
    #expect((UInt8.min...UInt8.max).filter { $0[keyPath: path] } == Array(expected.utf8))
  }

  @Test("Hexadecimal digits and their values")
  func hexadecimal() {
    let values = (UInt8.min...UInt8.max).compactMap { byte in byte.hexValue.map { (byte, $0) } }
    #expect(values.map(\.0) == Array("0123456789ABCDEFabcdef".utf8))
    #expect(values.map(\.1) == Array(0...15) + Array(10...15))
  }

  @Test("Characters", arguments: [("7", true), ("٣", false), ("7\u{301}", false), ("x", false)] as [(Character, Bool)])
  func characters(character: Character, isDigit: Bool) {
    #expect(character.isASCIIDigit == isDigit)
  }

  @Test("Bytes are ASCII if each is, at every place of every length")
  func asciiBytes() {
    for count in 0...70 {
      var bytes = [UInt8](repeating: 0x7F, count: count)
      #expect(unsafe bytes.withUnsafeBufferPointer { unsafe $0.isASCII })
      for place in bytes.indices {
        bytes[place] = 0x80
        #expect(unsafe !bytes.withUnsafeBufferPointer { unsafe $0.isASCII }, "\(place) of \(count)")
        bytes[place] = 0x7F
      }
    }
  }
}
