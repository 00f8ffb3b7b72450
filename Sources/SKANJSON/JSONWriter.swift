/// Writes JSON values as text, the same bytes for the same value.
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
    var text = ""
    write(value, layout: layout, depth: 0, into: &text)
    return text
  }

  private static func write(_ value: JSON, layout: Layout, depth: Int, into text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .unsigned(let number): text += String(number)
    case .double(let number): text += layout == .file ? number.description : number.jsonText
    case .string(let string): writeQuoted(string, into: &text)
    case .array(let items):
      list(items, "[", "]", layout, depth, into: &text) { item, text in
        write(item, layout: layout, depth: depth + 1, into: &text)
      }
    case .object(let members):
      let ordered =
        layout == .file ? members : members.sorted { $0.key.literallyPrecedes($1.key) }
      list(ordered, "{", "}", layout, depth, into: &text) { member, text in
        writeQuoted(member.key, into: &text)
        text += layout == .compact ? ":" : ": "
        write(member.value, layout: layout, depth: depth + 1, into: &text)
      }
    }
  }

  private static func list<Item>(
    _ items: [Item], _ open: String, _ close: String, _ layout: Layout, _ depth: Int, into text: inout String,
    write: (Item, inout String) -> Void
  ) {
    text += open
    let indent = layout == .compact || items.isEmpty ? nil : "\n" + String(repeating: "  ", count: depth)
    for (index, item) in items.enumerated() {
      if index > 0 { text += "," }
      if let indent { text += indent + "  " }
      write(item, &text)
    }
    if let indent { text += indent }
    text += close
  }

  /// `string` in quotes, with the escapes that a line of output needs.
  package static func quoted(_ string: String) -> String {
    var text = ""
    writeQuoted(string, into: &text)
    return text
  }

  /// Adds `string` in quotes to a text.
  package static func writeQuoted(_ string: String, into text: inout String) {
    text += "\""
    // Nearly every text goes out as it stands, and then in one piece.
    if string.utf8.allSatisfy(\.isPlainInJSON) { text += string } else { text += escaped(string) }
    text += "\""
  }

  private static func escaped(_ string: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(string.utf8.count * 2)
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes.appendEscape(UInt8(truncatingIfNeeded: scalar.value))
      case "\n": bytes.appendEscape(UInt8(ascii: "n"))
      case "\r": bytes.appendEscape(UInt8(ascii: "r"))
      case "\t": bytes.appendEscape(UInt8(ascii: "t"))
      case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let hex = String(scalar.value, radix: 16)
        bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - hex.count))\(hex)".utf8)
      case _ where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate mutating func appendEscape(_ letter: UInt8) {
    append(UInt8(ascii: "\\"))
    append(letter)
  }
}

extension UInt8 {
  /// ASCII that needs no escape in a JSON string.
  fileprivate var isPlainInJSON: Bool { (0x20...0x7E).contains(self) && self != 0x22 && self != 0x5C }
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
