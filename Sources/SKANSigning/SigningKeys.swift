import Foundation
import SKANBase

/// A public key for ECDSA on P-256; Apple's earlier one alone is on P-192.
package struct PublicKey: Sendable, Equatable {
  /// The SubjectPublicKeyInfo in DER.
  let der: [UInt8]

  /// Apple's key for versions 2.1 and later; see the article "Postbacks".
  package static let apple = PublicKey(
    unchecked: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SP"
      + "ykE3YVK3sVqW6Af0lfx3gg==")

  /// Apple's key for versions 1.0 and 2.0, on the curve P-192, which CryptoKit does not have; see the article "Postbacks".
  package static let appleEarlier = PublicKey(
    unchecked: "MEkwEwYHKoZIzj0CAQYIKoZIzj0DAQEDMgAEMyHD625uvsmGq4C43cQ9BnfN2xslVT5V1nOmAMP6qaRRUll3PB1JYmgSm+62sosG")

  init(unchecked base64: String) { der = Data(base64Encoded: base64).map { Array($0) } ?? [] }

  /// Reads a key as PEM or as the base64 of its SubjectPublicKeyInfo.
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

  /// Whether the form is that of RFC 5480: the algorithm, the curve by name, and the point, uncompressed or compressed.
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

/// A tester's private key for ECDSA on P-256. It is never shown and never stored.
package struct PrivateKey: Sendable {
  private let label: String
  /// The key as in the file: PKCS #8 or SEC 1.
  let der: [UInt8]

  /// Reads a key file as written by `openssl ecparam -genkey` or `openssl genpkey`, without a passphrase.
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
    // Allows for additional parts such as the explicit curve, and fits in a pipe.
    guard der.count <= 2048 else { throw .tooLong(der.count) }
    guard KeyKind.isP256(der) else { throw KeyKind.otherKind(der) }
    label = block.label
    self.der = der
  }

  var pem: String { PEMBlock.text(label, der) }
}

/// Why a text is not the expected key.
package enum KeyProblem: Error, Sendable, Equatable {
  case noKey
  case empty
  /// A private key instead of a public one; it should not be shared.
  case isPrivate
  case isPublic
  /// A certificate instead of a public or private key.
  case isCertificate(insteadOfPrivate: Bool)
  /// A number of bytes that no key on P-256 has.
  case tooLong(Int)
  case isEncrypted
  /// A key for another algorithm or curve.
  case otherKind(String)
  /// The platform's cryptography refuses the key, with its own text.
  case refused(String)

  /// The problem in words, to follow a name and a colon.
  package var message: String {
    switch self {
    case .noKey: "there is no key in it; it should be PEM (-----BEGIN …) or the base64 of one"
    case .empty: "it is empty"
    case .isPrivate: "this is a private key, but the public one is needed: \(Self.makePublic)"
    case .isPublic: "this is a public key, but the private one is needed"
    case .isCertificate(true): "this is a certificate, but its private key is needed"
    case .isCertificate(false):
      "this is a certificate, but a public key is needed: openssl x509 -in cert.pem -pubkey -noout -out public.pem"
    case .tooLong(let count): "it has \(count) bytes, and no key on P-256 is that long"
    case .isEncrypted: "the key is encrypted; only one without a passphrase can be used"
    case .otherKind(let kind): "this is \(kind), and postbacks are signed by ECDSA on P-256"
    case .refused(let message): "the key is not usable (\(message))"
    }
  }

  /// A command that creates a private key, for help.
  package static let makePrivate = "openssl ecparam -name prime256v1 -genkey -noout -out key.pem"
  /// A command that extracts the public key from it.
  package static let makePublic = "openssl ec -in key.pem -pubout -out public.pem"
}

/// The kind of key in a DER text, according to its object identifiers.
enum KeyKind {
  private static let p256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
  private static let ellipticCurve: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  private static let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]

  static func isP256(_ der: [UInt8]) -> Bool { der.holds(p256) }

  /// The problem that names the other kind.
  static func otherKind(_ der: [UInt8]) -> KeyProblem {
    if der.holds(rsa) { return .otherKind("an RSA key") }
    if der.holds(ellipticCurve) { return .otherKind("a key on another elliptic curve") }
    return .otherKind("a key of another kind")
  }
}

extension [UInt8] {
  fileprivate func holds(_ part: [UInt8]) -> Bool {
    guard count >= part.count else { return false }
    return (0...(count - part.count)).contains { self[$0..<$0 + part.count].elementsEqual(part) }
  }
}

/// A `-----BEGIN …-----` block of a key file.
struct PEMBlock: Equatable {
  /// The label, such as `PUBLIC KEY`.
  let label: String
  /// Nil if there are headers, as in an old-style encrypted key, or the content is not base64.
  let der: [UInt8]?
  let hasHeaders: Bool

  /// All blocks of a text, in order; text between them is ignored.
  static func blocks(in text: String) -> [PEMBlock] {
    var blocks: [PEMBlock] = []
    var label: String?
    var lines: [String] = []
    for line in text.split(whereSeparator: \.isNewline).map({ String($0.trimming { $0 == " " || $0 == "\t" }) }) {
      if let open = label {
        if line == "-----END \(open)-----" {
          blocks.append(PEMBlock(label: open, lines: lines))
          label = nil
        } else {
          lines.append(line)
        }
      } else if line.hasPrefix("-----BEGIN "), line.hasSuffix("-----"), line.count > 16 {
        label = String(line.dropFirst(11).dropLast(5))
        lines = []
      }
    }
    return blocks
  }

  private init(label: String, lines: [String]) {
    self.label = label
    hasHeaders = lines.contains { $0.contains(":") }
    der = hasHeaders ? nil : Data(base64Encoded: lines.joined()).map { Array($0) }
  }

  /// A block as PEM text.
  static func text(_ label: String, _ der: [UInt8]) -> String {
    var rest = Substring(Data(der).base64EncodedString())
    var text = "-----BEGIN \(label)-----\n"
    while !rest.isEmpty {
      text += rest.prefix(64) + "\n"
      rest = rest.dropFirst(64)
    }
    return text + "-----END \(label)-----\n"
  }
}
