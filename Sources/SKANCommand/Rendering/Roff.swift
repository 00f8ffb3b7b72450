import SKANBase

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
    return uncontrolled(line)
  }

  /// The same as lines of the width that lint asks for.
  static func paragraph(_ text: String) -> [String] { self.text(text).filled(to: 79).map(uncontrolled) }

  /// A line that is no request, although it begins with a point.
  private static func uncontrolled(_ line: String) -> String { line.hasPrefix(".") ? "\\&\(line)" : line }
}
