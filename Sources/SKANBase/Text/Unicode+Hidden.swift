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
