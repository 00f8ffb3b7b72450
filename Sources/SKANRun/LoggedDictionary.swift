import SKANBase

/// A dictionary as `NSLog(@"%@", dictionary)` prints it (`{ key = value; }`, an old-style property list), written again as
/// JSON. Each byte of the JSON keeps its origin, so that a problem has its place in the text that was read.
///
/// The form has no types. A text that is a number in JSON becomes one, whether it is quoted or not, and `"<null>"`, as
/// `NSNull` describes itself, becomes null.
struct LoggedDictionary {
  private(set) var json: [UInt8] = []
  /// The byte offset in the text for each byte of ``json``.
  private var origins: [Int] = []
  private let bytes: [UInt8]
  private var offset: Int

  private static let deepest = 16

  /// Nil if the text is not of this form. What precedes its first brace is the beginning of a line of a log.
  ///
  /// - Throws: the first problem of a text of this form.
  init?(_ bytes: [UInt8]) throws(SourceProblem) {
    guard let start = bytes.firstIndex(of: UInt8(ascii: "{")) else { return nil }
    self.bytes = bytes
    offset = start + 1
    skipSpace()
    guard (try? text()) != nil else { return nil }
    skipSpace()
    guard next == UInt8(ascii: "=") else { return nil }
    offset = start
    try value(depth: 0)
    if next != nil { throw problem("only one dictionary is read, and this follows it") }
  }

  /// A problem of the JSON, at its place in the text.
  func located(_ problem: SourceProblem) -> SourceProblem {
    var problem = problem
    let lower = origins.indices.contains(problem.range.lowerBound) ? origins[problem.range.lowerBound] : bytes.count
    let last = problem.range.upperBound - 1
    problem.range = lower..<max(lower, origins.indices.contains(last) ? origins[last] + 1 : lower)
    return problem
  }

  /// The next byte; nil at the end.
  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
  }

  private mutating func value(depth: Int) throws(SourceProblem) {
    if depth > Self.deepest { throw problem("dictionaries are at most \(Self.deepest) deep") }
    switch next {
    case UInt8(ascii: "{"):
      try items(from: "{", to: "}", depth) { (logged) throws(SourceProblem) in
        let start = logged.offset
        let key = try logged.text()
        logged.emit(JSONWriter.quoted(key), from: start)
        logged.skipSpace()
        try logged.expect("=", after: "the key", as: ":")
        try logged.value(depth: depth + 1)
        try logged.expect(";", after: "the value", as: ",")
      }
    case UInt8(ascii: "("):
      try items(from: "[", to: ")", depth) { (logged) throws(SourceProblem) in
        try logged.value(depth: depth + 1)
        if logged.next != UInt8(ascii: ")") {
          try logged.expect(",", after: "the item", as: ",")
        } else {
          logged.emit(",", from: logged.offset)
        }
      }
    default:
      let start = offset
      let text = try text()
      emit(text == "<null>" ? "null" : Self.isNumber(text) ? text : JSONWriter.quoted(text), from: start)
    }
    skipSpace()
  }

  /// Reads what stands between two brackets. Each item ends with a comma in the JSON; the last one is dropped.
  private mutating func items(
    from opening: String, to closing: Unicode.Scalar, _ depth: Int,
    _ item: (inout LoggedDictionary) throws(SourceProblem) -> Void
  ) throws(SourceProblem) {
    emit(opening, from: offset)
    offset += 1
    skipSpace()
    while next != UInt8(ascii: closing) {
      if next == nil { throw problem("the dictionary has no end: \"\(closing)\" is missing") }
      try item(&self)
    }
    if json.last == UInt8(ascii: ",") {
      json.removeLast()
      origins.removeLast()
    }
    emit(closing == ")" ? "]" : "}", from: offset)
    offset += 1
  }

  private mutating func expect(_ sign: Unicode.Scalar, after what: String, as json: String) throws(SourceProblem) {
    guard next == UInt8(ascii: sign) else { throw problem("expected \"\(sign)\" after \(what)") }
    emit(json, from: offset)
    offset += 1
    skipSpace()
  }

  /// Reads a word, or a text in quotes.
  private mutating func text() throws(SourceProblem) -> String {
    let start = offset
    var text: [UInt8] = []
    if next == UInt8(ascii: "\"") {
      offset += 1
      while let byte = next, byte != UInt8(ascii: "\"") {
        offset += 1
        text += byte == UInt8(ascii: "\\") ? try escaped() : [byte]
      }
      if next == nil { throw SourceProblem("a text has no end", at: start..<bytes.count) }
      offset += 1
    } else {
      while let byte = next, byte.isOfWord {
        text.append(byte)
        offset += 1
      }
      if text.isEmpty { throw problem("expected a word or a text in quotes") }
    }
    guard let decoded = String(validating: text, as: UTF8.self) else {
      throw SourceProblem("a text is not valid UTF-8", at: start..<offset)
    }
    return decoded
  }

  /// Reads what follows a backslash: a sign, `U` and four hexadecimal digits, or three octal digits.
  private mutating func escaped() throws(SourceProblem) -> [UInt8] {
    let start = offset
    guard let byte = next else { throw problem("a text has no end") }
    let names: [UInt8: UInt8] = [UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09]
    let (count, radix) = byte == UInt8(ascii: "U") ? (4, 16) : (3, 8)
    guard byte == UInt8(ascii: "U") || (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) else {
      offset += 1
      return [names[byte] ?? byte]
    }
    let first = start + (radix == 16 ? 1 : 0)
    let digits = String(decoding: bytes[first..<min(first + count, bytes.count)], as: UTF8.self)
    guard digits.utf8.count == count, let number = UInt32(digits, radix: radix), let scalar = Unicode.Scalar(number)
    else {
      throw SourceProblem("a text has an escape that is no character", at: start..<min(first + count, bytes.count))
    }
    offset = first + count
    return Array(String(scalar).utf8)
  }

  /// Adds a text in the place of what was read from `origin` to ``offset``, which is at least a byte.
  private mutating func emit(_ text: String, from origin: Int) {
    let end = max(origin, offset - 1)
    json += text.utf8
    origins += (0..<text.utf8.count).map { min(origin + $0, end) }
    if text.utf8.count > 1 { origins[origins.count - 1] = end }
  }

  private func problem(_ message: String) -> SourceProblem {
    SourceProblem(message, at: min(offset, bytes.count)..<min(offset + 1, bytes.count))
  }

  private static func isNumber(_ text: String) -> Bool {
    switch (try? JSONReader.read(Array(text.utf8)))?.content {
    case .integer?, .unsigned?, .double?: true
    default: false
    }
  }
}

extension UInt8 {
  /// Whether the byte needs no quotes in an old-style property list.
  fileprivate var isOfWord: Bool { isASCIILetterOrDigit || "_$/:.-+".utf8.contains(self) }
}
