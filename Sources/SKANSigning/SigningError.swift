/// Why nothing could be signed or checked at all.
package enum SigningError: Error, Sendable, Equatable {
  /// No OpenSSL: neither its library nor its program on the `PATH`.
  case toolMissing
  /// It ran and did something else than asked, in its own words.
  case toolFailed(String)
  case key(KeyProblem)
  /// The user wants no more of it.
  case interrupted

  /// In words, and what to do.
  package var message: String {
    switch self {
    case .toolMissing:
      "signatures need OpenSSL 3, and there is neither its library (libcrypto.so.3) nor the program openssl on the PATH; "
        + "nothing else of skan does"
    case .toolFailed(let message): "openssl failed: \(message)"
    case .key(let problem): problem.message
    case .interrupted: "interrupted"
    }
  }
}
