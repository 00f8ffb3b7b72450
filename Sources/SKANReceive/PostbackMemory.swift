import SKANBase
import SKANDevice
import SKANSigning

/// Which postbacks were received: a receiver counts each once.
///
/// The first verified copy counts. Conversion values are not signed, so a genuine postback can come again with a forged
/// value and verify; and a forgery that comes first does not take the genuine one's place. Copies by Apple's key, by a
/// development key and by the tester's are apart.
package struct PostbackMemory: Sendable {
  private struct Copy {
    /// Whose key signed it; nil for one that is not verified.
    let key: ReceivedSignature.Key?
    let digest: Int
    let line: Int
  }

  /// Of each postback the first copy by each key, and the first that is not verified.
  private var known: [PostbackIdentity.Key: [Copy]] = [:]
  /// Those that were added since ``settle()``.
  private var latest: [PostbackIdentity.Key] = []

  package init() {}

  /// How many postbacks are known, copies apart.
  package var count: Int { known.count }

  /// The relation of a postback to those received so far.
  ///
  /// - Returns: that, and the line of the copy that it repeats or contradicts.
  package func repetition(
    of document: PostbackDocument, _ signature: ReceivedSignature
  ) -> (Repetition, line: Int?) {
    repetition(of: PostbackIdentity(document), by: signature.verifiedKey)
  }

  private func repetition(
    of identity: PostbackIdentity, by key: ReceivedSignature.Key?
  ) -> (Repetition, line: Int?) {
    let copies = known[identity.key] ?? []
    // What is not verified is held against what is.
    let verified = key == nil ? copies.first { $0.key != nil } : nil
    guard let earlier = verified ?? copies.first(where: { $0.key == key }) else { return (.first, nil) }
    return (earlier.digest == identity.digest ? .duplicate : .conflict, earlier.line)
  }

  /// Adds a postback that was received.
  ///
  /// - Parameter line: where it stands in the file, from 1.
  package mutating func add(_ document: PostbackDocument, _ signature: ReceivedSignature, line: Int) {
    let identity = PostbackIdentity(document)
    let key = signature.verifiedKey
    guard !(known[identity.key]?.contains { $0.key == key } ?? false) else { return }
    known[identity.key, default: []].append(Copy(key: key, digest: identity.digest, line: line))
    latest.append(identity.key)
  }

  /// What was added so far stays: ``forgetLatest(after:)`` does not look at it any more.
  package mutating func settle() { latest.removeAll(keepingCapacity: true) }

  /// Forgets what was added since ``settle()`` and stands behind a line, since it is not in the file after all.
  package mutating func forgetLatest(after line: Int) {
    for key in latest {
      known[key]?.removeAll { $0.line > line }
      if known[key]?.isEmpty ?? false { known[key] = nil }
    }
    settle()
  }
}

extension ReceivedSignature {
  /// Whose key verified it; nil when none did.
  fileprivate var verifiedKey: Key? { verdict == .valid ? key : nil }
}

/// Which postback a received one is, and what it says: two with one identity are copies, true or forged, of one postback.
struct PostbackIdentity: Sendable {
  let key: Key
  /// Stands for all that it says, the signature and what was added on the way apart; the same in one run of the program.
  ///
  /// Two texts may share a number. That can call a conflict a duplicate, of which neither counts.
  let digest: Int

  enum Key: Hashable, Sendable {
    /// The id in small letters: a UUID may be written in capitals or not. Whether the postbacks of one install have ids
    /// of their own is not documented, so the index belongs to it.
    case transaction(id: String, network: String, index: String)
    /// One that tells no transaction is known by its text alone.
    case text(Int)
  }

  init(_ document: PostbackDocument) {
    if let postback = document.postback, let id = postback.text(of: .transactionID) {
      key = .transaction(
        id: id.lowercased(), network: postback.text(of: .adNetworkID) ?? "",
        index: postback.text(of: .sequenceIndex) ?? "")
      digest = postback.statement.hashValue
    } else {
      digest = document.body.hashValue
      if let other = document.adAttributionKit, let id = other.postbackID {
        key = .transaction(id: id.lowercased(), network: other.networkID ?? "", index: "")
      } else {
        key = .text(digest)
      }
    }
  }
}

extension ReceivedPostback {
  /// All that it says, but for the signature, which is another one each time, and for what was added on the way.
  fileprivate var statement: [String] {
    signedValues + unsignedValues.flatMap { [$0.field.rawValue, JSONWriter.text($0.value)] }
  }
}

/// Whether a postback was received before.
package enum Repetition: String, CaseIterable, Sendable {
  /// The first of its kind: of those that are verified it is the one that counts.
  case first
  /// It says what the first says.
  case duplicate
  /// It is the first's, by its transaction, and says something else.
  case conflict

  package var explanation: CodeExplanation {
    switch self {
    case .first:
      CodeExplanation(
        "No postback of this transaction, network and sequence index was received before. Of those that are verified "
          + "it is the one that counts.",
        cause: "It is the first copy.", example: .shell("skan receive \(Reproduction.applesPostback)"),
        remedy: "Count it if its signature is valid.", articles: ["Postbacks", "PostbackReports"])
    case .duplicate:
      CodeExplanation(
        "It says what an earlier one says. It is kept and not counted.",
        cause: "Apple sent it again, or a network forwarded it, too.",
        example: .shell(
          "skan receive -q \(Reproduction.applesPostback) && skan receive \(Reproduction.applesPostback)"),
        remedy: "Nothing is wrong. Many of them can mean that the receiver's 200 comes too late.",
        articles: ["Postbacks", "PostbackReports"])
    case .conflict:
      CodeExplanation(
        "It is an earlier one by its transaction, and says something else. The first verified copy counts; the "
          + "conflict is kept.",
        cause: "Conversion values are not signed, so a genuine postback can be sent again with a forged value and "
          + "verify.",
        example: .shell(
          "skan receive -q \(Reproduction.applesPostback) && sed 's/:63,/:1,/' \(Reproduction.applesPostback) | skan "
            + "receive -"),
        remedy: "Find out who sent the second one: source_address of its line has the sender.",
        articles: ["Postbacks", "PostbackReports"])
    }
  }
}
