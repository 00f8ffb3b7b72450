/// Takes the SDK key out of texts, in whatever form it comes back: as it is, percent-encoded in either case, with `+`
/// for a space or a space for `+`, and escaped for JSON, also twice, as `\/` or, where it is ASCII, as `\u0026`.
struct Redactor: Sendable {
  private let key: [UInt8]

  /// Keys of fewer bytes are no keys, and would black out ordinary words.
  private static let shortest = 4
  private static let mark = Array("REDACTED".utf8)

  init(key: String?) {
    let bytes = Array((key ?? "").utf8)
    self.key = bytes.count < Self.shortest ? [] : bytes
  }

  /// Whether there is nothing to take out.
  var isEmpty: Bool { key.isEmpty }

  func redacted(_ text: String) -> String {
    guard !key.isEmpty else { return text }
    let bytes = Array(text.utf8)
    let result = redacted(bytes)
    return result == bytes ? text : String(decoding: result, as: UTF8.self)
  }

  func redacted(_ bytes: [UInt8]) -> [UInt8] {
    guard !key.isEmpty else { return bytes }
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if let end = end(ofKeyAt: position, in: bytes) {
        result += Self.mark
        position = end
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }

  /// Where the key that begins here ends, in any of its forms.
  private func end(ofKeyAt start: Int, in bytes: [UInt8]) -> Int? {
    var position = start
    for byte in key {
      guard let end = self.end(of: byte, at: position, in: bytes) else { return nil }
      position = end
    }
    return position
  }

  private func end(of byte: UInt8, at start: Int, in bytes: [UInt8]) -> Int? {
    guard start < bytes.count else { return nil }
    if let end = unicodeEnd(of: byte, at: start, in: bytes) { return end }
    var position = start
    // Escapes before a quote, a slash or a backslash; never before the first byte of an ordinary word.
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") {
      while position < bytes.count, bytes[position] == UInt8(ascii: "\\") { position += 1 }
      if byte == UInt8(ascii: "\\") { return position > start ? position : percentEnd(of: byte, at: start, in: bytes) }
      guard position < bytes.count else { return nil }
    }
    if bytes[position] == byte { return position + 1 }
    let isSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "+")
    if isSpace, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: " ") { return position + 1 }
    return percentEnd(of: byte, at: position, in: bytes)
      ?? (byte == UInt8(ascii: "+") ? percentEnd(of: UInt8(ascii: " "), at: position, in: bytes) : nil)
  }

  /// Some servers write `&`, `<` and `>` so, and may write anything so.
  private func unicodeEnd(of byte: UInt8, at start: Int, in bytes: [UInt8]) -> Int? {
    guard bytes[start] == UInt8(ascii: "\\"), byte < 0x80 else { return nil }
    var position = start
    while position < bytes.count, bytes[position] == UInt8(ascii: "\\") { position += 1 }
    guard position + 4 < bytes.count, bytes[position] == UInt8(ascii: "u"),
      UInt32(String(decoding: bytes[position + 1...position + 4], as: UTF8.self), radix: 16) == UInt32(byte)
    else { return nil }
    return position + 5
  }

  private func percentEnd(of byte: UInt8, at start: Int, in bytes: [UInt8]) -> Int? {
    guard start + 2 < bytes.count, bytes[start] == UInt8(ascii: "%"),
      let value = UInt8(String(decoding: bytes[start + 1...start + 2], as: UTF8.self), radix: 16), value == byte
    else { return nil }
    return start + 3
  }
}
