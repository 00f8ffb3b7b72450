import Foundation
import SKANDevice
import SKANBase
import Testing

@testable import SKANSigning

@Suite("Signing and checking", .enabled(if: TestKeys.canSign))
struct SignatureToolTests {
  let tool = SignatureTool.platform()
  let message = Array("skan".utf8)

  /// All ways to the same answers.
  static let tools: [(name: String, tool: SignatureTool)] = {
    #if canImport(CryptoKit)
      [("CryptoKit", .platform())]
    #else
      [("OpenSSL", .platform()), ("the program openssl", .program())]
    #endif
  }()

  @Test("A signature that was made elsewhere, by its key in each form", arguments: tools)
  func verify(_: String, tool: SignatureTool) throws {
    for key in [TestKeys.publicBase64, TestKeys.publicPEM, TestKeys.compressed] {
      let key = try PublicKey(key)
      #expect(try tool.verify(message, signature: TestKeys.signatureOfSkan, by: key) == .valid)
      #expect(try tool.verify(message + [0], signature: TestKeys.signatureOfSkan, by: key) == .invalid(.doesNotFit))
      #expect(try tool.verify([], signature: TestKeys.signatureOfSkan, by: key) == .invalid(.doesNotFit))
    }
    #expect(try tool.verify(message, signature: TestKeys.signatureOfSkan, by: .apple) == .invalid(.doesNotFit))
  }

  @Test(
    "Ours, by each form of the private key; another one each time",
    arguments: [TestKeys.ecPrivate, TestKeys.pkcs8Private], tools)
  func sign(pem: String, by named: (name: String, tool: SignatureTool)) throws {
    let tool = named.tool
    let key = try PrivateKey(pem: pem)
    let signatures = try (0..<3).map { _ in try tool.sign(message, with: key) }
    #expect(Set(signatures).count == 3)
    for signature in signatures {
      #expect(try tool.verify(message, signature: signature, by: PublicKey(TestKeys.publicBase64)) == .valid)
      #expect(
        try tool.verify(Array("skam".utf8), signature: signature, by: PublicKey(TestKeys.publicBase64))
          == .invalid(.doesNotFit))
    }
  }

  @Test("Messages of every length, also beyond what a pipe holds", arguments: [0, 1, 4096, 70_000, 3_000_000], tools)
  func lengths(count: Int, by named: (name: String, tool: SignatureTool)) throws {
    let tool = named.tool
    let message = [UInt8](repeating: 0xE2, count: count)
    let signature = try tool.sign(message, with: PrivateKey(pem: TestKeys.ecPrivate))
    #expect(try tool.verify(message, signature: signature, by: PublicKey(TestKeys.publicBase64)) == .valid)
  }

  @Test("Numbers beyond the curve's order fit nothing", arguments: tools)
  func beyondOrder(_: String, tool: SignatureTool) throws {
    let number = [0x02, 33, 0] + [UInt8](repeating: 0xFF, count: 32)
    let der = [0x30, UInt8(number.count * 2)] + number + number
    let signature = Data(der).base64EncodedString()
    #expect(
      try tool.verify(message, signature: signature, by: PublicKey(TestKeys.publicBase64)) == .invalid(.doesNotFit))
  }

  @Test("A point that is not on the curve is an error of the key", arguments: tools)
  func offTheCurve(_: String, tool: SignatureTool) throws {
    let key = try PublicKey(TestKeys.offTheCurve)
    var error: SigningError?
    do throws(SigningError) { _ = try tool.verify(message, signature: TestKeys.signatureOfSkan, by: key) } catch let
      caught
    {
      error = caught
    }
    guard case .key(.refused)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("Many at once")
  func concurrent() async throws {
    let key = try PublicKey(TestKeys.publicBase64)
    let verdicts = try await withThrowingTaskGroup(of: SignatureVerdict.self) { group in
      for round in 0..<24 {
        group.addTask {
          let message = Array("\(round)".utf8)
          let signature = try SignatureTool.platform().sign(message, with: PrivateKey(pem: TestKeys.ecPrivate))
          return try SignatureTool.platform().verify(message, signature: signature, by: key)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(verdicts == Array(repeating: .valid, count: 24))
  }

  @Test("A postback: every signed field counts, the conversion value does not")
  func postback() throws {
    var profile = DeviceProfile(idfv: nil)
    profile.seed = 5
    var framework = AppleFramework()
    _ = framework.apply(
      .updatePostbackCoarse(fine: 9, coarse: .low, lock: false), at: .listStart, on: InstallTraits(profile))
    let body = try #require(framework.postbacks(on: profile, phone: "", at: .listStart)[0].content)
    let signed = try body.signed(with: PrivateKey(pem: TestKeys.ecPrivate), tool)
    let key = try PublicKey(TestKeys.publicPEM)
    // Through the JSON that goes over the wire.
    func verdict(_ content: PostbackContent, by key: PublicKey) throws -> SignatureVerdict {
      let node = try JSONReader.read(Array(JSONWriter.text(content.json).utf8))
      return try ReceivedPostback.read(node).get().verdict(by: key, tool).verdict
    }
    #expect(signed.signedText == body.signedText)
    #expect(try verdict(signed, by: key) == .valid)
    #expect(try verdict(signed, by: .apple) == .invalid(.doesNotFit))
    #expect(try verdict(body, by: key) == .invalid(.notDER("it does not begin with a sequence")))
    var altered = signed
    altered.conversionValue = 63
    #expect(try verdict(altered, by: key) == .valid)
    altered.redownload.toggle()
    #expect(try verdict(altered, by: key) == .invalid(.doesNotFit))
  }
}
