import SKANBase

/// What the lines of a request's head have said so far.
struct HTTPRequestHead {
  var method = ""
  var target = HTTPTarget(path: "")
  var minorVersion = 1
  var slots: [HTTPFields.Slot] = []
  /// nil when no `Content-Length` was sent: a request then has no body (RFC 9112, section 6.3).
  var contentLength: Int?
  var expectsContinue = false
  /// Whether the body comes in chunks, and nothing else is done to it.
  var isChunked: Bool { codings == 1 && isCodingChunked }
  private var codings = 0
  private var isCodingChunked = false
  private var hasHost = false
  private var hasUnknownExpectation = false
  private var saysClose = false
  private var saysKeepAlive = false

  var keepsAlive: Bool { !saysClose && (minorVersion > 0 || saysKeepAlive) }

  /// Takes the headers that decide where a request ends and what becomes of the connection.
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

  /// Whether the whole head makes sense.
  mutating func check(_ limits: HTTPLimits) throws(HTTPFailure) {
    guard hasHost || minorVersion == 0 else { throw .missingHost }
    if codings > 0 {
      guard contentLength == nil else { throw .contradictoryLengths }
      guard isChunked else { throw .transferEncoding }
      guard minorVersion > 0 else { throw .transferEncodingInHTTP10 }
    }
    if minorVersion == 0 {
      // HTTP/1.0 knows no expectations, and a server must not act on one (RFC 9110, section 10.1.1).
      expectsContinue = false
    } else if hasUnknownExpectation {
      throw .unknownExpectation
    }
    let length = contentLength ?? 0
    guard length <= limits.body else { throw .bodyTooLong(limit: limits.body) }
    if length == 0, !isChunked { expectsContinue = false }
  }

  /// A number too large for an `Int` is the largest one, and too large for every limit.
  private static func number(_ digits: ArraySlice<UInt8>) throws(HTTPFailure) -> Int {
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { throw .malformedContentLength }
    return Int(String(decoding: digits, as: UTF8.self)) ?? Int.max
  }
}
