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

  /// What a postback is beside those received so far.
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
