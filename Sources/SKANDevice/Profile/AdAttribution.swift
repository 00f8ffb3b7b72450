import SKANBase

/// The ad that led to an install, as Apple's framework will report it; see the article "Apple's framework". The rows of
/// ``fields`` describe its properties.
///
/// One impression wins an install, whether it is of SKAdNetwork or of AdAttributionKit.
package struct AdAttribution: Sendable, Equatable {
  package var framework = Framework.skadnetwork
  /// The version of the ad's signature: 4.0, 3.0, 2.2, 2.1 or 2.0. Ads of AdAttributionKit have none.
  package var version = "4.0"
  package var network = "com.example"
  package var appID: Int64 = 525_463_029
  package var campaign: Campaign = .sourceIdentifier("5239")
  /// The app or web site that showed the ad; of AdAttributionKit an app, 0 for a development impression.
  package var source: Source = .app(1_234_567_891)
  /// 0 for view-through ads, 1 for StoreKit-rendered ads; of AdAttributionKit 0 for a view, 1 for a click.
  package var fidelity: Int64 = 1
  package var won = true
  package var redownload = false
  package var tier: Int64 = 3
  package var marketplace = "com.apple.AppStore"
  /// The country of the install, two capital letters; nil if it is not known.
  package var country: String?
  /// Each gets one postback of its own framework.
  package var lost: [LostImpression] = []

  package static let versions = ["4.0", "3.0", "2.2", "2.1", "2.0"]

  package enum Framework: String, CaseIterable, Sendable { case skadnetwork, adattributionkit }

  /// The kinds of conversion in postbacks of AdAttributionKit.
  package enum ConversionType: String, CaseIterable, Sendable {
    case download, redownload
    case reEngagement = "re-engagement"
  }

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
    /// 0 for a view, 1 for a click.
    package var fidelity: Int64 = 1
    /// The postback data tier; nil for that of the ad that won.
    package var tier: Int64?
    /// The app or web site that showed the ad; nil for that of the ad that won.
    package var source: Source?
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
    ad.fidelity = impression.fidelity
    ad.tier = impression.tier ?? tier
    ad.source = impression.source ?? source
    ad.won = false
    return ad
  }
}

extension AdAttribution: JSONWritable {
  /// Every key, in the order in which messages name them.
  package static let fields = JSONFields<AdAttribution> {
    JSONField("version", "the version of the ad's signature", as: .names(versions), at: \.version)
    JSONField("network", "the ad network identifier", at: \.network)
    JSONField("app_id", "the App Store ID of the advertised app", as: .count, at: \.appID)
    JSONField(optional: "source_identifier", "version 4 and AdAttributionKit: four digits", as: .fourDigits) {
      if case .sourceIdentifier(let text) = $0.campaign { text } else { nil }
    }
    JSONField(optional: "campaign", "versions up to 3: the campaign", as: .integer(1...100)) {
      if case .campaignID(let id) = $0.campaign { id } else { nil }
    }
    JSONField(optional: "source_app_id", "the App Store ID of the app that showed the ad", as: .count) { $0.sourceApp }
    JSONField(optional: "source_domain", "the web site that showed the ad") {
      if case .domain(let text) = $0.source { text } else { nil }
    }
    JSONField(
      "fidelity", "0 for a view-through ad, 1 for one rendered by StoreKit", as: .integer(0...1), at: \.fidelity)
    JSONField("won", "whether the impression won the install", at: \.won)
    JSONField("redownload", "whether the user had the app before", at: \.redownload)
    JSONField("tier", "the postback data tier", as: .integer(0...3), at: \.tier)
    JSONField("framework", "the framework of the impression", at: \.framework)
    JSONField(
      optional: "publisher_id", "AdAttributionKit: the App Store ID of the app that showed the ad", as: .count,
      at: \.sourceApp)
    JSONField("marketplace", "AdAttributionKit: where the app was installed from", at: \.marketplace)
    JSONField("interaction", "AdAttributionKit: click or view", as: .names(["click", "view"]), at: \.interaction)
    JSONField(
      "conversion", "AdAttributionKit: the kind of install", as: .names(["download", "redownload"]), at: \.conversion)
    JSONField(
      optional: "country", "the country of the install", as: .string(pattern: "^[A-Z]{2}$"),
      reading: { $0.country = $1.country() }, writing: { $0.country?.write(to: &$1) })
    JSONField("lost", "the impressions that did not win", at: \.lost, unless: [])
  }

  package static let keys = fields.names

  /// The keys of a re-engagement's ad, in a step and in a device file.
  package static let reEngagementKeys = [
    "network", "source_identifier", "app_id", "publisher_id", "marketplace", "tier", "country",
  ]

  private static let adAttributionKitKeys = ["publisher_id", "marketplace", "interaction", "conversion"]

  // The keys of each kind of ad, in the order in which they are written.
  private static let ofSKAdNetwork = JSONFields(
    fields.rows.filter { !(["framework"] + adAttributionKitKeys).contains($0.name) })
  private static let ofAdAttributionKit = fields.only([
    "framework", "network", "app_id", "source_identifier", "publisher_id", "marketplace", "interaction", "won",
    "conversion", "tier", "country", "lost",
  ])
  package static let ofReEngagement = JSONFields(
    ofAdAttributionKit.rows.filter { reEngagementKeys.contains($0.name) })

  package static var jsonForm: JSONForm { fields.form(requiring: []) }

  package func write(to writer: inout JSONWriter) {
    (isAdAttributionKit ? Self.ofAdAttributionKit : Self.ofSKAdNetwork).write(self, to: &writer)
  }

  private var sourceApp: Int64? {
    get { if case .app(let id) = source { id } else { nil } }
    set { if let newValue { source = .app(newValue) } }
  }

  private var interaction: String {
    get { fidelity == 1 ? "click" : "view" }
    set { fidelity = newValue == "click" ? 1 : 0 }
  }

  private var conversion: String {
    get { redownload ? "redownload" : "download" }
    set { redownload = newValue == "redownload" }
  }

  /// The network of an ad of AdAttributionKit that names none.
  private static let adAttributionKitNetwork = "example.adattributionkit"

  /// An impression can lose beside five others at most, since Apple considers six.
  private static let mostLost = 5

  /// Reads a JSON text that contains only an ad.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    var reader = JSONObjectReader(
      try JSONReader.readSource(bytes), what: "an ad", known: Self.fields.known)
    self.init(from: &reader)
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
  }

  init(from reader: inout JSONObjectReader) {
    self.init()
    framework = reader.choice("framework") ?? framework
    if isAdAttributionKit {
      refuseSKAdNetwork(in: &reader)
      readAdAttributionKit(Self.ofAdAttributionKit, from: &reader)
    } else {
      readSKAdNetwork(from: &reader)
    }
    checkLost(in: &reader)
  }

  private mutating func readSKAdNetwork(from reader: inout JSONObjectReader) {
    for key in Self.adAttributionKitKeys where reader.has(JSONKey(key)) {
      reader.complain("\"\(key)\" goes with \"framework\": \"adattributionkit\"", about: JSONKey(key))
    }
    Self.ofSKAdNetwork.read(into: &self, from: &reader)
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
  }

  private func refuseSKAdNetwork(in reader: inout JSONObjectReader) {
    let others: [(key: JSONKey, instead: String?)] = [
      ("version", nil), ("campaign", "source_identifier"), ("source_app_id", "publisher_id"),
      ("source_domain", "publisher_id"), ("fidelity", "interaction"), ("redownload", "conversion"),
    ]
    for (key, instead) in others where reader.has(key) {
      let hint = instead.map { "has \"\($0)\"" } ?? "has none"
      reader.complain("\"\(key.name)\" belongs to SKAdNetwork; an ad of AdAttributionKit \(hint)", about: key)
    }
  }

  /// Reads the ad of a re-engagement, which is always a click.
  package init(reEngagementFrom reader: inout JSONObjectReader) {
    self.init()
    readAdAttributionKit(Self.ofReEngagement, from: &reader)
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

  private mutating func readAdAttributionKit(_ fields: JSONFields<Self>, from reader: inout JSONObjectReader) {
    (framework, network) = (.adattributionkit, Self.adAttributionKitNetwork)
    fields.read(into: &self, from: &reader)
    campaign = reader.sourceIdentifier().map(Campaign.sourceIdentifier) ?? campaign
    for (key, text) in [("network", network), ("marketplace", marketplace)] as [(JSONKey, String)] where text.isEmpty {
      reader.complain("\"\(key.name)\" must not be empty", about: key)
    }
  }

  private func checkLost(in reader: inout JSONObjectReader) {
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
}

extension AdAttribution.Framework: JSONReadable {}

extension AdAttribution.LostImpression: JSONItemReadable, JSONObjectWritable {
  package static let fields = JSONFields<Self> {
    JSONField("framework", "the framework of the impression", at: \.framework)
    JSONField("network", "the ad network identifier", at: \.network)
    JSONField(
      optional: "source_identifier", "four digits", as: .fourDigits,
      reading: { $0.sourceIdentifier = $1.sourceIdentifier() ?? $0.sourceIdentifier },
      writing: { $1.append($0.sourceIdentifier) })
    JSONField("fidelity", "0 for a view, 1 for a click", as: .integer(0...1), at: \.fidelity, unless: 1)
    JSONField(optional: "tier", "the postback data tier; by default the winner's", as: .integer(0...3), at: \.tier)
    JSONField(
      optional: "source_app_id", "the App Store ID of the app that showed the ad; by default the winner's", as: .count,
      at: \.sourceApp)
    JSONField(optional: "source_domain", "the web site that showed the ad", at: \.sourceDomain)
  }

  package static var jsonForm: JSONForm { fields.form(requiring: ["network"]) }

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    let usual = Self(framework: .skadnetwork, network: "", sourceIdentifier: "5239")
    self.init(node, what: "an impression that lost", usual: usual, in: &outer) { reader in
      if reader.isObject { _ = reader.require("network", reader.node("network")) }
      if reader.node("network")?.content.text?.isEmpty ?? false {
        reader.complain("\"network\" must not be empty", about: "network")
      }
    }
    if !node.isObject { return nil }
  }
}

extension AdAttribution.LostImpression {
  private var sourceApp: Int64? {
    get { if case .app(let id)? = source { id } else { nil } }
    set { source = newValue.map(AdAttribution.Source.app) }
  }

  private var sourceDomain: String? {
    get { if case .domain(let text)? = source { text } else { nil } }
    set { source = newValue.map(AdAttribution.Source.domain) }
  }
}

extension JSONForm {
  fileprivate static let fourDigits = JSONForm.string(pattern: "^[0-9]{4}$")
}

extension JSONObjectReader {
  /// The country of an install.
  package mutating func country() -> String? {
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
}
