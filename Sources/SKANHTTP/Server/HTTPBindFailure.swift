/// Why a server has no address to listen at.
package enum HTTPBindFailure: Error, Equatable, Sendable {
  /// Another program listens there already.
  case addressInUse(host: String, port: UInt16)
  /// A port below 1024 without the right to it, or a sandbox.
  case noPermission(host: String, port: UInt16)
  /// No address, and no name that has one. The reason is the system's own text.
  case unknownHost(String, reason: String)
  /// An address that is another machine's.
  case foreignHost(String)
  /// Another system call failed; the number is `errno`, the reason the system's own text.
  case system(call: String, code: Int32, reason: String)
}
