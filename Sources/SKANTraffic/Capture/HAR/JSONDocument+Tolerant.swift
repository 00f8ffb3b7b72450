import SKANBase

extension JSONDocument {
  /// How many characters of an entry are mended.
  private static let mostRepairs = 64
  /// Reads a text of an exporter. Half a surrogate pair, a control character and bytes that are not UTF-8, which bodies of
  /// pages have, become U+FFFD, a space and a question mark.
  func readTolerantly(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    do throws(JSONError) {
      return try unsafe read(text, dialect: .export)
    } catch {
      guard error.isOfText else { throw error }
      var mended = unsafe Array(text)
      var error = error
      for _ in 0..<Self.mostRepairs {
        guard error.mend(&mended) else { throw error }
        if let next = problem(of: mended) { error = next } else { return }
      }
      throw error
    }
  }

  private func problem(of text: [UInt8]) -> JSONError? {
    unsafe text.withUnsafeBufferPointer { text in
      do throws(JSONError) {
        try unsafe read(text, dialect: .export)
        return nil
      } catch {
        return error
      }
    }
  }
}

extension JSONError {
  /// Whether it is about a character of a text.
  fileprivate var isOfText: Bool { [.loneSurrogate, .controlCharacter, .invalidUTF8].contains(problem) }

  /// Puts another character in the place of the one that is wrong; false where it cannot be.
  fileprivate func mend(_ text: inout [UInt8]) -> Bool {
    guard isOfText, text.indices.contains(offset) else { return false }
    switch problem {
    case .controlCharacter: text[offset] = UInt8(ascii: " ")
    case .invalidUTF8: text[offset] = UInt8(ascii: "?")
    default:
      guard text[offset...].starts(with: "\\u".utf8), offset + 6 <= text.count else { return false }
      text.replaceSubrange(offset..<offset + 6, with: "\\uFFFD".utf8)
    }
    return true
  }
}
