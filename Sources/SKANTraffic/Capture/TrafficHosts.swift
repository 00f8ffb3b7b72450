import SKANDevice
import SKANBase
import SKANHTTP
import SKANModel

/// The hosts whose requests are checked: those of the guides, this machine, and proxies that the user names.
package struct TrafficHosts: Sendable {
  /// The kind of requests that a host answers.
  package enum Role: String, CaseIterable, Sendable {
    /// `conversion_value`.
    case singular
    /// `launch` and `evt`.
    case s2s
  }

  /// The destination of a request.
  package enum Destination: Sendable, Equatable {
    case endpoint(EndpointKind)
    /// A path that is not checked, on one of the hosts.
    case otherPath
    case otherHost
  }

  /// The hosts of the guides and of Singular's S2S reference.
  private static let known: [String: Set<Role>] = EndpointKind.allCases.reduce(
    into: [EndpointKind.testHost: [.singular]]
  ) { $0[$1.host, default: []].insert($1.role) }

  /// The user's proxies, in lower case, with or without a port.
  private var own: [String: Set<Role>] = [:]

  package init() {}

  /// Adds a proxy.
  ///
  /// - Parameter name: a host, optionally with a port.
  package mutating func add(_ name: String, as role: Role) { own[name.lowercased(), default: []].insert(role) }

  /// The destination of a request. A target without a host, as in logs, is recognized by its path.
  package func destination(of target: HTTPTarget) -> Destination {
    let name = Self.host(of: target.origin)
    let plain = Self.withoutPort(name)
    if let roles = Self.known[plain] {
      guard let kind = EndpointKind(path: target.path), kind.path == target.path else { return .otherPath }
      return roles.contains(kind.role) ? .endpoint(kind) : .otherPath
    }
    if let roles = own[name] ?? own[plain] {
      guard let kind = EndpointKind(path: target.path), roles.contains(kind.role) else { return .otherPath }
      return .endpoint(kind)
    }
    guard name.isEmpty || Self.isLoopback(plain) else { return .otherHost }
    return EndpointKind(path: target.path).map(Destination.endpoint) ?? .otherPath
  }

  /// The requests that a host of the checked ones takes.
  func kinds(at host: String) -> HiddenRequests.Kinds {
    let name = host.lowercased()
    let plain = Self.withoutPort(name)
    let roles = Self.known[plain] ?? own[name] ?? own[plain] ?? Set(Role.allCases)
    return EndpointKind.allCases.reduce(into: []) { kinds, kind in
      if roles.contains(kind.role) { kinds.formUnion([HiddenRequests.Kinds(kind), .value]) }
    }
  }

  /// Whether a host, optionally with a port, is checked.
  package func contains(_ host: String) -> Bool {
    let name = host.lowercased()
    let plain = Self.withoutPort(name)
    return Self.known[plain] != nil || own[name] != nil || own[plain] != nil || Self.isLoopback(plain)
  }

  /// The host and port of `https://user@host:port`, in lower case; empty where there is none. Whatever cannot be in a
  /// host ends it, so that a name never includes a path or a query.
  package static func host(of origin: String) -> String {
    var host = origin.utf8[...]
    let slash = UInt8(ascii: "/")
    if let slashes = host.indices.first(where: { host[$0] == slash && host[host.index(after: $0)...].first == slash }) {
      host = host[host.index(slashes, offsetBy: 2)...]
    }
    host = host.prefix { !"/?#".utf8.contains($0) }
    if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[host.index(after: at)...] }
    return String(Substring(host.prefix(while: \.isOfHost))).lowercased()
  }

  /// The host and the path of a target, for messages: without its query, and without secrets in the path.
  static func place(of target: HTTPTarget) -> String {
    host(of: target.origin) + SecretParameter.redacted(text: target.path)
  }

  private static func withoutPort(_ host: String) -> String {
    guard let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")),
      host[host.index(after: colon)...].utf8.allSatisfy(\.isASCIIDigit),
      !host.hasSuffix("]")
    else { return host }
    return String(host[..<colon])
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || $0.isASCIIDigit }
  }
}

extension EndpointKind {
  /// The role of the hosts that answer requests of this kind.
  fileprivate var role: TrafficHosts.Role { isReport ? .s2s : .singular }
}

extension UInt8 {
  /// Whether the byte may be in a host with its port; a host of another script is not in ASCII.
  fileprivate var isOfHost: Bool { isASCIILetterOrDigit || self >= 0x80 || ".-_:[]".utf8.contains(self) }
}
