import SKANBase

/// The parsed lines of a request's head.
struct HTTPRequestHead {
  var method = ""
  var target = HTTPTarget(path: "")
  var minorVersion = 1
  var slots: [HTTPFields.Slot] = []
  /// Nil if no `Content-Length` was sent: a request then has no body (RFC 9112, section 6.3).
  var contentLength: Int?
  var expectsContinue = false
  /// Whether the body is chunked and has no other coding.
  var isChunked: Bool { codings == 1 && isCodingChunked }
  private var codings = 0
  private var isCodingChunked = false
  private var hasHost = false
  private var hasUnknownExpectation = false
  private var saysClose = false
  private var saysKeepAlive = false

  var keepsAlive: Bool { !saysClose && (minorVersion > 0 || saysKeepAlive) }

  /// Parses a header that decides where a request ends or whether the connection stays open; ignores all others.
  mutating func parse(_ value: ArraySlice<UInt8>, of name: ArraySlice<UInt8>) throws(HTTPFailure) {
    switch name.count {
    case 4 where name.isWord("host"):
      guard !hasHost else { throw .severalHosts }
      guard value.allSatisfy(\.isHostByte) else { throw .malformedHost }
      hasHost = true
    case 6 where name.isWord("expect"):
      if value.isWord("100-continue") { expectsContinue = true } else { hasUnknownExpectation = true }
    case 10 where name.isWord("connection"):
      for option in value.split(separator: UInt8(ascii: ",")) {
        let word = option.drop(while: \.isBlank).prefix { !$0.isBlank }
        if word.isWord("close") { saysClose = true }
        if word.isWord("keep-alive") { saysKeepAlive = true }
      }
    case 14 where name.isWord("content-length"):
      guard contentLength == nil else { throw .severalContentLengths }
      contentLength = try Self.number(value)
    case 17 where name.isWord("transfer-encoding"):
      codings += 1
      isCodingChunked = value.isWord("chunked")
    default: break
    }
  }

  /// Checks the complete head.
  mutating func check(_ limits: HTTPLimits) throws(HTTPFailure) {
    guard hasHost || minorVersion == 0 else { throw .missingHost }
    if codings > 0 {
      guard contentLength == nil else { throw .contradictoryLengths }
      guard isChunked else { throw .transferEncoding }
      guard minorVersion > 0 else { throw .transferEncodingInHTTP10 }
    }
    if minorVersion == 0 {
      // HTTP/1.0 has no expectations, and a server must not act on one (RFC 9110, section 10.1.1).
      expectsContinue = false
    } else if hasUnknownExpectation {
      throw .unknownExpectation
    }
    let length = contentLength ?? 0
    guard length <= limits.body else { throw .bodyTooLong(limit: limits.body) }
    if length == 0, !isChunked { expectsContinue = false }
  }

  /// Parses a length. A number too large for an `Int` becomes the largest one, which exceeds every limit.
  private static func number(_ digits: ArraySlice<UInt8>) throws(HTTPFailure) -> Int {
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { throw .malformedContentLength }
    return Int(String(decoding: digits, as: UTF8.self)) ?? Int.max
  }
}

extension HTTPRequestHead {
  /// Parses a target in any form (RFC 9112, section 3.2) except that of CONNECT.
  ///
  /// Visible ASCII that is not allowed in URLs, such as braces, is accepted: apps and documents send it in queries, and
  /// the endpoint should answer as the real one does.
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

  /// Parses a target as sent to a proxy. The host is ignored, because there is only one site.
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

  /// The path with escaped letters, digits, `-`, `.`, `_` and `~` decoded, which does not change its meaning (RFC 3986,
  /// section 6.2.2.2). Other escapes are kept, because `%2F` is not a slash.
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
  /// Whether an escape of this byte does not change a URL's meaning.
  fileprivate var isUnreserved: Bool { isASCIILetterOrDigit || "-._~".utf8.contains(self) }
}

/// The information in a request about its connection (RFC 9112, section 9.3).
package struct HTTPPersistence: Equatable, Sendable {
  /// 0 for HTTP/1.0, else 1.
  package var minorVersion: Int
  /// Whether the client wants the connection to stay open after the answer.
  package var keepsAlive: Bool

  package init(minorVersion: Int = 1, keepsAlive: Bool) {
    self.minorVersion = minorVersion
    self.keepsAlive = keepsAlive
  }
}
