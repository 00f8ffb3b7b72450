import SKANCommandLine
import SKANDevice
import SKANSigning

/// Signs the bodies of simulated postbacks with the user's own key, if there is one.
///
/// Each body is signed only once: signatures are randomized, and the one that is shown must be the one that was sent.
final class PostbackSigner {
  private let key: PrivateKey?
  /// The key's file; empty if there is no key.
  let keyName: String
  /// The name of the key in the header of a postback of AdAttributionKit.
  private let keyID: String
  private let tool: SignatureTool
  /// Signed text → signature.
  private var signatures: [String: String] = [:]
  /// Prints a note, once, that Apple signs version 2.0 with another key; nil after that.
  private var warnOfEarlierKey: (() -> Void)?

  /// - Parameters:
  ///   - keyFile: the file of the private key; nil to sign nothing.
  ///   - keyID: the key's name in the header of a JWS; nil for ``AdAttributionKitContent/simulatedKeyID``.
  init(
    keyFile: String?, keyID: String? = nil, isQuiet: Bool, _ environment: Environment
  ) throws(CommandError) {
    tool = environment.signatures
    self.keyID = keyID ?? AdAttributionKitContent.simulatedKeyID
    let output = Output(environment, isQuiet: isQuiet)
    warnOfEarlierKey = { output.note(.remark(Self.earlierKey)) }
    keyName = keyFile ?? ""
    guard let keyFile else {
      key = nil
      return
    }
    let bytes = try environment.readRequired(
      keyFile, as: [.privateKey, .publicKey],
      hint: "it should be a private key; this makes one: \(KeyProblem.makePrivate)")
    do throws(KeyProblem) {
      key = try PrivateKey(pem: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw .badKey(file: keyName, reason: error.message)
    }
  }

  /// The note that Apple's signature of version 2.0 uses another kind of key.
  static let earlierKey =
    "postbacks of version 2.0 are signed with your P-256 key here; Apple signs 1.0 and 2.0 with a P-192 key, so a "
    + "receiver that checks them by a P-192 key refuses these"

  var signs: Bool { key != nil }

  /// A new signature of a text; nil if there is no key.
  func signature(of text: String) throws(SigningError) -> String? {
    guard let key else { return nil }
    return try tool.sign(Array(text.utf8), with: key)
  }

  /// The numbers r and s of a new signature of a text, as ES256 has them; nil if there is no key.
  func numbers(of text: String) throws(SigningError) -> [UInt8]? {
    guard let key else { return nil }
    return try tool.signES256(Array(text.utf8), with: key)
  }

  /// The signed postback. Unchanged if there is no key or the postback has no body.
  func signed(_ postback: Postback) throws(CommandError) -> Postback {
    guard let key, var content = postback.content else { return postback }
    content.kit?.keyID = keyID
    var copy = postback
    copy.content = content
    if let signature = signatures[content.signedText] {
      copy.content?.signature = signature
      return copy
    }
    do throws(SigningError) {
      copy.content = try content.signed(with: key, tool)
      signatures[content.signedText] = copy.content?.signature
      if content.version == .v2_0 {
        warnOfEarlierKey?()
        warnOfEarlierKey = nil
      }
    } catch {
      throw CommandError(error, keyFile: keyName)
    }
    return copy
  }

  func signed(_ postbacks: [Postback]) throws(CommandError) -> [Postback] {
    var signed: [Postback] = []
    for postback in postbacks { signed.append(try self.signed(postback)) }
    return signed
  }

  /// The signer of a body, in words.
  var displayText: String { key == nil ? "unsigned" : "signed with your key, not Apple's" }
}

extension CommandError {
  /// - Parameter keyFile: the name of the key's source.
  init(_ error: SigningError, keyFile: String) {
    switch error {
    case .key(let problem): self = .badKey(file: keyFile, reason: problem.message)
    case .interrupted: self = .interrupted
    case .toolMissing, .toolFailed: self = .noSignatures(error.message)
    }
  }
}
