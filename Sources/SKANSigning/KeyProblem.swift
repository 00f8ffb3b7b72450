/// Why a text is not the key that is asked for.
package enum KeyProblem: Error, Sendable, Equatable {
  case noKey
  case empty
  /// A private key where a public one belongs, which no one else should see.
  case isPrivate
  case isPublic
  /// A certificate where a public key belongs, or a private one.
  case isCertificate(insteadOfPrivate: Bool)
  /// A number of bytes that no key on P-256 has.
  case tooLong(Int)
  case isEncrypted
  /// A key for something else than ECDSA on P-256.
  case otherKind(String)
  /// The platform's cryptography refuses it, in its own words.
  case refused(String)

  /// In words, to follow a name and a colon.
  package var message: String {
    switch self {
    case .noKey: "there is no key in it; it should be PEM (-----BEGIN …) or the base64 of one"
    case .empty: "it is empty"
    case .isPrivate: "this is a private key, and the public one is asked for: \(Self.makePublic)"
    case .isPublic: "this is a public key, and the private one is asked for"
    case .isCertificate(true): "this is a certificate, and the private key that belongs to it is asked for"
    case .isCertificate(false):
      "this is a certificate, and a public key is asked for: openssl x509 -in cert.pem -pubkey -noout -out public.pem"
    case .tooLong(let count): "there are \(count) bytes in it, and no key on P-256 is so long"
    case .isEncrypted: "the key is encrypted; only one without a passphrase can be used"
    case .otherKind(let kind): "this is \(kind), and postbacks are signed by ECDSA on P-256"
    case .refused(let message): "the key is not usable (\(message))"
    }
  }

  /// How to make a private key, for help.
  package static let makePrivate = "openssl ecparam -name prime256v1 -genkey -noout -out key.pem"
  /// And the public key that belongs to it.
  package static let makePublic = "openssl ec -in key.pem -pubout -out public.pem"
}
