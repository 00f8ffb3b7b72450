/// Where a server listens.
package struct HTTPServerAddress: Equatable, Sendable {
  /// A numeric address, IPv6 without brackets.
  package var host: String
  /// Never 0.
  package var port: UInt16

  /// `127.0.0.1:8787` or `[::1]:8787`.
  package var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  /// The same as a client on this machine names it: one that listens everywhere is at the loopback address.
  package var localAuthority: String {
    switch host {
    case "0.0.0.0": "127.0.0.1:\(port)"
    case "::": "[::1]:\(port)"
    default: authority
    }
  }

  /// Whether only this machine reaches it.
  package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }
}
