/// Writes JSON values as UTF-8 text, the same bytes for the same value.
package enum JSONWriter {
  /// Where a text stands decides how it is laid out. Of the raw value the first bit says that it is indented, the second
  /// that it keeps the order of keys and how numbers were given: both are asked for every value.
  package enum Layout: UInt8, Sendable {
    /// One line without spaces, keys sorted: a result in a stream.
    case compact = 0b00
    /// Two spaces of indentation, keys sorted: a result that a person reads.
    case indented = 0b01
    /// One line without spaces, keys in the order given, and 5.0 kept apart from 5: a step of a list.
    case line = 0b10
    /// Two spaces of indentation, keys in the order given, and 5.0 kept apart from 5: a file that a person edits and
    /// that must read back exactly.
    case file = 0b11

    @inline(__always)
    fileprivate var isIndented: Bool { rawValue & 0b01 != 0 }

    @inline(__always)
    fileprivate var isLiteral: Bool { rawValue & 0b10 != 0 }
  }

  /// `value` as text, without a newline at its end. Control characters, line separators
  /// and whatever else cannot be seen or changes the direction of others are escaped, slashes are not.
  package static func text(_ value: JSON, layout: Layout = .compact) -> String {
    var bytes: [UInt8] = []
    write(value, layout: layout, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds the text of `value`.
  package static func write(_ value: JSON, layout: Layout = .compact, into bytes: inout [UInt8]) {
    var text = ByteText()
    write(value, layout: layout, into: &text)
    text.append(to: &bytes)
  }

  static func write(_ value: JSON, layout: Layout, into text: inout ByteText) {
    var written = WrittenObjects()
    write(value, layout: layout, depth: 0, &written, into: &text)
  }

  /// - Parameter written: the objects that were written last.
  private static func write(
    _ value: JSON, layout: Layout, depth: Int, _ written: inout WrittenObjects, into text: inout ByteText
  ) {
    switch value {
    case .null: text.append("null")
    case .bool(let flag): text.append(flag ? "true" : "false")
    case .integer(let number): text.append(number)
    case .unsigned(let number): text.append(number)
    case .double(let number): text.append(layout.isLiteral ? number.description : number.jsonText)
    case .string(let string): text.appendQuoted(string)
    case .array(let items):
      list(items.count, "[", "]", layout, depth, into: &text) { position, text in
        write(items[position], layout: layout, depth: depth + 1, &written, into: &text)
      }
    case .object(let members):
      // Where each line is indented, the text of an object depends on where it stands.
      let isKept = !layout.isIndented && members.count >= WrittenObjects.leastMembers
      if isKept, let range = written.range(of: members) { return text.append(again: range) }
      let start = text.count
      defer { if isKept { written.add(members, at: start..<text.count) } }
      let positions = layout.isLiteral ? nil : members.order
      list(members.count, "{", "}", layout, depth, into: &text) { index, text in
        let position = positions?[index] ?? index
        text.appendQuoted(members[position].key)
        text.append(UInt8(ascii: ":"))
        if layout.isIndented { text.append(UInt8(ascii: " ")) }
        write(members[position].value, layout: layout, depth: depth + 1, &written, into: &text)
      }
    }
  }

  private static func list(
    _ count: Int, _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ layout: Layout, _ depth: Int,
    into text: inout ByteText, write: (Int, inout ByteText) -> Void
  ) {
    text.append(UInt8(ascii: open))
    let indent = !layout.isIndented || count == 0 ? nil : "\n" + String(repeating: "  ", count: depth)
    for position in 0..<count {
      if position > 0 { text.append(UInt8(ascii: ",")) }
      if let indent { text.append(indent + "  ") }
      write(position, &text)
    }
    if let indent { text.append(indent) }
    text.append(UInt8(ascii: close))
  }

  /// `string` in quotes, with the escapes that a line of output needs.
  package static func quoted(_ string: String) -> String {
    var bytes: [UInt8] = []
    writeQuoted(string, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds `string` in quotes to a text.
  package static func writeQuoted(_ string: String, into bytes: inout [UInt8]) {
    var text = ByteText()
    text.appendQuoted(string)
    text.append(to: &bytes)
  }

}

extension UInt8 {
  /// ASCII that needs no escape in a JSON string.
  package var isPlainInJSON: Bool { (0x20...0x7E).contains(self) && self != 0x22 && self != 0x5C }
}

extension String {
  /// On one line, for a person: what cannot be seen, or moves other characters, as escapes.
  package var oneLine: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
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
