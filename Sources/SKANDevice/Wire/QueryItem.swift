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
    map { item in item.value.map { "\(item.name.queryEscaped)=\($0.queryEscaped)" } ?? item.name.queryEscaped }
      .joined(separator: "&")
  }
}

extension String {
  fileprivate var queryEscaped: String {
    guard !utf8.allSatisfy(\.isQueryByte) else { return self }
    var escaped: [UInt8] = []
    for byte in utf8 {
      if byte.isQueryByte {
        escaped.append(byte)
      } else {
        escaped += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

private let hexDigits = Array("0123456789ABCDEF".utf8)

extension UInt8 {
  fileprivate var isQueryByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~!$'()*+,;:@/?".utf8.contains(self)
    }
  }
}
