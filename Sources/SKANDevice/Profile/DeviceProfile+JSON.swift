import SKANBase

extension DeviceProfile {
  /// The keys of a profile in our files, the same in an event list's `device` step and in a device file.
  package static let keys =
    ["snippet", "ios", "bundle_id", "app_version", "idfv", "idfa", "build", "ad", "clock", "seed", "settings"]
    + ForwardedProfile.keys

  /// Reads a profile; what is absent keeps its default, and an absent `idfv` is derived from the phone's name.
  package init(from reader: inout JSONObjectReader, phone name: String) {
    self.init(idfv: Self.derivedIDFV(phone: name))
    snippet = reader.choice("snippet") ?? snippet
    ios = reader.iosVersion("ios") ?? ios
    bundleID = reader.string("bundle_id") ?? bundleID
    appVersion = reader.string("app_version") ?? appVersion
    idfv = reader.nullableString("idfv", default: idfv)
    // Never sent empty: without consent the parameter is left out.
    idfa = reader.nullableString("idfa", default: nil).flatMap { $0.isEmpty ? nil : $0 }
    build = reader.choice("build") ?? build
    clock = reader.choice("clock") ?? clock
    seed = reader.integer("seed") ?? seed
    if let node = reader.node("ad") {
      if case .bool(false) = node.content {
        ad = nil
      } else if case .bool = node.content {
        reader.complain("\"ad\" must be an object, or false for an organic install", about: "ad")
      } else {
        var adReader = JSONObjectReader(node, what: "an ad", known: JSONKeys(AdAttribution.keys))
        ad = AdAttribution(from: &adReader)
        reader.add(adReader.problems)
      }
    }
    if ForwardedProfile.keys.contains(where: { reader.has(JSONKey($0)) }) {
      forwarded = ForwardedProfile(from: &reader)
    }
    if let node = reader.node("settings") {
      var settingsReader = JSONObjectReader(node, what: "settings", known: FrameworkSettings.keys)
      settings = FrameworkSettings(from: &settingsReader)
      reader.add(settingsReader.problems)
    }
  }

  /// Every key, so that a file says all there is to the profile; of the settings, and of what the app's server reports,
  /// those that are not the default.
  package var json: JSON {
    .object(
      [
        ("snippet", .string(snippet.rawValue)), ("ios", .string(ios.text)), ("bundle_id", .string(bundleID)),
        ("app_version", .string(appVersion)), ("idfv", .optional(idfv)), ("idfa", .optional(idfa)),
        ("build", .string(build.rawValue)), ("ad", ad?.json ?? .bool(false)), ("clock", .string(clock.rawValue)),
        ("seed", .integer(seed)),
      ] + (settings == FrameworkSettings() ? [] : [("settings", settings.json)]) + forwarded.members)
  }
}

extension AdAttribution {
  package static let keys = [
    "version", "network", "app_id", "source_identifier", "campaign", "source_app_id", "source_domain", "fidelity",
    "won", "redownload", "tier",
  ]

  /// Reads an ad that stands alone.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    var reader = JSONObjectReader(
      try JSONReader.readSource(bytes), what: "an ad", known: JSONKeys(AdAttribution.keys))
    self.init(from: &reader)
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
  }

  init(from reader: inout JSONObjectReader) {
    self.init()
    let versions = Self.versions
    version =
      reader.read("version", "one of \(versions.map { "\"\($0)\"" }.joined(separator: ", "))") { content in
        if case .string(let text) = content, versions.contains(text) { text } else { nil }
      } ?? version
    network = reader.string("network") ?? network
    appID = reader.integer("app_id", in: 0 ... .max) ?? appID
    let identifier = reader.read("source_identifier", "a string of four digits") { content in
      if case .string(let text) = content, text.utf8.count == 4, Int(text) != nil, text.first?.isNumber == true {
        text
      } else {
        nil
      }
    }
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
    won = reader.bool("won") ?? won
    redownload = reader.bool("redownload") ?? redownload
    tier = reader.integer("tier", in: 0...3) ?? tier
  }

  package var json: JSON {
    let campaignMember: (String, JSON)
    switch campaign {
    case .sourceIdentifier(let text): campaignMember = ("source_identifier", .string(text))
    case .campaignID(let id): campaignMember = ("campaign", .integer(id))
    }
    let sourceMember: (String, JSON)
    switch source {
    case .app(let id): sourceMember = ("source_app_id", .integer(id))
    case .domain(let text): sourceMember = ("source_domain", .string(text))
    }
    return .object([
      ("version", .string(version)), ("network", .string(network)), ("app_id", .integer(appID)), campaignMember,
      sourceMember, ("fidelity", .integer(fidelity)), ("won", .bool(won)), ("redownload", .bool(redownload)),
      ("tier", .integer(tier)),
    ])
  }
}

extension JSONObjectReader {
  /// One of an enumeration's names.
  package mutating func choice<Choice: RawRepresentable & CaseIterable>(_ key: JSONKey) -> Choice?
  where Choice.RawValue == String {
    read(key, "one of \(Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))") { content in
      content.text.flatMap { Choice(rawValue: $0) }
    }
  }

  package mutating func iosVersion(_ key: JSONKey) -> IOSVersion? {
    read(key, "an iOS version such as \"17.4\"") { content in
      content.text.flatMap { IOSVersion($0) }
    }
  }

  /// A string, or null for none; absent is the default.
  mutating func nullableString(_ key: JSONKey, default value: String?) -> String? {
    guard let node = node(key) else { return value }
    return node.isNull ? nil : string(key) ?? value
  }
}
