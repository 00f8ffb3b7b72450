import SKANDevice
import SKANBase
import SKANSigning

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
