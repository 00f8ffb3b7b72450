extension String {
  /// Every character with a width and a shape of its own: controls, marks of direction and what XML forbids are shown as
  /// `\u{202E}`.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isHidden { text += scalar.escape } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// As Swift writes it in a string.
  var escape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }

  /// Whether it is not a visible character; the joiner of emoji and no-break spaces pass.
  fileprivate var isHidden: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .format: value != 0x200D
    default: value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value)
    }
  }
}
