/// A tester's own private key for ECDSA on P-256. It is never shown and never kept.
package struct PrivateKey: Sendable {
  private let label: String
  /// As the file has it: of PKCS #8 or of SEC 1.
  let der: [UInt8]

  /// A key file as `openssl ecparam -genkey` or `openssl genpkey` writes it, without a passphrase.
  package init(pem text: String) throws(KeyProblem) {
    let blocks = PEMBlock.blocks(in: text)
    guard let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
      if blocks.contains(where: { $0.label.hasSuffix("PUBLIC KEY") }) { throw .isPublic }
      if blocks.contains(where: { $0.label.hasSuffix("CERTIFICATE") }) { throw .isCertificate(insteadOfPrivate: true) }
      throw text.allSatisfy(\.isWhitespace) ? .empty : .noKey
    }
    switch block.label {
    case "EC PRIVATE KEY" where block.hasHeaders, "ENCRYPTED PRIVATE KEY": throw .isEncrypted
    case "EC PRIVATE KEY", "PRIVATE KEY": break
    case "RSA PRIVATE KEY": throw .otherKind("an RSA key")
    default: throw .otherKind("a key of another kind")
    }
    guard let der = block.der else { throw .noKey }
    // With all that may stand beside it, such as the whole curve; and a pipe takes it in one piece.
    guard der.count <= 2048 else { throw .tooLong(der.count) }
    guard KeyKind.isP256(der) else { throw KeyKind.otherKind(der) }
    label = block.label
    self.der = der
  }

  var pem: String { PEMBlock.text(label, der) }
}
