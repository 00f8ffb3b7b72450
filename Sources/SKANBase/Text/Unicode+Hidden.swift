extension Unicode.Scalar {
  /// Whether it has no shape of its own, or changes how others are shown: controls, marks of direction, tags, breaks of
  /// lines and what takes no room. The joiners of emoji and of Persian words pass.
  package var isHidden: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x034F, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  /// As Swift writes it in a string: `\u{202E}`.
  package var swiftEscape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }

  /// `\u202e`, or `\u{e0041}` where four digits are too few.
  package var hiddenText: String {
    let hex = String(value, radix: 16)
    return value > 0xFFFF ? "\\u{\(hex)}" : "\\u\(hex.leftPadded(to: 4, with: "0"))"
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the character beyond ASCII that begins at an offset of UTF-8 may be hidden: said of few that are not, and of each
  /// that is.
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
