/// Classes of ASCII characters; bytes beyond ASCII belong to none.
extension UInt8 {
  /// `0`–`9`.
  @inlinable
  package var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// `A`–`Z`.
  @inlinable
  package var isASCIICapital: Bool { self &- UInt8(ascii: "A") < 26 }

  /// `A`–`Z` and `a`–`z`.
  @inlinable
  package var isASCIILetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  @inlinable
  package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }

  /// Whether the byte is white space around the text of a line: a space, a tab, or the carriage return of the line end.
  @inlinable
  package var isLineSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }

  /// The value of a hexadecimal digit of either case, 0–15; nil for other characters.
  @inlinable
  package var hexValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self) - 0x30
    case 0x41...0x46: UInt32(self) - 0x37
    case 0x61...0x66: UInt32(self) - 0x57
    default: nil
    }
  }
}

extension Collection<UInt8> {
  /// The bytes behind a byte order mark of UTF-8, which some editors put in front of a text.
  package var withoutByteOrderMark: SubSequence { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}

extension String {
  /// Whether the text has the form of a UUID, in either case.
  package var isUUID: Bool {
    utf8.count == 36
      && utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.hexValue != nil
      }
  }
}

extension Character {
  /// Whether the character is `0`–`9` without combining marks.
  package var isASCIIDigit: Bool { isASCII && isNumber }
}

extension Unicode.Scalar {
  /// Whether the character is invisible or changes how others are shown: controls, direction marks, tags, line breaks
  /// and zero-width characters. The joiners of emoji and of Persian words are not included.
  package var isHidden: Bool {
    switch value {
    // First, because nearly every character is one of these.
    case 0x20...0x7E: false
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x034F, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  /// The character's escape in Swift: `\u{202E}`.
  package var swiftEscape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }

  /// The character's escape in output: `\u202e`, or `\u{e0041}` if four digits are too few.
  package var hiddenText: String {
    let hex = String(value, radix: 16)
    return value > 0xFFFF ? "\\u{\(hex)}" : "\\u\(hex.leftPadded(to: 4, with: "0"))"
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the non-ASCII character at an offset of UTF-8 may be hidden. True for every hidden character and for a few
  /// others.
  package func mayHide(at offset: Int) -> Bool {
    let next = unsafe offset + 1 < count ? self[offset + 1] : 0
    switch unsafe self[offset] {
    case 0xC2: return next < 0xA0 || next == 0xAD
    case 0xCD: return next == 0x8F
    case 0xD8: return next == 0x9C
    case 0xE1: return next == 0xA0
    case 0xE2:
      let last = unsafe offset + 2 < count ? self[offset + 2] : 0
      return next == 0x81 && last >= 0xA0
        || next == 0x80 && (last == 0x8B || last == 0x8E || last == 0x8F || (0xA8...0xAE).contains(last))
    case 0xEF: return next == 0xBB || next == 0xBF
    case 0xF0: return next == 0x9B || next == 0x9D
    case 0xF3: return next == 0xA0
    default: return false
    }
  }
}

extension Unicode.Scalar {
  /// The XML entity of the character for texts and quoted attributes; nil if it needs none.
  package var xmlEntity: String? {
    switch self {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    default: nil
    }
  }

  /// Whether XML 1.0 cannot contain the character, even escaped, although it is neither a control nor hidden.
  package var isOutsideXML: Bool { value == 0xFFFE || value == 0xFFFF }
}

extension String {
  /// The text with `%XX` for every UTF-8 byte except letters, digits and `-._~` (RFC 3986, section 2.3).
  ///
  /// - Parameter kept: further ASCII characters that are not encoded.
  package func percentEncoded(keeping kept: String = "") -> String {
    var text = ByteText()
    for byte in utf8 {
      if byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
        text.append(byte)
      } else {
        text.appendPercentEscape(byte)
      }
    }
    return text.string
  }
}

extension ByteText {
  /// Adds `%XX` for a byte.
  package mutating func appendPercentEscape(_ byte: UInt8) {
    append(UInt8(ascii: "%"))
    append((byte >> 4).hexDigit)
    append((byte & 15).hexDigit)
  }
}

extension UInt8 {
  /// The hexadecimal digit of a number below 16.
  fileprivate var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
}

extension String {
  /// A name for people to read: valid UTF-8 unchanged, every other byte as `\xFF`.
  package init(escaping bytes: [UInt8]) {
    self = ""
    var rest = bytes[...]
    while let first = rest.first {
      if let character = (1...4).lazy.compactMap({ String(validating: rest.prefix($0), as: UTF8.self) }).first {
        self += character
        rest = rest.dropFirst(character.utf8.count)
      } else {
        self += "\\x" + String(first, radix: 16, uppercase: true).leftPadded(to: 2, with: "0")
        rest = rest.dropFirst()
      }
    }
  }
}
