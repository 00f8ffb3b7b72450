import SKANBase
import SKANDevice

/// The public keys by which postbacks of AdAttributionKit are checked. The header of a JWS names its key (`kid`).
///
/// Apple's keys are those of its page "Verifying a postback". Keys of one's own are added under other names, so that no
/// verdict by them reads as Apple's.
package struct AdAttributionKitKeys: Sendable {
  /// The kind of key that signed a postback. Postbacks of different kinds are never added up.
  package enum Signer: Sendable, Equatable {
    /// Apple's production key, which also signs SKAdNetwork's postbacks.
    case apple
    /// A key of Apple's for development impressions and for the tool in a phone's developer settings.
    case development
    /// The tester's key.
    case own
  }

  /// The result of checking a signature.
  package enum Check: Sendable, Equatable {
    case signed(Signer)
    /// Why it is invalid, to end a sentence; the signer's key is nil if the JWS itself is malformed.
    case refused(why: String, by: Signer?)
    /// The header names a key that is not here, or none.
    case unknownKey
    /// It is the JWS of an impression, whose key is the network's.
    case impression
  }

  /// The key ID of the tester's key if none is given with it.
  package static let simulatedKeyID = AdAttributionKitContent.simulatedKeyID

  /// Apple's keys by their IDs.
  package static let apples: [String: (key: PublicKey, signer: Signer)] = [
    AppleKeyID.production.rawValue: (.apple, .apple),
    AppleKeyID.developmentImpressions.rawValue: (.appleDevelopment0, .development),
    AppleKeyID.developmentTool.rawValue: (.appleDevelopment1, .development),
  ]

  private var own: [String: PublicKey] = [:]

  package init() {}

  /// Adds the tester's key.
  ///
  /// - Returns: false if the ID is one of Apple's, and nothing is added.
  package mutating func add(_ key: PublicKey, as id: String) -> Bool {
    if Self.apples[id] != nil { return false }
    own[id] = key
    return true
  }

  /// Checks the signature over the text as it was received.
  ///
  /// - Throws: if no signature can be checked; a signature that does not match is a result.
  func check(_ postback: AdAttributionKitPostback, _ tool: SignatureTool) throws(SigningError) -> Check {
    if postback.isImpression { return .impression }
    let known = postback.keyID.flatMap { id in Self.apples[id] ?? own[id].map { ($0, .own) } }
    if let fault = postback.fault { return .refused(why: fault, by: nil) }
    guard let (key, signer) = known else { return .unknownKey }
    return switch try tool.verifyES256(Array(postback.signedText.utf8), signature: postback.signature, by: key) {
    case .valid: .signed(signer)
    case .invalid(.notDER(let why)): .refused(why: "the signature is not one on P-256: \(why)", by: signer)
    case .invalid: .refused(why: SignatureVerdict.Fault.doesNotFit.message, by: signer)
    }
  }
}

extension PublicKey {
  fileprivate static let appleDevelopment0 = PublicKey(
    unchecked: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELeEDzpJEP+/qRSE5hJVC1p1J0ssUnQGMzBBbvnACBok8OVGGLgxL0myrKiy6lvRt"
      + "SlLRsWit87i+vftD8AEqeQ==")
  fileprivate static let appleDevelopment1 = PublicKey(
    unchecked: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YzdO7eM97s/IJ25kdW5CZ3A14USE5IJ5Ha/vhWaxI6UBI1ZxCEvjrKxVluVGe6q"
      + "WwF1BDFq+QHqKfH5u+wxHQ==")
}

extension SignatureTool {
  /// A compact JWS of a header and a payload, as they stand, signed with the tester's key.
  package func jws(header: String, payload: String, with key: PrivateKey) throws(SigningError) -> String {
    let text = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8))"
    return "\(text).\(Base64URL.encode(try signES256(Array(text.utf8), with: key)))"
  }
}
