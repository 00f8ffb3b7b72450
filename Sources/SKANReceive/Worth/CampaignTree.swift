import SKANBase

/// The campaigns of one network's postbacks, of which some show only the last digits.
///
/// A source identifier has four digits; SKAdNetwork 4 and AdAttributionKit show the last three or two of it where a
/// campaign has few installs. Identifiers form a tree: 39 is above 239, which is above 1239. A campaign is an identifier
/// below which no longer one was received. Postbacks of an identifier above campaigns belong to one of them, and are
/// divided by the shares of the postbacks that are known to be each campaign's.
struct CampaignTree {
  /// The parts of a postback's campaigns, with the sum 1.
  typealias Parts = [(campaign: String, share: Double)]

  private var parts: [String: Parts] = [:]

  /// - Parameter counts: the postbacks by source identifier, or by another name of a campaign.
  init(_ counts: [String: Int]) {
    let digits = counts.keys.filter(Self.isSourceIdentifier).sorted { ($1.count, $0) < ($0.count, $1) }
    /// The postbacks of each campaign, known ones and parts of those above it.
    var sizes: [String: Double] = [:]
    for name in counts.keys where !Self.isSourceIdentifier(name) { parts[name] = [(name, 1)] }
    // Longer ones first, since shorter ones are divided by what is known of these.
    for length in [4, 3, 2] {
      let level = digits.filter { $0.count == length }
      let campaigns = sizes.keys.sorted()
      for name in level {
        let below = campaigns.filter { $0.hasSuffix(name) }
        let whole = below.reduce(0) { $0 + (sizes[$1] ?? 0) }
        parts[name] = whole == 0 ? [(name, 1)] : below.map { ($0, (sizes[$0] ?? 0) / whole) }
      }
      // Those of one length do not affect each other.
      for name in level {
        for part in parts[name] ?? [] { sizes[part.campaign, default: 0] += Double(counts[name] ?? 0) * part.share }
      }
    }
  }

  /// The campaigns of an identifier, in order.
  func campaigns(of identifier: String) -> Parts { parts[identifier] ?? [(identifier, 1)] }

  private static func isSourceIdentifier(_ name: String) -> Bool {
    (2...4).contains(name.utf8.count) && name.utf8.allSatisfy(\.isASCIIDigit)
  }
}
