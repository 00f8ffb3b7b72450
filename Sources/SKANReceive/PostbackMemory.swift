import SKANBase
import SKANDevice
import SKANSigning

/// The postbacks received so far. A receiver counts each once.
///
/// The first verified copy counts. Conversion values are not signed, so a genuine postback can be repeated with a
/// forged value and still verify; and a forgery that is received first does not replace the genuine one. Copies
/// verified by Apple's key, a development key and the tester's key are separate.
package struct PostbackMemory: Sendable {
  private struct Copy {
    /// The key that verified it; nil for an unverified copy.
    let key: ReceivedSignature.Key?
    let digest: Int
    let line: Int
  }

  /// For each postback, the first copy by each key and the first unverified copy.
  private var known: [PostbackIdentity.Key: [Copy]] = [:]
  /// The postbacks added since the last ``settle()``.
  private var latest: [PostbackIdentity.Key] = []

  package init() {}

  /// The number of known postbacks, not counting copies.
  package var count: Int { known.count }

  /// How a postback relates to those received so far.
  ///
  /// - Returns: the relation, and the line of the copy that the postback repeats or contradicts.
  package func repetition(
    of document: PostbackDocument, _ signature: ReceivedSignature
  ) -> (Repetition, line: Int?) {
    repetition(of: PostbackIdentity(document), by: signature.verifiedKey)
  }

  private func repetition(
    of identity: PostbackIdentity, by key: ReceivedSignature.Key?
  ) -> (Repetition, line: Int?) {
    let copies = known[identity.key] ?? []
    // An unverified copy is compared with a verified one.
    let verified = key == nil ? copies.first { $0.key != nil } : nil
    guard let earlier = verified ?? copies.first(where: { $0.key == key }) else { return (.first, nil) }
    return (earlier.digest == identity.digest ? .duplicate : .conflict, earlier.line)
  }

  /// Adds a received postback.
  ///
  /// - Parameter line: its line number in the file, from 1.
  package mutating func add(_ document: PostbackDocument, _ signature: ReceivedSignature, line: Int) {
    let identity = PostbackIdentity(document)
    let key = signature.verifiedKey
    guard !(known[identity.key]?.contains { $0.key == key } ?? false) else { return }
    known[identity.key, default: []].append(Copy(key: key, digest: identity.digest, line: line))
    latest.append(identity.key)
  }

  /// Confirms the postbacks added so far; ``forgetLatest(after:)`` no longer removes them.
  package mutating func settle() { latest.removeAll(keepingCapacity: true) }

  /// Removes postbacks added since the last ``settle()`` after a line, because they are not in the file after all.
  package mutating func forgetLatest(after line: Int) {
    for key in latest {
      known[key]?.removeAll { $0.line > line }
      if known[key]?.isEmpty ?? false { known[key] = nil }
    }
    settle()
  }
}

extension ReceivedSignature {
  /// The key that verified the signature; nil when none did.
  fileprivate var verifiedKey: Key? { verdict == .valid ? key : nil }
}

/// The identity of a received postback and a digest of its content: postbacks with equal keys are copies of one
/// postback, genuine or forged.
struct PostbackIdentity: Sendable {
  let key: Key
  /// A digest of the content except for the signature and members added in transit, valid within one run of the
  /// program.
  ///
  /// If the digests of different texts collide, a conflict is taken for a duplicate; neither is counted.
  let digest: Int

  enum Key: Hashable, Sendable {
    /// The id is in lower case, as a UUID may be written in either case. Whether the postbacks of one install have
    /// different ids is not documented, so the key includes the index.
    case transaction(id: String, network: String, index: String)
    /// AdAttributionKit: Apple says to count an identifier once. It is in lower case, as above.
    case postback(id: String)
    /// A hash of the text, for a postback without a transaction id.
    case text(Int)
  }

  init(_ document: PostbackDocument) {
    if let postback = document.postback, let id = postback.text(of: .transactionID) {
      key = .transaction(
        id: id.lowercased(), network: postback.text(of: .adNetworkID) ?? "",
        index: postback.text(of: .sequenceIndex) ?? "")
      digest = postback.statement.hashValue
    } else if let postback = document.adAttributionKit, let id = postback.text(of: .postbackIdentifier) {
      key = .postback(id: id.lowercased())
      digest = postback.statement.hashValue
    } else {
      digest = document.body.hashValue
      key = .text(digest)
    }
  }
}

extension ReceivedPostback {
  /// The content except for the signature, which differs each time, and members added in transit.
  fileprivate var statement: [String] {
    signedValues + unsignedValues.flatMap { [$0.field.rawValue, JSONWriter.text($0.value)] }
  }
}

/// How a received postback relates to earlier ones.
package enum Repetition: String, CaseIterable, Sendable {
  /// The first copy: if it is verified, it is the one that counts.
  case first
  /// Equal in content to the first copy.
  case duplicate
  /// A copy of the same transaction with different content.
  case conflict
}
