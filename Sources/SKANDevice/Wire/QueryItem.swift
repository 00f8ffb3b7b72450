/// One parameter of a request; a nil value goes out as the bare name.
package struct QueryItem: Sendable, Equatable {
  package var name: String
  package var value: String?

  package init(_ name: String, _ value: String?) {
    self.name = name
    self.value = value
  }
}

extension [QueryItem] {
  /// The query as `URLComponents.queryItems` writes it: UTF-8 bytes escaped, but for letters, digits and
  /// `-._~!$'()*+,;:@/?`. So a `+` goes out bare, and a server reads a space.
  package var percentEncoded: String {
    var bytes: [UInt8] = []
    for (index, item) in enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "&")) }
      bytes.appendQueryEscaped(item.name)
      guard let value = item.value else { continue }
      bytes.append(UInt8(ascii: "="))
      bytes.appendQueryEscaped(value)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate mutating func appendQueryEscaped(_ text: String) {
    var text = text
    let isPlain = UInt8.queryBytes
    text.withUTF8 { text in
      var start = 0
      while true {
        var end = start
        while end < text.count, isPlain[Int(text[end])] { end += 1 }
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
        guard end < text.count else { break }
        append(UInt8(ascii: "%"))
        append((text[end] >> 4).hexDigit)
        append((text[end] & 15).hexDigit)
        start = end + 1
      }
    }
  }
}

extension UInt8 {
  /// For each byte whether it goes out as it is: every result shows a query.
  fileprivate static let queryBytes = (0...255).map { UInt8($0).isQueryByte }

  private var isQueryByte: Bool {
    switch Unicode.Scalar(self) {
    case "a"..."z", "A"..."Z", "0"..."9": true
    case "-", ".", "_", "~", "!", "$", "'", "(", ")", "*", "+", ",", ";", ":", "@", "/", "?": true
    default: false
    }
  }

  /// The digit of a number below 16.
  fileprivate var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
}
