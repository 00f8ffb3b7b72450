import SKANBase

extension HTTPRequestHead {
  /// Takes a target in any of its forms (RFC 9112, section 3.2) but that of CONNECT.
  ///
  /// Bytes that a URL may not have, such as braces, are let through when they are visible ASCII: apps and documents send
  /// them in queries, and the endpoint should answer as the real one does.
  mutating func parse(target bytes: ArraySlice<UInt8>) throws(HTTPFailure) {
    guard method != "CONNECT" else { throw .connectMethod }
    guard bytes.place(of: UInt8(ascii: "#")) == nil else { throw .malformedTarget }
    if bytes.first == UInt8(ascii: "/") {
      split(bytes)
    } else if bytes.elementsEqual([UInt8(ascii: "*")]) {
      guard method == "OPTIONS" else { throw .malformedTarget }
      target.path = "*"
    } else {
      try parseAbsolute(bytes)
    }
  }

  /// As clients send it to a proxy. The host in it makes no difference: there is one site here.
  private mutating func parseAbsolute(_ bytes: ArraySlice<UInt8>) throws(HTTPFailure) {
    let rest =
      if bytes.prefix(7).isWord("http://") {
        bytes.dropFirst(7)
      } else if bytes.prefix(8).isWord("https://") {
        bytes.dropFirst(8)
      } else {
        bytes.prefix(0)
      }
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.isEmpty, authority.allSatisfy(\.isHostByte) else { throw .malformedTarget }
    split(rest[end...])
    if target.path.isEmpty { target.path = "/" }
  }

  /// A path in which no letter, digit, `-`, `.`, `_` or `~` is escaped: with and without the escape they are the same
  /// (RFC 3986, section 6.2.2.2). Every other escape stays as it was sent, since `%2F` is no slash.
  private static func plain(_ path: ArraySlice<UInt8>) -> String {
    guard path.place(of: UInt8(ascii: "%")) != nil else { return String(decoding: path, as: UTF8.self) }
    var plain: [UInt8] = []
    var rest = path
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first?.hexValue, let low = rest.dropFirst().first?.hexValue {
        let decoded = UInt8(high << 4 | low)
        if decoded.isUnreserved {
          plain.append(decoded)
          rest = rest.dropFirst(2)
          continue
        }
      }
      plain.append(byte)
    }
    return String(decoding: plain, as: UTF8.self)
  }

  private mutating func split(_ bytes: ArraySlice<UInt8>) {
    guard let mark = bytes.place(of: UInt8(ascii: "?")) else {
      target.path = Self.plain(bytes)
      return
    }
    target.path = Self.plain(bytes[..<mark])
    target.query = String(decoding: bytes[(mark + 1)...], as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether it means the same in a URL with and without an escape.
  fileprivate var isUnreserved: Bool { isASCIILetterOrDigit || "-._~".utf8.contains(self) }
}
