/// What a request says of the connection that it came over (RFC 9112, section 9.3).
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
