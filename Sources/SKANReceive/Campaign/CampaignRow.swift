import SKANDevice

/// A row of the map of campaigns: what an identifier of a network stands for, perhaps for some time.
package struct CampaignRow: Sendable, Equatable {
  /// The ad network id, in small letters.
  package var network: String
  /// A campaign id of versions up to 3, or the last digits of a source identifier of version 4.
  package var identifier: String
  /// Nil = from the beginning.
  package var from: Instant?
  /// The first moment at which it is over; nil = it has no end.
  package var until: Instant?
  package var campaign: CampaignMatch
  /// Where it stands in its file.
  package var line: Int

  func isValid(at time: Instant) -> Bool {
    from.map { $0 <= time } ?? true && until.map { time < $0 } ?? true
  }

  /// Whether it is for an identifier of the network.
  func fits(_ wanted: CampaignIdentifier) -> Bool {
    guard network == wanted.network else { return false }
    return switch wanted.kind {
    case .campaignID(let number): Int64(identifier) == number
    case .sourceIdentifier(let digits):
      identifier.count > 1 && (digits.hasSuffix(identifier) || identifier.hasSuffix(digits))
    }
  }
}
