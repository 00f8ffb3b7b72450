import SKANDevice
import SKANSigning
import SKANBase

/// What received postbacks come to, whatever the order of their lines and of their files.
///
/// Only the first verified copy of a postback counts. Which copies are of one postback is found anew over everything that is
/// added; see ``CopyTally``. What is kept is some 200 bytes a postback (a hash of its identity, its first copy's time,
/// and how many copies there are), and once what postbacks say that say the same. No body is kept.
package struct PostbackReport: Sendable {
  /// Which postback, by whose key. The identity is hashed twice, as 128 bits.
  private struct CopyKey: Hashable {
    let key: ReceivedSignature.Key
    let one: Int
    let two: Int
  }

  /// Postbacks that nothing vouches for, by what they say and when they came.
  struct UnverifiedKey: Hashable {
    let postback: Int32
    /// Since 1970.
    let hour: Int64
  }

  struct UnverifiedCount {
    var invalid = 0
    var notChecked = 0
  }

  /// All that differ, each once.
  private(set) var postbacks: [ReportedPostback] = []
  private var indices: [ReportedPostback: Int32] = [:]
  private var copies: [CopyKey: CopyTally] = [:]
  private(set) var unverified: [UnverifiedKey: UnverifiedCount] = [:]
  /// How many lines were added.
  package private(set) var received = 0
  /// When the first and the last of them were received; nil without any.
  package private(set) var span: ClosedRange<Instant>?

  package init() {}

  /// Adds a line of a file of received postbacks.
  ///
  /// - Parameter document: its body.
  package mutating func add(_ record: ReceivedRecord, _ document: PostbackDocument) {
    received += 1
    let time = record.receivedAt
    span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    guard record.signature.verdict == .valid, let key = record.signature.key else {
      addUnverified(ReportedPostback(document, record), record)
      return
    }
    let identity = PostbackIdentity(document)
    let copy = CopyTally.Copy(
      isMarkedFirst: record.repetition == .first, receivedAt: time.microseconds, bodyHash: fnv1a(record.body),
      digest: identity.digest, postback: index(of: ReportedPostback(document, record)))
    let copyKey = CopyKey(key: key, one: identity.key.hashValue, two: identity.key.secondHash)
    // By a text of what they say, so that it does not matter which was added first.
    let added: Void? = copies[copyKey]?.add(copy) { [postbacks] one, other in
      String(describing: postbacks[Int(one.postback)]) < String(describing: postbacks[Int(other.postback)])
    }
    if added == nil { copies[copyKey] = CopyTally(copy) }
  }

  private mutating func addUnverified(_ postback: ReportedPostback, _ record: ReceivedRecord) {
    var postback = postback
    // Nothing of what it says is counted but where it is from.
    (postback.fine, postback.coarse, postback.hasOddValue, postback.meaning) = (nil, nil, false, nil)
    let key = UnverifiedKey(postback: index(of: postback), hour: record.receivedAt.count(of: .hours(1)))
    if record.signature.verdict == .invalid {
      unverified[key, default: UnverifiedCount()].invalid += 1
    } else {
      unverified[key, default: UnverifiedCount()].notChecked += 1
    }
  }

  private mutating func index(of postback: ReportedPostback) -> Int32 {
    if let index = indices[postback] { return index }
    let index = Int32(postbacks.count)
    postbacks.append(postback)
    indices[postback] = index
    return index
  }

  /// Goes through the postbacks that count, in no order.
  func forEach(_ body: (ReceivedSignature.Key, CopyTally) -> Void) {
    for (key, tally) in copies { body(key.key, tally) }
  }
}

extension PostbackIdentity.Key {
  /// Independent of its hash value.
  fileprivate var secondHash: Int {
    var hasher = Hasher()
    hasher.combine(1)
    hasher.combine(self)
    return hasher.finalize()
  }
}
