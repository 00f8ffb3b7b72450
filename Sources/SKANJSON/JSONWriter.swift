/// Writes JSON values as UTF-8 text, the same bytes for the same value.
package enum JSONWriter {
  /// Where a text stands decides how it is laid out.
  package enum Layout: Sendable {
    /// One line without spaces, keys sorted: a result in a stream.
    case compact
    /// Two spaces of indentation, keys sorted: a result that a person reads.
    case indented
    /// Two spaces of indentation, keys in the order given, and 5.0 kept apart from 5: a file that a person edits and
    /// that must read back exactly.
    case file
  }

  /// `value` as text, without a newline at its end. Control characters and the line separators U+2028 and U+2029 are
  /// escaped, slashes are not.
  package static func text(_ value: JSON, layout: Layout = .compact) -> String {
    var bytes: [UInt8] = []
    write(value, layout: layout, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds the text of `value`.
  package static func write(_ value: JSON, layout: Layout = .compact, into bytes: inout [UInt8]) {
    write(value, layout: layout, depth: 0, into: &bytes)
  }

  private static func write(_ value: JSON, layout: Layout, depth: Int, into bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .integer(let number): bytes += String(number).utf8
    case .unsigned(let number): bytes += String(number).utf8
    case .double(let number): bytes += (layout == .file ? number.description : number.jsonText).utf8
    case .string(let string): writeQuoted(string, into: &bytes)
    case .array(let items):
      list(items, "[", "]", layout, depth, into: &bytes) { item, bytes in
        write(item, layout: layout, depth: depth + 1, into: &bytes)
      }
    case .object(let members):
      let isOrdered = layout == .file || members.isSorted
      let ordered = isOrdered ? members : members.sorted { $0.key.literallyPrecedes($1.key) }
      list(ordered, "{", "}", layout, depth, into: &bytes) { member, bytes in
        writeQuoted(member.key, into: &bytes)
        bytes += (layout == .compact ? ":" : ": ").utf8
        write(member.value, layout: layout, depth: depth + 1, into: &bytes)
      }
    }
  }

  private static func list<Item>(
    _ items: [Item], _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ layout: Layout, _ depth: Int,
    into bytes: inout [UInt8], write: (Item, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    let indent = layout == .compact || items.isEmpty ? nil : "\n" + String(repeating: "  ", count: depth)
    var isFirst = true
    for item in items {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      if let indent { bytes += (indent + "  ").utf8 }
      write(item, &bytes)
    }
    if let indent { bytes += indent.utf8 }
    bytes.append(UInt8(ascii: close))
  }

  /// `string` in quotes, with the escapes that a line of output needs.
  package static func quoted(_ string: String) -> String {
    var bytes: [UInt8] = []
    writeQuoted(string, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds `string` in quotes to a text.
  package static func writeQuoted(_ string: String, into bytes: inout [UInt8]) {
    var string = string
    string.withUTF8 { writeQuoted($0, into: &bytes) }
  }

  /// Adds a text of UTF-8 in quotes; what is none becomes U+FFFD.
  package static func writeQuoted(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // Nearly every text goes out as it stands, and then in one piece.
    var start = 0
    while start < text.count {
      let end = JSONPlain.end(of: text, from: start)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
      guard end < text.count else { break }
      // Only what is within ASCII is known by a byte; the rest goes by scalars.
      if text[end] >= 0x7F {
        writeEscaped(String(decoding: text[end...], as: UTF8.self).unicodeScalars, into: &bytes)
        break
      }
      bytes.appendEscape(of: text[end])
      start = end + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func writeEscaped(_ scalars: String.UnicodeScalarView, into bytes: inout [UInt8]) {
    for scalar in scalars {
      switch scalar {
      case "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": bytes.appendHex(scalar.value)
      case _ where scalar.isASCII:
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        if byte.isPlainInJSON { bytes.append(byte) } else { bytes.appendEscape(of: byte) }
      default: bytes += String(scalar).utf8
      }
    }
  }
}

extension [(key: String, value: JSON)] {
  /// Whether the keys stand in code point order already.
  fileprivate var isSorted: Bool {
    for index in indices.dropFirst() where !self[index - 1].key.literallyPrecedes(self[index].key) { return false }
    return true
  }
}

extension [UInt8] {
  /// The escape of a control character, a quote or a backslash.
  fileprivate mutating func appendEscape(of byte: UInt8) {
    let letter: UInt8
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
    case UInt8(ascii: "\n"): letter = UInt8(ascii: "n")
    case UInt8(ascii: "\r"): letter = UInt8(ascii: "r")
    case UInt8(ascii: "\t"): letter = UInt8(ascii: "t")
    default: return appendHex(UInt32(byte))
    }
    append(UInt8(ascii: "\\"))
    append(letter)
  }

  fileprivate mutating func appendHex(_ code: UInt32) {
    let hex = String(code, radix: 16)
    self += "\\u\(String(repeating: "0", count: 4 - hex.count))\(hex)".utf8
  }
}

extension UInt8 {
  /// ASCII that needs no escape in a JSON string.
  package var isPlainInJSON: Bool { (0x20...0x7E).contains(self) && self != 0x22 && self != 0x5C }
}

extension String {
  /// On one line, for a person: control characters as escapes.
  package var oneLine: String {
    guard
      unicodeScalars.contains(where: {
        $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x2028 || $0.value == 0x2029
      })
    else { return self }
    return String(JSONWriter.quoted(self).dropFirst().dropLast()).replacing("\\\"", with: "\"")
      .replacing("\\\\", with: "\\")
  }
}

extension Double {
  /// The shortest text that reads back as this number, whole numbers without a fraction: `5`, `-0`, `9.99`, `1e-50`.
  package var jsonText: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
