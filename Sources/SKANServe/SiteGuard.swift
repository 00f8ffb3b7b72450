import SKANBase
import SKANHTTP
import SKANModel

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

/// What a request says of where it comes from: the name under which the client found the server, and what a browser adds
/// of the page that asked.
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
  /// What a request's headers say; of a header that is sent twice the first line counts.
  init(_ headers: HTTPFields) {
    self.init(
      host: headers["Host"], origin: headers["Origin"], referer: headers["Referer"],
      fetchSite: headers["Sec-Fetch-Site"])
  }
}

/// The site of a page, as the header `Origin` has it: `http://localhost:3000`.
struct Origin {
  /// In lower case.
  let text: String
  /// Without its port, in lower case.
  let host: String

  /// The beginning of an http or https URL; nil when it is not one.
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

extension HTTPFields {
  /// Lets the pages of a site read the answer and, where the methods are named, send what the server takes.
  mutating func allow(_ origin: String, methods: String?) {
    append("Access-Control-Allow-Origin", origin)
    append("Vary", "Origin")
    append("Access-Control-Expose-Headers", ExplainedReply.header)
    guard let methods else { return }
    append("Access-Control-Allow-Methods", methods)
    append("Access-Control-Allow-Headers", "\(ReferenceEndpoint.deviceTimeHeader), \(Fault.header)")
  }
}
