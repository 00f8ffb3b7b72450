/// What a request asks for (RFC 9112, section 3.2), with every percent escape as it was sent; the server undoes those of a
/// path that mean nothing.
///
///     HTTPTarget("http://localhost:8080/api?a=%20").query   // "a=%20"
///
/// The query of a `conversion_value` request holds the SDK key: neither it nor ``text`` is for a message.
package struct HTTPTarget: Equatable, Sendable {
  /// Scheme, host and port as they were written, such as `http://localhost:8080`; empty in a request that the server
  /// received, which is one site.
  package var origin: String
  /// Begins with a slash, or is `*`; empty when a URL has none.
  package var path: String
  /// Behind the first question mark; nil when there is no question mark.
  package var query: String?

  /// A target of its parts.
  package init(origin: String = "", path: String, query: String? = nil) {
    self.origin = origin
    self.path = path
    self.query = query
  }

  /// Parses a URL, or a path with its query. Nothing is checked or lost: ``text`` is the same again.
  package init(_ text: String) {
    // By bytes, which is many times faster than by characters.
    let bytes = text.utf8
    func endOfName(from start: String.Index) -> String.Index {
      bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
    }
    var start = bytes.startIndex
    let scheme = bytes[..<endOfName(from: start)]
    if scheme.last == UInt8(ascii: ":"), bytes[scheme.endIndex...].starts(with: "//".utf8) {
      start = endOfName(from: bytes.index(scheme.endIndex, offsetBy: 2))
    }
    origin = String(text[..<start])
    let mark = bytes[start...].firstIndex(of: UInt8(ascii: "?"))
    path = String(text[start..<(mark ?? bytes.endIndex)])
    query = mark.map { String(text[bytes.index(after: $0)...]) }
  }

  /// The whole target.
  package var text: String { query.map { "\(origin)\(path)?\($0)" } ?? "\(origin)\(path)" }

  /// Path and query as the request line has them: an empty path is a slash there.
  package var pathAndQuery: String {
    let path = path.utf8.first == UInt8(ascii: "/") ? path : "/\(path)"
    return query.map { "\(path)?\($0)" } ?? path
  }
}
