extension HTTPRequestHead {
  /// Takes a target in any of its forms (RFC 9112, section 3.2) but that of CONNECT.
  ///
  /// Bytes that a URL may not have, such as braces, are let through when they are visible ASCII: apps and documents send
  /// them in queries, and the endpoint should answer as the real one does.
  mutating func take(target: ArraySlice<UInt8>) throws(HTTPFailure) {
    guard method != "CONNECT" else { throw .connectMethod }
    guard !target.contains(UInt8(ascii: "#")) else { throw .malformedTarget }
    if target.first == UInt8(ascii: "/") {
      split(target)
    } else if target.elementsEqual([UInt8(ascii: "*")]) {
      guard method == "OPTIONS" else { throw .malformedTarget }
      path = "*"
    } else {
      try takeAbsolute(target)
    }
  }

  /// As clients send it that take us for a proxy. The host in it makes no difference: there is one site here.
  private mutating func takeAbsolute(_ target: ArraySlice<UInt8>) throws(HTTPFailure) {
    let rest =
      if target.prefix(7).isWord("http://") {
        target.dropFirst(7)
      } else if target.prefix(8).isWord("https://") {
        target.dropFirst(8)
      } else {
        target.prefix(0)
      }
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.isEmpty, authority.allSatisfy(\.isHostByte) else { throw .malformedTarget }
    split(rest[end...])
    if path.isEmpty { path = "/" }
  }

  private mutating func split(_ target: ArraySlice<UInt8>) {
    guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else {
      path = String(decoding: target, as: UTF8.self)
      return
    }
    path = String(decoding: target[..<mark], as: UTF8.self)
    query = String(decoding: target[(mark + 1)...], as: UTF8.self)
  }
}
