import SKANBase

/// How wide texts are: those of a wide font, so that they have room in every system's own.
enum SVGFont {
  static let body = 15.0
  static let small = 13.0
  static let title = 19.0

  static func width(_ text: String, _ size: Double, isBold: Bool = false) -> Double {
    text.unicodeScalars.reduce(0) { $0 + part(of: $1) } * size * (isBold ? 1.1 : 1)
  }

  /// Of the font's size.
  private static func part(of scalar: Unicode.Scalar) -> Double {
    guard scalar.isASCII else { return String(scalar).columns > 1 ? 1.4 : 0.9 }
    switch scalar {
    case "i", "l", "j", "I", "|", "'", " ", ".", ",", ":", ";", "!": return 0.34
    case "f", "t", "r", "(", ")", "[", "]", "-", "/", "\\", "\"", "s": return 0.53
    case "m", "w", "M", "W", "%", "@": return 1
    case "A"..."Z", "+", "<", ">", "=", "~", "#", "&": return 0.84
    default: return 0.64
    }
  }

  /// The beginning of a text that is so wide, with an ellipsis if not all of it is.
  static func cut(_ text: String, _ size: Double, to most: Double, isBold: Bool = false) -> String {
    if width(text, size, isBold: isBold) <= most { return text }
    var cut = ""
    var left = most - width("…", size, isBold: isBold)
    for character in text {
      left -= width(String(character), size, isBold: isBold)
      if left < 0 { break }
      cut.append(character)
    }
    return cut + "…"
  }

  static func lines(_ text: String, _ size: Double, _ most: Double) -> [String] {
    text.wrapped(Int(most)) { Int(width($0, size).rounded(.up)) }
  }
}
