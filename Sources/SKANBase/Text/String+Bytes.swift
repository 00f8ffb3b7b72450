extension String {
  /// Bytes of a name as a person reads them: text as it is, and each byte that is none of UTF-8 as `\xFF`.
  package init(escaping bytes: [UInt8]) {
    self = ""
    var rest = bytes[...]
    while let first = rest.first {
      if let character = (1...4).lazy.compactMap({ String(validating: rest.prefix($0), as: UTF8.self) }).first {
        self += character
        rest = rest.dropFirst(character.utf8.count)
      } else {
        self += "\\x" + String(first, radix: 16, uppercase: true).leftPadded(to: 2, with: "0")
        rest = rest.dropFirst()
      }
    }
  }
}
