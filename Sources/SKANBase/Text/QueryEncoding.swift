/// A parameter of a request; nil stands for a bare name.
package struct QueryItem: Sendable, Equatable {
  package var name: String
  package var value: String?

  package init(_ name: String, _ value: String?) {
    self.name = name
    self.value = value
  }
}

extension [QueryItem] {
  /// The query as `URLComponents.queryItems` writes it: all UTF-8 bytes are escaped except letters, digits and
  /// `-._~!$'()*+,;:@/?`. A `+` is therefore sent bare, and a server decodes it as a space.
  package var percentEncoded: String {
    var text = ByteText()
    for (index, item) in enumerated() {
      if index > 0 { text.append(UInt8(ascii: "&")) }
      text.append(queryEscaped: item.name)
      guard let value = item.value else { continue }
      text.append(UInt8(ascii: "="))
      text.append(queryEscaped: value)
    }
    return text.string
  }

  /// The query as a server writes it: everything except letters, digits and `-._~` is escaped (RFC 3986, section 2.3),
  /// which decodes the same from a URL and from a form.
  package var strictlyEncoded: String {
    map { item in
      let name = item.name.percentEncoded()
      return item.value.map { "\(name)=\($0.percentEncoded())" } ?? name
    }.joined(separator: "&")
  }
}

extension ByteText {
  /// Adds a text, escaped for a query.
  package mutating func append(queryEscaped string: String) {
    var string = string
    string.withUTF8 { unsafe append(queryEscaped: $0) }
  }

  /// Adds UTF-8, escaped for a query.
  package mutating func append(queryEscaped text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while true {
      var end = start
      while end < text.count, unsafe text[end].isQueryByte { end += 1 }
      unsafe append(UnsafeBufferPointer(rebasing: text[start..<end]))
      guard end < text.count else { break }
      unsafe appendPercentEscape(text[end])
      start = end + 1
    }
  }
}

extension UInt8 {
  /// Whether the byte is not escaped. A bit test, because every result shows a query.
  @inline(__always)
  fileprivate var isQueryByte: Bool {
    let bits = self < 64 ? Self.queryBytes.low : Self.queryBytes.high
    return self < 128 && bits >> UInt64(self & 63) & 1 == 1
  }

  /// A bit for each byte below 64, and from 64 to 127: letters, digits and `-._~!$'()*+,;:@/?`.
  private static let queryBytes: (low: UInt64, high: UInt64) = (0x8FFF_FF92_0000_0000, 0x47FF_FFFE_87FF_FFFF)
}

extension JSONWriter {
  /// The form of parameters as an object.
  package static let formOfParameters = JSONForm.map(of: String?.jsonForm)

  /// Writes parameters as an object; null stands for a bare name.
  package mutating func object(_ items: [QueryItem]) {
    object(count: items.count, key: { items[$0].name }) { items[$0].value.write(to: &$1) }
  }
}
