/// What a request says of where it comes from: the name under which the client found the server, and what a browser tells
/// of the page that asked.
package struct RequestSite: Equatable, Sendable {
  /// `Host`.
  package var host: String?
  /// `Origin`.
  package var origin: String?
  /// `Referer`.
  package var referer: String?
  /// `Sec-Fetch-Site`.
  package var fetchSite: String?

  package init(host: String? = nil, origin: String? = nil, referer: String? = nil, fetchSite: String? = nil) {
    self.host = host
    self.origin = origin
    self.referer = referer
    self.fetchSite = fetchSite
  }
}

/// The site of a page, as `Origin` has it: `http://localhost:3000`.
struct Origin {
  /// In lower case.
  let text: String
  /// Without its port, in lower case.
  let host: String

  /// The beginning of an http or https URL; nil when it is none.
  init?(url: String) {
    let url = url.lowercased()
    guard let mark = url.range(of: "://"), ["http", "https"].contains(url[..<mark.lowerBound]) else { return nil }
    let authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    host = Self.host(of: authority)
    text = "\(url[..<mark.upperBound])\(authority)"
    if host.isEmpty { return nil }
  }

  /// The host of `HOST[:PORT]`, in lower case, without a final dot.
  static func host(of authority: some StringProtocol) -> String {
    let authority = authority.lowercased()
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
    let host = authority.prefix { $0 != ":" }
    return String(host.hasSuffix(".") ? host.dropLast() : host)
  }
}
