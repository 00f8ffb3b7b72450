import SKANBase

/// A pattern for names, as a shell has it: `*` for anything, `?` for one character, `[a-z]` for one of some and `[!a-z]` for
/// one of all others; a backslash takes the meaning of the character behind it away.
///
/// It is the C library's `fnmatch`, in UTF-8 whatever the locale of the process: a character is a Unicode scalar.
package struct Glob: Sendable {
  /// For characters beyond ASCII. It lives as long as the process.
  nonisolated(unsafe) private static let locale = unsafe Platform.makeLocale()

  private let pattern: String

  package init(_ pattern: String) { self.pattern = pattern }

  /// A name with a NUL matches nothing: a C string would end there.
  package func matches(_ text: String) -> Bool {
    guard !text.utf8.contains(0), !pattern.utf8.contains(0) else { return false }
    let before = unsafe Self.locale.map { unsafe uselocale($0) }
    defer { if let before = unsafe before { unsafe uselocale(before) } }
    return unsafe fnmatch(pattern, text, 0) == 0
  }
}
