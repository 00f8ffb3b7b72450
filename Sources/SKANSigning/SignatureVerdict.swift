/// Whether a signature is of a text and a key.
package enum SignatureVerdict: Sendable, Equatable {
  case valid
  case invalid(Fault)

  package enum Fault: Sendable, Equatable {
    case notBase64
    /// It cannot be an ECDSA signature on P-256, by whatever key.
    case notDER(String)
    /// No signature of this text can be valid, and why.
    case cannotFit(String)
    /// It is one, but not of this text by this key.
    case doesNotFit

    /// In words, to end a sentence.
    package var message: String {
      switch self {
      case .notBase64: "the signature is not base64"
      case .notDER(let why): "the signature is not an ECDSA signature in DER: \(why)"
      case .cannotFit(let why): "no signature can fit: \(why)"
      case .doesNotFit: "the signature does not fit: a signed field was altered, or another key signed it"
      }
    }
  }
}
