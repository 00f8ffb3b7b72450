import SKANDevice
import SKANBase

/// By what a postback names its campaign.
struct CampaignIdentifier: Sendable {
  /// The ad network id, in small letters.
  let network: String
  let kind: Kind

  enum Kind: Sendable, Equatable {
    /// Of versions up to 3.
    case campaignID(Int64)
    /// Of version 4, two to four digits: of a longer one the last.
    case sourceIdentifier(String)
  }

  /// - Returns: nil when the postback names none.
  init?(_ postback: ReceivedPostback) {
    guard let network = postback.text(of: .adNetworkID) else { return nil }
    if postback.version.hasWindows {
      guard let digits = postback.text(of: .sourceIdentifier), (2...4).contains(digits.count),
        digits.utf8.allSatisfy(\.isASCIIDigit)
      else { return nil }
      kind = .sourceIdentifier(digits)
    } else {
      guard let number = postback.text(of: .campaignID).flatMap({ Int64($0) }) else { return nil }
      kind = .campaignID(number)
    }
    self.network = network.lowercased()
  }

  /// To stand in a sentence.
  var name: String {
    switch kind {
    case .campaignID(let number): "campaign id \(number) of \(network)"
    case .sourceIdentifier(let digits): "source identifier \(digits) of \(network)"
    }
  }
}
