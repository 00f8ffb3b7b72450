import SKANBase

/// A conversion that a tester makes for an installed app on Apple's screen Settings > Developer > Development
/// Postbacks (iOS 18.4), without an ad.
///
/// Apple, "Creating postbacks in developer settings": the network is `development.adattributionkit`, an app from Xcode
/// has the identifier 0, and the postbacks go to one address.
package struct DevelopmentConversion: Sendable, Equatable {
  package var interaction = AttributionWindows.Interaction.click
  package var conversion = AdAttribution.ConversionType.download
  /// The postback data tier of each postback: one or three, as the conversion has one or three windows.
  package var tiers: [Int64] = [3, 3, 3]

  package init() {}

  package static let network = "development.adattributionkit"

  /// The forms that ``tiers`` can have.
  package static func areTiers(_ tiers: [Int64]) -> Bool {
    [1, 3].contains(tiers.count) && tiers.allSatisfy { (0...3).contains($0) }
  }

  package static let tiersForm = "one tier or three, each 0 to 3: one for each window"

  /// The ad that the conversion's postbacks name, although none was shown.
  func ad(on profile: DeviceProfile, country: String?) -> AdAttribution {
    var ad = AdAttribution(ofReEngagementUnder: .developer)
    ad.network = Self.network
    ad.appID = profile.build == .development ? 0 : profile.ad?.appID ?? ad.appID
    ad.fidelity = interaction == .click ? 1 : 0
    ad.country = country ?? profile.ad?.country
    return ad
  }
}

extension DevelopmentConversion: JSONItemReadable, JSONObjectWritable {
  package static let fields = JSONFields<DevelopmentConversion> {
    JSONField("interaction", "click or view", at: \.interaction)
    JSONField("conversion", "the conversion type", at: \.conversion)
    JSONField(
      optional: "tiers", "the postback data tier of each postback: one or three", as: .list(.integer(0...3)),
      reading: { $0.tiers = $1.tiers() ?? $0.tiers }, writing: { $1.append(.array($0.tiers.map(JSON.integer))) })
  }

  package static var jsonForm: JSONForm { fields.form(requiring: []) }

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    self.init(node, what: "a development postback", usual: Self(), in: &outer)
  }
}

extension AdAttribution.ConversionType: JSONReadable {}

extension JSONObjectReader {
  fileprivate mutating func tiers() -> [Int64]? {
    read("tiers", DevelopmentConversion.tiersForm) { content in
      guard case .array(let nodes) = content else { return nil }
      let tiers = nodes.compactMap { node -> Int64? in
        switch node.content {
        case .integer(let tier): tier
        case .double(let number): Int64(whole: number)
        default: nil
        }
      }
      return tiers.count == nodes.count && DevelopmentConversion.areTiers(tiers) ? tiers : nil
    }
  }
}
