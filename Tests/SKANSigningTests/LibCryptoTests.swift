#if !canImport(CryptoKit)
  import Foundation
  import SKANSystem
  import Testing

  @testable import SKANSigning

  @Suite("OpenSSL's library", .enabled(if: OpenSSL.isInstalled))
  struct LibCryptoTests {
    private let message = Array("skan".utf8)

    @Test("It answers without the program, and what it does not answer it leaves to the program")
    func answers() throws {
      let library = try #require(LibCrypto.installed)
      let key = try PublicKey(TestKeys.publicBase64)
      let signature = try #require(Data(base64Encoded: TestKeys.signatureOfSkan)).map { $0 }
      #expect(library.isValid(signature, of: message, by: key.der) == true)
      #expect(library.isValid(signature, of: message + [0], by: key.der) == false)
      #expect(library.isValid(signature, of: [], by: PublicKey.apple.der) == false)
      // Not a key, a key that is none, and a private one.
      let (offTheCurve, privateKey) = (try PublicKey(TestKeys.offTheCurve), try PrivateKey(pem: TestKeys.ecPrivate))
      for der in [[], [0x30], offTheCurve.der, privateKey.der] {
        #expect(library.isValid(signature, of: message, by: der) == nil)
      }
      for der in [[], [0x30], key.der] { #expect(library.signature(of: message, by: der) == nil) }
      let own = try #require(library.signature(of: message, by: privateKey.der))
      #expect(library.isValid(own, of: message, by: key.der) == true)
    }

    @Test(
      "A library that is not there, and one without its functions", arguments: ["libskan-none.so.3", "libm.so.6"])
    func missing(name: String) { #expect(LibCrypto(name) == nil) }
  }
#endif
