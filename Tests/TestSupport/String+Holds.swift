import Foundation

extension String {
  /// Whether these bytes stand in it somewhere, as the C library finds them: tests look for hundreds of texts in long ones.
  package func holds(_ part: [UInt8]) -> Bool {
    Self.withText(Array(utf8)) { text in Self.withText(part) { strstr(text, $0) != nil } }
  }

  /// The bytes as a text of C, with 1 for each 0.
  private static func withText(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Bool) -> Bool {
    var bytes = bytes
    if memchr(bytes, 0, bytes.count) != nil { bytes = bytes.map { $0 == 0 ? 1 : $0 } }
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in text.baseAddress.map(body) ?? false }
    }
  }
}
