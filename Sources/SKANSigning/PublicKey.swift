import Foundation

/// A public key for ECDSA on P-256.
package struct PublicKey: Sendable, Equatable {
  /// SubjectPublicKeyInfo in DER.
  let der: [UInt8]

  /// Apple's, with which versions 2.1 and later are signed; see the article "Postbacks".
  package static let apple = PublicKey(
    unchecked: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SP"
      + "ykE3YVK3sVqW6Af0lfx3gg==")

  private init(unchecked base64: String) { der = Data(base64Encoded: base64).map { Array($0) } ?? [] }

  /// A key as PEM or as the base64 of its SubjectPublicKeyInfo.
  package init(_ text: String) throws(KeyProblem) {
    let der: [UInt8]
    if let block = try Self.block(in: text) {
      guard let bytes = block.der else { throw .noKey }
      der = bytes
    } else {
      let base64 = text.filter { !$0.isWhitespace }
      if base64.isEmpty { throw .empty }
      guard let data = Data(base64Encoded: base64), data.first == 0x30 else { throw .noKey }
      der = Array(data)
    }
    guard Self.isWellFormed(der) else { throw KeyKind.isP256(der) ? .noKey : KeyKind.otherKind(der) }
    self.der = der
  }

  private static func block(in text: String) throws(KeyProblem) -> PEMBlock? {
    let blocks = PEMBlock.blocks(in: text)
    if let block = blocks.first(where: { $0.label == "PUBLIC KEY" }) { return block }
    if blocks.contains(where: { $0.label.hasSuffix("PRIVATE KEY") }) { throw .isPrivate }
    if blocks.contains(where: { $0.label.hasSuffix("CERTIFICATE") }) { throw .isCertificate(insteadOfPrivate: false) }
    if blocks.contains(where: { $0.label == "RSA PUBLIC KEY" }) { throw .otherKind("an RSA key") }
    if !blocks.isEmpty { throw .noKey }
    return nil
  }

  /// RFC 5480: the algorithm with the curve by name, and the point, whole or compressed.
  private static func isWellFormed(_ der: [UInt8]) -> Bool {
    switch der.count {
    case 91: der.starts(with: [0x30, 0x59] + algorithm + [0x03, 0x42, 0x00, 0x04])
    case 59: der.starts(with: [0x30, 0x39] + algorithm + [0x03, 0x22, 0x00]) && [2, 3].contains(der[26])
    default: false
    }
  }

  private static let algorithm: [UInt8] = [
    0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03,
    0x01, 0x07,
  ]

  var pem: String { PEMBlock.text("PUBLIC KEY", der) }
}
