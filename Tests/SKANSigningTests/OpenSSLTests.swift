import Foundation
import Testing

@testable import SKANSigning

@Suite("With openssl alone", .enabled(if: OpenSSL.isInstalled))
struct OpenSSLTests {
  let message = Data("4.0\u{2063}com.example".utf8)

  @Test("What we sign, it verifies", .enabled(if: TestKeys.canSign))
  func ours() throws {
    let signature = try SignatureTool.platform().sign(Array(message), with: PrivateKey(pem: TestKeys.ecPrivate))
    let files = [
      "m": message, "s": try #require(Data(base64Encoded: signature)), "p.pem": Data(TestKeys.publicPEM.utf8),
    ]
    let run = try OpenSSL.run(["dgst", "-sha256", "-verify", "p.pem", "-signature", "s", "m"], files: files)
    #expect(run.code == 0 && String(decoding: run.output, as: UTF8.self) == "Verified OK\n")
  }

  @Test("What it signs, we verify", .enabled(if: TestKeys.canSign))
  func its() throws {
    let files = ["m": message, "k.pem": Data(TestKeys.pkcs8Private.utf8)]
    let run = try OpenSSL.run(["dgst", "-sha256", "-sign", "k.pem", "m"], files: files)
    #expect(run.code == 0)
    let verdict = try SignatureTool.platform().verify(
      Array(message), signature: run.output.base64EncodedString(), by: PublicKey(TestKeys.publicBase64))
    #expect(verdict == .valid)
  }

  @Test("The line of the help makes a key that we take")
  func help() throws {
    let arguments = KeyProblem.makePrivate.split(separator: " ").map(String.init).dropFirst().dropLast(2)
    let run = try OpenSSL.run(Array(arguments))
    #expect(run.code == 0)
    _ = try PrivateKey(pem: String(decoding: run.output, as: UTF8.self))
  }
}
