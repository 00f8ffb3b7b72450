import SKANBase
import SKANHTTP
import SKANModel

/// Protects the service against web pages in the tester's browser: against pages of other sites, and against host names
/// that a site's owner points at this machine (DNS rebinding).
package struct SiteGuard: Sendable {
  private let hosts: Set<String>
  private let origins: Set<String>

  /// - Parameters:
  ///   - hosts: names of this machine besides its addresses and `localhost`.
  ///   - origins: sites whose pages may send requests, such as `https://tools.example`.
  package init(hosts: [String] = [], origins: [String] = []) {
    self.hosts = Set(hosts.map { Origin.host(of: $0) })
    self.origins = Set(origins.map { $0.lowercased() })
  }

  /// Whether a text is a site as browsers write it in `Origin`, without a path.
  package static func isOrigin(_ text: String) -> Bool { Origin(url: text)?.text == text.lowercased() }

  /// The page's site if it is allowed by name, for the answer's `Access-Control-Allow-Origin`.
  func allowedOrigin(_ site: RequestSite) -> String? { site.origin.flatMap { isAllowed($0) ? $0 : nil } }

  /// Why a page may not send requests; nil when it may, or when there is no page.
  func refusal(ofPage site: RequestSite) -> String? {
    if let origin = site.origin, !isAllowed(origin), !isOwn(Origin(url: origin), site) {
      return "the page's Origin \(origin) is another site; --allow-origin \(origin) lets it in"
    }
    guard site.origin == nil else { return nil }
    let page = site.referer.map { Origin(url: $0) }
    if case .some(let page) = page, !isOwn(page, site), !isAllowed(page?.text ?? "") {
      return "the page that asked, \(page?.text ?? "of no http URL"), is another site"
        + (page.map { "; --allow-origin \($0.text) lets it in" } ?? "")
    }
    if site.fetchSite == "cross-site", !isAllowed((page ?? nil)?.text ?? "") {
      return "a page of another site asked for this (Sec-Fetch-Site: cross-site); --allow-origin ORIGIN lets it in"
    }
    return nil
  }

  /// Why a `Host` is not trusted; nil when it is. Only HTTP/1.0 clients omit it, and browsers are not among them.
  func refusal(ofHost site: RequestSite) -> String? {
    guard let host = site.host.map({ Origin.host(of: $0) }) else { return nil }
    if hosts.contains(host) || host.isLoopback || host.isAddress { return nil }
    return "Host \(host) is neither an address nor a name of this machine; --allow-host \(host) lets it in"
  }

  /// Why a request may not read or change what the live page shows; nil when it may. Only the page itself may, whose
  /// origin is exactly this server's: another port of this machine is another program.
  ///
  /// - Parameter isChange: whether it changes something, which needs an `Origin`.
  func refusal(ofOtherThanPage site: RequestSite, isChange: Bool) -> String? {
    if let refusal = refusal(ofHost: site) { return refusal }
    let origin = site.origin ?? site.referer.flatMap { Origin(url: $0)?.text }
    if let origin {
      let own = (site.host ?? "").lowercased()
      guard ["http://\(own)", "https://\(own)"].contains(origin.lowercased()) else {
        return "the page's origin \(origin) is not http://\(own): only the server's own page may ask for this"
      }
    }
    if origin == nil, site.referer != nil {
      return "the page that asked, of no http URL, is not this server's: only the server's own page may ask for this"
    }
    if isChange, site.origin == nil {
      return "a change needs the header Origin of the server's own page: Origin: http://\(site.host ?? "HOST")"
    }
    if let fetchSite = site.fetchSite, fetchSite != "same-origin", fetchSite != "none" {
      return "another page asked for this (Sec-Fetch-Site: \(fetchSite)): only the server's own page may"
    }
    return nil
  }

  private func isAllowed(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }

  /// Whether a page comes from the same machine as the service, on any port.
  private func isOwn(_ page: Origin?, _ site: RequestSite) -> Bool {
    guard let page, let host = site.host.map({ Origin.host(of: $0) }) else { return false }
    return page.host == host || page.host.isLoopback && host.isLoopback
  }
}

extension String {
  /// Whether the text, in lower case, is a loopback name or address.
  fileprivate var isLoopback: Bool {
    self == "localhost" || hasSuffix(".localhost") || self == "[::1]" || isIPv4 && hasPrefix("127.")
  }

  /// Whether the text is a numeric address, which DNS cannot redirect.
  fileprivate var isAddress: Bool { isIPv4 || hasPrefix("[") && hasSuffix("]") }

  private var isIPv4: Bool {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) && UInt8($0) != nil }
  }
}

/// The origin of a request: the host name that the client used for the server, and a browser's information about the
/// requesting page.
struct RequestSite: Equatable, Sendable {
  /// `Host`.
  var host: String?
  /// `Origin`.
  var origin: String?
  /// `Referer`.
  var referer: String?
  /// `Sec-Fetch-Site`.
  var fetchSite: String?
}

extension RequestSite {
  /// Reads the request's headers; the first line of a repeated header counts.
  init(_ headers: HTTPFields) {
    self.init(
      host: headers["Host"], origin: headers["Origin"], referer: headers["Referer"],
      fetchSite: headers["Sec-Fetch-Site"])
  }
}

/// The site of a page, as in the header `Origin`: `http://localhost:3000`.
struct Origin {
  /// The site in lower case.
  let text: String
  /// The host without port, in lower case.
  let host: String

  /// Parses the site of an http or https URL; nil for any other text.
  init?(url: String) {
    let url = url.lowercased()
    guard let mark = url.range(of: "://"), ["http", "https"].contains(url[..<mark.lowerBound]) else { return nil }
    let authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    host = Self.host(of: authority)
    text = "\(url[..<mark.upperBound])\(authority)"
    if host.isEmpty { return nil }
  }

  /// The host of `HOST[:PORT]` in lower case, without a trailing dot.
  static func host(of authority: some StringProtocol) -> String {
    let authority = authority.lowercased()
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
    let host = authority.prefix { $0 != ":" }
    return String(host.hasSuffix(".") ? host.dropLast() : host)
  }
}

extension HTTPFields {
  /// Allows pages of a site to read the answer and, if `methods` is given, to send requests.
  mutating func allow(_ origin: String, methods: String?) {
    append("Access-Control-Allow-Origin", origin)
    append("Vary", "Origin")
    append("Access-Control-Expose-Headers", ExplainedReply.header)
    guard let methods else { return }
    append("Access-Control-Allow-Methods", methods)
    append("Access-Control-Allow-Headers", "\(ReferenceEndpoint.deviceTimeHeader), \(Fault.header)")
  }
}
