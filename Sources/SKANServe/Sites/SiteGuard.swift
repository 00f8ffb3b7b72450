import SKANBase

/// Keeps out what a page in the tester's browser could do without being asked: pages of other sites, and names that a
/// page's owner has pointed at this machine (DNS rebinding).
package struct SiteGuard: Sendable {
  private let hosts: Set<String>
  private let origins: Set<String>

  /// - Parameters:
  ///   - hosts: names under which this machine is known, beside its addresses and `localhost`.
  ///   - origins: sites whose pages may ask, such as `https://tools.example`.
  package init(hosts: [String] = [], origins: [String] = []) {
    self.hosts = Set(hosts.map { Origin.host(of: $0) })
    self.origins = Set(origins.map { $0.lowercased() })
  }

  /// Whether a text is a site as browsers write it, without a path.
  package static func isOrigin(_ text: String) -> Bool { Origin(url: text)?.text == text.lowercased() }

  /// The site of a page that was let in by name, for the answer's `Access-Control-Allow-Origin`.
  func allowedOrigin(_ site: RequestSite) -> String? { site.origin.flatMap { isAllowed($0) ? $0 : nil } }

  /// Why a page may not ask; nil when it may, or when no page asks.
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

  /// Why a `Host` may not be trusted; nil when it may. Only clients of HTTP/1.0 leave it out, and no browser is one.
  func refusal(ofHost site: RequestSite) -> String? {
    guard let host = site.host.map({ Origin.host(of: $0) }) else { return nil }
    if hosts.contains(host) || host.isLoopback || host.isAddress { return nil }
    return "Host \(host) is neither an address nor a name of this machine; --allow-host \(host) lets it in"
  }

  private func isAllowed(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }

  /// Whether a page comes from the machine that it asks, whatever the port.
  private func isOwn(_ page: Origin?, _ site: RequestSite) -> Bool {
    guard let page, let host = site.host.map({ Origin.host(of: $0) }) else { return false }
    return page.host == host || page.host.isLoopback && host.isLoopback
  }
}

extension String {
  /// A name or an address of the machine itself; the text is in lower case.
  fileprivate var isLoopback: Bool {
    self == "localhost" || hasSuffix(".localhost") || self == "[::1]" || isIPv4 && hasPrefix("127.")
  }

  /// A numeric address, which no name server can redirect.
  fileprivate var isAddress: Bool { isIPv4 || hasPrefix("[") && hasSuffix("]") }

  private var isIPv4: Bool {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) && UInt8($0) != nil }
  }
}
