import SKANHTTP
import SKANRun

/// The host of the endpoint that an app under test asks.
struct TestedHost: Equatable, Sendable {
  let name: String
  /// Whether it is asked over plain HTTP, which needs an exception.
  let isPlain: Bool

  /// Nil for `embedded`, which no app can ask.
  init?(_ endpoint: Endpoint) {
    if case .embedded = endpoint { return nil }
    guard let parts = try? URLParts(endpoint.address(for: .skan4)) else { return nil }
    self.init(name: parts.address.host, isPlain: parts.address.scheme == .http)
  }

  init(name: String, isPlain: Bool) {
    self.name = name
    self.isPlain = isPlain
  }

  /// Whether it is a numeric address.
  var isAddress: Bool { name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." } }

  /// Whether the host is in the local network: a `.local` name, a name without a dot, or an address of a private range.
  var isLocal: Bool {
    if name == "localhost" || name.hasPrefix("127.") || name == "::1" { return false }
    let parts = name.split(separator: ".").compactMap { Int($0) }
    let isPrivate =
      parts.count == 4
      && (parts[0] == 10 || parts[0] == 192 && parts[1] == 168 || parts[0] == 172 && (16...31).contains(parts[1])
        || parts[0] == 169 && parts[1] == 254)
    return isPrivate || name.hasSuffix(".local") || !name.contains(".") && !name.contains(":")
  }
}
