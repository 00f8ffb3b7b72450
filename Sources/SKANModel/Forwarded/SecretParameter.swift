import SKANBase
import SKANDevice

/// The parameters whose values are meant only for Singular: the SDK key, and proofs of a purchase, an install or a
/// device.
package enum SecretParameter {
  /// The replacement for a value.
  package static let mark = ConversionRequest.redactedKey

  private static let texts = [
    "a", "purchasereceipt", "receiptsignature", "installreceipt", "attributiontoken", "apnstoken", "fcm", "prc",
    "secret", "key", "sdk", "sdkkey", "apikey", "token", "password", "authorization",
  ]
  private static let names = NameIndex(texts)
  private static let mostLetters = texts.map(\.utf8.count).max() ?? 0

  /// Whether a parameter of this name probably holds a secret: `a`, but also `A`, `a[]`, `sdk_key`, `x;a`.
  package static func isSecret(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { unsafe isSecret($0) }
  }

  /// Whether a parameter of this name, in UTF-8, probably holds a secret.
  static func isSecret(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: mostLetters) { letters in
      var count = 0
      var isAtEnd = false
      for index in name.indices {
        let byte = unsafe name[index]
        if byte >= 0x80 { return isSecret(lettersOf: unsafe String(decoding: name, as: UTF8.self)) }
        if byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "/") {
          isAtEnd = true
          continue
        }
        if isAtEnd { (count, isAtEnd) = (0, false) }
        if !byte.isASCIILetter { continue }
        if count < mostLetters { unsafe letters.initializeElement(at: count, to: byte | 0x20) }
        count += 1
      }
      return unsafe count <= mostLetters
        && names.index(of: UnsafeBufferPointer(rebasing: letters[..<count])) != nil
    }
  }

  /// Whether a name with non-ASCII characters is that of a secret: in lower case such a character can become an ASCII
  /// letter.
  private static func isSecret(lettersOf name: String) -> Bool {
    let last = name.split { ";?/".contains($0) }.last ?? ""
    var letters = last.lowercased().filter { $0.isASCII && $0.isLetter }
    return letters.withUTF8 { unsafe names.index(of: $0) } != nil
  }

  /// A query or a form with each secret replaced by a mark, including secrets within values; everything else is
  /// unchanged.
  package static func redacted(_ query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: "=") else { return redacted(part: item) }
      let value = item[equals...].dropFirst()
      if !value.isEmpty, isSecret(decoded(item[..<equals])) { return "\(item[...equals])\(mark)" }
      return "\(redacted(part: item[..<equals]))=\(redacted(part: value))"
    }.joined(separator: "&")
  }

  /// A name or a value of a query with its secrets replaced; only then is it encoded again.
  private static func redacted(part: Substring) -> String {
    let text = decoded(part)
    let redacted = redacted(text: text)
    return redacted == text ? String(part) : [QueryItem(redacted, nil)].strictlyEncoded
  }

  /// A JSON value with each secret replaced by a mark, including secrets within its texts.
  package static func redacted(json value: JSON) -> JSON {
    switch value {
    case .null, .bool, .integer, .unsigned, .double: value
    case .string(let text): .string(redacted(text: text))
    case .array(let items): .array(items.map { redacted(json: $0) })
    case .object(let members):
      .object(members.map { (redacted(text: $0.key), isSecret($0.key) ? .string(mark) : redacted(json: $0.value)) })
    }
  }

  /// The values of secrets in a query or a form, decoded if possible.
  package static func values(in query: String) -> [String] {
    query.split(separator: "&").flatMap { text -> [String] in
      guard let item = SentParameters(String(text))?.items.first else {
        return isSecret(String(text.prefix { $0 != "=" }))
          ? [text.drop { $0 != "=" }.dropFirst().description] : values(inText: String(text))
      }
      return isSecret(item.name)
        ? item.value.map { [$0] } ?? [] : values(inText: item.name) + values(inText: item.value ?? "")
    }.filter { !$0.isEmpty && $0 != mark }
  }

  private static func decoded(_ name: Substring) -> String {
    SentParameters(String(name))?.items.first?.name ?? String(name)
  }
}

// Secrets within a text: a path with parameters, JSON in a parameter, a query within a query.
extension SecretParameter {
  /// The number of times that a text may be escaped, for a URL or in JSON.
  private static let depth = 3

  /// A text with each secret in it replaced by a mark: after `a=`, and after `"a":` as in JSON, in any spelling of the
  /// name.
  ///
  /// Escapes that hide a secret are decoded in the result.
  package static func redacted(text: String) -> String {
    layers(of: text).shown.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// ``redacted(text:)`` for a text in UTF-8; nil if it contains no secret.
  package static func redacted(utf8 text: [UInt8]) -> String? {
    let shown = unsafe text.withUnsafeBufferPointer { unsafe layers(of: $0, depth).shown }
    return shown.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The values of the secrets in a text.
  static func values(inText text: String) -> [String] {
    layers(of: text).values.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Finds secrets in a text and in its unescaped forms; `shown` is nil if there are none.
  private static func layers(of text: String) -> (shown: [UInt8]?, values: [[UInt8]]) {
    var text = text
    return text.withUTF8 { unsafe layers(of: $0, depth) }
  }

  private static func layers(
    of text: UnsafeBufferPointer<UInt8>, _ depth: Int
  ) -> (shown: [UInt8]?, values: [[UInt8]]) {
    let spans = unsafe spans(in: text)
    let isEscaped = unsafe text.has(UInt8(ascii: "%")) || text.has(UInt8(ascii: "\\"))
    // Nearly every text ends here, without a copy.
    if spans.isEmpty, !isEscaped { return (nil, []) }
    let values = spans.map { unsafe Array(text[$0]) }
    let layer = unsafe Array(text).replacing(spans, with: Array(mark.utf8))
    let shown = spans.isEmpty ? nil : layer
    guard depth > 0, isEscaped, let next = unescaped(layer) else { return (shown, values) }
    let inner = unsafe next.withUnsafeBufferPointer { unsafe layers(of: $0, depth - 1) }
    return (inner.shown ?? shown, values + inner.values)
  }

  /// A text with its escapes decoded once; nil if it has none. An incomplete escape is kept.
  private static func unescaped(_ text: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = number(rest.prefix(2), digits: 2) {
        result.append(value)
        rest = rest.dropFirst(2)
      } else if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "u"),
        let value = number(rest.dropFirst().prefix(4), digits: 4)
      {
        result.append(value)
        rest = rest.dropFirst(5)
      } else if byte == UInt8(ascii: "\\"), let next = rest.first, !next.isASCIILetterOrDigit {
        result.append(next)
        rest = rest.dropFirst()
      } else {
        result.append(byte)
      }
    }
    return result.count == text.count ? nil : result
  }

  /// The byte of hexadecimal digits; nil for other text and for numbers above 255.
  private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> UInt8? {
    guard text.count == digits, text.allSatisfy({ $0.hexValue != nil }) else { return nil }
    return UInt8(exactly: text.reduce(0) { $0 << 4 | ($1.hexValue ?? 0) })
  }

  // MARK: In a text without unescaping

  /// The ranges of the values of secrets, in order, without those already replaced by the mark.
  private static func spans(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    var position = 0
    while let end = unsafe text.endOfName(from: position) {
      var start = end
      while start > position, unsafe text[start - 1].isOfName { start -= 1 }
      guard start < end, let value = unsafe value(behind: start..<end, in: text) else {
        position = end + 1
        continue
      }
      if !value.isEmpty, unsafe !text[value].elementsEqual(mark.utf8) { spans.append(value) }
      position = value.upperBound
    }
    return spans
  }

  /// The range of the value after a name; nil if it is not a name of a secret.
  private static func value(behind name: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    func byte(_ position: Int) -> UInt8? { text.indices.contains(position) ? unsafe text[position] : nil }
    func skip(from start: Int, _ isSkipped: (UInt8) -> Bool) -> Int {
      var position = start
      while let next = byte(position), isSkipped(next) { position += 1 }
      return position
    }
    var position = skip(from: name.upperBound) { $0 == UInt8(ascii: "\\") }
    let isQuoted = byte(position)?.isQuote == true
    position = isQuoted ? skip(from: position + 1, \.isLineSpace) : name.upperBound
    switch byte(position) {
    case UInt8(ascii: "="): break
    // Without quotes, as in JavaScript, a name must follow a brace or a comma, because a colon in a sentence means
    // something else.
    case UInt8(ascii: ":"):
      let before = byte(name.lowerBound - 1)
      guard isQuoted || before == UInt8(ascii: "{") || before == UInt8(ascii: ",") else { return nil }
    default: return nil
    }
    guard unsafe isSecret(UnsafeBufferPointer(rebasing: text[name])) else { return nil }
    let isQuery = byte(position) == UInt8(ascii: "=")
    let start = skip(from: position + 1) { !isQuery && ($0.isLineSpace || $0 == 0x0A) }
    let slashes = skip(from: start) { $0 == UInt8(ascii: "\\") } - start
    switch byte(start + slashes) {
    case let quote? where quote.isQuote:
      return unsafe quotedValue(from: start + slashes + 1, quote, slashes, in: text)
    case UInt8(ascii: "{") where slashes == 0, UInt8(ascii: "[") where slashes == 0:
      return unsafe start..<endOfBrackets(from: start, in: text)
    default:
      let end = skip(from: start) {
        $0 != UInt8(ascii: "&") && !$0.isQuote && !$0.isLineSpace && $0 != 0x0A && (isQuery || !",}]".utf8.contains($0))
      }
      return start..<end
    }
  }

  /// The range of a value up to a quotation mark with no more backslashes than the opening one.
  private static func quotedValue(
    from start: Int, _ quote: UInt8, _ slashes: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Range<Int> {
    var run = 0
    for position in start..<text.count {
      if unsafe text[position] == quote, run <= slashes { return start..<position - run }
      run = unsafe text[position] == UInt8(ascii: "\\") ? run + 1 : 0
    }
    return start..<text.count
  }

  /// The offset after the matching closing bracket, or the end of the text.
  private static func endOfBrackets(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var depth = 0
    for position in start..<text.count {
      if unsafe "[{".utf8.contains(text[position]) { depth += 1 }
      if unsafe "]}".utf8.contains(text[position]) { depth -= 1 }
      if depth == 0 { return position + 1 }
    }
    return text.count
  }
}

extension UInt8 {
  /// Whether the byte may occur in the name of a secret parameter, such as `sdk-key` or `a[]`.
  fileprivate var isOfName: Bool {
    switch self {
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]"): true
    default: isASCIILetterOrDigit
    }
  }

  fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func has(_ byte: UInt8) -> Bool {
    unsafe baseAddress.map { unsafe $0.offset(of: byte, within: count) != nil } ?? false
  }

  /// The first offset from `start` on of a character that may follow the name of a secret: `=`, `:`, or the quotation
  /// mark around the name, with or without backslashes.
  fileprivate func endOfName(from start: Int) -> Int? {
    let offset = unsafe firstOffset(from: start, to: count) { word in
      (word.marks(UInt8(ascii: "=")) | word.marks(UInt8(ascii: ":")) | word.marks(UInt8(ascii: "\\"))
        | word.marks(UInt8(ascii: "\"")) | word.marks(UInt8(ascii: "'"))) & ~word
    }
    return offset < count ? offset : nil
  }
}
