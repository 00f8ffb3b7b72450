import Foundation

/// Signs and checks texts by ECDSA on P-256 with SHA-256: CryptoKit on Apple systems, elsewhere OpenSSL.
package struct SignatureTool: Sendable {
  /// Signs a message; the signature in DER.
  let signMessage: @Sendable (_ message: [UInt8], PrivateKey) throws(SigningError) -> [UInt8]
  /// Whether a signature of the right form is of this message by this key.
  let verifyMessage: @Sendable (_ message: [UInt8], _ der: [UInt8], PublicKey) throws(SigningError) -> Bool

  /// For a system without cryptography.
  package static let missing = SignatureTool(
    signMessage: { (_, _) throws(SigningError) in throw .toolMissing },
    verifyMessage: { (_, _, _) throws(SigningError) in throw .toolMissing })

  /// The signature of a message, as base64 of DER: another one each time.
  package func sign(_ message: [UInt8], with key: PrivateKey) throws(SigningError) -> String {
    Data(try signMessage(message, key)).base64EncodedString()
  }

  /// Whether `signature`, base64 of DER, is of the message by the key that belongs to `key`.
  package func verify(
    _ message: [UInt8], signature: String, by key: PublicKey
  ) throws(SigningError) -> SignatureVerdict {
    guard let data = Data(base64Encoded: signature) else { return .invalid(.notBase64) }
    let der = Array(data)
    if let fault = SignatureForm.fault(der) { return .invalid(.notDER(fault)) }
    return try verifyMessage(message, der, key) ? .valid : .invalid(.doesNotFit)
  }
}
