import Foundation
import SKANBase
import SKANDevice
import SKANSystem

/// Signs and verifies with ECDSA on P-256 and SHA-256, by CryptoKit on Apple systems, elsewhere by OpenSSL.
package struct SignatureTool: Sendable {
  /// Returns the signature of a message in DER.
  let signMessage: @Sendable (_ message: [UInt8], PrivateKey) throws(SigningError) -> [UInt8]
  /// Whether a signature of valid form matches a message and a key.
  let verifyMessage: @Sendable (_ message: [UInt8], _ der: [UInt8], PublicKey) throws(SigningError) -> Bool

  /// A tool for a system without cryptography; it always throws.
  package static let missing = SignatureTool(
    signMessage: { (_, _) throws(SigningError) in throw .toolMissing },
    verifyMessage: { (_, _, _) throws(SigningError) in throw .toolMissing })

  /// The signature of a message as base64 of DER; it differs each time.
  package func sign(_ message: [UInt8], with key: PrivateKey) throws(SigningError) -> String {
    Data(try signMessage(message, key)).base64EncodedString()
  }

  /// Verifies a signature, given as base64 of DER, of a message by a key.
  package func verify(
    _ message: [UInt8], signature: String, by key: PublicKey
  ) throws(SigningError) -> SignatureVerdict {
    guard let data = Data(base64Encoded: signature) else { return .invalid(.notBase64) }
    let der = Array(data)
    if let fault = SignatureForm.fault(der) { return .invalid(.notDER(fault)) }
    return try verifyMessage(message, der, key) ? .valid : .invalid(.doesNotFit)
  }

  /// The signature of a message in the form of ES256: the numbers r and s, 64 bytes. It differs each time.
  package func signES256(_ message: [UInt8], with key: PrivateKey) throws(SigningError) -> [UInt8] {
    SignatureForm.numbers(of: try signMessage(message, key))
  }

  /// Whether a signature in the form of ES256 is of the message by the key that belongs to `key`.
  package func verifyES256(
    _ message: [UInt8], signature: [UInt8], by key: PublicKey
  ) throws(SigningError) -> SignatureVerdict {
    let der = SignatureForm.der(ofNumbers: signature)
    if let fault = SignatureForm.fault(der) { return .invalid(.notDER(fault)) }
    return try verifyMessage(message, der, key) ? .valid : .invalid(.doesNotFit)
  }
}

extension SignatureTool {
  /// The system's framework, if there is one. Otherwise OpenSSL: its library, and its program if there is no library or
  /// it gives no answer.
  ///
  /// - Parameter isInterrupted: whether the user asked to stop.
  package static func platform(isInterrupted: @escaping @Sendable () -> Bool = { false }) -> SignatureTool {
    SystemSignatures.available.map { framework($0, isInterrupted: isInterrupted) }
      ?? openSSL(isInterrupted: isInterrupted)
  }

  private static func framework(
    _ system: SystemSignatures, isInterrupted: @escaping @Sendable () -> Bool
  ) -> SignatureTool {
    let program = program(isInterrupted: isInterrupted)
    return SignatureTool(
      signMessage: { (message, key) throws(SigningError) in
        do throws(SystemSignatures.Refusal) { return try system.sign(message, key.pem) } catch {
          throw .key(.refused(error.reason))
        }
      },
      verifyMessage: { (message, der, key) throws(SigningError) in
        // The framework does not have the curve.
        if key == .appleEarlier { return try program.verifyMessage(message, der, key) }
        do throws(SystemSignatures.Refusal) { return try system.isValid(der, message, key.der) } catch {
          throw .key(.refused(error.reason))
        }
      })
  }

  private static func openSSL(isInterrupted: @escaping @Sendable () -> Bool) -> SignatureTool {
    let program = program(isInterrupted: isInterrupted)
    return SignatureTool(
      signMessage: { (message, key) throws(SigningError) in
        if let signature = LibCrypto.installed?.signature(of: message, by: key.der),
          SignatureForm.fault(signature) == nil
        {
          return signature
        }
        return try program.signMessage(message, key)
      },
      verifyMessage: { (message, der, key) throws(SigningError) in
        if let isValid = LibCrypto.installed?.isValid(der, of: message, by: key.der) { return isValid }
        return try program.verifyMessage(message, der, key)
      })
  }

  /// The program `openssl` on the `PATH`.
  ///
  /// Key and signature are passed in pipes, which it opens as `/dev/fd/3` and `/dev/fd/4`, and the message on its
  /// standard input: no file is ever created.
  ///
  /// - Parameter isInterrupted: whether the user asked to stop.
  static func program(isInterrupted: @escaping @Sendable () -> Bool = { false }) -> SignatureTool {
    SignatureTool(
      signMessage: { (message, key) throws(SigningError) in
        let run = try ProgramRun(
          openssl: ["-sign", ProgramRun.path(ofFile: 0)], message, [Array(key.pem.utf8)], isInterrupted)
        guard run.end == .code(0), SignatureForm.fault(run.output) == nil else { throw run.error }
        return run.output
      },
      verifyMessage: { (message, der, key) throws(SigningError) in
        let run = try ProgramRun(
          openssl: ["-verify", ProgramRun.path(ofFile: 0), "-signature", ProgramRun.path(ofFile: 1)], message,
          [Array(key.pem.utf8), der], isInterrupted)
        let text = String(decoding: run.output, as: UTF8.self).lowercased()
        if run.end == .code(0), text.contains("verified ok") { return true }
        // "Verification failure", or "Error verifying data" for numbers beyond the curve's order.
        guard text.contains("verification failure") || run.errors.contains("Error verifying data") else {
          throw run.error
        }
        return false
      })
  }
}

extension ProgramRun {
  /// Runs `openssl dgst -sha256`.
  fileprivate init(
    openssl arguments: [String], _ message: [UInt8], _ files: [[UInt8]], _ isInterrupted: () -> Bool
  ) throws(SigningError) {
    do throws(Failure) {
      try self.init(
        "openssl", ["dgst", "-sha256"] + arguments, environment: Self.environment, input: message, files: files,
        isInterrupted: isInterrupted)
    } catch {
      switch error {
      case .missing: throw .toolMissing
      case .failed(let reason): throw .toolFailed(reason)
      case .fileTooLong: throw .toolFailed("a key or signature is too long")
      case .interrupted: throw .interrupted
      }
    }
  }

  /// The variables that an unusual installation of OpenSSL may need.
  private static var environment: [String] {
    ["PATH", "HOME", "LD_LIBRARY_PATH", "OPENSSL_CONF", "OPENSSL_MODULES"].compactMap { name in
      System.variable(name).map { "\(name)=\($0)" }
    }
  }

  /// The error of the run: the first line of its errors, or how it ended.
  fileprivate var error: SigningError {
    let end =
      switch end {
      case .code(let code): "exit code \(code)"
      case .signal(let number): "ended by signal \(number)"
      case .unknown: "its exit code is not known"
      }
    let text = errors.split(whereSeparator: \.isNewline).first.map(String.init) ?? end
    let isAboutKey = ["Could not read", "unable to load"].contains { text.contains($0) } && text.contains("key")
    return isAboutKey ? .key(.refused("openssl: \(text)")) : .toolFailed(text)
  }
}

/// The form of an ECDSA signature on P-256: a DER sequence of two positive integers of up to 256 bits. The platform
/// checks their values.
package enum SignatureForm {
  /// - Returns: the problem with the form, or nil.
  static func fault(_ der: [UInt8]) -> String? {
    guard der.count >= 2, der[0] == 0x30 else { return "it does not begin with a sequence" }
    // Two integers of at most 33 bytes, so that the length takes one byte.
    guard der[1] < 0x80, Int(der[1]) == der.count - 2 else { return "its length is not that of its content" }
    var rest = der.dropFirst(2)
    for name in ["r", "s"] {
      if let fault = readInteger(&rest, name) { return fault }
    }
    return rest.isEmpty ? nil : "there is something after its two numbers"
  }

  /// The DER form of r and s, of 32 bytes each.
  package static func der(ofNumbers numbers: [UInt8]) -> [UInt8] {
    let content = [numbers.prefix(32), numbers.dropFirst(32)].flatMap { half -> [UInt8] in
      let digits = half.drop { $0 == 0 }
      // A number is positive, so its first bit is 0; and 0 has one byte.
      let sign: [UInt8] = digits.first.map { $0 >= 0x80 } ?? true ? [0] : []
      return [0x02, UInt8(sign.count + digits.count)] + sign + digits
    }
    return [0x30, UInt8(content.count)] + content
  }

  /// The numbers r and s of a signature whose form has no ``fault(_:)``, 32 bytes each.
  static func numbers(of der: [UInt8]) -> [UInt8] {
    var rest = der.dropFirst(2)
    return (0..<2).flatMap { _ -> [UInt8] in
      let length = Int(rest.dropFirst().first ?? 0)
      let digits = rest.dropFirst(2).prefix(length).drop { $0 == 0 }
      rest = rest.dropFirst(2 + length)
      return [UInt8](repeating: 0, count: max(0, 32 - digits.count)) + digits
    }
  }

  private static func readInteger(_ rest: inout ArraySlice<UInt8>, _ name: String) -> String? {
    guard rest.popFirst() == 0x02, let length = rest.popFirst(), length < 0x80, length > 0, Int(length) <= rest.count
    else { return "its number \(name) is missing or cut short" }
    let number = Array(rest.prefix(Int(length)))
    rest = rest.dropFirst(Int(length))
    if number[0] >= 0x80 { return "its number \(name) is negative" }
    if number[0] == 0, number.count == 1 { return "its number \(name) is 0" }
    if number[0] == 0, number[1] < 0x80 { return "its number \(name) has a zero too many" }
    return number.count > (number[0] == 0 ? 33 : 32) ? "its number \(name) is too long for P-256" : nil
  }
}

/// Whether a signature matches a text and a key.
package enum SignatureVerdict: Sendable, Equatable {
  case valid
  case invalid(Fault)

  package enum Fault: Sendable, Equatable {
    case notBase64
    /// It is not an ECDSA signature on P-256, for this reason.
    case notDER(String)
    /// No signature of this text can be valid, for this reason.
    case cannotFit(String)
    /// It is a signature, but not of this text by this key.
    case doesNotFit

    /// The fault in words, to end a sentence.
    package var message: String {
      switch self {
      case .notBase64: "the signature is not base64"
      case .notDER(let why): "the signature is not an ECDSA signature in DER: \(why)"
      case .cannotFit(let why): "no signature can match: \(why)"
      case .doesNotFit: "the signature does not match: a signed field was altered, or another key signed it"
      }
    }
  }
}

/// Why nothing could be signed or verified.
package enum SigningError: Error, Sendable, Equatable {
  /// Neither OpenSSL's library nor its program on the `PATH` was found.
  case toolMissing
  /// The tool failed, with its own text.
  case toolFailed(String)
  case key(KeyProblem)
  /// The user asked to stop.
  case interrupted

  /// The error in words, and its remedy.
  package var message: String {
    switch self {
    case .toolMissing:
      "signatures need OpenSSL 3, and there is neither its library (libcrypto.so.3) nor the program openssl on the "
        + "PATH; nothing else in skan needs it"
    case .toolFailed(let message): "openssl failed: \(message)"
    case .key(let problem): problem.message
    case .interrupted: "interrupted"
    }
  }
}

extension PostbackContent {
  /// The postback signed by the tester's key.
  package func signed(with key: PrivateKey, _ tool: SignatureTool) throws(SigningError) -> PostbackContent {
    var copy = self
    let text = Array(signedText.utf8)
    copy.signature =
      kit == nil ? try tool.sign(text, with: key) : Base64URL.encode(try tool.signES256(text, with: key))
    return copy
  }
}

extension ReceivedPostback {
  /// Verifies the signature over the fields by a key. A postback without a signature is invalid.
  ///
  /// - Returns: the verdict, and whether the signature matches only without a source that consists of zeros.
  package func verdict(
    by key: PublicKey, _ tool: SignatureTool
  ) throws(SigningError) -> (verdict: SignatureVerdict, isWithoutSource: Bool) {
    if let obstacle { return (.invalid(.cannotFit(obstacle)), false) }
    let verdict = try tool.verify(Array(signedText.utf8), signature: signature ?? "", by: key)
    guard verdict == .invalid(.doesNotFit), let shorter = signedTextWithoutSource else { return (verdict, false) }
    let second = try tool.verify(Array(shorter.utf8), signature: signature ?? "", by: key)
    return second == .valid ? (second, true) : (verdict, false)
  }
}
