import Foundation
import SKANBase
import SKANDevice
import SKANSystem
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

  /// A simulated postback of AdAttributionKit.
  private static func content() throws -> PostbackContent {
    var profile = DeviceProfile(idfv: nil)
    profile.ad?.framework = .adattributionkit
    var device = Device(profile)
    let start = try #require(Instant(unixSeconds: 1_767_225_600 as Double))
    _ = device.register(at: start)
    return try #require(device.postbacks(phone: "", at: start)[0].content)
  }

  @Test(
    "The JWS of a simulated postback, it verifies: two parts as they stand, DER from r and s",
    .enabled(if: TestKeys.canSign))
  func ourJWS() throws {
    let content = try Self.content().signed(with: PrivateKey(pem: TestKeys.ecPrivate), .platform())
    let body = try JSONReader.read(Array(JSONWriter.text(content.json).utf8)).value
    let parts = try #require(body["jws-string"]?.text).split(separator: ".")
    let numbers = try #require(Base64URL.decode(parts[2].utf8))
    #expect(parts.count == 3 && numbers.count == 64)
    let files = [
      "m": Data(parts[0...1].joined(separator: ".").utf8), "s": Data(SignatureForm.der(ofNumbers: numbers)),
      "p.pem": Data(TestKeys.publicPEM.utf8),
    ]
    let run = try OpenSSL.run(["dgst", "-sha256", "-verify", "p.pem", "-signature", "s", "m"], files: files)
    #expect(run.code == 0 && String(decoding: run.output, as: UTF8.self) == "Verified OK\n")
  }

  @Test("A JWS that it signs, we verify", .enabled(if: TestKeys.canSign))
  func itsJWS() throws {
    var content = try Self.content()
    let files = ["m": Data(content.signedText.utf8), "k.pem": Data(TestKeys.pkcs8Private.utf8)]
    let run = try OpenSSL.run(["dgst", "-sha256", "-sign", "k.pem", "m"], files: files)
    content.signature = Base64URL.encode(SignatureForm.numbers(of: Array(run.output)))
    var keys = AdAttributionKitKeys()
    #expect(keys.add(try PublicKey(TestKeys.publicBase64), as: AdAttributionKitKeys.simulatedKeyID))
    let document = try PostbackDocument(Array(JSONWriter.text(content.json).utf8))
    let verdict = try PostbackChecker(keys: keys, tool: .platform()).verdict(on: document)
    guard case .adAttributionKit(_, .signed(.own)) = verdict.reason else {
      Issue.record("\(verdict.reason)")
      return
    }
  }

  @Test("The line of the help makes a key that we take")
  func help() throws {
    let arguments = KeyProblem.makePrivate.split(separator: " ").map(String.init).dropFirst().dropLast(2)
    let run = try OpenSSL.run(Array(arguments))
    #expect(run.code == 0)
    _ = try PrivateKey(pem: String(decoding: run.output, as: UTF8.self))
  }
}

/// The program `openssl` by itself, without anything of ours.
enum OpenSSL {
  static let isInstalled = (try? run(["version"]))?.code == 0

  /// Runs it through the shell in a directory of its own, where `files` lie; `PATH` finds it.
  static func run(_ arguments: [String], files: [String: Data] = [:]) throws -> (code: Int32, output: Data) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skan-signing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, data)
  }
}

#if !canImport(CryptoKit)
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
