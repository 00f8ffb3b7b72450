import SKANSigning

extension CommandError {
  /// - Parameter keyFile: where the key came from.
  init(_ error: SigningError, keyFile: String) {
    switch error {
    case .key(let problem): self = .badKey(file: keyFile, reason: problem.message)
    case .interrupted: self = .interrupted
    case .toolMissing, .toolFailed: self = .noSignatures(error.message)
    }
  }
}
