/// Decodes the characters of a text that may be escaped for URLs, for JSON and similar syntaxes, or for HTML, and
/// escaped repeatedly.
struct EscapeReader {
  /// The number of levels of escaping that are decoded.
  static let depth = 3

  /// One reading of the bytes at an offset: a character of one to four bytes.
  struct Unit: Equatable {
    private let value: UInt32
    let count: Int
    let end: Int

    init(_ byte: UInt8, end: Int) {
      value = UInt32(byte)
      count = 1
      self.end = end
    }

    /// The UTF-8 encoding of a scalar; nil if the value is not a Unicode scalar.
    init?(scalar: UInt32, end: Int) {
      guard let scalar = Unicode.Scalar(scalar) else { return nil }
      value = UTF8.encode(scalar).map { Array($0).reversed().reduce(0) { $0 << 8 | UInt32($1) } } ?? 0
      count = UTF8.width(scalar)
      self.end = end
    }

    subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: value >> UInt32(index * 8)) }

    /// The byte of an ASCII character; nil for any other.
    var ascii: UInt8? { count == 1 && value < 0x80 ? self[0] : nil }
  }

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether an escape can begin with this byte.
  static func begins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
  }

  /// All readings of the bytes at an offset, in a text that was escaped up to `depth` times. The unescaped reading
  /// comes first.
  func units(at position: Int, depth: Int) -> [Unit] {
    guard position < bytes.count else { return [] }
    let byte = bytes[position]
    guard depth > 0, Self.begins(byte) else { return [Unit(byte, end: position + 1)] }
    let inner = units(at: position, depth: depth - 1)
    var units = inner
    for lead in inner {
      switch lead.ascii {
      case UInt8(ascii: "%")?: addPercent(lead.end, depth - 1, to: &units)
      case UInt8(ascii: "\\")?: addBackslash(lead.end, depth - 1, to: &units)
      case UInt8(ascii: "&")?: addEntity(lead.end, depth - 1, to: &units)
      default: break
      }
    }
    return units
  }

  /// The whole text, unescaped as far as possible.
  func plain(depth: Int) -> DecodedView {
    var result: [UInt8] = []
    var source: [Range<Int>] = []
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      let unit = Self.begins(byte) ? units(at: position, depth: depth).last : nil
      guard let unit else {
        result.append(byte)
        source.append(position..<position + 1)
        position += 1
        continue
      }
      for index in 0..<unit.count {
        result.append(unit[index])
        source.append(position..<unit.end)
      }
      position = unit.end
    }
    return DecodedView(bytes: result, source: source)
  }

  /// Whether the text ends here, or was truncated here, as an ellipsis marks.
  func isCut(at position: Int, endIsCut: Bool) -> Bool {
    if position >= bytes.count { return endIsCut }
    let rest = bytes[position...].prefix(3)
    return rest.elementsEqual("…".utf8) || rest.elementsEqual("...".utf8)
  }

  /// The offset where the text is truncated, if that is within an escape that begins here.
  func end(ofCutEscapeAt position: Int, endIsCut: Bool) -> Int? {
    guard position < bytes.count, Self.begins(bytes[position]) else { return nil }
    let rest = bytes[position...].prefix(24)
    // Part of a doubly escaped escape may be complete, as in `&amp;qu`.
    let end = rest.firstIndex {
      !($0.isASCIILetter || $0.hexValue != nil || Self.begins($0) || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: ";"))
    }
    let last = end ?? rest.endIndex
    return isCut(at: last, endIsCut: endIsCut) ? last : nil
  }

  // MARK: The kinds of escapes. The characters after the first one may be escaped themselves, one level less deep.

  private func addPercent(_ start: Int, _ depth: Int, to units: inout [Unit]) {
    if let (value, end) = hex(at: start, depth, digits: 2...2) { units.add(Unit(UInt8(value), end: end)) }
    if let (_, next) = character(at: start, depth, where: { $0 | 0x20 == UInt8(ascii: "u") }),
      let (value, end) = hex(at: next, depth, digits: 4...4), let unit = Unit(scalar: value, end: end)
    {
      units.add(unit)
    }
  }

  private func addBackslash(_ start: Int, _ depth: Int, to units: inout [Unit]) {
    for follower in self.units(at: start, depth: depth) {
      if let letter = follower.ascii, letter > 0x20 { addBackslash(letter, follower.end, depth, to: &units) }
    }
  }

  private func addBackslash(_ letter: UInt8, _ next: Int, _ depth: Int, to units: inout [Unit]) {
    switch letter {
    case UInt8(ascii: "u"): addUnicode(next, depth, to: &units)
    case UInt8(ascii: "x"):
      guard let (value, end) = hex(at: next, depth, digits: 2...2) else { return }
      units.add(Unit(UInt8(value), end: end))
      if value >= 0x80, let unit = Unit(scalar: value, end: end) { units.add(unit) }
    case UInt8(ascii: "n"): units.add(Unit(0x0A, end: next))
    case UInt8(ascii: "r"): units.add(Unit(0x0D, end: next))
    case UInt8(ascii: "t"): units.add(Unit(0x09, end: next))
    case UInt8(ascii: "b"): units.add(Unit(0x08, end: next))
    case UInt8(ascii: "f"): units.add(Unit(0x0C, end: next))
    case _ where !letter.isASCIILetter: units.add(Unit(letter, end: next))
    default: break
    }
  }

  /// The digits after `\u`: `0041`, `d83d\ude00` or `{1F600}`.
  private func addUnicode(_ start: Int, _ depth: Int, to units: inout [Unit]) {
    if let (_, next) = character(at: start, depth, where: { $0 == UInt8(ascii: "{") }),
      let (value, end) = hex(at: next, depth, digits: 1...6),
      let (_, last) = character(at: end, depth, where: { $0 == UInt8(ascii: "}") }),
      let unit = Unit(scalar: value, end: last)
    {
      units.add(unit)
    }
    guard let (high, end) = hex(at: start, depth, digits: 4...4) else { return }
    if let unit = Unit(scalar: high, end: end) { return units.add(unit) }
    guard (0xD800..<0xDC00).contains(high) else { return }
    for second in self.units(at: end, depth: depth) where second.ascii == UInt8(ascii: "\\") {
      guard let (_, digits) = character(at: second.end, depth, where: { $0 == UInt8(ascii: "u") }),
        let (low, last) = hex(at: digits, depth, digits: 4...4), (0xDC00..<0xE000).contains(low),
        let unit = Unit(scalar: 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), end: last)
      else { continue }
      units.add(unit)
    }
  }

  /// `&amp;`, `&#38;` or `&#x26;`. Browsers accept a number without the semicolon.
  private func addEntity(_ start: Int, _ depth: Int, to units: inout [Unit]) {
    if let (_, digits) = character(at: start, depth, where: { $0 == UInt8(ascii: "#") }) {
      let mark = character(at: digits, depth, where: { $0 | 0x20 == UInt8(ascii: "x") })
      let number =
        if let mark { hex(at: mark.end, depth, digits: 1...6) } else { decimal(at: digits, depth) }
      guard let (value, end) = number else { return }
      let last = character(at: end, depth, where: { $0 == UInt8(ascii: ";") })?.end ?? end
      if let unit = Unit(scalar: value, end: last) { units.add(unit) }
      return
    }
    var name = ""
    var position = start
    while name.utf8.count < 24, let (letter, next) = character(at: position, depth, where: \.isASCIILetter) {
      name.unicodeScalars.append(Unicode.Scalar(letter))
      position = next
      let semicolon = character(at: position, depth, where: { $0 == UInt8(ascii: ";") })
      if let byte = EntityNames.byte(name, hasSemicolon: semicolon != nil) {
        units.add(Unit(byte, end: semicolon?.end ?? position))
      }
    }
  }
}

extension [EscapeReader.Unit] {
  fileprivate mutating func add(_ unit: EscapeReader.Unit) { if !contains(unit) { append(unit) } }
}

// The components of an escape, each of which may be escaped itself.
extension EscapeReader {
  func character(
    at position: Int, _ depth: Int, where isRight: (UInt8) -> Bool
  ) -> (byte: UInt8, end: Int)? {
    for unit in units(at: position, depth: depth) {
      if let byte = unit.ascii, isRight(byte) { return (byte, unit.end) }
    }
    return nil
  }

  func hex(at position: Int, _ depth: Int, digits: ClosedRange<Int>) -> (value: UInt32, end: Int)? {
    number(at: position, depth, digits: digits, radix: 16)
  }

  func decimal(at position: Int, _ depth: Int) -> (value: UInt32, end: Int)? {
    number(at: position, depth, digits: 1...7, radix: 10)
  }

  private func number(
    at position: Int, _ depth: Int, digits: ClosedRange<Int>, radix: UInt32
  ) -> (value: UInt32, end: Int)? {
    var value: UInt32 = 0
    var count = 0
    var end = position
    while count < digits.upperBound,
      let (digit, next) = character(at: end, depth, where: { ($0.hexValue ?? 99) < radix })
    {
      value = value * radix + (digit.hexValue ?? 0)
      count += 1
      end = next
    }
    return count >= digits.lowerBound ? (value, end) : nil
  }
}

// Characters that can stand between two letters of a key without being a part of it.
extension EscapeReader {
  /// The end of an invisible character at an offset, escaped or not: a line end with the blanks behind it, a NUL (as in
  /// UTF-16), or a character without width. Nil if none begins here.
  func end(ofUnseenAt position: Int) -> (end: Int, isLineEnd: Bool)? {
    for unit in units(at: position, depth: Self.depth) {
      var character = (0..<unit.count).map { unit[$0] }
      var end = unit.end
      // Each byte of a non-ASCII character may be escaped separately.
      while character[0] >= 0xC2, character.count < 3, !Self.isUnseen(character),
        let next = units(at: end, depth: Self.depth).last
      {
        character += (0..<next.count).map { next[$0] }
        end = next.end
      }
      guard Self.isUnseen(character) else { continue }
      if character == [0x0A] { while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 } }
      return (end, [[0x0A], [0x0D]].contains(character))
    }
    return nil
  }

  private static func isUnseen(_ character: [UInt8]) -> Bool {
    switch character {
    case [0x00], [0x0A], [0x0D]: true
    // The soft hyphen, spaces and joiners without width, directional marks, and the byte order mark.
    case [0xC2, 0xAD], [0xEF, 0xBB, 0xBF]: true
    case _ where character.count == 3 && character[0] == 0xE2:
      character[1] == 0x80 && (0x8B...0x8F).contains(character[2])
        || character[1] == 0x81 && (0xA0...0xA4).contains(character[2])
    default: false
    }
  }
}

/// HTML's names for ASCII characters (HTML Standard, "Named character references").
enum EntityNames {
  private static let bytes: [String: UInt8] = {
    let names: [(Character, String)] = [
      ("\t", "Tab"), ("\n", "NewLine"), (" ", "nbsp"), ("!", "excl"), ("\"", "quot QUOT"), ("#", "num"),
      ("$", "dollar"), ("%", "percnt"), ("&", "amp AMP"), ("'", "apos"), ("(", "lpar"), (")", "rpar"),
      ("*", "ast midast"), ("+", "plus"), (",", "comma"), ("-", "hyphen dash"), (".", "period"), ("/", "sol"),
      (":", "colon"), (";", "semi"), ("<", "lt LT"), ("=", "equals"), (">", "gt GT"), ("?", "quest"), ("@", "commat"),
      ("[", "lsqb lbrack"), ("\\", "bsol"), ("]", "rsqb rbrack"), ("^", "Hat"), ("_", "lowbar UnderBar"),
      ("`", "grave DiacriticalGrave"), ("{", "lcub lbrace"), ("|", "verbar vert VerticalLine"),
      ("}", "rcub rbrace"),
    ]
    return names.reduce(into: [:]) { bytes, entry in
      for name in entry.1.split(separator: " ") { bytes[String(name)] = entry.0.asciiValue }
    }
  }()

  /// The names from early HTML, which parsers accept without the semicolon.
  private static let old: Set<String> = ["amp", "AMP", "lt", "LT", "gt", "GT", "quot", "QUOT", "nbsp"]

  static func byte(_ name: String, hasSemicolon: Bool) -> UInt8? {
    hasSemicolon || old.contains(name) ? bytes[name] : nil
  }
}
