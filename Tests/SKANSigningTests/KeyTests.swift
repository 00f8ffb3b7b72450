import Foundation
import Testing

@testable import SKANSigning

@Suite("Keys")
struct KeyTests {
  private func problem(public text: String) -> KeyProblem? {
    do throws(KeyProblem) { _ = try PublicKey(text) } catch { return error }
    return nil
  }

  private func problem(private text: String) -> KeyProblem? {
    do throws(KeyProblem) { _ = try PrivateKey(pem: text) } catch { return error }
    return nil
  }

  @Test("A public key as PEM, as base64 and folded")
  func publicKey() throws {
    let key = try PublicKey(TestKeys.publicBase64)
    #expect(try PublicKey(TestKeys.publicPEM) == key)
    #expect(try PublicKey(" \(TestKeys.publicBase64)\n") == key)
    #expect(key.pem == TestKeys.publicPEM)
    #expect(try PublicKey(TestKeys.compressed) != key)
    #expect(key != .apple)
  }

  @Test("Apple's key is well formed, and known when it is given")
  func apple() throws {
    #expect(
      try PublicKey(
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SPykE3YVK3sVqW6Af0lfx3gg=="
      ) == .apple)
    #expect(try PublicKey(PublicKey.apple.pem) == .apple)
  }

  @Test("A private key that is longer than any")
  func longKey() {
    let base64 = String(repeating: "AAAA", count: 1000)
    #expect(problem(private: TestKeys.pem("PRIVATE KEY", base64)) == .tooLong(3000))
  }

  @Test(
    "Why a signature is not valid, and why nothing is signed, in words",
    arguments: [
      (SignatureVerdict.Fault.notBase64.message, "the signature is not base64"),
      (
        SignatureVerdict.Fault.notDER("it is empty").message,
        "the signature is not an ECDSA signature in DER: it is empty"
      ),
      (SignatureVerdict.Fault.cannotFit("no app").message, "no signature can match: no app"),
      (
        SignatureVerdict.Fault.doesNotFit.message,
        "the signature does not match: a signed field was altered, or another key signed it"
      ),
      (SigningError.interrupted.message, "interrupted"),
      (SigningError.toolFailed("bad").message, "openssl failed: bad"),
    ])
  func messages(message: String, expected: String) { #expect(message == expected) }

  @Test("What is no public key for postbacks")
  func noPublicKey() {
    let curve = KeyProblem.otherKind("a key on another elliptic curve")
    let cases: [(String, KeyProblem)] = [
      ("", .empty), (" \n", .empty), ("hello world", .noKey), ("AAAA", .noKey),
      ("MAA=", .otherKind("a key of another kind")),
      (TestKeys.ecPrivate, .isPrivate), (TestKeys.pkcs8Private, .isPrivate),
      (TestKeys.pem("ENCRYPTED PRIVATE KEY", "AAAA"), .isPrivate),
      (TestKeys.pem("CERTIFICATE", "AAAA"), .isCertificate(insteadOfPrivate: false)),
      (TestKeys.pem("SOMETHING", "AAAA"), .noKey), (TestKeys.pem("PUBLIC KEY", "A?"), .noKey),
      (TestKeys.rsa, .otherKind("an RSA key")), (TestKeys.pem("RSA PUBLIC KEY", "AAAA"), .otherKind("an RSA key")),
      (TestKeys.otherCurve, curve), (TestKeys.pem("PUBLIC KEY", TestKeys.otherCurve), curve),
      (TestKeys.ed25519, .otherKind("a key of another kind")), (String(TestKeys.publicBase64.dropLast(4)), .noKey),
      ("MEkwEwYHKoZIzj0CAQYIKoZIzj0DAQEDMgAEMyHD625uvsmGq4C43cQ9BnfN2xslVT5V1nOmAMP6qaRRUll3PB1JYmgSm+62sosG", curve),
    ]
    for (text, expected) in cases { #expect(problem(public: text) == expected, "\(text)") }
  }

  @Test("A private key in either form, also behind the curve's parameters")
  func privateKey() throws {
    #expect(try PrivateKey(pem: TestKeys.ecPrivate).pem == TestKeys.ecPrivate)
    #expect(try PrivateKey(pem: TestKeys.pkcs8Private).pem == TestKeys.pkcs8Private)
    let withParameters = TestKeys.pem("EC PARAMETERS", "BggqhkjOPQMBBw==") + TestKeys.ecPrivate
    #expect(try PrivateKey(pem: withParameters).pem == TestKeys.ecPrivate)
  }

  @Test("What is no private key for postbacks")
  func noPrivateKey() {
    let headers =
      "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3B\n\nAAAA\n-----END EC PRIVATE KEY-----\n"
    let cases: [(String, KeyProblem)] = [
      ("", .empty), ("hello", .noKey), (TestKeys.publicPEM, .isPublic), (TestKeys.publicBase64, .noKey),
      (TestKeys.pem("CERTIFICATE", "AAAA"), .isCertificate(insteadOfPrivate: true)), (headers, .isEncrypted),
      (TestKeys.pem("ENCRYPTED PRIVATE KEY", "AAAA"), .isEncrypted),
      (TestKeys.pem("RSA PRIVATE KEY", "AAAA"), .otherKind("an RSA key")),
      (TestKeys.pem("PRIVATE KEY", TestKeys.rsa), .otherKind("an RSA key")),
      (TestKeys.pem("OPENSSH PRIVATE KEY", "AAAA"), .otherKind("a key of another kind")),
      (TestKeys.otherCurvePrivate, .otherKind("a key of another kind")),
      (TestKeys.pem("EC PRIVATE KEY", "A?"), .noKey), ("-----BEGIN EC PRIVATE KEY-----\nAAAA\n", .noKey),
    ]
    for (text, expected) in cases { #expect(problem(private: text) == expected, "\(text)") }
  }

  @Test("Every problem has words, and none shows the key")
  func words() {
    #expect(KeyProblem.isPrivate.message.contains("openssl ec -in key.pem -pubout -out public.pem"))
    for problem in [
      KeyProblem.noKey, .empty, .isPrivate, .isPublic, .isCertificate(insteadOfPrivate: true),
      .isCertificate(insteadOfPrivate: false), .tooLong(5000), .isEncrypted, .refused("x"),
    ] {
      #expect(!problem.message.isEmpty && !problem.message.hasSuffix("."))
    }
    #expect(SigningError.key(.isEncrypted).message == KeyProblem.isEncrypted.message)
    #expect(SigningError.toolMissing.message.contains("openssl"))
  }
}

@Suite("The form of a signature")
struct SignatureFormTests {
  private static let number = [UInt8](repeating: 0x11, count: 32)

  private static func sequence(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
    let content = [0x02, UInt8(r.count)] + r + [0x02, UInt8(s.count)] + s
    return [0x30, UInt8(content.count)] + content
  }

  @Test("Good forms: short numbers, whole ones, and those whose first bit needs a zero before it")
  func good() {
    for number in [[1], [0x7F], [0, 0x80], Self.number, [0] + [UInt8](repeating: 0xFF, count: 32)] as [[UInt8]] {
      #expect(SignatureForm.fault(Self.sequence(number, Self.number)) == nil)
      #expect(SignatureForm.fault(Self.sequence(Self.number, number)) == nil)
    }
  }

  @Test("Bad forms")
  func bad() {
    let good = Self.sequence(Self.number, Self.number)
    let cases: [([UInt8], String)] = [
      ([], "it does not begin with a sequence"), ([0x30], "it does not begin with a sequence"),
      ([0x31, 0], "it does not begin with a sequence"), ([0x30, 0], "its number r is missing or cut short"),
      (Array(good.dropLast()), "its length is not that of its content"),
      (good + [0], "its length is not that of its content"),
      ([0x30, 0x81] + good.dropFirst(), "its length is not that of its content"),
      ([0x30, 3, 0x02, 5, 1], "its number r is missing or cut short"),
      ([0x30, 3, 0x02, 1, 1], "its number s is missing or cut short"),
      ([0x30, 6, 0x02, 1, 1, 0x03, 1, 1], "its number s is missing or cut short"),
      ([0x30, 5, 0x02, 0, 0x02, 1, 1], "its number r is missing or cut short"),
      (Self.sequence([0x80], [1]), "its number r is negative"),
      (Self.sequence([1], [0xFF]), "its number s is negative"),
      (Self.sequence([0], [1]), "its number r is 0"), (Self.sequence([0, 1], [1]), "its number r has a zero too many"),
      (Self.sequence([1] + Self.number, [1]), "its number r is too long for P-256"),
      (Self.sequence([1], [0, 0x80] + Self.number), "its number s is too long for P-256"),
      ([0x30, 8, 0x02, 1, 1, 0x02, 1, 1, 5, 0], "there is something after its two numbers"),
    ]
    for (der, words) in cases { #expect(SignatureForm.fault(der) == words, "\(der)") }
  }

  @Test("A bad form is an invalid signature and needs no tool")
  func withoutTool() throws {
    let tool = SignatureTool.missing
    #expect(try tool.verify([], signature: "?", by: .apple) == .invalid(.notBase64))
    #expect(try tool.verify([], signature: "", by: .apple) == .invalid(.notDER("it does not begin with a sequence")))
    #expect(
      try tool.verify([], signature: "AAAA", by: .apple) == .invalid(.notDER("it does not begin with a sequence")))
    #expect(throws: SigningError.toolMissing) {
      _ = try tool.verify([], signature: TestKeys.signatureOfSkan, by: .apple)
    }
  }
}

/// Keys made for these tests.
enum TestKeys {
  /// A P-256 key as `openssl ecparam -genkey` writes it.
  static let ecPrivate = pem(
    "EC PRIVATE KEY",
    "MHcCAQEEIDUL6BpcV5jK4shPH1GWjmyFBj7FYPbIncVSFFxQZ1JGoAoGCCqGSM49AwEHoUQDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4"
      + "XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P+Q46ig==")
  /// The same as `openssl genpkey` writes it.
  static let pkcs8Private = pem(
    "PRIVATE KEY",
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNQvoGlxXmMriyE8fUZaObIUGPsVg9sidxVIUXFBnUkahRANCAAR07LafrRtEdBBhu3k5"
      + "PwfBGlIqEBMd0W+zFWmnZjhd+lnf8zhRBLEjfJg8bQytnxNgO98k+6TD5PVqDY/5DjqK")
  static let publicBase64 =
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P"
    + "+Q46ig=="
  static let publicPEM = pem("PUBLIC KEY", publicBase64)
  /// The same point, compressed.
  static let compressed = pem(
    "PUBLIC KEY", "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgACdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4Xfo=")
  /// The form of a P-256 key with a point that is not on the curve.
  static let offTheCurve =
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4XfpZ3/M4UQSxI3yYPG0MrZ8TYDvfJPukw+T1ag2P"
    + "+Q46iw=="
  static let otherCurve =
    "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEtErKcEtiISfaw/bvLyCOT7jGJEfz8TRzaGNBHrCv3TVpHSK++INqvqrSxGHWFF7E0g5DTiSeBI+LuJhTxfyC"
    + "JtWCMNQiiczGxcA6U5sght6VrVz2DPs12KSPMgz2APHD"
  static let otherCurvePrivate = pem(
    "EC PRIVATE KEY",
    "MIGkAgEBBDDrOds566pvGW4GTma0udqw9CVVE2tgRlLDrFXFYPrfpfgCorjWlVrqd1bQ/6MixJCgBwYFK4EEACKhZANiAAS0SspwS2IhJ9rD9u8vII5P"
      + "uMYkR/PxNHNoY0EesK/dNWkdIr74g2q+qtLEYdYUXsTSDkNOJJ4Ej4u4mFPF/IIm1YIw1CKJzMbFwDpTmyCG3pWtXPYM+zXYpI8yDPYA8cM=")
  static let rsa =
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDK6uW0hVnVUE6nehBbPA5Z+7WhE8yx5xeLNZEf2fKh/cNjAE5PVpHkSnl/qplr20ctF0z859pZDy9r"
    + "lN5SM6s/NvaLW1p4HqpzMMTAUdcVHtdU4770UEd3VN64n9SYzIer5Yl6q8crdi5Dz40F3ASwwtjo4Q99XkOlkvPCm72TswIDAQAB"
  static let ed25519 = "MCowBQYDK2VwAyEAQ6AylhZXK6QdGlgM3FAgfJtZ+slT8sFLUmQsQOujAGI="
  /// What the key above made of the text `skan`.
  static let signatureOfSkan =
    "MEUCIQDyngSZclp3hMvLlmEiGJbJtXxIsHbo+8DMrNFcOrQ22AIgOI48ITz7xSii4BnFps2uy5lQUcsPV47p1Ka8NYqUySQ="

  /// As a key file has it: lines of 64.
  static func pem(_ label: String, _ base64: String) -> String {
    let lines = stride(from: 0, to: base64.count, by: 64).map { base64.dropFirst($0).prefix(64) }
    return "-----BEGIN \(label)-----\n\(lines.joined(separator: "\n"))\n-----END \(label)-----\n"
  }

  /// Whether signatures can be made and checked on this machine.
  static let canSign: Bool = {
    #if canImport(CryptoKit)
      true
    #else
      OpenSSL.isInstalled
    #endif
  }()
}
