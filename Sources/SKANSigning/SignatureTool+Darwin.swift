#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  extension SignatureTool {
    /// CryptoKit, which needs no time in which it could be interrupted.
    package static func platform(isInterrupted: @escaping @Sendable () -> Bool = { false }) -> SignatureTool {
      SignatureTool(
        signMessage: { (message, key) throws(SigningError) in
          do {
            let key = try P256.Signing.PrivateKey(pemRepresentation: key.pem)
            return Array(try key.signature(for: Data(message)).derRepresentation)
          } catch {
            throw .key(.refused("\(error)"))
          }
        },
        verifyMessage: { (message, der, key) throws(SigningError) in
          // The form was checked; a signature that is refused all the same is not one of this message.
          guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: Data(der)) else { return false }
          return try key.cryptoKey().isValidSignature(signature, for: Data(message))
        })
    }
  }

  extension PublicKey {
    fileprivate func cryptoKey() throws(SigningError) -> P256.Signing.PublicKey {
      do {
        // A compressed point is 33 bytes, which SubjectPublicKeyInfo ends with.
        return der.count == 59
          ? try P256.Signing.PublicKey(compressedRepresentation: Data(der.suffix(33)))
          : try P256.Signing.PublicKey(derRepresentation: Data(der))
      } catch {
        throw .key(.refused("\(error)"))
      }
    }
  }
#endif
