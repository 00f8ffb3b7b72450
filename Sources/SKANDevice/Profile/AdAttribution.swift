import SKANBase

/// The ad that led to an install, as Apple's framework will report it; see the article "Apple's framework".
///
/// One impression wins an install, whether it is of SKAdNetwork or of AdAttributionKit.
package struct AdAttribution: Sendable, Equatable {
  package var framework = Framework.skadnetwork
  /// The version of the ad's signature: 4.0, 3.0, 2.2, 2.1 or 2.0. Ads of AdAttributionKit have none.
  package var version = "4.0"
  /// The ad network identifier.
  package var network = "com.example"
  /// The advertised app's App Store ID.
  package var appID: Int64 = 525_463_029
  package var campaign: Campaign = .sourceIdentifier("5239")
  /// The app or web site that showed the ad; of AdAttributionKit an app, 0 for a development impression.
  package var source: Source = .app(1_234_567_891)
  /// 0 for view-through ads, 1 for StoreKit-rendered ads; of AdAttributionKit 0 for a view, 1 for a click.
  package var fidelity: Int64 = 1
  package var won = true
  package var redownload = false
  /// The postback data tier, 0–3.
  package var tier: Int64 = 3
  /// AdAttributionKit: where the app was installed from.
  package var marketplace = "com.apple.AppStore"
  /// The country of the install, two capital letters; nil if it is not known.
  package var country: String?
  /// The impressions that did not win. Each gets one postback of its own framework.
  package var lost: [LostImpression] = []

  package static let versions = ["4.0", "3.0", "2.2", "2.1", "2.0"]

  package enum Framework: String, CaseIterable, Sendable { case skadnetwork, adattributionkit }

  package enum Campaign: Sendable, Equatable {
    /// Four digits (version 4).
    case sourceIdentifier(String)
    /// 1–100 (versions up to 3).
    case campaignID(Int64)
  }

  package enum Source: Sendable, Equatable {
    case app(Int64)
    case domain(String)
  }

  package struct LostImpression: Sendable, Equatable {
    package var framework: Framework
    package var network: String
    /// Four digits.
    package var sourceIdentifier: String
  }

  package init() {}

  /// The ad of an install that names none: in Developer Mode a development impression.
  package init(under clock: DeviceProfile.ClockPreset) { if clock == .developer { source = .app(0) } }

  /// The app of a production impression; nil for one for testing, whose windows and delays Developer Mode shortens.
  ///
  /// By Apple's page "Testing ad attributions with Developer Mode" those are impressions with source app or publisher 0,
  /// and every web ad.
  package var productionApp: Int64? { if case .app(let id) = source, id != 0 { id } else { nil } }

  package var isAdAttributionKit: Bool { framework == .adattributionkit }

  /// Whether any of the impressions is of AdAttributionKit.
  package var usesAdAttributionKit: Bool { isAdAttributionKit || lost.contains { $0.framework == .adattributionkit } }

  /// The ad of an impression that lost to this one.
  func lost(_ impression: LostImpression) -> AdAttribution {
    var ad = self
    ad.framework = impression.framework
    ad.network = impression.network
    ad.campaign = .sourceIdentifier(impression.sourceIdentifier)
    ad.fidelity = 1
    ad.won = false
    return ad
  }
}

extension AdAttribution {
  package static let keys = skadnetworkKeys + ["framework"] + adAttributionKitKeys + ["country", "lost"]

  private static let skadnetworkKeys = [
    "version", "network", "app_id", "source_identifier", "campaign", "source_app_id", "source_domain", "fidelity",
    "won", "redownload", "tier",
  ]

  private static let adAttributionKitKeys = ["publisher_id", "marketplace", "interaction", "conversion"]

  /// The network of an ad of AdAttributionKit that names none.
  private static let adAttributionKitNetwork = "example.adattributionkit"

  /// An impression can lose beside five others at most, since Apple considers six.
  private static let mostLost = 5

  /// Reads a JSON text that contains only an ad.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    var reader = JSONObjectReader(
      try JSONReader.readSource(bytes), what: "an ad", known: JSONKeys(AdAttribution.keys))
    self.init(from: &reader)
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
  }

  init(from reader: inout JSONObjectReader) {
    self.init()
    framework = reader.choice("framework") ?? framework
    if isAdAttributionKit {
      readAdAttributionKit(from: &reader)
    } else {
      readSKAdNetwork(from: &reader)
    }
    won = reader.bool("won") ?? won
    readLost(from: &reader)
  }

  private mutating func readSKAdNetwork(from reader: inout JSONObjectReader) {
    for key in Self.adAttributionKitKeys where reader.has(JSONKey(key)) {
      reader.complain("\"\(key)\" goes with \"framework\": \"adattributionkit\"", about: JSONKey(key))
    }
    let versions = Self.versions
    version =
      reader.read("version", "one of \(versions.map { "\"\($0)\"" }.joined(separator: ", "))") { content in
        if case .string(let text) = content, versions.contains(text) { text } else { nil }
      } ?? version
    network = reader.string("network") ?? network
    appID = reader.integer("app_id", in: 0 ... .max) ?? appID
    let identifier = reader.sourceIdentifier()
    let id = reader.integer("campaign", in: 1...100)
    if reader.has("source_identifier"), reader.has("campaign") {
      reader.complain(
        "an ad has \"source_identifier\" (version 4) or \"campaign\" (up to 3), not both", about: "campaign")
    }
    if version == "4.0" {
      if let id {
        reader.complain(
          "\"campaign\" is for versions up to 3; version 4.0 has \"source_identifier\" (\(id))", about: "campaign")
      }
      campaign = .sourceIdentifier(identifier ?? "5239")
    } else {
      if identifier != nil {
        reader.complain(
          "\"source_identifier\" is for version 4.0; version \(version) has \"campaign\"", about: "source_identifier")
      }
      campaign = .campaignID(id ?? 42)
    }
    let app = reader.integer("source_app_id", in: 0 ... .max)
    let domain = reader.string("source_domain")
    if app != nil, domain != nil {
      reader.complain("an ad has \"source_app_id\" or \"source_domain\", not both", about: "source_domain")
    }
    source = domain.map(Source.domain) ?? app.map(Source.app) ?? source
    fidelity = reader.integer("fidelity", in: 0...1) ?? fidelity
    redownload = reader.bool("redownload") ?? redownload
    tier = reader.integer("tier", in: 0...3) ?? tier
    country = reader.country()
  }

  private mutating func readAdAttributionKit(from reader: inout JSONObjectReader) {
    let others: [(key: JSONKey, instead: String?)] = [
      ("version", nil), ("campaign", "source_identifier"), ("source_app_id", "publisher_id"),
      ("source_domain", "publisher_id"), ("fidelity", "interaction"), ("redownload", "conversion"),
    ]
    for (key, instead) in others where reader.has(key) {
      let hint = instead.map { "has \"\($0)\"" } ?? "has none"
      reader.complain("\"\(key.name)\" belongs to SKAdNetwork; an ad of AdAttributionKit \(hint)", about: key)
    }
    readImpression(from: &reader)
    fidelity = reader.oneOf("interaction", "click", "view").map { $0 == "click" ? 1 : 0 } ?? fidelity
    redownload = reader.oneOf("conversion", "download", "redownload").map { $0 == "redownload" } ?? redownload
  }

  /// The keys of a re-engagement's ad, in a step and in a device file.
  package static let reEngagementKeys = [
    "network", "source_identifier", "app_id", "publisher_id", "marketplace", "tier", "country",
  ]

  /// Reads the ad of a re-engagement, which is always a click.
  package init(reEngagementFrom reader: inout JSONObjectReader) {
    self.init()
    readImpression(from: &reader)
  }

  /// The ad of a re-engagement that names nothing: in Developer Mode a development impression.
  package init(ofReEngagementUnder clock: DeviceProfile.ClockPreset) {
    self.init(under: clock)
    (framework, network) = (.adattributionkit, Self.adAttributionKitNetwork)
  }

  /// Reads a JSON text that contains only the ad of a re-engagement.
  package init(reEngagement bytes: [UInt8]) throws(SourceProblems) {
    var reader = JSONObjectReader(
      try JSONReader.readSource(bytes), what: "the ad of a re-engagement", known: JSONKeys(Self.reEngagementKeys))
    self.init(reEngagementFrom: &reader)
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
  }

  /// The members of a re-engagement's ad.
  package var reEngagementMembers: [(key: String, value: JSON)] {
    guard case .object(let members) = json else { return [] }
    return members.filter { Self.reEngagementKeys.contains($0.key) }
  }

  /// Reads what an ad of AdAttributionKit and a re-engagement have in common.
  private mutating func readImpression(from reader: inout JSONObjectReader) {
    framework = .adattributionkit
    network = reader.string("network") ?? Self.adAttributionKitNetwork
    appID = reader.integer("app_id", in: 0 ... .max) ?? appID
    campaign = reader.sourceIdentifier().map(Campaign.sourceIdentifier) ?? campaign
    source = reader.integer("publisher_id", in: 0 ... .max).map(Source.app) ?? source
    marketplace = reader.string("marketplace") ?? marketplace
    tier = reader.integer("tier", in: 0...3) ?? tier
    country = reader.country()
    for (key, text) in [("network", network), ("marketplace", marketplace)] as [(JSONKey, String)] where text.isEmpty {
      reader.complain("\"\(key.name)\" must not be empty", about: key)
    }
  }

  private mutating func readLost(from reader: inout JSONObjectReader) {
    lost = reader.items("lost") { LostImpression($0, in: &$1) }
    if lost.isEmpty { return }
    if !won {
      reader.complain("\"lost\" goes with an ad that won: one impression wins an install", about: "lost")
    }
    if lost.count > Self.mostLost {
      reader.complain(
        "\"lost\" has at most \(Self.mostLost) impressions, these are \(lost.count): Apple considers six", about: "lost"
      )
    }
    for (index, impression) in lost.enumerated()
    where ([network] + lost.prefix(index).map(\.network)).contains(where: { $0.isLiterally(impression.network) }) {
      reader.complain(
        "\"lost\" names the network \(JSONWriter.quoted(impression.network)) again: each has one postback",
        about: "lost")
    }
  }

  package var json: JSON {
    let campaignMember: (String, JSON)
    switch campaign {
    case .sourceIdentifier(let text): campaignMember = ("source_identifier", .string(text))
    case .campaignID(let id): campaignMember = ("campaign", .integer(id))
    }
    let sourceMember: (String, JSON)
    switch source {
    case .app(let id): sourceMember = (isAdAttributionKit ? "publisher_id" : "source_app_id", .integer(id))
    case .domain(let text): sourceMember = ("source_domain", .string(text))
    }
    let kind: [(String, JSON)] =
      isAdAttributionKit ? [("framework", .string(framework.rawValue))] : [("version", .string(version))]
    let traits: [(String, JSON)] =
      isAdAttributionKit
      ? [
        ("marketplace", .string(marketplace)), ("interaction", .string(fidelity == 1 ? "click" : "view")),
        ("won", .bool(won)), ("conversion", .string(redownload ? "redownload" : "download")), ("tier", .integer(tier)),
      ]
      : [
        ("fidelity", .integer(fidelity)), ("won", .bool(won)), ("redownload", .bool(redownload)),
        ("tier", .integer(tier)),
      ]
    return .object(
      kind + [("network", .string(network)), ("app_id", .integer(appID)), campaignMember, sourceMember] + traits
        + (country.map { [("country", .string($0))] } ?? [])
        + (lost.isEmpty ? [] : [("lost", .array(lost.map(\.json)))]))
  }
}

extension AdAttribution.LostImpression {
  package static let keys: JSONKeys = ["framework", "network", "source_identifier"]

  fileprivate init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "an impression that lost", known: Self.keys)
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    let network = reader.require("network", reader.string("network"))
    if network?.isEmpty ?? false { reader.complain("\"network\" must not be empty", about: "network") }
    self.init(
      framework: reader.choice("framework") ?? .skadnetwork, network: network ?? "",
      sourceIdentifier: reader.sourceIdentifier() ?? "5239")
  }

  fileprivate var json: JSON {
    .object([
      ("framework", .string(framework.rawValue)), ("network", .string(network)),
      ("source_identifier", .string(sourceIdentifier)),
    ])
  }
}

extension JSONObjectReader {
  fileprivate mutating func country() -> String? {
    read("country", "two capital letters such as \"US\"") { content in
      content.text.flatMap { $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isASCIICapital) ? $0 : nil }
    }
  }

  fileprivate mutating func sourceIdentifier() -> String? {
    read("source_identifier", "a string of four digits") { content in
      if case .string(let text) = content, text.utf8.count == 4, Int(text) != nil, text.first?.isNumber == true {
        text
      } else {
        nil
      }
    }
  }

  /// One of two texts.
  fileprivate mutating func oneOf(_ key: JSONKey, _ first: String, _ second: String) -> String? {
    read(key, "\"\(first)\" or \"\(second)\"") { content in
      content.text.flatMap { [first, second].contains($0) ? $0 : nil }
    }
  }
}
