import SKANBase

extension String {
  /// As one word of a shell: as it is where that is enough, else in quotes.
  var shellWord: String {
    !isEmpty && utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-./".utf8.contains($0) } ? self : quotedForShell
  }

  /// In quotes for a shell.
  var quotedForShell: String { "'\(replacing("'", with: "'\\''"))'" }
}
