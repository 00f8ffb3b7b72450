/// The only place in which a text is quoted for a shell.
extension String {
  /// The text as one word of a shell, quoted if needed.
  package var shellWord: String {
    !isEmpty && utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-./".utf8.contains($0) } ? self : quotedForShell
  }

  /// The text in quotes of a shell, as one word that the shell reads back byte for byte.
  ///
  /// A hidden character is an escape in `$'…'`, which bash, zsh and ksh read: a terminal acts on a control character
  /// that is pasted, so the rest of the text could run as a command. No shell has a word with the character U+0000.
  ///
  ///     "it's".quotedForShell        // 'it'\''s'
  ///     "a\u{1B}[2J".quotedForShell  // $'a\033[2J'
  package var quotedForShell: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return "'\(replacing("'", with: "'\\''"))'" }
    var quoted = "$'"
    for scalar in unicodeScalars {
      switch scalar {
      case "'", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.isHidden:
        // Three octal digits, because a digit may follow.
        for byte in String(scalar).utf8 { quoted += "\\" + String(byte, radix: 8).leftPadded(to: 3, with: "0") }
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "'"
  }

  /// The placeholder of the SDK key in a text for ``quotedWithKeyOfShell``.
  package static let keyOfShell = "SDK-KEY-GOES-HERE"

  /// The text in quotes of a shell, with the shell's variable `SKAN_SDK_KEY` in place of the first placeholder.
  package var quotedWithKeyOfShell: String {
    split(separator: Self.keyOfShell, maxSplits: 1, omittingEmptySubsequences: false).map { String($0).quotedForShell }
      .joined(separator: "\"$SKAN_SDK_KEY\"")
  }
}
