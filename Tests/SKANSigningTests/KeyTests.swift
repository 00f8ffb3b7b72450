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

  @Test("A public key as PEM, as base64, folded, with other text around, with Windows line ends")
  func publicKey() throws {
    let key = try PublicKey(TestKeys.publicBase64)
    #expect(try PublicKey(TestKeys.publicPEM) == key)
    #expect(try PublicKey(" \(TestKeys.publicBase64)\n") == key)
    #expect(try PublicKey("read EC key\n\(TestKeys.publicPEM)the end") == key)
    #expect(try PublicKey(TestKeys.publicPEM.replacing("\n", with: "\r\n")) == key)
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
      (SignatureVerdict.Fault.cannotFit("no app").message, "no signature can fit: no app"),
      (
        SignatureVerdict.Fault.doesNotFit.message,
        "the signature does not fit: a signed field was altered, or another key signed it"
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
