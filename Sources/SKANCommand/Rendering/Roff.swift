import SKANText

/// Texts for a formatter of man pages.
enum Roff {
  /// A line of text as it stands: no control line, no escape, and every hyphen one that can be copied.
  static func text(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": line += "\\e"
      case "-": line += "\\-"
      case "'": line += "\\(aq"
      case "`": line += "\\(ga"
      case "^": line += "\\(ha"
      case "~": line += "\\(ti"
      case "\"": line += "\\(dq"
      case _ where scalar.isASCII: line.unicodeScalars.append(scalar)
      default: line += "\\[u\(String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4, with: "0"))]"
      }
    }
    return line.hasPrefix(".") ? "\\&\(line)" : line
  }
}
